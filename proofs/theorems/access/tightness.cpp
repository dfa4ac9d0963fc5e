// The upper bounds on accesses and copies are tight (rows C1 to C6): the times of all members of
// families of tasks come near to them.
#include <string>
#include <vector>

#include "../lists.hpp"
#include "../turns/tight.hpp"

namespace bankproof::proofs {
namespace {

template <Mode mode>
Theorem tight_by_one_thread() {
  using Family = AccessByOneThread<mode>;
  using Algorithm = typename Family::Algorithm;
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    const auto task = Family::task(n);
    q.multiply_by({n, Algorithm::access_of(task).before_last()});
    q.claim("near", comes_near<Family>(closed_time<Family>(task), task));
  });
}

/// One round in 64 takes ⌈p/w⌉ = 1,001 stages. Each other round takes 2⌊p/w⌋ + 1 stages.
template <Mode mode>
Theorem tight_across_groups() {
  using Family = AccessAcrossGroups<mode>;
  return tight<Family>([](Query& q) {
    const IntTerm k = q.number("k", Family::row.least, Family::row.least);
    const auto task = Family::task(k);
    const IntTerm time = closed_time<Family>(task);
    const RoundsByAlignment<IntTerm> before(Family::Algorithm::access_of(task));
    q.claim("the rounds before the last", before.aligned == k && before.crossing == 0);
    q.claim("the time", time == (1001 + 63 * 2001) * k);
    q.claim("near", comes_near<Family>(time, task));
  });
}

/// The theorem on a family that has many arrays of two words (the pairs) and one other array. The
/// words that a warp accesses in the other array are two pieces.
template <class Family>
Theorem tight_of_cut_arrays() {
  return tight<Family>([](Query& q) {
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const IntTerm pairs = 2 * (w - 1);       // warps that access pairs
    const IntTerm others = w * w - pairs;    // warps that access the other array
    const IntTerm end = pairs + others - 1;  // the last warp
    const IntTerm last = others * w - 1;     // the last thread, counted after the threads on pairs
    q.multiply_by({w});
    const auto is_at = [&](const IntTerm& word, const IntTerm& group) {
      q.compare_multiples(w, word / w, group);
      q.claim("its group", word / w == group);
    };
    is_at(pairs * w, pairs);
    is_at(pairs * w + last, end);
    is_at(1, 0);
    is_at(1 + last, others);
    q.claim("it begins behind a group", 1 % w == 1 && (pairs * w) % w == 0);
    const IntTerm stages = CutArraysOf<IntTerm>(task).group_stages();
    q.claim("two pieces a warp", stages == pairs * w + 2 * others);
    q.multiply_by(powers(w, 3, 7));
    q.claim("near", comes_near<Family>(closed_time<Family>(task), task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_accesses() {
  return {tight_by_one_thread<Mode::lockstep>(), tight_across_groups<Mode::lockstep>(),
          tight_by_one_thread<Mode::overlapped>(), tight_across_groups<Mode::overlapped>(),
          tight_of_cut_arrays<AccessToCutArrays>(),
          tight_by_turns<ConflictFreeAccess>([](Query& q) {
            q.give(OverNumbers<OfRounds>("turns").holds(
                [](auto& k, auto& sum) { return sum.stages >= k && sum.rounds >= k; }));
          }),
          // In each round each of the two DMMs accesses one group.
          tight_by_turns<CopyToShared>([](Query& q) {
            const auto give_rounds = [&](const std::string& name, std::uint64_t stages) {
              q.give(OverNumbers<IntTerm>(name).holds(
                  [=](auto& k, auto& sum) { return sum >= stages * k; }));
            };
            give_rounds("rounds on global memory", 2);
            give_rounds("rounds on shared memory", 1);
          }),
          tight_of_cut_arrays<CopyOfCutArrays>()};
}

}  // namespace bankproof::proofs
