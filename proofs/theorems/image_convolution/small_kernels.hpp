// The turns of CONV-HMM with a kernel of radius 1 (algorithms/image_convolution.hpp), for the proof
// of its upper bound.
//
// A block spends most of its turns on its tile, which it goes through twice for each weight. A
// sweep of the tile takes at most 2w²/p turns. This bound is nearly reached if p is just below w²
// and the sweep takes two turns. Then the window, whose rows have two warps, takes little more than
// 3w²/p turns. If a sweep of the tile takes three or more turns, it takes little more than 1.5w²/p
// turns.
#pragma once

#include <utility>

#include "../turns/sweeps.hpp"

namespace bankproof::proofs {

/// A w × w tile and its window of side w + 2, swept by 2w ≤ p ≤ w² threads.
class SmallKernel {
 public:
  SmallKernel(Query& q, IntTerm w, IntTerm p, IntTerm side)
      : query_(q),
        w_(std::move(w)),
        p_(std::move(p)),
        side_(std::move(side)),
        window_{side_, side_, p_, w_},
        tile_(q, w_, p_) {}

  const SweepShape<IntTerm>& window() const { return window_; }
  const SweepShape<IntTerm>& tile() const { return tile_.shape(); }

  /// A bound on p times the turns of the window plus 20 times the turns of the tile, for w ≥ 28.
  Truth is_bounded() const {
    return p_ * (window_.turns() + 20 * tile().turns()) <= 43 * w_ * w_ + 40 * w_;
  }
  /// Proves is_bounded(). The query must know that the window takes at most 4·side²/p turns.
  void prove_bound() const {
    const IntTerm r = tile_.rows();
    const IntTerm t = tile_.turns();
    Query& q = query_;
    tile_.prove_shape();
    q.compare_multiples(w_, r, 2);
    q.apply(multiples_are_apart(), {r, t, 1});
    q.claim("several rows", r >= 2 && t >= 1 && tile().turns() == t);
    q.multiply_equals(p_, tile().turns(), t);
    q.suppose(t == 1, [&] {
      q.multiply_equals(p_, t, 1);
      q.multiply_by({w_});
      return is_bounded();
    });
    q.suppose(t == 2, [&] {
      q.multiply_equals(p_, t, 2);
      q.multiply_equals(r, t, 2);
      q.claim("half of the rows", 2 * r >= w_);
      prove_window();
      q.multiply_by({w_});
      return is_bounded();
    });
    q.suppose(t >= 3, [&] {
      q.multiply_by({r});
      q.multiply_by({r - 2});
      q.multiply_by({r, r - 2});
      q.claim("rows and turns", 2 * (r + t) <= w_ + 6);
      q.multiply_by({t, w_});
      q.claim("a tile", p_ * t <= w_ * (w_ + r + t));
      q.multiply_by({w_});
      return is_bounded();
    });
  }

 private:
  /// For 2p ≥ w², proves that p times the turns of the window is at most 3w² + 16w.
  void prove_window() const {
    Query& q = query_;
    const IntTerm threads = window_.row_threads();
    const IntTerm a = window_.rows_at_once();
    const IntTerm s = ceil_div(side_, a);
    q.compare_multiples(w_, ceil_div(side_, w_), 2);
    q.claim("threads of a row", ceil_div(side_, w_) == 2 && threads == 2 * w_);
    q.multiply_equals(a, threads, 2 * w_);
    q.multiply_equals(window_.pieces(), threads, 2 * w_);
    q.compare_multiples(2 * w_, window_.pieces(), 1);
    q.compare_multiples(2 * w_, a, 1);
    q.claim("a row in one turn", window_.pieces() == 1 && a >= 1);
    q.multiply_equals(s, window_.pieces(), 1);
    q.multiply_equals(p_, window_.turns(), s);
    q.multiply_by({w_});
    q.apply(multiples_are_apart(), {w_, 4 * a + 4, w_});
    q.multiply_equals(w_, w_, 4 * a + 4);
    q.claim("rows of a turn", 4 * a + 4 > w_);
    q.apply(multiples_are_apart(), {w_, 2 * a, w_});
    q.apply(multiples_are_apart(), {w_, w_, 2 * a});
    q.claim("no more rows", 2 * a <= w_);
    q.apply(multiples_are_apart(), {a, 7, s});
    q.claim("few turns", s <= 7);
    q.compare_multiples(a, s, 1);
    q.claim("some turns", s >= 1);
    q.multiply_by({s, w_});
    q.claim("a window", p_ * window_.turns() <= 3 * w_ * w_ + 16 * w_);
  }

  Query& query_;
  IntTerm w_;
  IntTerm p_;
  IntTerm side_;
  SweepShape<IntTerm> window_;
  SweepSums tile_;
};

}  // namespace bankproof::proofs
