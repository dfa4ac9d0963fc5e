// Invariants of copies between global memory and shared memories (Wave::copy_row() of
// algorithms/window.hpp), for proofs of upper bounds on their times.
#pragma once

#include <utility>

#include "../../../algorithms/window.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// A wave: its first block, and the number of its blocks.
struct WaveOfAll {
  IntTerm first;
  IntTerm blocks;
};

/// A bound on the stages of a run that begins with thread 0: one for each warp, and, if the run
/// does not begin with a group, one more for each group after its first group.
inline Truth has_few_pieces(const Run<IntTerm>& run, const IntTerm& w) {
  const IntTerm stages = w * group_stages(run, w);
  const IntTerm of_warps = run.count + w - 1;
  return implies(run.address >= 0 && run.count >= 0 && run.thread == 0,
                 stages <= of_warps + w * boundaries(run.address, run.count, w) &&
                     implies(run.address % w == 0, stages <= of_warps) &&
                     implies(run.count == 0, stages == 0));
}
/// Proves has_few_pieces() for any run. Call it early, while few facts are known.
inline void prove_few_pieces(Query& q, const IntTerm& w) {
  const Query::Scope scope(q);
  const Run<IntTerm> run{q.fresh("address"), q.fresh("count"), q.fresh("thread")};
  q.compare_multiples(w, run.thread / w, 0);
  q.multiply_by({w});
  q.claim("pieces of a run", has_few_pieces(run, w));
}

/// Gives the invariants of Wave::copy_row(). Block i copies `words` words from word i·share on, but
/// none from word `all` on. Shares are whole rows of banks, and each turn begins where the turn
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
    q.give(OverNumbers<OfRounds>("turns of a copy")
               .holds([=, *this](auto& k, auto& sum) {
                 return implies(k <= 0, w * sum.stages <= 0) &&
                        implies(k > 0, w * sum.stages <= blocks() * before(k)) && sum.rounds <= k;
               })
               .step([=, *this, &q](auto& k) { give_blocks(q, wave, k, know_turn(k)); }));
    q.give(of_turns("turns on shared memory", w, p, 1, 1, words_)
               .step([=, *this, &q](auto& k) { q.compare_multiples(p, k, turns()); })
               .after([=, &q](auto&, auto&) { q.multiply_by({w}); }));
  }

  void know_turns(Query& q) const {
    q.compare_multiples(machine_.p, turns(), 1);
    q.claim("some turns", turns() >= 1 && implies(words_ <= machine_.p, turns() == 1));
  }
  /// Proves upper bounds on the numbers of blocks and stages.
  void know(Query& q) const {
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    const IntTerm first = done(1);
    q.compare_multiples(w, first / w, 1);
    q.multiply_equals(w, first / w, done(turns()) / w);
    q.multiply_equals(w - 1, turns(), 1);
    q.multiply_by({turns() - 1});
    q.claim("ends of turns", turns() * (w - 1) <= words_ + w - 2);
    q.multiply_by({});
    q.claim("stages of a block", of_block() <= select(words_ <= p, words_ + w - 1, 3 * words_));
    if (share_.constant() == 0) return;
    q.scale(share_, blocks(), ceil_div(all_, share_));
    q.claim("blocks that copy",
            blocks() >= 0 && blocks() <= d && share_ * blocks() < all_ + share_);
  }

 private:
  IntTerm done(const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * machine_.p, words_);
  }
  /// An upper bound on w times a block's stages in the turns before turn k, for k ≥ 1.
  IntTerm before(const IntTerm& k) const {
    const auto& [w, p] = std::tie(machine_.w, machine_.p);
    return done(k) + k * (w - 1) + w * (done(k) / w) - w * (done(1) / w);
  }
  /// Gives the invariant of the sum over the blocks in a turn. The number `most` is an upper bound
  /// on w times the stages of a block.
  void give_blocks(Query& q, const WaveOfAll& wave, const IntTerm& turn,
                   const IntTerm& most) const {
    q.give(OverNumbers<OfRounds>("blocks that copy")
               .holds([=, *this, &q](auto& k, auto& sum) {
                 const IntTerm copying = k.constant() == 0 ? k : smaller(k, blocks());
                 if (!k.constant()) q.multiply_equals(most, copying, blocks());
                 return machine_.w * sum.stages <= most * copying;
               })
               .step([=, *this, &q](auto& k) {
                 const IntTerm copying = smaller(k, blocks());
                 const IntTerm after = smaller(k + 1, blocks());
                 know_block(wave.first + k, turn, most);
                 for (const IntTerm& more : {IntTerm(0), IntTerm(1)}) {
                   q.multiply_equals(most, after, copying + more);
                 }
               }));
  }
  IntTerm know_turn(const IntTerm& k) const {
    Query& q = k.query();
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    const IntTerm start = k * p;
    const IntTerm count = smaller(p, words_ - start);
    q.multiply_by({});
    q.compare_multiples(p, k, turns());
    q.claim("words of a turn", done(k) == start && done(k + 1) == start + count && count >= 1);
    const IntTerm cuts = done(k + 1) / w - done(k) / w;
    IntTerm most = q.define("most", count + w - 1 + select(k == 0, 0, w * cuts));
    for (const IntTerm& factor : {p, w}) q.multiply_equals(factor, k, 0);
    q.claim("what a turn adds", implies(k == 0, most == before(k + 1)) &&
                                    implies(k > 0, most == before(k + 1) - before(k)));
    q.multiply_equals(blocks(), most, before(k + 1));
    q.multiply_equals(blocks(), most, before(k + 1) - before(k));
    return most;
  }
  void know_block(const IntTerm& block, const IntTerm& k, const IntTerm& most) const {
    Query& q = k.query();
    const auto& [w, p] = std::tie(machine_.w, machine_.p);
    const IntTerm start = k * p;
    const IntTerm first = share_.constant() == 0 ? start : start + block * share_;
    const IntTerm count = smaller(p, words_ - start);
    const IntTerm inside =
        share_.constant() == 0 ? count : smaller(count, minus_or_zero(all_, first));
    const Run<IntTerm> run{first, inside, 0};
    q.scale(p, 0, k);
    q.scale(share_, 0, block);
    if (share_.constant() != 0) q.scale(share_, ceil_div(all_, share_), block);
    q.claim("words of a block", first >= 0 && inside >= 0 && inside <= count &&
                                    implies(block >= blocks(), inside == 0));
    const IntTerm last = (first + minus_or_zero(inside, 1)) / w;
    q.compare_multiples(w, first / w, block * rows_of_share_ + done(k) / w);
    q.compare_multiples(w, last, block * rows_of_share_ + done(k + 1) / w);
    q.assume_shown(has_few_pieces(run, w));
    q.claim("stages of a block", w * group_stages(run, w) <= select(block >= blocks(), 0, most));
  }

  MachineParametersOf<IntTerm> machine_;
  IntTerm words_;
  IntTerm share_;
  IntTerm rows_of_share_;
  IntTerm all_;
};

}  // namespace bankproof::proofs
