// Invariants of the sums of transposes in tiles.
#include <tuple>

#include "transposes.hpp"

namespace bankproof::proofs {

Truth TransposeSums::numbers() const {
  const IntTerm zero(0);
  const IntTerm one(1);
  const IntTerm& d = machine_.d;
  const IntTerm at_a_time = d * slots_;
  query_.multiply_by({d});
  return sweep_.numbers() && at_a_time >= one && tiles() >= one && waves() >= zero &&
         tiles() <= at_a_time * waves() && at_a_time * waves() < tiles() + at_a_time &&
         tiles_of_a_dmm() >= zero &&
         implies(at_a_time <= tiles(), at_a_time <= d * tiles_of_a_dmm()) &&
         implies(tiles() <= at_a_time, tiles() <= d * tiles_of_a_dmm());
}

void TransposeSums::prove_one_wave(const IntTerm& each) const {
  const IntTerm one(1);
  const IntTerm& w = matrix_.w;
  const auto& [d, p, capacity] = std::tie(machine_.d, machine_.p, machine_.capacity);
  Query& q = query_;
  q.multiply_by({w, w * w});
  q.prove("whole tiles of threads", p >= w * w && w * w >= w);
  q.multiply_by({w});
  sweep_.prove_shape();
  q.prove("all tiles", tiles() == d * each);
  const IntTerm block = rounded_up(threads_, w);
  const IntTerm words = rounded_up(w * w, w);
  q.prove("threads", threads_ == w * w);
  q.compare_multiples(w, ceil_div(threads_, w), w);
  q.compare_multiples(w, ceil_div(w * w, w), w);
  q.prove("warps of a tile", block == w * w && words == w * w);
  q.apply(multiples_are_apart(), {block, rounded_up(p, w) / block, each});
  q.apply(multiples_are_apart(), {larger(words, one), capacity / larger(words, one), each});
  q.multiply_by({each});
  q.prove("room for all tiles", slots_ >= each);
  q.multiply_by({d});
  q.prove("at a time", d * slots_ >= d * each);
  q.apply(multiples_are_apart(), {d * slots_, one, waves()});
  q.prove("a wave", waves() <= one);
  q.compare_multiples(d, ceil_div(tiles(), d), each);
  q.prove("tiles of a DMM", tiles() >= one && tiles_of_a_dmm() <= each);
  q.compare_multiples(w, rows(), w);
  q.prove("all rows of a tile", rows() == w);
  q.multiply_equals(turns(), rows(), w);
  q.compare_multiples(w, turns(), one);
  q.prove("a turn", turns() == one);
  q.multiply_equals(waves(), turns(), one);
}

Truth TransposeSums::has_one_wave(const IntTerm& each) const {
  const IntTerm one(1);
  return numbers() && tiles() == machine_.d * each && waves() <= one && waves() * turns() <= one &&
         tiles_of_a_dmm() <= each;
}

void TransposeSums::give_windows(std::uint64_t pieces, const std::function<IntTerm()>& blocks,
                                 const std::function<IntTerm()>& first, bool to) const {
  const auto t = std::make_shared<IntTerm>(0);
  const auto block = std::make_shared<IntTerm>(0);
  const auto turn = [=, this] { return sweep_.shape().turn(*t); };
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        return sum.stages <= IntTerm(pieces) * blocks() * sweep_.rows_before(k) && sum.rounds <= k;
      },
      [=, this](const IntTerm& k) {
        *t = k;
        sweep_.prove_turn(k);
        query_.multiply_by({blocks()});
      }));
  query_.give_invariant(with_steps<OfRounds>(
      [=](const IntTerm& k, const OfRounds& sum) {
        return sum.stages <= IntTerm(pieces) * k * turn().rows;
      },
      [=, this](const IntTerm& k) {
        *block = first() + k;
        query_.multiply_by({matrix_.w});
      }));
  const auto steps = [=, this](const IntTerm& k) {
    if (pieces > 1) return;
    // Sides are whole tiles, so that a row of a tile begins with a group.
    const IntTerm zero(0);
    const WindowOf<IntTerm> window = to ? matrix_.to(*block) : matrix_.from(*block);
    const IntTerm row = minus_or_zero(window.top + turn().row, zero) + k;
    const IntTerm word = row * window.pitch + minus_or_zero(window.left + turn().column, zero);
    const IntTerm tile = to ? *block / matrix_.tiles_across() : *block % matrix_.tiles_across();
    query_.compare_multiples(matrix_.w, word / matrix_.w, row * (to ? down_ : across_) + tile);
  };
  query_.give_invariant(with_steps<IntTerm>(of_rows(matrix_.w, pieces), steps));
}

void TransposeSums::give_tile() const {
  query_.give_invariant(with_steps<OfRounds>(
      [=, this](const IntTerm& k, const OfRounds& sum) {
        return sum.stages <= sweep_.rows_before(k) && sum.rounds <= k;
      },
      [=, this](const IntTerm& k) {
        sweep_.prove_turn(k);
        query_.multiply_by({matrix_.w});
      }));
  query_.give_invariant(of_rows(matrix_.w, 1));
}

void TransposeSums::give_invariants(std::uint64_t pieces) const {
  const IntTerm two(2);
  const IntTerm& w = matrix_.w;
  const IntTerm at_a_time = machine_.d * slots_;
  const auto wave = std::make_shared<IntTerm>(0);
  const auto first = [=] { return *wave * at_a_time; };
  const auto blocks = [=, this] { return smaller(at_a_time, tiles() - first()); };
  query_.give_invariant(with_steps<Cost<IntTerm>>(
      [=, this](const IntTerm& k, const Cost<IntTerm>& sum) {
        const IntTerm done = smaller(k * at_a_time, tiles());
        const IntTerm rounds = two * k * turns();
        return sum.global.stages <= IntTerm(2 * pieces) * w * done && sum.global.rounds <= rounds &&
               sum.shared.stages <= two * w * k * tiles_of_a_dmm() && sum.shared.rounds <= rounds &&
               sum.constant.stages == IntTerm(0) && sum.overlap == IntTerm(0);
      },
      [=, this](const IntTerm& k) {
        *wave = k;
        const IntTerm of_a_dmm = ceil_div(blocks(), machine_.d);
        query_.conclude("a wave", [&] {
          query_.multiply_by({at_a_time});
          query_.apply(multiples_are_apart(), {machine_.d, tiles_of_a_dmm(), of_a_dmm});
          return blocks() >= IntTerm(1) &&
                 smaller(first(), tiles()) + blocks() ==
                     smaller((k + IntTerm(1)) * at_a_time, tiles()) &&
                 of_a_dmm >= IntTerm(0) && of_a_dmm <= tiles_of_a_dmm();
        });
        query_.multiply_by({w, of_a_dmm, blocks()});
      }));
  give_windows(pieces, blocks, first, false);
  give_tile();
  give_windows(pieces, blocks, first, true);
  give_tile();
}

}  // namespace bankproof::proofs
