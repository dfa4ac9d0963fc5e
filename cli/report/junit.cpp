// The JUnit report of `check`: a case for each access, which fails when a warp takes more stages
// than the limit.
#include <fmt/format.h>

#include "formats.hpp"
#include "junit_parts.hpp"

namespace bankproof::cli {
namespace {

std::string summary(const AccessResult& access) {
  const ConflictReport& report = access.report;
  return fmt::format("stages {}, ideal {}, excess {}, max {}, mean {:.4f}", report.stages,
                     report.ideal, report.excess(), report.max, report.mean());
}

JunitCase case_of(const CheckReport& report, const AccessResult& access) {
  JunitCase one;
  one.name = access.name();
  one.output = summary(access);
  if (access.over_limit > 0) {
    one.failure = JunitFailure{
        .message = fmt::format(
            "{} of {} take more than {}; warp {} takes {}: {}", access.over_limit,
            counted(access.report.warps, "warp"), counted(report.max_stages, report.memory.unit()),
            access.report.worst_warp, access.report.max, reason(report.memory, access.worst)),
        .type = "stages",
        .text = summary(access)};
  }
  return one;
}

}  // namespace

std::string as_junit(const CheckReport& report) {
  JunitSuite suite;
  suite.name = fmt::format("bankproof check {}", report.permutation.name);
  suite.class_name = suite.name;
  suite.properties = {{"permutation", report.permutation.name},
                      {"size", std::to_string(report.permutation.size())},
                      {"machine", report.memory.description()},
                      {"width", std::to_string(report.memory.width())},
                      {"max_stages", std::to_string(report.max_stages)},
                      {"checked.permutations", "1"},
                      {"checked.warps", std::to_string(report.warps_checked())}};
  for (const std::string& note : report.memory.notes) suite.properties.emplace_back("note", note);
  for (const AccessResult& access : report.accesses) {
    suite.cases.push_back(case_of(report, access));
  }
  return junit_text(suite);
}

}  // namespace bankproof::cli
