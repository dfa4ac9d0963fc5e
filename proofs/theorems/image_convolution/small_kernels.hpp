// The turns of CONV-HMM with a kernel of radius 1 (algorithms/image_convolution.hpp), for the proof
// of its upper bound.
//
// A block spends most of its turns on its tile, which it goes through twice for each weight. The
// tile takes at most 2w²/p turns. This bound is nearly reached if p is just below w² and the tile
// takes two turns. Then the window, whose rows have two warps, takes little more than 3w²/p turns.
// If the tile takes three or more turns, it takes little more than 1.5w²/p turns.
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
    return p_ * (window_.turns() + IntTerm(20) * tile().turns()) <=
           IntTerm(43) * w_ * w_ + IntTerm(40) * w_;
  }
  /// Proves this bound. The query must know that the window takes at most 4·side²/p turns.
  void prove_bound() const {
    const IntTerm one(1);
    const IntTerm two(2);
    const IntTerm r = tile_.rows();
    const IntTerm t = tile_.turns();
    Query& q = query_;
    tile_.prove_shape();
    q.compare_multiples(w_, r, two);
    q.apply(multiples_are_apart(), {r, t, one});
    q.claim("several rows", r >= two && t >= one && tile().turns() == t);
    q.multiply_equals(p_, tile().turns(), t);
    q.suppose(t == one, [&] {
      q.multiply_equals(p_, t, one);
      q.multiply_by({w_});
      return is_bounded();
    });
    q.suppose(t == two, [&] {
      q.multiply_equals(p_, t, two);
      q.multiply_equals(r, t, two);
      q.claim("half of the rows", two * r >= w_);
      prove_window();
      q.multiply_by({w_});
      return is_bounded();
    });
    q.suppose(t >= IntTerm(3), [&] {
      q.multiply_by({r});
      q.multiply_by({r - two});
      q.multiply_by({r, r - two});
      q.claim("rows and turns", two * (r + t) <= w_ + IntTerm(6));
      q.multiply_by({t, w_});
      q.claim("a tile", p_ * t <= w_ * (w_ + r + t));
      q.multiply_by({w_});
      return is_bounded();
    });
  }

 private:
  /// For 2p ≥ w², proves that p times the turns of the window is at most 3w² + 16w.
  void prove_window() const {
    const IntTerm one(1);
    const IntTerm two(2);
    Query& q = query_;
    const IntTerm threads = window_.row_threads();
    const IntTerm a = window_.rows_at_once();
    const IntTerm s = ceil_div(side_, a);
    q.compare_multiples(w_, ceil_div(side_, w_), two);
    q.claim("threads of a row", ceil_div(side_, w_) == two && threads == two * w_);
    q.multiply_equals(a, threads, two * w_);
    q.multiply_equals(window_.pieces(), threads, two * w_);
    q.compare_multiples(two * w_, window_.pieces(), one);
    q.compare_multiples(two * w_, a, one);
    q.claim("a row in one turn", window_.pieces() == one && a >= one);
    q.multiply_equals(s, window_.pieces(), one);
    q.multiply_equals(p_, window_.turns(), s);
    q.multiply_by({w_});
    q.apply(multiples_are_apart(), {w_, IntTerm(4) * a + IntTerm(4), w_});
    q.multiply_equals(w_, w_, IntTerm(4) * a + IntTerm(4));
    q.claim("rows of a turn", IntTerm(4) * a + IntTerm(4) > w_);
    q.apply(multiples_are_apart(), {w_, two * a, w_});
    q.apply(multiples_are_apart(), {w_, w_, two * a});
    q.claim("no more rows", two * a <= w_);
    q.apply(multiples_are_apart(), {a, IntTerm(7), s});
    q.claim("few turns", s <= IntTerm(7));
    q.compare_multiples(a, s, one);
    q.claim("some turns", s >= one);
    q.multiply_by({s, w_});
    q.claim("a window", p_ * window_.turns() <= IntTerm(3) * w_ * w_ + IntTerm(16) * w_);
  }

  Query& query_;
  IntTerm w_;
  IntTerm p_;
  IntTerm side_;
  SweepShape<IntTerm> window_;
  SweepSums tile_;
};

}  // namespace bankproof::proofs
