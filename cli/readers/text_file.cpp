// See text_file.hpp.
#include "text_file.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "../support/errors.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"
#include "bytes.hpp"

namespace bankproof::cli {

void require_regular_file(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::none) {
    throw InputError(shown(path) + ": cannot be opened: " + error.message());
  }
  if (type != std::filesystem::file_type::regular &&
      type != std::filesystem::file_type::not_found) {
    throw InputError(shown(path) + ": is not a regular file");
  }
}

std::string whole_file(const std::string& path, std::size_t longest, const std::string& kind) {
  require_regular_file(path);
  FileInput input(path);
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::string text;
  for (std::size_t got = 1; got > 0 && text.size() <= longest;) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    got = input.read(std::as_writable_bytes(std::span(text).subspan(before)));
    text.resize(before + got);
  }
  if (text.size() > longest) input.fail("is too long for a " + kind);
  return text;
}

nlohmann::ordered_json parsed_json(const std::string& path, const std::string& text) {
  using Json = nlohmann::ordered_json;
  std::vector<std::set<std::string>> keys;  // one set for each object that is open
  constexpr int deepest = 64;               // Json::dump() recurses once for each level
  const auto acceptable = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (depth > deepest) {
      throw InputError(shown(path) + ": nests deeper than " + std::to_string(deepest) + " levels");
    }
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InputError(shown(path) + ": an object has the key " +
                       in_quotes(value.get<std::string>()) + " twice");
    }
    return true;
  };
  try {
    return Json::parse(text, acceptable);
  } catch (const nlohmann::ordered_json::parse_error& error) {
    const std::string_view before =
        std::string_view(text).substr(0, std::max<std::size_t>(error.byte, 1) - 1);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
    throw InputError(shown(path) + ":" + std::to_string(line) + ":" + std::to_string(column + 1) +
                     ": is not valid JSON from here on");
  }
}

}  // namespace bankproof::cli
