// Why a claim stays open, and what to state to get on.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bounds.hpp"
#include "examples.hpp"
#include "lines.hpp"

namespace bankproof::symbolic {

class Reasons {
 public:
  Reasons(const Subject& subject, const Examples& examples, const UsualBounds& usual, Lines& lines)
      : subject_(subject), examples_(examples), usual_(usual), lines_(lines) {}

  /// Of a question that neither solvers nor the machine decide.
  std::string of_open(const Finding& finding, const Question& question) const;
  /// Of one that cannot be asked.
  std::string of_unasked(const Question& question) const;
  /// Of one that is decided within bounds.
  static std::string of_bounds(const SizeBounds& sizes);

 private:
  std::string what_decides(const Possibility& possibility) const;
  std::string of_loops() const;
  template <class Visit>
  void each_source(const Possibility& possibility, std::string_view words,
                   const Visit& visit) const;
  std::set<std::string> counters_in(const Possibility& possibility) const;
  std::set<std::string> kept_in(const Possibility& possibility) const;

  const Subject& subject_;
  const Examples& examples_;
  const UsualBounds& usual_;
  Lines& lines_;
};

/// What a solver chooses of a thread besides its indices and iterations.
std::vector<Term> data_in(const Subject& subject, const Possibility& possibility);

}  // namespace bankproof::symbolic
