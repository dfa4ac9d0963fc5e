// The upper bounds on permutations and transposes are tight (rows R3, H2 and H3): the times of all
// members of families of tasks come near to them.
#include <vector>

#include "../times.hpp"
#include "../turns/row_by_row.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

Theorem tight_transpose() {
  using Family = TransposeJustAboveATile;
  return tight<Family>([](Query& q) {
    const IntTerm one(1);
    const IntTerm two(2);
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const auto matrix = Transpose::matrix_of(task);
    const IntTerm threads = matrix.threads(task.machine.p);
    const RowByRow tile({w, w, threads, w}, w);
    const IntTerm slots = task.machine.slots(threads, matrix.shared_words());
    const IntTerm waves = ceil_div(matrix.tiles(), task.machine.d * slots);
    q.conclude("waves and turns", [&] {
      q.multiply_by({w});
      q.claim("threads", threads == two * w - one);
      const IntTerm across = matrix.tiles_across();
      q.compare_multiples(w, across, two);
      q.compare_multiples(w, ceil_div(w, w), one);
      q.compare_multiples(w, ceil_div(threads, w), two);
      q.compare_multiples(w, ceil_div(task.machine.p, w), two);
      q.claim("tiles of a side", across == two);
      q.claim("warps", ceil_div(w, w) == one && ceil_div(threads, w) == two &&
                           ceil_div(task.machine.p, w) == two);
      q.multiply_equals(across, across, two);
      for (const IntTerm& number : {threads, task.machine.p}) {
        q.multiply_equals(w, ceil_div(number, w), two);
      }
      const IntTerm block = rounded_up(threads, w);
      q.compare_multiples(block, rounded_up(task.machine.p, w) / block, one);
      q.claim("tiles", matrix.tiles() == IntTerm(4));
      q.claim("a slot", slots == one);
      q.multiply_equals(waves, slots, one);
      q.claim("waves", waves == two);
      tile.know_shape(q);
      return threads == two * w - one && slots == one && waves == two &&
             matrix.tiles() == IntTerm(4) && tile.has_shape();
    });
    const auto give_rows = [&q](const SweepTurn<IntTerm>&) { q.give(of_stages()); };
    const auto give_copies = [=, &q](const IntTerm& wave) {
      q.multiply_equals(wave, slots, one);
      for (int copies = 0; copies < 2; ++copies) {
        give_windows(q);
        q.give(of_rounds(tile, 1, give_rows));
      }
    };
    q.give(OverNumbers<Cost<IntTerm>>{.name = "waves",
                                      .holds =
                                          [=](const IntTerm& k, const Cost<IntTerm>& sum) {
                                            return sum.shared.rounds >= two * w * k &&
                                                   sum.overlap == IntTerm(0);
                                          },
                                      .step = give_copies});
    const IntTerm time = time_of<Transpose>(task);
    q.multiply_by({w});
    q.claim("the time", time >= IntTerm(9999) * IntTerm(4) * w);
    const IntTerm& p = task.machine.p;
    q.multiply_by({p});
    q.multiply_by({w * w * p * p, w, w * w, w * w * w, w * w * w * w});
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_permutations() {
  const auto nothing = [](Query&) {};
  return {tight_by_turns<PermutationByPlan>(nothing),
          tight_by_turns<PermutationByDestination>(nothing),
          tight_by_latency<TransposeOfWholeTiles>(), tight_transpose()};
}

}  // namespace bankproof::proofs
