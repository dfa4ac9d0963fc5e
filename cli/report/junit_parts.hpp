// JUnit reports: what continuous integration shows beside other tests. A report is one suite.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::cli {

/// Why a case does not pass: it fails, or nothing is known of it.
struct JunitFailure {
  bool error = false;  // nothing is known
  std::string message;
  std::string type;
  std::string text;
};

struct JunitCase {
  std::string name;
  std::optional<JunitFailure> failure;
  std::optional<std::string> skipped;  // why
  std::string output;
  std::string seconds = "0";
};

struct JunitSuite {
  std::string name;
  std::string class_name;  // of every case
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<JunitCase> cases;
  std::string seconds = "0";
};

/// The whole text, with a newline at its end.
std::string junit_text(const JunitSuite& suite);

}  // namespace bankproof::cli
