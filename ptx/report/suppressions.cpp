// Parses and applies suppressions; see suppressions.hpp.
#include "suppressions.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <utility>

#include "../../text/typed.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::string_view shared_excess = "shared_excess";
constexpr std::string_view global_excess = "global_excess";

bool matches(const Suppression& one, const SourceLine& at,
             const std::vector<std::string>& functions) {
  const std::string last = at.file.substr(at.file.rfind('/') + 1);
  if (fnmatch(one.file.c_str(), at.file.c_str(), 0) != 0 &&
      fnmatch(one.file.c_str(), last.c_str(), 0) != 0) {
    return false;
  }
  if (one.line) return *one.line == at.line;
  return one.function == "*" ||
         std::find(functions.begin(), functions.end(), one.function) != functions.end();
}

bool matches(const Suppression& one, std::string_view kind, const FaultReport& fault) {
  if (one.kind != "*" && one.kind != kind) return false;
  return matches(one, fault.at, fault.functions) ||
         std::any_of(fault.chain.begin(), fault.chain.end(),
                     [&](const SourceLine& at) { return matches(one, at, fault.functions); });
}

Suppression parse_line(const std::string& text, std::uint32_t number, const std::string& file) {
  const auto fail = [&](const std::string& what) {
    throw SuppressionError(file + ":" + std::to_string(number) + ": " + what);
  };
  std::istringstream words(text);
  Suppression one;
  std::string place;
  std::string extra;
  if (!(words >> one.kind >> one.file >> place) || words >> extra) {
    fail("expected a kind, a file and a line or a function, as in `race tile.cu 12`; it has " +
         in_quotes(text));
  }
  std::vector<std::string_view> kinds = fault_kinds();
  kinds.insert(kinds.end(), {shared_excess, global_excess, "*"});
  if (std::find(kinds.begin(), kinds.end(), one.kind) == kinds.end()) {
    const auto near = nearest(one.kind, kinds);
    std::string known;
    for (const std::string_view kind : kinds) known += " " + std::string(kind);
    fail("unknown kind " + in_quotes(one.kind) +
         (near ? "; did you mean " + in_quotes(*near) + "?" : "") + " There are:" + known);
  }
  if (place.find_first_not_of("0123456789") == std::string::npos) {
    const DecimalNumber line = parse_decimal(place);
    if (!line.value || *line.value > std::numeric_limits<std::uint32_t>::max()) {
      fail("no line is " + in_quotes(place));
    }
    one.line = static_cast<std::uint32_t>(*line.value);
  } else {
    one.function = place;
  }
  one.written_at = number;
  one.text = text;
  return one;
}

}  // namespace

std::vector<std::string_view> fault_kinds() {
  std::vector<std::string_view> kinds;
  for (int kind = 0; kind < fault_kind_count; ++kind) {
    kinds.push_back(name_of(static_cast<FaultKind>(kind)));
  }
  return kinds;
}

std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file) {
  std::vector<Suppression> all;
  std::uint32_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, std::min(text.substr(0, end).find('#'), end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    all.push_back(parse_line(line, number, file));
  }
  return all;
}

std::vector<Suppression> suppress(KernelReport& report,
                                  const std::vector<Suppression>& suppressions) {
  std::vector<Suppression> unused;
  for (const Suppression& one : suppressions) {
    bool used = false;
    for (FaultReport& fault : report.faults) {
      if (!matches(one, name_of(fault.kind), fault)) continue;
      fault.suppressed = used = true;
    }
    for (LineReport& line : report.lines) {
      if (!matches(one, line.at, line.functions)) continue;
      const bool all = one.kind == "*";
      if ((all || one.kind == shared_excess) && line.shared_excess() > 0) {
        line.shared_suppressed = used = true;
      }
      if ((all || one.kind == global_excess) && line.global_excess() > 0) {
        line.global_suppressed = used = true;
      }
    }
    if (!used) unused.push_back(one);
  }
  return unused;
}

}  // namespace bankproof::ptx
