// Invariants of the sums of a launch in which blocks sum columns.
#include "columns.hpp"

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
    return implies(p == w, stages <= 1);
  });
}

void Columns::give(Query& q, bool of_warps) const {
  const Columns of = *this;
  const IntTerm aligned = sums() + ends();
  const IntTerm all = blocks * p;  // numbers of a turn
  const auto one_each = [=](const IntTerm& pieces, const IntTerm& stages) {
    return of_warps ? implies(of.p == of.w, stages <= pieces) : IntTerm(0) == 0;
  };
  const auto count_of = [=](const IntTerm& turn) { return smaller(all, of.n - turn * all); };
  const auto pieces_before = [=](const IntTerm& turn) {
    return smaller(turn * of.blocks, of.pieces());
  };
  q.give(OverNumbers<OfRounds>("turns of the columns")
             .holds([=, &q](auto& k, auto& sum) {
               const IntTerm done = smaller(k * all, of.n);
               const IntTerm so_far = pieces_before(k);
               q.compare_multiples(all, 0, k);
               return of.w * sum.stages <=
                          2 * (done + so_far * of.ends()) - select(k == 0, 0, aligned) &&
                      sum.rounds <= k && one_each(so_far, sum.stages);
             })
             .step([=, &q](auto& turn) {
               const IntTerm count = count_of(turn);
               q.give(OverNumbers<IntTerm>("blocks of a turn")
                          .holds([=, &q](auto& k, auto& stages) {
                            q.compare_multiples(of.p, 0, k);
                            const IntTerm done = smaller(k * of.p, count);
                            return of.w * stages <=
                                       2 * (done + k * of.ends()) -
                                           select(turn == 0, select(k == 0, 0, aligned), 0) &&
                                   one_each(k, stages);
                          })
                          .step([=](auto& k) {
                            if (of_warps) of.prove_piece_of_warp(turn, count, k);
                          }));
             })
             .after([=, &q](auto& turn, auto&) {
               const IntTerm more = ceil_div(count_of(turn), of.p);
               q.compare_multiples(of.p, more, of.blocks);
               q.compare_multiples(of.p, turn * of.blocks + more, of.pieces());
               q.claim("pieces", pieces_before(turn) + more <= pieces_before(turn + 1));
             }));
  give_levels(q);
}

void Columns::give_levels(Query& q) const {
  const Columns of = *this;
  q.give(OverPowers<OfRounds>("levels")
             .holds([=](auto& k, auto& power, auto& sum) {
               const IntTerm added = smaller(power, of.sums()) - 1;
               return of.w * sum.stages <= 3 * (added + k * of.ends()) && sum.rounds <= 3 * k;
             })
             .base([=, &q] {
               q.multiply_by({of.p, of.ends()});
             })
             .step([=, &q](auto& power) {
               // All pairs of a level are added in one turn.
               const IntTerm pairs = smaller(power, of.sums() - power);
               q.give(OverNumbers<OfRounds>("turns of a level").holds([=, &q](auto& k, auto& sum) {
                 q.apply(multiples_are_apart(), {of.p, 1, k});
                 return of.w * sum.stages <= 3 * (smaller(k * of.p, pairs) + k * of.ends()) &&
                        sum.rounds <= 3 * k && k <= 1;
               }));
             }));
}

void Columns::prove_few_pieces(Query& q) const {
  const IntTerm pieces = this->pieces();
  const IntTerm all = 3 * sums() + 2 * (pieces - 1) * ends();
  q.suppose(n <= p, [&] {
    q.compare_multiples(p, pieces, 1);
    q.claim("one piece", pieces <= 1);
    q.multiply_by({ends()});
    return all <= 3 * n;
  });
  q.suppose(n > p, [&] {
    q.compare_multiples(p, pieces, 2);
    q.claim("several", pieces >= 2);
    q.multiply_by({pieces - 2});
    return all <= 3 * n + 2 * ends();
  });
}

}  // namespace bankproof::proofs
