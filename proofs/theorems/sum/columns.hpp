// Upper bounds on launches of the sum on the HMM in which blocks sum columns (algorithms/sum.hpp).
#pragma once

#include <string_view>
#include <tuple>

#include "../../../algorithms/sum.hpp"
#include "../../builder/bounds.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {

/// The machine parameters and the size of a task on the HMM.
struct SumLetters {
  Query& q;
  IntTerm n = q.number("n", 1, 9);
  IntTerm p = q.number("p", 1, 4);
  IntTerm w = q.number("w", 1, 2);
  IntTerm l = q.number("l", 1, 3);
  IntTerm L = q.number("L", 1, 5);
  IntTerm d = q.number("d", 1, 2);

  auto tie() const { return std::tie(n, p, w, l, L, d); }
  TaskOf<IntTerm> task(std::string_view variant) const {
    return task_on(MachineKind::hmm, variant, {.w = w, .l = l, .L = L, .d = d, .p = p}, {{"n", n}});
  }
};

/// Upper bounds on columns_cost(n, blocks, p, w). In a turn, each warp of a block accesses words of
/// up to two groups; the bounds add one more stage at each end of the block's words. The words of
/// the first block in the first turn are aligned.
struct Columns {
  IntTerm n;
  IntTerm blocks;
  IntTerm p;
  IntTerm w;

  IntTerm ends() const { return w - 1; }
  IntTerm sums() const { return smaller(p, n); }
  IntTerm pieces() const { return ceil_div(n, p); }
  IntTerm levels() const { return ceil_log2(sums()); }
  /// Upper bound on w times the stages that read the columns and write the sums.
  IntTerm global_stages() const {
    return 2 * (n + pieces() * ends()) - sums() - ends() + w * blocks;
  }
  IntTerm shared_stages() const { return 4 * sums() - 3 + ends() + 3 * levels() * ends() + w; }
  IntTerm global_rounds() const { return ceil_div(n, blocks * p) + 1; }
  IntTerm shared_rounds() const { return 2 + 3 * levels(); }

  /// Gives the invariants of the sums in columns_cost(). With `of_warps`, also proves that a piece
  /// takes one stage if p = w.
  void give(Query& q, bool of_warps = false) const;
  /// Bounds the number of pieces for w ≤ p: proves that 3·sums + 2(pieces − 1)(w − 1) is at most 3n
  /// + 2(w − 1), and at most 3n if n ≤ p.
  void prove_few_pieces(Query& q) const;

 private:
  void prove_piece_of_warp(const IntTerm& turn, const IntTerm& count, const IntTerm& k) const;
  void give_levels(Query& q) const;
};

}  // namespace bankproof::proofs
