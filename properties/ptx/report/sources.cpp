// Files below a folder are named as seen from there, and other files are not renamed.
#include "../../../ptx/report/sources.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bankproof::ptx {
namespace {

/// What a message becomes in a report that is read in /somewhere/a.
std::string seen(const std::string& message, const std::string& folder = "/somewhere/a") {
  KernelReport report;
  report.faults.emplace_back().message = message;
  name_files_from(report, folder);
  return report.faults.front().message;
}

TEST(FileNames, below_the_folder_are_shortened) {
  EXPECT_EQ(seen("/somewhere/a/k.cu:7 and (/somewhere/a/src/k.cu:9)"), "k.cu:7 and (src/k.cu:9)");
  EXPECT_EQ(seen("/somewhere/a/somewhere/a/k.cu"), "somewhere/a/k.cu");
  EXPECT_EQ(seen("/somewhere/a/k.cu", "/somewhere/a/"), "k.cu");
}

TEST(FileNames, elsewhere_stay_as_they_are) {
  for (const char* const name :
       {"/somewhere/ab/k.cu", "/elsewhere/somewhere/a/k.cu", "../somewhere/a/k.cu", "/somewhere/a",
        "my-/somewhere/a/k.cu", "k.cu"}) {
    EXPECT_EQ(seen(name), name);
  }
  EXPECT_EQ(seen("/somewhere/a/k.cu", "/"), "/somewhere/a/k.cu");
}

TEST(FileNames, are_shortened_on_lines_and_in_chains) {
  KernelReport report;
  LineReport& line = report.lines.emplace_back();
  line.at = {"/somewhere/a/k.cu", 1};
  line.inlined = {{"/somewhere/a/k.cuh", 2}};
  FaultReport& fault = report.faults.emplace_back();
  fault.at = {"/somewhere/a/k.cu", 3};
  fault.chain = {{"/somewhere/a/k.cuh", 4}};
  name_files_from(report, "/somewhere/a");
  EXPECT_EQ(line.at.file, "k.cu");
  EXPECT_EQ(line.inlined.front().file, "k.cuh");
  EXPECT_EQ(fault.at.file, "k.cu");
  EXPECT_EQ(fault.chain.front().file, "k.cuh");
}

}  // namespace
}  // namespace bankproof::ptx
