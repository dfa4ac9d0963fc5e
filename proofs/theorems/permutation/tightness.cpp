// The upper bounds on permutations and transposes are tight (rows R3, H2 and H3): the times of all
// members of families of tasks come near to them.
#include <vector>

#include "../lists.hpp"
#include "../turns/row_by_row.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

Theorem tight_transpose() {
  using Family = TransposeJustAboveATile;
  return tight<Family>([](Query& q) {
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const auto matrix = Transpose::matrix_of(task);
    const IntTerm threads = matrix.threads(task.machine.p);
    const RowByRow tile({w, w, threads, w}, w);
    const IntTerm slots = task.machine.slots(threads, matrix.shared_words());
    const IntTerm waves = ceil_div(matrix.tiles(), task.machine.d * slots);
    q.conclude("waves and turns", [&] {
      q.multiply_by({w});
      q.claim("threads", threads == 2 * w - 1);
      const IntTerm across = matrix.tiles_across();
      q.compare_multiples(w, across, 2);
      q.compare_multiples(w, ceil_div(w, w), 1);
      q.compare_multiples(w, ceil_div(threads, w), 2);
      q.compare_multiples(w, ceil_div(task.machine.p, w), 2);
      q.claim("tiles of a side", across == 2);
      q.claim("warps",
              ceil_div(w, w) == 1 && ceil_div(threads, w) == 2 && ceil_div(task.machine.p, w) == 2);
      q.multiply_equals(across, across, 2);
      for (const IntTerm& number : {threads, task.machine.p}) {
        q.multiply_equals(w, ceil_div(number, w), 2);
      }
      const IntTerm block = rounded_up(threads, w);
      q.compare_multiples(block, rounded_up(task.machine.p, w) / block, 1);
      q.claim("tiles", matrix.tiles() == 4);
      q.claim("a slot", slots == 1);
      q.multiply_equals(waves, slots, 1);
      q.claim("waves", waves == 2);
      tile.know_shape(q);
      return threads == 2 * w - 1 && slots == 1 && waves == 2 && matrix.tiles() == 4 &&
             tile.has_shape();
    });
    const auto give_rows = [&q](const SweepTurn<IntTerm>&) { q.give(of_stages()); };
    const auto give_copies = [=, &q](const IntTerm& wave) {
      q.multiply_equals(wave, slots, 1);
      for (int copies = 0; copies < 2; ++copies) {
        give_windows(q);
        q.give(of_rounds(tile, 1, give_rows));
      }
    };
    q.give(OverNumbers<Cost<IntTerm>>("waves")
               .holds([=](auto& k, auto& sum) {
                 return sum.shared.rounds >= 2 * w * k && sum.overlap == 0;
               })
               .step(give_copies));
    const IntTerm time = time_of<Transpose>(task);
    q.multiply_by({w});
    q.claim("the time", time >= 9999 * 4 * w);
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
