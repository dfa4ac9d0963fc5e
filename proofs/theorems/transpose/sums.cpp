// Invariants of the sums of transposes in tiles.
#include <tuple>

#include "transposes.hpp"

namespace bankproof::proofs {

Truth TransposeSums::numbers() const {
  const IntTerm& d = machine_.d;
  const IntTerm at_a_time = d * slots_;
  query_.multiply_by({d});
  return sweep_.numbers() && at_a_time >= 1 && tiles() >= 1 && waves() >= 0 &&
         tiles() <= at_a_time * waves() && at_a_time * waves() < tiles() + at_a_time &&
         tiles_of_a_dmm() >= 0 &&
         implies(at_a_time <= tiles(), at_a_time <= d * tiles_of_a_dmm()) &&
         implies(tiles() <= at_a_time, tiles() <= d * tiles_of_a_dmm());
}

void TransposeSums::prove_one_wave(const IntTerm& each) const {
  const IntTerm& w = matrix_.w;
  const auto& [d, p, capacity] = std::tie(machine_.d, machine_.p, machine_.capacity);
  Query& q = query_;
  q.multiply_by({w, w * w});
  q.claim("whole tiles of threads", p >= w * w && w * w >= w);
  q.multiply_by({w});
  sweep_.prove_shape();
  q.claim("all tiles", tiles() == d * each);
  const IntTerm block = rounded_up(threads_, w);
  const IntTerm words = rounded_up(w * w, w);
  q.claim("threads", threads_ == w * w);
  q.compare_multiples(w, ceil_div(threads_, w), w);
  q.compare_multiples(w, ceil_div(w * w, w), w);
  q.claim("warps of a tile", block == w * w && words == w * w);
  q.apply(multiples_are_apart(), {block, rounded_up(p, w) / block, each});
  q.apply(multiples_are_apart(), {larger(words, 1), capacity / larger(words, 1), each});
  q.multiply_by({each});
  q.claim("room for all tiles", slots_ >= each);
  q.multiply_by({d});
  q.claim("at a time", d * slots_ >= d * each && d * each >= 1 && tiles() >= 1);
  q.apply(multiples_are_apart(), {d * slots_, 1, waves()});
  q.compare_multiples(d * slots_, waves(), 0);
  q.claim("a wave", waves() == 1);
  q.compare_multiples(d, ceil_div(tiles(), d), each);
  q.claim("tiles of a DMM", tiles() >= 1 && tiles_of_a_dmm() == each);
  q.compare_multiples(w, rows(), w);
  q.claim("all rows of a tile", rows() == w);
  q.multiply_equals(turns(), rows(), w);
  q.compare_multiples(w, turns(), 1);
  q.claim("a turn", turns() == 1);
  q.multiply_equals(waves(), turns(), 1);
}

Truth TransposeSums::has_one_wave(const IntTerm& each) const {
  return numbers() && tiles() == machine_.d * each && waves() == 1 && waves() * turns() == 1 &&
         turns() == 1 && rows() == matrix_.w && tiles_of_a_dmm() == each && each >= 1;
}

void TransposeSums::prove_whole_tile(const IntTerm& block) const {
  const IntTerm across = matrix_.tiles_across();
  query_.conclude("a whole tile", [&] {
    query_.multiply_equals(across, ceil_div(matrix_.rows, matrix_.w), down_);
    query_.compare_multiples(across, block / across, down_);
    query_.claim("its place", block / across < down_ && block % across < across_);
    query_.multiply_by({matrix_.w});
    const WindowOf<IntTerm> from = matrix_.from(block);
    return from.top >= 0 && from.left >= 0 && from.top + matrix_.w <= matrix_.rows &&
           from.left + matrix_.w <= matrix_.columns;
  });
}

void TransposeSums::give_windows(const Windows& windows) const {
  query_.give(OverNumbers<OfRounds>("turns of a window")
                  .holds([=, this](auto& k, auto& sum) {
                    const IntTerm stages =
                        windows.pieces * windows.wave.blocks * sweep_.rows_before(k);
                    return windows.exactly ? sum.stages == stages && sum.rounds == k
                                           : sum.stages <= stages && sum.rounds <= k;
                  })
                  .step([=, this](auto& k) {
                    sweep_.prove_turn(k);
                    query_.multiply_by({windows.wave.blocks});
                    give_blocks(windows, sweep_.shape().turn(k));
                  }));
}

void TransposeSums::give_blocks(const Windows& windows, const SweepTurn<IntTerm>& turn) const {
  query_.give(OverNumbers<OfRounds>("blocks of a wave")
                  .holds([=](auto& k, auto& sum) {
                    const IntTerm stages = windows.pieces * k * turn.rows;
                    return windows.exactly ? sum.stages == stages : sum.stages <= stages;
                  })
                  .step([=, this](auto& k) {
                    const IntTerm block = windows.wave.first + k;
                    if (windows.exactly) prove_whole_tile(block);
                    query_.multiply_by({matrix_.w});
                    give_rows(windows, turn, block);
                  }));
}

void TransposeSums::give_rows(const Windows& windows, const SweepTurn<IntTerm>& turn,
                              const IntTerm& block) const {
  OverNumbers<IntTerm> rows = of_rows(matrix_.w, windows.pieces, windows.exactly);
  if (windows.pieces == 1) {
    // Sides are whole tiles, so a row of a tile begins with a group.
    rows.step([=, this, to = windows.to](auto& k) {
      const WindowOf<IntTerm> window = to ? matrix_.to(block) : matrix_.from(block);
      const IntTerm row = minus_or_zero(window.top + turn.row, 0) + k;
      const IntTerm word = row * window.pitch + minus_or_zero(window.left + turn.column, 0);
      const IntTerm tile = to ? block / matrix_.tiles_across() : block % matrix_.tiles_across();
      query_.compare_multiples(matrix_.w, word / matrix_.w, row * (to ? down_ : across_) + tile);
    });
  }
  query_.give(rows);
}

void TransposeSums::give_tile(bool exactly) const {
  query_.give(OverNumbers<OfRounds>("turns of a tile")
                  .holds([=, this](auto& k, auto& sum) {
                    return exactly ? sum.stages == sweep_.rows_before(k) && sum.rounds == k
                                   : sum.stages <= sweep_.rows_before(k) && sum.rounds <= k;
                  })
                  .step([=, this](auto& k) {
                    sweep_.prove_turn(k);
                    query_.multiply_by({matrix_.w});
                    query_.give(of_rows(matrix_.w, 1, exactly));
                  }));
}

TransposeSums::Wave TransposeSums::wave(const IntTerm& k) const {
  const IntTerm at_a_time = machine_.d * slots_;
  const IntTerm first = k * at_a_time;
  return {first, smaller(at_a_time, tiles() - first)};
}

void TransposeSums::know_wave(const IntTerm& k, bool exactly) const {
  const IntTerm& w = matrix_.w;
  const IntTerm at_a_time = machine_.d * slots_;
  const auto [first, blocks] = wave(k);
  const IntTerm of_a_dmm = ceil_div(blocks, machine_.d);
  query_.conclude("a wave", [&, first = first, blocks = blocks] {
    query_.multiply_by({at_a_time, machine_.d});
    query_.multiply_equals(at_a_time, k, 0);
    query_.compare_multiples(machine_.d, tiles_of_a_dmm(), of_a_dmm);
    return blocks >= 1 &&
           smaller(first, tiles()) + blocks == smaller((k + 1) * at_a_time, tiles()) &&
           of_a_dmm >= 0 && of_a_dmm <= tiles_of_a_dmm() &&
           (exactly ? of_a_dmm == tiles_of_a_dmm() && first == 0 : of_a_dmm >= 0);
  });
  if (exactly) {
    const IntTerm all_turns = sweep_.shape().turns();
    query_.multiply_equals(rows(), all_turns, 1);
    query_.claim("the only wave", k == 0 && sweep_.rows_before(all_turns) == w);
    for (const IntTerm& each : {turns(), w * tiles_of_a_dmm()}) {
      query_.multiply_equals(each, k, 0);
    }
  }
  query_.multiply_by({w, of_a_dmm, blocks});
}

void TransposeSums::give_sums(std::uint64_t pieces, bool exactly) const {
  const IntTerm& w = matrix_.w;
  const IntTerm at_a_time = machine_.d * slots_;
  query_.give(OverNumbers<Cost<IntTerm>>("waves")
                  .holds([=, this](auto& k, auto& sum) {
                    const IntTerm done = smaller(k * at_a_time, tiles());
                    const IntTerm rounds = 2 * k * turns();
                    const IntTerm global = 2 * pieces * w * done;
                    const IntTerm shared = 2 * w * k * tiles_of_a_dmm();
                    const Truth most = sum.global.stages <= global && sum.global.rounds <= rounds &&
                                       sum.shared.stages <= shared && sum.shared.rounds <= rounds;
                    const Truth least = sum.global.stages >= global &&
                                        sum.global.rounds >= rounds &&
                                        sum.shared.stages >= shared && sum.shared.rounds >= rounds;
                    return (exactly ? most && least : most) && sum.constant.stages == 0 &&
                           sum.overlap == 0;
                  })
                  .step([=, this](auto& k) {
                    know_wave(k, exactly);
                    for (const bool to : {false, true}) {
                      give_windows({wave(k), pieces, exactly, to});
                      give_tile(exactly);
                    }
                  }));
}

}  // namespace bankproof::proofs
