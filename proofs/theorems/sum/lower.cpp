// Sums and prefix sums take at least the lower bounds of MOD theorem 2, as the algorithms state
// them (rows S5, P1 and P2), and a multiple of these bounds. Each item of a level makes three
// accesses. An access of c threads makes c requests, and takes at least c/w stages and c/p rounds.
//
// Example: the pairwise sum takes at least 3(n − 1)/w, and so at least n/w. Two numbers take 3 time
// units where w = p = l = 1; the false twin claims 3.03.
#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../lists.hpp"
#include "levels.hpp"

namespace bankproof::proofs {
namespace {

/// An algorithm that goes through levels, and lower bounds on its levels.
struct Levels {
  std::string name;
  std::string id;
  std::string source;
  std::string_view variant;
  Cost<IntTerm> (*cost)(const TaskOf<IntTerm>&);
  std::vector<BoundOf<IntTerm>> (*lower)(const TaskOf<IntTerm>&);
  std::uint64_t accesses;  ///< lower bound on the accesses of a turn
  /// Items of the level with this power of two.
  IntTerm (*items)(const IntTerm& n, const IntTerm& power);
  /// Lower bound on the items of all levels before this power.
  IntTerm (*items_before)(const IntTerm& n, const IntTerm& power);
};

struct Fraction {
  IntTerm numerator;
  IntTerm denominator = 1;
};

/// Selects a lower bound, and the least time that the levels take for each access of a turn.
struct Which {
  std::size_t index;
  std::string id;
  std::string words;        ///< the bound, as text
  std::string times_three;  ///< the larger bound that is proved, as text
  Fraction (*of_an_access)(const TaskOf<IntTerm>&);
};

/// (n − 1)/w.
Fraction bandwidth_of_an_access(const TaskOf<IntTerm>& task) {
  return {task.sizes["n"] - 1, task.machine.w};
}
/// (n − 1)l/p.
Fraction latency_of_an_access(const TaskOf<IntTerm>& task) {
  return {(task.sizes["n"] - 1) * task.machine.l, task.machine.p};
}
/// l log n.
Fraction reduction_of_an_access(const TaskOf<IntTerm>& task) {
  return {task.machine.l * ceil_log2(task.sizes["n"])};
}

/// The time is at least `hundredths` hundredths of a fraction.
Truth takes(const IntTerm& time, std::uint64_t hundredths, const Fraction& of) {
  return hundredths * of.numerator <= 100 * of.denominator * time;
}

void prove_of_levels(Query& q, const Levels& levels, const Which& which, MachineKind machine) {
  const Numbers of{q.number("n", 2, 9), q.number("p", 1, 4), q.number("w", 1, 2),
                   q.number("l", 1, 3)};
  const auto [n, p, w, l] = of;
  q.multiply_by({p, w});
  q.give(OverPowers<OfRounds>("levels")
             .holds([=](auto& k, auto& power, auto& sum) {
               return carries(sum, of) &&
                      sum.requests >= levels.accesses * levels.items_before(n, power) &&
                      sum.rounds >= levels.accesses * k &&
                      ((k == 0 && power == 1) || (k >= 1 && power > 1));
             })
             .step([=, &q](auto& power) {
               q.give(loop(of, levels.accesses, levels.items(n, power)));
             }));
  const auto task = task_on(machine, levels.variant, {.w = w, .l = l, .p = p}, {{"n", n}});
  const Cost<IntTerm> cost = levels.cost(task);
  const IntTerm time = lockstep_time(cost, task.machine);
  q.multiply_by({l - 1});
  q.claim("its stages", cost.global.stages <= time);
  q.claim("its latencies", cost.global.rounds * l <= time);
  q.multiply_by({w, p, l});
  q.claim("its accesses", takes(time, 100 * levels.accesses, which.of_an_access(task)));
  const auto bound = levels.lower(task)[which.index];
  const auto& term = bound.terms.front();
  q.claim("the bound", takes(time, 100, {bound.factor * term.numerator, term.denominator}));
}

void twin_of_levels(Query& q, const Levels& levels, const Which& which, MachineKind machine) {
  // There are two numbers, and all else is 1. Each access takes exactly one time unit.
  const auto task = task_on(machine, levels.variant, {.w = 1, .l = 1, .p = 1}, {{"n", 2}});
  const IntTerm time = lockstep_time(levels.cost(task), task.machine);
  q.claim("its accesses", takes(time, 101 * levels.accesses, which.of_an_access(task)));
}

}  // namespace

std::vector<Theorem> theorems_on_lower_bounds() {
  const std::vector<Levels> all = {
      {"the pairwise sum takes", "S5.pairwise", "MOD theorem 2", "pairwise", Sum::cost<IntTerm>,
       Sum::lower<IntTerm>, 3,
       [](const IntTerm& n, const IntTerm& power) { return smaller(power, n - power); },
       [](const IntTerm& n, const IntTerm& power) { return smaller(power, n) - 1; }},
      {"simple prefix sums take", "P1.lower", "MOD theorem 2", "simple", PrefixSums::cost<IntTerm>,
       PrefixSums::lower<IntTerm>, 3,
       [](const IntTerm& n, const IntTerm& power) { return n - power; },
       [](const IntTerm& n, const IntTerm& power) { return select(power > 1, n - 1, 0); }}};
  const std::vector<Which> bounds = {
      {0, "bandwidth", "n/w", "3(n − 1)/w", bandwidth_of_an_access},
      {1, "latency", "nl/p", "3(n − 1)l/p", latency_of_an_access},
      {2, "reduction", "l log n", "3 l log n", reduction_of_an_access}};
  std::vector<Theorem> theorems;
  for (const Levels& levels : all) {
    for (const Which& which : bounds) {
      for (const MachineKind machine : {MachineKind::dmm, MachineKind::umm}) {
        const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
        theorems.push_back(
            Theorem{.id = levels.id + "." + which.id + "." + on,
                    .source = levels.source,
                    .statement = levels.name + " at least " + which.times_three + " on the " + on +
                                 ", so at least " + which.words,
                    .domain = "all n ≥ 2, p, w, l"}
                .proof([=](Query& q) { prove_of_levels(q, levels, which, machine); })
                .false_twin([=](Query& q) { twin_of_levels(q, levels, which, machine); }));
      }
    }
  }
  return theorems;
}

}  // namespace bankproof::proofs
