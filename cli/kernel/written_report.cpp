// See written_report.hpp.
#include "written_report.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {

WrittenReport::Json WrittenReport::whole() const {
  constexpr std::size_t longest = std::size_t{1} << 28;
  return parsed_json(file_, whole_file(file_, longest, "report"));
}

void WrittenReport::fail(std::string_view field) const {
  throw InputError(
      fmt::format("{}: {} is missing or of another type; {}", file_, in_quotes(field), what_));
}

const WrittenReport::Json& WrittenReport::field(const Json& object, const char* name) const {
  if (!object.is_object() || !object.contains(name)) fail(name);
  return object[name];
}

const WrittenReport::Json& WrittenReport::list(const Json& object, const char* name) const {
  const Json& found = field(object, name);
  if (!found.is_array()) fail(name);
  return found;
}

std::string WrittenReport::text(const Json& object, const char* name) const {
  const Json& found = field(object, name);
  if (!found.is_string()) fail(name);
  return found.get<std::string>();
}

std::uint64_t WrittenReport::number(const Json& object, const char* name) const {
  const Json& found = field(object, name);
  if (!found.is_number_unsigned()) fail(name);
  return found.get<std::uint64_t>();
}

ptx::SourceLine WrittenReport::line(const Json& at) const {
  const std::uint64_t line = number(at, "line");
  if (line > UINT32_MAX) fail("line");
  return {text(at, "file"), static_cast<std::uint32_t>(line)};
}

}  // namespace bankproof::cli
