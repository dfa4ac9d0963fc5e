// The JUnit report of a kernel: a case for its faults, and one for its excess in each memory, which
// is skipped if no limit applies to it.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "../../ptx/report/text.hpp"
#include "../report/junit_parts.hpp"
#include "../support/shown.hpp"
#include "../support/words.hpp"
#include "formats.hpp"

namespace bankproof::cli {
namespace {

/// A case that passes if there are no lines. Otherwise it fails, and the first line is its message.
JunitCase case_of(std::string name, const char* type, const std::vector<std::string>& lines) {
  JunitCase one;
  one.name = std::move(name);
  if (lines.empty()) return one;
  const std::size_t more = lines.size() - 1;
  one.failure =
      JunitFailure{.message = lines.front() + (more == 0 ? "" : fmt::format("; and {} more", more)),
                   .type = type,
                   .text = ""};
  for (const std::string& line : lines) one.failure->text += line + "\n";
  return one;
}

JunitCase faults_case(const ptx::Verdict& verdict) {
  std::vector<std::string> lines;
  lines.reserve(verdict.faults.size());
  for (const ptx::FaultReport* const fault : verdict.faults) {
    lines.push_back(shown(fmt::format("{}: {}: {}", chain_text(fault->at, fault->chain),
                                      name_of(fault->kind), fault->message)));
  }
  return case_of("faults", "fault", lines);
}

JunitCase excess_case(const char* memory, const std::vector<const ptx::LineReport*>& over,
                      const std::optional<std::uint64_t>& limit, bool shared) {
  std::vector<std::string> lines;
  lines.reserve(over.size());
  for (const ptx::LineReport* const line : over) {
    lines.push_back(shown(fmt::format(
        "{}: {} more than the ideal {}; the limit is {}", place_text(line->at),
        shared ? counted(line->shared_excess(), "wavefront")
               : counted(line->global_excess(), "sector"),
        shared ? line->counts.ideal_wavefronts : line->counts.ideal_sectors, limit.value_or(0))));
  }
  JunitCase one = case_of(fmt::format("excess in {} memory", memory), "excess", lines);
  if (!limit) one.skipped = fmt::format("no --max-{}-excess is given", memory);
  return one;
}

}  // namespace

std::string kernel_as_junit(const ptx::KernelReport& report, const ptx::Limits& limits,
                            const std::vector<std::string>& notes) {
  const ptx::Verdict verdict = judge(report, limits);
  JunitSuite suite;
  suite.name = "bankproof kernel " + shown(report.kernel);
  suite.class_name = suite.name;
  suite.properties = {{"machine", report.machine},
                      {"time", std::to_string(report.time)},
                      {"checked.launches", std::to_string(report.launches)},
                      {"checked.accesses", std::to_string(report.totals.accesses)}};
  for (const std::string& note : notes) suite.properties.emplace_back("note", shown(note));
  suite.cases = {faults_case(verdict),
                 excess_case("shared", verdict.shared, limits.max_shared_excess, true),
                 excess_case("global", verdict.global, limits.max_global_excess, false)};
  return junit_text(suite);
}

}  // namespace bankproof::cli
