// Marks that a page shows beside the lines of a kernel: which claims about a line are proved.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"

namespace bankproof::ptx {

/// Claims about a line of which the same is known.
struct LineMark {
  std::string verdict;  // proved, refuted, unknown, …
  std::vector<std::string> claims;
};

struct LineProofs {
  /// The marks of each line; what is proved comes last.
  std::map<SourceLine, std::vector<LineMark>> lines;
  std::vector<std::string> assumptions;  // of all these proofs

  void add(const SourceLine& line, std::string_view verdict, std::string_view claim);
};

/// The marks as one line of HTML, in the classes of html_style.hpp.
std::string marks_html(const std::vector<LineMark>& marks);

}  // namespace bankproof::ptx
