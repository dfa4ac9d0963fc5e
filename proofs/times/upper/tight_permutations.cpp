// How near copies, permutations, transposes and summed area tables come to their upper bounds (rows
// C5, R3, H2, H3, A2, A3 and A5), for all members of families of tasks.
#include <functional>

#include "../times.hpp"
#include "row_by_row.hpp"
#include "tight.hpp"
#include "turns.hpp"

namespace bankproof::proofs {
namespace {

/// Of a family by a number of turns, with what is known of a member's sums.
template <class Family>
Theorem tight_by_turns(const std::function<void(Query&, const IntTerm&)>& give) {
  return tight<Family>([=](Query& q) {
    const IntTerm k = q.number("k", Family::least, Family::least);
    give(q, k);
    const auto task = Family::task(k);
    q.prove("near", comes_near<Family>(time_of<typename Family::Algorithm>(task), task));
  });
}

/// In each round the two DMMs are in a group each.
void give_copy(Query& q, const IntTerm& /*k*/) {
  for (const std::uint64_t stages : {2U, 1U}) {
    q.give_invariant<SumInvariant<IntTerm>>(
        [=](const IntTerm& k, const IntTerm& sum) { return sum >= IntTerm(stages) * k; });
  }
}

/// Of a family by L, in which all but L is stated.
template <class Family>
Theorem tight_by_latency() {
  return tight<Family>([](Query& q) {
    const auto task = Family::task(q.number("L", Family::least, 5));
    q.prove("near", comes_near<Family>(time_of<typename Family::Algorithm>(task), task));
  });
}

Theorem tight_transpose() {
  using Family = TransposeJustAboveATile;
  return tight<Family>([](Query& q) {
    const IntTerm one(1);
    const IntTerm two(2);
    const IntTerm w = q.number("w", Family::least, Family::least);
    const auto task = Family::task(w);
    const auto matrix = Transpose::matrix_of(task);
    const IntTerm threads = matrix.threads(task.machine.p);
    const RowByRow tile({w, w, threads, w}, w);
    const IntTerm slots = task.machine.slots(threads, matrix.shared_words());
    const IntTerm waves = ceil_div(matrix.tiles(), task.machine.d * slots);
    q.conclude("waves and turns", [&] {
      q.multiply_by({w});
      q.prove("threads", threads == two * w - one);
      const IntTerm across = matrix.tiles_across();
      q.compare_multiples(w, across, two);
      q.compare_multiples(w, ceil_div(w, w), one);
      q.compare_multiples(w, ceil_div(threads, w), two);
      q.compare_multiples(w, ceil_div(task.machine.p, w), two);
      q.prove("tiles of a side", across == two);
      q.prove("warps", ceil_div(w, w) == one && ceil_div(threads, w) == two &&
                           ceil_div(task.machine.p, w) == two);
      q.multiply_equals(across, across, two);
      for (const IntTerm& number : {threads, task.machine.p}) {
        q.multiply_equals(w, ceil_div(number, w), two);
      }
      const IntTerm block = rounded_up(threads, w);
      q.compare_multiples(block, rounded_up(task.machine.p, w) / block, one);
      q.prove("tiles", matrix.tiles() == IntTerm(4));
      q.prove("a slot", slots == one);
      q.multiply_equals(waves, slots, one);
      q.prove("waves", waves == two);
      tile.know_shape(q);
      return threads == two * w - one && slots == one && waves == two &&
             matrix.tiles() == IntTerm(4) && tile.has_shape();
    });
    const auto give_tile = [&] {
      q.give_invariant(of_rounds(tile, 1));
      q.give_invariant(of_stages());
    };
    q.give_invariant<SumInvariant<Cost<IntTerm>>>(
        [=, step = Step()](const IntTerm& k, const Cost<IntTerm>& sum) mutable {
          step([&] { k.query().multiply_equals(k, slots, one); });
          return sum.shared.rounds >= two * w * k && sum.overlap == IntTerm(0);
        });
    give_windows(q);
    give_tile();
    give_windows(q);
    give_tile();
    const IntTerm time = time_of<Transpose>(task);
    q.multiply_by({w});
    q.prove("the time", time >= IntTerm(9999) * IntTerm(4) * w);
    const IntTerm& p = task.machine.p;
    q.multiply_by({p});
    q.multiply_by({w * w * p * p, w, w * w, w * w * w, w * w * w * w});
    q.prove("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_permutations() {
  const auto nothing = [](Query&, const IntTerm&) {};
  return {tight_by_turns<CopyToShared>(give_copy),
          tight_by_turns<PermutationByPlan>(nothing),
          tight_by_turns<PermutationByDestination>(nothing),
          tight_by_latency<TransposeOfWholeTiles>(),
          tight_transpose(),
          tight_by_latency<TableDownAndAlong>(),
          tight_by_latency<TableWithTransposes>(),
          tight_by_latency<TableByDiagonals>()};
}

}  // namespace bankproof::proofs
