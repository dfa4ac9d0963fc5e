// Several threads of a launch. Whatever belongs to a thread has another name for each further
// thread. Facts about any thread are stated of all.
//
// Assumed: a block or a grid whose y or z axis the kernel does not read has one index there, unless
// its shape is stated; a launch has at most 2^30 threads.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../execution/substitute.hpp"
#include "question.hpp"

namespace bankproof::symbolic {

enum class Which { of_one_block, of_two_blocks };

class Threads {
 public:
  /// `count` threads, which all of them count their iterations alone, but for `shared` unknowns.
  Threads(Subject& subject, Which which, std::size_t count, std::vector<Term> shared = {});

  /// Nobody says of thread 1 and the further ones that the block has them, nor that they come to an
  /// iteration that is shared.
  void let_others_be_missing() { others_may_be_missing_ = true; }
  /// The statement that thread k is one of its block, and what holds of it in these iterations.
  Term is_there(std::size_t thread, const std::vector<Term>& counters);

  /// The term as the thread of this number has it; thread 0 has the term itself.
  Term of(std::size_t thread, Term term);
  /// From now on, the thread has this term in place of the unknown. Thread 0 has none.
  void put(std::size_t thread, Term unknown, Term by);
  /// Whether the threads of a block may have different indices along x, y or z.
  bool has_axis(char axis) const {
    return std::find(block_axes_.begin(), block_axes_.end(), axis) != block_axes_.end();
  }
  /// Likewise the blocks of a launch.
  bool has_axis_of_grid(char axis) const {
    return std::find(grid_axes_.begin(), grid_axes_.end(), axis) != grid_axes_.end();
  }
  /// The statement that threads a and b are not the same, or that their blocks are not.
  Term differ(std::size_t a, std::size_t b);
  /// The number of a thread in its block, of 32 bits.
  Term number(std::size_t thread);
  /// The statements, and all that is known about what they mention: facts about iterations, the
  /// shape of the launch, and what the user states.
  Statements with_facts(const std::vector<Term>& statements);
  Participant participant(std::size_t thread, const ptx::Instruction& instruction);

 private:
  Term special(const char* base, char axis);
  /// Those among the unknowns that threads load from arrays to which none writes.
  std::vector<Element> elements(const std::set<Term>& unknowns);
  /// What an unknown is called for thread 0, and the thread whose it is: 0 if it has no other name.
  std::pair<std::size_t, Term> owner(Term unknown) const;
  /// Threads that are in the same iterations have the same numbers, of those that they agree about.
  std::vector<Term> agree(const std::set<Term>& unknowns);
  /// What is known of an unknown that a thread loads from shared memory, or draws.
  std::vector<Term> facts_about_memory(Term unknown);
  /// Threads that differ have drawn different numbers, of those among the unknowns.
  std::vector<Term> draws_differ(const std::set<Term>& unknowns);
  std::vector<Term> shape_facts();
  bool do_all_have(Term unknown) const;
  bool is_shared(Term unknown) const {
    return std::find(shared_.begin(), shared_.end(), unknown) != shared_.end();
  }

  Subject& subject_;
  Pool& pool_;
  Which which_;
  struct Renaming {
    Substitution terms;
    std::unordered_map<Term, bool> met;
  };
  std::deque<Renaming> further_;
  std::vector<Term> shared_;
  /// A thread, and what its unknown is called for thread 0.
  std::unordered_map<Term, std::pair<std::size_t, Term>> renamed_;
  bool others_may_be_missing_ = false;
  // Axes of which the launch may have more than one index.
  std::vector<char> block_axes_;
  std::vector<char> grid_axes_;
};

/// The statement that two threads of a block are in one warp.
Term are_in_one_warp(Threads& threads, Pool& pool, std::size_t a, std::size_t b);

}  // namespace bankproof::symbolic
