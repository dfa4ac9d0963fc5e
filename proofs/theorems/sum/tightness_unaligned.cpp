// The upper bounds on sums and prefix sums on the UMM are tight (rows S2 and P1): times come near
// to them. Turns that begin inside an address group have nearly two pieces for each warp.
#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {
namespace unaligned {

constexpr std::uint64_t w = 64;
constexpr std::uint64_t warps = 300;             // a turn has these warps and one more thread
constexpr std::uint64_t p = warps * w + 1;       // turn t begins t words after a group's beginning
constexpr std::uint64_t stages = 2 * warps + 1;  // of an access; `warps` less in an aligned turn

/// wp times the stages of a level of i items are at least an_item·i − a_level.
constexpr std::uint64_t an_item = 3 * stages * w - 3 * warps;
constexpr std::uint64_t a_level = an_item * (p - 1) + 3 * warps * (w - 1) * p;

/// Invariant of the turns of a level. A turn makes three accesses: `near` of them begin at word tp,
/// and the others begin `distance` words later.
OverNumbers<OfRounds> turns_of_level(std::uint64_t near, const IntTerm& items,
                                     const IntTerm& distance) {
  return OverNumbers<OfRounds>("turns of a level").holds([=](auto& k, auto& sum) {
    const IntTerm full = smaller(k, items / p);
    // Counts the turns t < full for which first + t is a multiple of w.
    const auto aligned = [&](const IntTerm& first) {
      return ceil_div(first + full, w) - ceil_div(first, w);
    };
    return sum.stages >= 3 * stages * full - (near * warps) * aligned(0) -
                             IntTerm((3 - near) * warps) * aligned(distance);
  });
}

Theorem tight_pairwise_sum() {
  using Family = PairwiseSumOnUmm;
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    prove_small_logarithm(q, n, 32, 120'000'000);
    q.give(OverPowers<OfRounds>("levels")
               .holds([=](auto& k, auto& power, auto& sum) {
                 const IntTerm added = smaller(power, n) - 1;
                 return w * p * sum.stages + a_level * k >= an_item * added;
               })
               .step([=, &q](auto& power) {
                 q.give(turns_of_level(2, smaller(power, n - power), power));
               }));
    const auto task = Family::task(n);
    q.claim("near", comes_near<Family>(time_of<Sum>(task), task));
  });
}

Theorem tight_prefix_sums() {
  using Family = SimplePrefixSumsOnUmm;
  return tight<Family>([](Query& q) {
    const IntTerm log = q.number("k", 5000, 5000);
    const IntTerm n = q.power_of_two(log);
    prove_large_power(q, log, 40, 1'000'000'000);
    const IntTerm levels = q.logarithm(n);
    q.apply(powers_of_two_grow(), {levels, log});
    q.apply(powers_of_two_grow(), {log, levels});
    q.claim("as many levels", levels == log);
    q.give(OverPowers<OfRounds>("levels")
               .holds([=](auto& k, auto& power, auto& sum) {
                 return w * p * sum.stages + a_level * k >= an_item * (n * k - power);
               })
               .step([=, &q](auto& power) { q.give(turns_of_level(1, n - power, power)); }));
    const auto task = Family::task(n);
    const IntTerm time = time_of<PrefixSums>(task);
    q.multiply_by({n, levels});
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace unaligned
}  // namespace

std::vector<Theorem> theorems_on_tightness_of_turns() {
  return {unaligned::tight_pairwise_sum(), unaligned::tight_prefix_sums()};
}

}  // namespace bankproof::proofs
