// A finding keeps its fingerprint when its line moves, and loses it when its line changes.
#include "../../../ptx/report/fingerprints.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace bankproof::ptx {
namespace {

const std::string three_lines = "a[i] = 1;\n  b[i] = 2;\na[i] = 1;\n";

struct Found {
  std::string file = "k.cu";
  std::uint32_t line = 1;
  FaultKind kind = FaultKind::race;
  std::string kernel = "k";
};

/// The fingerprints of faults in a report of k.cu, whose text is given.
std::vector<std::string> fingerprints(const std::vector<Found>& all,
                                      const std::string& text = three_lines) {
  KernelReport report;
  for (const Found& found : all) {
    FaultReport& fault = report.faults.emplace_back();
    fault.at = {found.file, found.line};
    fault.kind = found.kind;
    fault.functions = {"inlined", found.kernel};
  }
  add_fingerprints(report, {{"k.cu", text}});
  std::vector<std::string> made;
  made.reserve(report.faults.size());
  for (const FaultReport& fault : report.faults) made.push_back(fault.fingerprint);
  return made;
}

TEST(Fingerprints, stay_when_lines_move) {
  const auto before = fingerprints({{.line = 1}, {.line = 2}, {.line = 3}});
  const auto after = fingerprints({{.line = 3}, {.line = 5}, {.line = 7}},
                                  "\n\n a[i]  = 1;\n\n\tb[i]=2;\r\n\na[i] = 1;");
  EXPECT_EQ(before, after);
}

// Lines 1 and 3 have the same text.
TEST(Fingerprints, differ_where_anything_else_does) {
  const std::vector<std::string> made = {
      fingerprints({{}, {.line = 3}})[0], fingerprints({{}, {.line = 3}})[1],
      fingerprints({{.line = 2}})[0], fingerprints({{.kernel = "other"}})[0],
      fingerprints({{.file = "other.cu"}})[0]};
  EXPECT_EQ(std::set<std::string>(made.begin(), made.end()).size(), made.size());
  EXPECT_NE(fingerprints({{}}), fingerprints({{}}, "a[i] = 2;\n"));
}

// A new race does not change the fingerprint of another kind at the same line.
TEST(Fingerprints, of_each_kind_are_counted_apart) {
  const Found race;
  const Found bounds = {.kind = FaultKind::out_of_bounds};
  EXPECT_EQ(fingerprints({bounds})[0], fingerprints({race, bounds})[1]);
}

TEST(Fingerprints, have_the_number_of_a_line_without_text) {
  EXPECT_NE(fingerprints({{.file = "x.cu", .line = 1}}),
            fingerprints({{.file = "x.cu", .line = 2}}));
  EXPECT_EQ(fingerprints({{.file = "x.cu", .line = 1}}),
            fingerprints({{.file = "x.cu", .line = 1}}));
  EXPECT_NE(fingerprints({{.line = 90}}), fingerprints({{.line = 91}}));
}

TEST(Fingerprints, of_lines_with_counts) {
  KernelReport report;
  report.lines.resize(2);
  report.lines[0].at = {"k.cu", 1};
  report.lines[1].at = {"k.cu", 3};
  add_fingerprints(report, {{"k.cu", three_lines}});
  EXPECT_EQ(report.lines[0].fingerprint.size(), 16U);
  EXPECT_NE(report.lines[0].fingerprint, report.lines[1].fingerprint);
}

}  // namespace
}  // namespace bankproof::ptx
