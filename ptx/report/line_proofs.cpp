// Collects and writes marks; see line_proofs.hpp.
#include "line_proofs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "markup.hpp"

namespace bankproof::ptx {

void LineProofs::add(const SourceLine& line, std::string_view verdict, std::string_view claim) {
  constexpr std::string_view last = "proved";
  std::vector<LineMark>& marks = lines[line];
  auto at = std::find_if(marks.begin(), marks.end(),
                         [&](const LineMark& mark) { return mark.verdict == verdict; });
  if (at == marks.end()) {
    const bool before_last = !marks.empty() && marks.back().verdict == last;
    at = marks.insert(before_last ? marks.end() - 1 : marks.end(), {std::string(verdict), {}});
  }
  if (std::find(at->claims.begin(), at->claims.end(), claim) == at->claims.end()) {
    at->claims.emplace_back(claim);
  }
}

std::string marks_html(const std::vector<LineMark>& marks) {
  std::string all;
  for (const LineMark& mark : marks) {
    all += fmt::format(R"({0}<span class="{1}" title="{1}">{2}</span>)", all.empty() ? "" : " ",
                       html(mark.verdict), html(fmt::format("{}", fmt::join(mark.claims, " "))));
  }
  return all;
}

}  // namespace bankproof::ptx
