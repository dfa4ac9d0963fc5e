// Invariants of copies between global memory and the shared ones (Wave::copy_row() of
// algorithms/window.hpp), for proofs of how long they take at most.
#pragma once

#include <memory>
#include <utility>

#include "../../../algorithms/window.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// The blocks of a wave, all there are.
struct WaveOfAll {
  IntTerm first;
  IntTerm blocks;
};

/// Gives the invariants of Wave::copy_row() of `words` words, of block i from word i·share on, as
/// far as there are `all`. Shares are whole rows of banks, so that turns, which begin where the one
/// before ends, meet a new group at most ⌊words/w⌋ times, beside one for each warp.
class Copying {
 public:
  Copying(const LettersOf<IntTerm>& machine, IntTerm words, IntTerm share, IntTerm rows_of_share,
          IntTerm all)
      : machine_(machine),
        words_(std::move(words)),
        share_(std::move(share)),
        rows_of_share_(std::move(rows_of_share)),
        all_(std::move(all)) {}

  IntTerm turns() const { return ceil_div(words_, machine_.p); }
  const IntTerm& words() const { return words_; }

  void give(Query& q, const std::shared_ptr<WaveOfAll>& wave) const {
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    const auto turn = std::make_shared<IntTerm>(0);
    const auto most = std::make_shared<IntTerm>(0);  // of a block's turn, times w
    q.give_invariant<SumInvariant<OfRounds>>(
        [=, *this, step = Step()](const IntTerm& k, const OfRounds& sum) mutable {
          *turn = k;
          step([&] { *most = know_turn(wave->blocks, k); });
          return w * sum.stages <= before(k) && sum.rounds <= k;
        });
    q.give_invariant<SumInvariant<OfRounds>>(
        [=, *this, step = Step()](const IntTerm& k, const OfRounds& sum) mutable {
          step([&] { know_block(wave->first + k, *turn, *most); });
          return w * sum.stages <= *most * k;
        });
    q.give_invariant<SumInvariant<OfRounds>>(
        [=, *this, in_turns = of_turns(w, p, 1, 1, [=, *this] { return words_; }), step = Step()](
            const IntTerm& k, const OfRounds& sum) mutable {
          step([&] { k.query().compare_multiples(p, k, turns()); });
          step.multiply_by(k.query(), {w});
          return in_turns(k, sum);
        });
  }

 private:
  IntTerm done(const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * machine_.p, words_);
  }
  /// Stages of all blocks before turn k, times w.
  IntTerm before(const IntTerm& k) const {
    const auto& [w, d] = std::tie(machine_.w, machine_.d);
    if (k.constant() == 0) return k;
    return d * (done(k) + k * (w - IntTerm(1)) + w * (done(k) / w));
  }
  IntTerm know_turn(const IntTerm& blocks, const IntTerm& k) const {
    Query& q = k.query();
    const auto& [w, d, p] = std::tie(machine_.w, machine_.d, machine_.p);
    const IntTerm one(1);
    const IntTerm start = k * p;
    const IntTerm count = smaller(p, words_ - start);
    q.multiply_by({});
    q.compare_multiples(p, k, turns());
    q.prove("words of a turn", done(k) == start && done(k + one) == start + count && count >= one);
    IntTerm most = q.unknown("most");
    q.assume(most == count + w - one + w * (done(k + one) / w - done(k) / w));
    q.multiply_equals(d, most, count + w - one + w * (done(k + one) / w - done(k) / w));
    q.multiply_equals(d, done(k + one), done(k) + count);
    q.multiply_equals(most, blocks, d);
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
    q.prove("words of a block", begin == first && inside >= zero && inside <= count);
    const IntTerm last = (begin + minus_or_zero(inside, one)) / w;
    q.compare_multiples(w, begin / w, block * rows_of_share_ + done(k) / w);
    q.compare_multiples(w, last, block * rows_of_share_ + done(k + one) / w);
    q.multiply_by({w});
    q.prove("stages of a block", w * stages_of(MemoryKind::groups, run, w) <= most);
    q.multiply_by({});
  }

  LettersOf<IntTerm> machine_;
  IntTerm words_;
  IntTerm share_;
  IntTerm rows_of_share_;
  IntTerm all_;
};

}  // namespace bankproof::proofs
