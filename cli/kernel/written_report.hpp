// Reads the fields of reports that this program has written.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "../../ptx/report/report.hpp"

namespace bankproof::cli {

/// A field that is missing or of another type is an InputError, which names the field and ends with
/// `what`: what the file should be.
class WrittenReport {
 public:
  using Json = nlohmann::ordered_json;

  WrittenReport(std::string its_file, std::string what)
      : file_(std::move(its_file)), what_(std::move(what)) {}

  const std::string& file() const { return file_; }
  /// Throws InputError for a file that cannot be read, or is not JSON.
  Json whole() const;

  [[noreturn]] void fail(std::string_view field) const;
  const Json& field(const Json& object, const char* name) const;
  const Json& list(const Json& object, const char* name) const;
  std::string text(const Json& object, const char* name) const;
  std::uint64_t number(const Json& object, const char* name) const;
  /// The place that the fields `file` and `line` name.
  ptx::SourceLine line(const Json& at) const;

 private:
  std::string file_;
  std::string what_;
};

}  // namespace bankproof::cli
