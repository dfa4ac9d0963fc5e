// Two threads of a launch. Whatever belongs to a thread has another name for the second thread.
// Facts about any thread are stated of both.
//
// Assumed: a block or a grid whose y or z axis the kernel does not read has one index there, unless
// its shape is stated; a launch has at most 2^30 threads.
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
  /// The statement that the two threads are not the same, or that their blocks are not.
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
