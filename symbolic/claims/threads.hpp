// Two threads of a launch: what is of a thread gets other names for the second one, and what holds
// of any thread holds of both.
#pragma once

#include <vector>

#include "../execution/execution.hpp"
#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

enum class Which { of_one_block, of_two_blocks };

class TwoThreads {
 public:
  TwoThreads(Pool& pool, Execution& execution, Which which);

  Term first(Term term) const { return term; }
  Term second(Term term);
  /// That they are two threads, of one block or of two.
  Term differ();
  /// The statements, and all that is known about what they mention: facts about iterations, and the
  /// shape of the launch.
  std::vector<Term> with_facts(const std::vector<Term>& statements);

  /// Axes of which the launch may have more than one index: 'x', 'y', 'z'.
  const std::vector<char>& block_axes() const { return block_axes_; }

 private:
  Term special(const char* base, char axis);
  std::vector<Term> shape_facts();

  Pool& pool_;
  Execution& execution_;
  Which which_;
  Substitution renaming_;
  std::unordered_map<Term, bool> renamed_;
  std::vector<char> block_axes_;
  std::vector<char> grid_axes_;
};

}  // namespace bankproof::symbolic
