// Invariants of the sums of a launch in which blocks sum columns.
#include "columns.hpp"

#include <memory>

namespace bankproof::proofs {

void Columns::prove_piece_of_warp(const IntTerm& turn, const IntTerm& count,
                                  const IntTerm& k) const {
  Query& q = k.query();
  const Run<IntTerm> run{turn * (blocks * p) + k * p, smaller(p, count - k * p)};
  const IntTerm stages = group_stages(run, w);
  q.conclude("a warp's piece", [&] {
    q.multiply_by({});
    q.multiply_equals(turn * blocks + k, p, w);
    q.compare_multiples(w, run.address / w, turn * blocks + k);
    return implies(p == w, stages <= IntTerm(1));
  });
}

void Columns::give(Query& q, bool of_warps) const {
  const Columns of = *this;
  const auto one_each = [=](const IntTerm& pieces, const IntTerm& stages) {
    return of_warps ? implies(of.p == of.w, stages <= pieces) : IntTerm(0) == IntTerm(0);
  };
  const IntTerm zero(0);
  const IntTerm aligned = sums() + ends();
  const auto turn = std::make_shared<IntTerm>(0);
  const auto count = std::make_shared<IntTerm>(1);
  const auto pieces = std::make_shared<IntTerm>(0);
  const auto calls = std::make_shared<int>(0);
  q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
    Query& query = k.query();
    const IntTerm all = of.blocks * of.p;
    const IntTerm done = smaller(k * all, of.n);
    const IntTerm so_far = smaller(k * of.blocks, of.pieces());
    query.compare_multiples(all, zero, k);
    if (++*calls == 3) {  // calls for no turns, for k, for one more, and for all
      const IntTerm more = ceil_div(*count, of.p);
      query.compare_multiples(of.p, more, of.blocks);
      query.compare_multiples(of.p, *turn * of.blocks + more, of.pieces());
      query.prove("pieces", *pieces + more <= so_far);
    }
    *turn = k;
    *count = smaller(all, of.n - k * all);
    *pieces = so_far;
    return of.w * sum.stages <=
               IntTerm(2) * (done + so_far * of.ends()) - select(k == zero, zero, aligned) &&
           sum.rounds <= k && one_each(so_far, sum.stages);
  });
  const auto terms = std::make_shared<int>(0);
  q.give_invariant<SumInvariant<IntTerm>>([=](const IntTerm& k, const IntTerm& stages) {
    k.query().compare_multiples(of.p, zero, k);
    if (++*terms == 2 && of_warps) of.prove_piece_of_warp(*turn, *count, k);
    const IntTerm done = smaller(k * of.p, *count);
    return of.w * stages <= IntTerm(2) * (done + k * of.ends()) -
                                select(*turn == zero, select(k == zero, zero, aligned), zero) &&
           one_each(k, stages);
  });
  give_levels(q);
}

void Columns::give_levels(Query& q) const {
  const Columns of = *this;
  const IntTerm one(1);
  const auto level = std::make_shared<IntTerm>(1);
  q.give_invariant<PowersInvariant<OfRounds>>(
      [=](const IntTerm& k, const IntTerm& power, const OfRounds& sum) {
        if (k.constant() == 0) k.query().multiply_by({of.p, of.ends()});
        *level = power;
        const IntTerm added = smaller(power, of.sums()) - one;
        return of.w * sum.stages <= IntTerm(3) * (added + k * of.ends()) &&
               sum.rounds <= IntTerm(3) * k;
      });
  // All pairs of a level are added in one turn.
  q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
    k.query().apply(multiples_are_apart(), {of.p, one, k});
    const IntTerm items = smaller(*level, of.sums() - *level);
    return of.w * sum.stages <= IntTerm(3) * (smaller(k * of.p, items) + k * of.ends()) &&
           sum.rounds <= IntTerm(3) * k && k <= one;
  });
}

void Columns::prove_few_pieces(Query& q) const {
  const IntTerm one(1);
  const IntTerm pieces = this->pieces();
  const IntTerm all = IntTerm(3) * sums() + IntTerm(2) * (pieces - one) * ends();
  q.suppose(n <= p, [&] {
    q.compare_multiples(p, pieces, one);
    q.prove("one piece", pieces <= one);
    q.multiply_by({ends()});
    return all <= IntTerm(3) * n;
  });
  q.suppose(n > p, [&] {
    q.compare_multiples(p, pieces, IntTerm(2));
    q.prove("several", pieces >= IntTerm(2));
    q.multiply_by({pieces - IntTerm(2)});
    return all <= IntTerm(3) * n + IntTerm(2) * ends();
  });
}

}  // namespace bankproof::proofs
