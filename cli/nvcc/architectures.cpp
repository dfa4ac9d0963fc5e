// See architectures.hpp.
#include "architectures.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "../support/errors.hpp"
#include "../support/shown.hpp"

namespace bankproof::cli::nvcc {
namespace {

constexpr int lowest = 80;
constexpr int highest = 90;

/// The number of 'sm_90a', and its letter. Throws UsageError.
struct Name {
  int number = 0;
  std::string letter;
};

Name read(std::string_view text) {
  std::string_view rest = text;
  for (const std::string_view kind : {"sm_", "compute_", "lto_"}) {
    if (rest.starts_with(kind)) {
      rest.remove_prefix(kind.size());
      break;
    }
  }
  Name name;
  while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0 &&
         name.number < 1000) {
    name.number = name.number * 10 + (rest[0] - '0');
    rest.remove_prefix(1);
  }
  if (rest.size() == text.size() || name.number < 10 ||
      !(rest.empty() || rest == "a" || rest == "f")) {
    throw UsageError(shown(text) + " is no architecture, such as sm_80 or compute_90");
  }
  name.letter = rest;
  return name;
}

void add_names(std::vector<std::string>& names, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string name;
    for (const char c : list.substr(0, end)) {
      if (std::string_view("[]\"' ").find(c) == std::string_view::npos) name += c;
    }
    if (!name.empty()) names.push_back(name);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::vector<std::string> names_of(const CommandLine& line) {
  std::vector<std::string> names;
  add_names(names, line.last("gpu-architecture"));
  for (const std::string& code : line.all("gpu-code")) add_names(names, code);
  for (std::string one : line.all("generate-code")) {
    // arch=compute_80,code=[sm_80,compute_80]
    bool is_specification = false;
    for (const std::string_view key : {"arch=", "code="}) {
      for (std::size_t at = one.find(key); at != std::string::npos; at = one.find(key)) {
        one.erase(at, key.size());
        is_specification = true;
      }
    }
    if (!is_specification) {
      throw UsageError("-gencode takes arch=ARCHITECTURE,code=LIST, not " + shown(one));
    }
    add_names(names, one);
  }
  std::erase_if(names, [](const std::string& name) {
    return name == "native" || name == "all" || name == "all-major";
  });
  return names;
}

}  // namespace

Architecture architecture_of(const CommandLine& line, const Tools& tools) {
  const int most = tools.has_nvcc() ? highest : lowest;
  Name best{lowest, ""};
  int beyond = 0;
  for (const std::string& text : names_of(line)) {
    const Name name = read(text);
    if (name.number > most && name.number >= highest) beyond = std::max(beyond, name.number);
    if (name.number > best.number) best = name.number <= most ? name : Name{most, ""};
    if (name.number == best.number && name.number == highest && best.letter.empty()) best = name;
  }
  Architecture result{std::to_string(best.number) + best.letter, {}};
  if (beyond != 0 && beyond > best.number) {
    result.notes.push_back("sm_" + std::to_string(beyond) + ": the code is compiled for sm_" +
                           result.name);
  }
  return result;
}

}  // namespace bankproof::cli::nvcc
