// Invariants of copies between global memory and shared memories (Wave::copy_row() of
// algorithms/window.hpp), for proofs of upper bounds on their times.
#pragma once

#include <utility>

#include "../../../algorithms/window.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// A wave with all its blocks.
struct WaveOfAll {
  IntTerm first;
  IntTerm blocks;
};

/// A bound on the stages of a run that begins with thread 0: one for each warp, and, if the run
/// does not begin with a group, one more for each group after its first group.
inline Truth has_few_pieces(const Run<IntTerm>& run, const IntTerm& w) {
  const IntTerm zero(0);
  const IntTerm one(1);
  const IntTerm stages = w * group_stages(run, w);
  const IntTerm of_warps = run.count + w - one;
  return implies(run.address >= zero && run.count >= zero && run.thread == zero,
                 stages <= of_warps + w * boundaries(run.address, run.count, w) &&
                     implies(run.address % w == zero, stages <= of_warps) &&
                     implies(run.count == zero, stages == zero));
}
/// Proves has_few_pieces() for any run. Call it early, while few facts are known.
inline void prove_few_pieces(Query& q, const IntTerm& w) {
  const Query::Scope scope(q);
  const Run<IntTerm> run{q.fresh("address"), q.fresh("count"), q.fresh("thread")};
  q.compare_multiples(w, run.thread / w, IntTerm(0));
  q.multiply_by({w});
  q.claim("pieces of a run", has_few_pieces(run, w));
}

/// Gives the invariants of Wave::copy_row(). Block i copies `words` words from word i·share on, as
/// far as they are below `all`. Shares are whole rows of banks, and each turn begins where the turn
/// before it ended. So besides one group for each warp, the turns meet at most ⌊words/w⌋ new
/// groups, and each warp of the first turn is in a single group. Blocks from ⌈all/share⌉ on copy
/// nothing.
class Copying {
 public:
  Copying(const MachineParametersOf<IntTerm>& machine, IntTerm words, IntTerm share,
          IntTerm rows_of_share, IntTerm all)
      : machine_(machine),
        words_(std::move(words)),
        share_(std::move(share)),
        rows_of_share_(std::move(rows_of_share)),
        all_(std::move(all)) {}

  IntTerm turns() const { return ceil_div(words_, machine_.p); }
  const IntTerm& words() const { return words_; }
  /// The number of blocks that copy something.
  IntTerm blocks() const {
    if (share_.constant() == 0) return machine_.d;
    return smaller(machine_.d, ceil_div(all_, share_));
  }
  /// An upper bound on w times a block's stages on global memory.
  IntTerm of_block() const { return before(turns()); }

  /// An upper bound for all blocks.
  IntTerm stages() const { return blocks() * of_block(); }

  void give(Query& q, const WaveOfAll& wave) const {
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    q.give(OverNumbers<OfRounds>{
        .name = "turns of a copy",
        .holds =
            [=, *this](const IntTerm& k, const OfRounds& sum) {
              const IntTerm zero(0);
              return implies(k <= zero, w * sum.stages <= zero) &&
                     implies(k > zero, w * sum.stages <= blocks() * before(k)) && sum.rounds <= k;
            },
        .step = [=, *this, &q](const IntTerm& k) { give_blocks(q, wave, k, know_turn(k)); }});
    OverNumbers<OfRounds> shared = of_turns("turns on shared memory", w, p, 1, 1, words_);
    shared.step = [=, *this, &q](const IntTerm& k) { q.compare_multiples(p, k, turns()); };
    shared.after = [=, &q](const IntTerm&, const OfRounds&) { q.multiply_by({w}); };
    q.give(shared);
  }

  void know_turns(Query& q) const {
    const IntTerm one(1);
    q.compare_multiples(machine_.p, turns(), one);
    q.claim("some turns", turns() >= one && implies(words_ <= machine_.p, turns() == one));
  }
  /// Proves upper bounds on the numbers of blocks and stages.
  void know(Query& q) const {
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    const IntTerm one(1);
    const IntTerm first = done(one);
    q.compare_multiples(w, first / w, one);
    q.multiply_equals(w, first / w, done(turns()) / w);
    q.multiply_equals(w - one, turns(), one);
    q.multiply_by({turns() - one});
    q.claim("ends of turns", turns() * (w - one) <= words_ + w - IntTerm(2));
    q.multiply_by({});
    q.claim("stages of a block",
            of_block() <= select(words_ <= p, words_ + w - one, IntTerm(3) * words_));
    if (share_.constant() == 0) return;
    q.scale(share_, blocks(), ceil_div(all_, share_));
    q.claim("blocks that copy",
            blocks() >= IntTerm(0) && blocks() <= d && share_ * blocks() < all_ + share_);
  }

