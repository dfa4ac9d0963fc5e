// Findings that are intended: a file that names them, a line each.
//
//     # kind        file          line or function
//     race          histogram.cu  42
//     *             */cub/*       BlockLoad
//     shared_excess tile.cu       *
//
// A kind is one of a fault's kinds, shared_excess or global_excess, or * for
// all. A file is a glob (*, ?, […]) that the whole path or its last part matches; a fault counts
// as standing at its own line and at each of its chain of inlined calls. A function is the plain
// name of a kernel or of one inlined into it; * is any place. What follows # is no part of a line,
// nor are blanks; a file with blanks has ? in their place.
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
  std::string function;          // or *; empty where there is a line
  std::uint32_t written_at = 0;  // the line in the file of suppressions
  std::string text;
};

/// A text is no list of suppressions. The text says where: `suppress.txt:3: …`.
class SuppressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `file` is for messages. Throws SuppressionError.
std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file);

/// Marks what is suppressed; returns the suppressions that nothing used.
std::vector<Suppression> suppress(KernelReport& report,
                                  const std::vector<Suppression>& suppressions);

/// Each kind of a fault, by name.
std::vector<std::string_view> fault_kinds();

}  // namespace bankproof::ptx
