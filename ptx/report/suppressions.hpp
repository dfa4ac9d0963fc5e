// Suppressions: a file that names the intended findings, one on each line.
//
//     # kind        file          line or function
//     race          histogram.cu  42
//     *             */cub/*       BlockLoad
//     shared_excess tile.cu       *
//
// A kind is a fault's kind, shared_excess, global_excess, or * for all kinds. A file is a glob (*,
// ?, […]) that matches the whole path or its last part. A fault matches at its own line and at each
// line of its chain of inlined calls. A function is the plain name of a kernel or of a function
// inlined into it. In place of a line or function, * matches everywhere. A comment begins with #.
// Blanks separate the columns; in a file name, write ? for a blank.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"

namespace bankproof::ptx {

struct Suppression {
  std::string kind;
  std::string file;
  std::optional<std::uint32_t> line;
  std::string function;          // a name or *; empty if there is a line
  std::uint32_t written_at = 0;  // the line in the file of suppressions
  std::string text;
};

/// The text is no list of suppressions. The message says where: `suppress.txt:3: …`.
class SuppressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `file` is for messages. Throws SuppressionError.
std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file);

/// Marks the suppressed findings; returns the suppressions that matched nothing.
std::vector<Suppression> suppress(KernelReport& report,
                                  const std::vector<Suppression>& suppressions);

/// The names of all kinds of faults, as in suppressions.
std::vector<std::string_view> fault_kinds();

}  // namespace bankproof::ptx
