// JUnit reports, which continuous integration shows together with other tests. A report is one
// suite.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::cli {

/// The reason why a case does not pass: it fails, or its outcome is unknown (an error).
struct JunitFailure {
  bool error = false;  // the outcome is unknown
  std::string message;
  std::string type;
  std::string text;
};

struct JunitCase {
  std::string name;
  std::optional<JunitFailure> failure;
  std::optional<std::string> skipped;  // the reason
  std::string output;
  std::string seconds = "0";
};

struct JunitSuite {
  std::string name;
  std::string class_name;  // the same for every case
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<JunitCase> cases;
  std::string seconds = "0";
};

/// The whole text, which ends with a newline.
std::string junit_text(const JunitSuite& suite);

}  // namespace bankproof::cli
