// Counts the bytes that the threads of a block write together. It can where the shape of the block
// is stated, and addresses depend on the indices of threads alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../solving/decide.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

/// For each byte of an array from its begin on, whether it is written.
using Covered = std::vector<bool>;

class CountedBlock {
 public:
  CountedBlock(Subject& subject, const Threads& threads)
      : subject_(subject), pool_(subject.pool), threads_(threads) {}

  /// The indices of a thread that are unknowns.
  std::vector<Term> indices() const;
  Term index_of(char axis) const;

  /// Adds what the threads write at this offset, if they fulfill the guard. Nothing if these depend
  /// on more than indices.
  void add(Term offset, Term guard, std::uint32_t bytes, Covered& covered);
  /// Whether no thread of the block, if all of them read, reads anything else.
  bool reads_only(Term offset, std::uint32_t bytes, const Covered& covered);

 private:
  const std::vector<Model>& threads();
  bool is_of_indices(Term term) const;
  std::uint64_t value(const Model& thread, Term term) const;

  Subject& subject_;
  Pool& pool_;
  const Threads& threads_;
  std::optional<std::vector<Model>> all_;
};

}  // namespace bankproof::symbolic
