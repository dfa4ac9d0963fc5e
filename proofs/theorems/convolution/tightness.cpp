// The upper bound on the direct convolution with a thread for each number is tight on the UMM (row
// D3): times come near to it. Turns that begin inside an address group have nearly two pieces for
// each warp.
#include "../lists.hpp"
#include "../turns/one_row.hpp"
#include "../turns/tight.hpp"

namespace bankproof::proofs {
namespace {
namespace inside_groups {

using Family = ConvolutionInsideGroups;
constexpr std::uint64_t w = Family::w;
constexpr std::uint64_t warps = Family::warps;
constexpr std::uint64_t p = warps * w + 1;  // turn k begins k words after a group's beginning

/// A lower bound on the pieces of an access in turn k, if all threads take part.
IntTerm pieces_of(const IntTerm& k) {
  return select(k % IntTerm(w) == 0, IntTerm(warps + 1), IntTerm(2 * warps + 1));
}
/// A run of all threads that begins with the first number of turn k has at least pieces_of(k)
/// pieces.
Truth has_pieces(const Run<IntTerm>& run, const IntTerm& k) {
  const IntTerm stages = group_stages(run, IntTerm(w));
  return stages >= 0 &&
         implies(run.address == k * p && run.count == p && run.thread == 0, stages >= pieces_of(k));
}
/// ⌈(k + 1)/w⌉ is the number of aligned turns up to turn k. It is more than ⌈k/w⌉ if turn k is
/// aligned.
Truth is_counted(const IntTerm& k) {
  const IntTerm before = ceil_div(k, w);
  const IntTerm after = ceil_div(k + 1, w);
  return after >= before && (k % w != 0 || after > before);
}
/// Proves has_pieces() and is_counted() for any turn. Call it early, while few facts are known.
void prove_laws(Query& q) {
  const Query::Scope scope(q);
  const IntTerm k = q.fresh("turn");
  q.claim("aligned turns", is_counted(k));
  const Run<IntTerm> run{q.fresh("address"), q.fresh("count"), q.fresh("thread")};
  q.suppose(run.address == k * p && run.count == p && run.thread == 0, [&] {
    const IntTerm group = warps * k + k / w;
    q.compare_multiples(w, run.address / w, group);
    q.claim("its first group", run.address / w == group);
    return has_pieces(run, k);
  });
  q.claim("pieces", has_pieces(run, k));
}

/// A turn's run in row `row` of z.
Run<IntTerm> run_of(const SweepTurn<IntTerm>& turn, const IntTerm& row, const IntTerm& n) {
  return {row_major(turn.row + row, turn.column, rounded_up(n, IntTerm(w))), turn.columns};
}

/// Gives the invariants of the sums in turn `number`: the sum over the row of z, and the sum over
/// the single term. Each access has at least `least` stages.
void give_accesses(Query& q, const IntTerm& n, const IntTerm& number,
                   const SweepTurn<IntTerm>& turn, const IntTerm& least) {
  const auto has_stages = [=](const IntTerm& k, const IntTerm& stages) {
    return implies(k >= 1, stages >= least);
  };
  q.give(OverNumbers<IntTerm>("rows of z").holds(has_stages).step([=, &q](auto& k) {
    q.multiply_equals(ceil_div(n, w), turn.row + k, 0);
    q.assume_shown(has_pieces(run_of(turn, k, n), number));
  }));
  q.give(OverNumbers<IntTerm>("terms").holds(has_stages).step([=, &q](auto& k) {
    q.assume_shown(has_pieces({turn.column + turn.row * 1 + k, turn.columns}, number));
  }));
}

Theorem tight_by_numbers() {
  return tight<Family>([](Query& q) {
    prove_laws(q);
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    const OneRow row{{1, n, p, w}};
    q.conclude("its turns", [&] {
      row.know_shape(q);
      return row.has_shape();
    });
    const IntTerm full = n / p;
    q.give(OverNumbers<OfRounds>("turns")
               .holds([=](auto& k, auto& sum) {
                 return sum.stages + 2 * warps * ceil_div(k, w) >=
                        (5 * warps + 3) * smaller(k, full);
               })
               .step([=, &q](auto& k) {
                 row.know_turn(k);
                 const SweepTurn<IntTerm> turn = row.shape.turn(k);
                 const IntTerm least = select(k < full, pieces_of(k), 0);
                 q.assume_shown(is_counted(k));
                 row.know_terms(turn, 1, 1, {ceil_div(turn.columns, w)});
                 give_accesses(q, n, k, turn, least);
               }));
    const auto task = Family::task(n);
    q.claim("near", comes_near<Family>(time_of<Convolution>(task), task));
  });
}

}  // namespace inside_groups
}  // namespace

std::vector<Theorem> theorems_on_tightness_of_convolution() {
  return {inside_groups::tight_by_numbers()};
}

}  // namespace bankproof::proofs