 private:
  IntTerm done(const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * machine_.p, words_);
  }
  /// An upper bound on w times a block's stages before turn k ≥ 1.
  IntTerm before(const IntTerm& k) const {
    const auto& [w, p] = std::tie(machine_.w, machine_.p);
    const IntTerm one(1);
    return done(k) + k * (w - one) + w * (done(k) / w) - w * (done(one) / w);
  }
  /// Gives the invariant of the sum over the blocks in a turn. w times the stages of a block is at
  /// most `most`.
  void give_blocks(Query& q, const WaveOfAll& wave, const IntTerm& turn,
                   const IntTerm& most) const {
    q.give(OverNumbers<OfRounds>{.name = "blocks that copy",
                                 .holds =
                                     [=, *this, &q](const IntTerm& k, const OfRounds& sum) {
                                       const IntTerm copying =
                                           k.constant() == 0 ? k : smaller(k, blocks());
                                       if (!k.constant())
                                         q.multiply_equals(most, copying, blocks());
                                       return machine_.w * sum.stages <= most * copying;
                                     },
                                 .step =
                                     [=, *this, &q](const IntTerm& k) {
                                       const IntTerm copying = smaller(k, blocks());
                                       const IntTerm after = smaller(k + IntTerm(1), blocks());
                                       know_block(wave.first + k, turn, most);
                                       for (const IntTerm& more : {IntTerm(0), IntTerm(1)}) {
                                         q.multiply_equals(most, after, copying + more);
                                       }
                                     }});
  }
  IntTerm know_turn(const IntTerm& k) const {
    Query& q = k.query();
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    const IntTerm zero(0);
    const IntTerm one(1);
    const IntTerm start = k * p;
    const IntTerm count = smaller(p, words_ - start);
    q.multiply_by({});
    q.compare_multiples(p, k, turns());
    q.claim("words of a turn", done(k) == start && done(k + one) == start + count && count >= one);
    IntTerm most = q.unknown("most");
    const IntTerm cuts = done(k + one) / w - done(k) / w;
    q.assume(most == count + w - one + select(k == zero, zero, w * cuts));
    for (const IntTerm& factor : {p, w}) q.multiply_equals(factor, k, zero);
    q.claim("what a turn adds", implies(k == zero, most == before(k + one)) &&
                                    implies(k > zero, most == before(k + one) - before(k)));
    q.multiply_equals(blocks(), most, before(k + one));
    q.multiply_equals(blocks(), most, before(k + one) - before(k));
    return most;
  }
  void know_block(const IntTerm& block, const IntTerm& k, const IntTerm& most) const {
    Query& q = k.query();
    const auto& [w, p] = std::tie(machine_.w, machine_.p);
    const IntTerm zero(0);
    const IntTerm one(1);
    const IntTerm start = k * p;
    const IntTerm first = block * share_ + start;
    const IntTerm count = smaller(p, words_ - start);
    const IntTerm begin = minus_or_zero(first, zero);
    const IntTerm inside = minus_or_zero(smaller(minus_or_zero(first + count, zero), all_), begin);
    const Run<IntTerm> run{begin, inside, begin - first};
    q.scale(p, zero, k);
    q.scale(share_, zero, block);
    if (share_.constant() != 0) q.scale(share_, ceil_div(all_, share_), block);
    q.claim("words of a block", begin == first && inside >= zero && inside <= count &&
                                    implies(block >= blocks(), inside == zero));
    const IntTerm last = (begin + minus_or_zero(inside, one)) / w;
    q.compare_multiples(w, begin / w, block * rows_of_share_ + done(k) / w);
    q.compare_multiples(w, last, block * rows_of_share_ + done(k + one) / w);
    q.assume(has_few_pieces(run, w));
    q.claim("stages of a block", w * group_stages(run, w) <= select(block >= blocks(), zero, most));
  }

  MachineParametersOf<IntTerm> machine_;
  IntTerm words_;
  IntTerm share_;
  IntTerm rows_of_share_;
  IntTerm all_;
};

}  // namespace bankproof::proofs
