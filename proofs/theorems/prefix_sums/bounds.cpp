// Upper bounds on prefix sums (rows P1 and P2), for all sizes, threads, widths and latencies.
#include <string>

#include "../../../algorithms/prefix_sums.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

Theorem simple_prefix_sums(MachineKind machine) {
  const std::uint64_t factor = pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return Theorem{.id = "P1.upper." + on,
                 .source = "MOD lemma 2",
                 .statement = "simple prefix sums take at most " + std::to_string(3 * factor) +
                              "(n/w + nl/p + l) log n on the " + on,
                 .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const auto [n, p, w, l] = q.numbers({{"n", 1, 9}, {"p", 1, 4}, {"w", 1, 2}, {"l", 1, 3}});
        q.multiply_by({n, p, w, w - 1, p * w});
        q.give(OverPowers<OfRounds>("levels")
                   .holds([=](auto& k, auto&, auto& sum) {
                     return w * p * sum.stages <= 3 * factor * k * (p * n + (w - 1) * (n + p)) &&
                            p * sum.rounds <= 3 * k * (n + p);
                   })
                   .step([=, &q](auto& power) {
                     q.give(of_turns("turns of a level", w, p, 3 * factor, 3, n - power));
                   }));
        const auto task = task_on(machine, "simple", {.w = w, .l = l, .p = p}, {{"n", n}});
        const IntTerm time = time_of<PrefixSums>(task);
        q.multiply_by(
            {l - 1, n, p, w, w - 1, p * w, n * w * (l - 1), w * (l - 1), p * w * (l - 1)});
        q.claim("the bound", is_bounded<PrefixSums>(time, task, 3 * factor));
      })
      .false_twin(machine == MachineKind::dmm ? prove_a_hundredth_less<SimplePrefixSumsOnDmm>
                                              : prove_a_hundredth_less<SimplePrefixSumsOnUmm>);
}

/// Proves upper bounds on the accesses in turn k of a level of h numbers.
void bound_accesses(const TaskOf<IntTerm>& task, const IntTerm& h, const IntTerm& k) {
  const auto& [w, p] = std::tie(task.machine.w, task.machine.p);
  Query& q = k.query();
  const IntTerm start = k * p;
  const IntTerm count = smaller(p, h / 2 - start);
  const IntTerm next = smaller(count, minus_or_zero((h - 1) / 2, start));
  q.claim("threads of a turn", count >= 1 && next >= 0 && next <= count);
  const MemoryKind kind = task.machine.memory();
  const auto every_second = [&](const IntTerm& address, const IntTerm& threads) {
    return stages_of_stride(kind, Run<IntTerm>{address, threads}, IntTerm(2), w);
  };
  for (const auto& [address, threads] :
       {std::pair(2 * start, count), std::pair(2 * start + 1, count),
        std::pair(2 * start + 2, next)}) {
    if (kind == MemoryKind::banks) {
      const IntTerm conflicts = gcd(2, w);
      q.multiply_by({w, conflicts, threads});
      q.claim("a word of every bank or of every second one",
              w * every_second(address, threads) <= 2 * threads + w - 1);
    } else {
      q.multiply_by({w});
      q.compare_multiples(threads, w, 2);
      q.claim("groups and warps", w * every_second(address, threads) <= 3 * threads + 2 * (w - 1));
    }
  }
  q.multiply_by({w});
  const IntTerm consecutive = stages_of(kind, Run<IntTerm>{start, count}, w);
  q.claim("consecutive words",
          w * consecutive <= IntTerm(pieces_on(task.machine.machine)) * (count + w - 1));
  q.multiply_by({});
}

/// A level of an array of h numbers adds ⌊h/2⌋ pairs, and leaves an array of ⌊h/2⌋ numbers. The
/// first k levels have added all but ⌊n/2^k⌋ of the numbers. A turn of c pairs makes two accesses
/// to consecutive words and five to every second word. Each access to every second word has at most
/// (2c + w − 1)/w stages on banks, because at most two threads share a bank, and at most (3c + 2(w
/// − 1))/w on groups.
Theorem optimal_prefix_sums(MachineKind machine) {
  const bool banks = machine == MachineKind::dmm;
  const OfTurn turn = banks ? OfTurn{.words = 12, .ends = 7, .rounds = 7}
                            : OfTurn{.words = 19, .ends = 14, .rounds = 7};
  const std::string on = banks ? "DMM" : "UMM";
  return Theorem{.id = "P2.upper." + on,
                 .source = "MOD theorem 3",
                 .statement = "optimal prefix sums take at most " + std::to_string(turn.words) +
                              "(n/w + nl/p + l log n) on the " + on,
                 .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const auto [n, p, w, l] = q.numbers({{"n", 1, 9}, {"p", 1, 4}, {"w", 1, 2}, {"l", 1, 3}});
        const IntTerm half = n / 2 + 1;
        q.claim("as many levels", q.logarithm(half) <= q.logarithm(n));
        const auto task = task_on(machine, "optimal", {.w = w, .l = l, .p = p}, {{"n", n}});
        q.multiply_by({p, w, w - 1});
        const auto in_level = [=, &q](const IntTerm& power) {
          halve(n, power);
          const IntTerm level = n / power;  // the size of the level's array
          OverNumbers<OfRounds> turns = of_turns("turns of a level", w, p, turn, level / 2);
          turns.step([=](auto& k) { bound_accesses(task, level, k); });
          q.give(turns);
        };
        q.give(OverPowers<OfRounds>("levels")
                   .holds([=](auto& k, auto& power, auto& sum) {
                     const IntTerm added = n - n / power;
                     const IntTerm turns = added + p * k;  // p times the turns
                     return w * p * sum.stages <=
                                turn.words * p * added + turn.ends * (w - 1) * turns &&
                            p * sum.rounds <= turn.rounds * turns;
                   })
                   .step(in_level));
        const IntTerm time = time_of<PrefixSums>(task);
        q.multiply_by({l - 1, n, p, w, w - 1, p * w, w * (l - 1), p * w * (l - 1)});
        q.claim("the bound", is_bounded<PrefixSums>(time, task, turn.words));
      })
      .false_twin(banks ? prove_a_hundredth_less<OptimalPrefixSumsOnDmm>
                        : prove_a_hundredth_less<OptimalPrefixSumsOnUmm>);
}

}  // namespace

std::vector<Theorem> theorems_on_prefix_sums() {
  return {simple_prefix_sums(MachineKind::dmm), simple_prefix_sums(MachineKind::umm),
          optimal_prefix_sums(MachineKind::dmm), optimal_prefix_sums(MachineKind::umm)};
}

}  // namespace bankproof::proofs
