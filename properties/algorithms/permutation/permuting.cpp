// Tests the algorithms that permute an array (rows R1, R2, R3, R7, H2): their results, their
// accesses and their times.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "../../../algorithms/permutation/conflicts.hpp"
#include "../../../algorithms/permutation/permute.hpp"
#include "../../../model/observers/array_counts.hpp"
#include "../../../testing/plans.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::testing {
namespace {

using Words = Array<std::int64_t>;

BANKPROOF_PROPERTY(Permuting, by_destination_and_by_source_moves_every_element,
                   (const PermutedWarps& drawn)) {
  RC_PRE(drawn.width <= widest_warp);
  const std::vector<std::int64_t> a = tags(drawn.permutation.size());
  const std::vector<std::int64_t> p(drawn.permutation.begin(), drawn.permutation.end());
  const std::vector<std::int64_t> inverse = oracle::inverse(p);
  Umm machine({.width = drawn.width, .latency = 3});
  Array<std::int64_t> from(machine.memory(), a, "a");
  Array<std::int64_t> by_target(machine.memory(), a.size(), "b");
  Array<std::int64_t> by_source(machine.memory(), a.size(), "b");
  Array<Address> targets(machine.memory(), std::vector<Address>(p.begin(), p.end()), "p");
  Array<Address> sources(machine.memory(), std::vector<Address>(inverse.begin(), inverse.end()),
                         "q");
  const Launch launch{.threads = *rc::gen::inRange<std::uint64_t>(1, 5) * drawn.width};
  machine.launch(launch, permute_destination_designated<std::int64_t>, from, by_target, targets);
  machine.launch(launch, permute_source_designated<std::int64_t>, from, by_source, sources);
  RC_ASSERT(std::ranges::equal(by_target.values(), oracle::permuted(a, p)));
  RC_ASSERT(std::ranges::equal(by_source.values(), oracle::permuted(a, p)));
}

/// An array in memory with a permutation: p, its inverse q, and a plan s, d.
struct Arrays {
  Words a;
  Words b;
  Array<Address> p;
  Array<Address> q;
  Array<Address> s;
  Array<Address> d;

  Arrays(Memory& memory, const Permutation& permutation, Width width)
      : a(memory, tags(permutation.size()), "a"),
        b(memory, permutation.size(), "b"),
        p(memory, addresses_of(permutation), "p"),
        q(memory, addresses_of(inverse_of(std::span<const std::uint32_t>(permutation))), "q"),
        s(memory, addresses_of(plan_of(permutation, width).s), "s"),
        d(memory, addresses_of(plan_of(permutation, width).d), "d") {}
};

/// The blocks and warps of a launch in lockstep.
struct Turns {
  std::uint64_t blocks;
  std::uint64_t warps;  ///< per block
  std::uint64_t latency;
};

Turns any_turns() {
  return {*rc::gen::inRange<std::uint64_t>(1, 4), *rc::gen::inRange<std::uint64_t>(1, 5),
          *rc::gen::inRange<std::uint64_t>(1, 30)};
}

BANKPROOF_PROPERTY(Permuting, on_a_DMM_takes_the_closed_lockstep_times,
                   (const PermutedWarps& drawn)) {
  RC_PRE(drawn.width <= widest_warp);
  const auto& [w, permutation] = drawn;
  const auto [blocks, warps, l] = any_turns();
  Dmm machine({.width = w, .latency = l}, {.mode = Mode::lockstep});
  Arrays arrays(machine.memory(), permutation, w);
  auto& [a, b, p, q, s, d] = arrays;
  const Launch launch{.blocks = blocks, .threads = warps * w};
  const Permuting times{permutation.size(), blocks * warps * w, w, l};
  const auto conflicts = [&](Designation designation) {
    return analyze(std::span<const std::uint32_t>(permutation), designation, dmm_rule(w)).stages;
  };
  RC_ASSERT(machine.launch(launch, copy_in_order<std::int64_t>, a, b) == times.lockstep_time(2));
  RC_ASSERT(machine.launch(launch, permute_destination_designated<std::int64_t>, a, b, p) ==
            times.lockstep_time(3, conflicts(Designation::destination)));
  RC_ASSERT(machine.launch(launch, permute_source_designated<std::int64_t>, a, b, q) ==
            times.lockstep_time(3, conflicts(Designation::source)));
  RC_ASSERT(machine.launch(launch, permute_conflict_free<std::int64_t>, a, b, s, d) ==
            times.lockstep_time(4));
}

BANKPROOF_PROPERTY(Permuting, on_the_HMM_takes_the_closed_lockstep_times_of_THS_lemma_5_2_3,
                   (const PermutedWarps& drawn)) {
  RC_PRE(drawn.width <= widest_warp);
  const auto& [w, permutation] = drawn;
  const auto [blocks, warps, L] = any_turns();
  Hmm machine({.dmms = *rc::gen::inRange<std::uint64_t>(1, 4),
               .width = w,
               .shared_latency = *rc::gen::inRange<std::uint64_t>(1, 5),
               .global_latency = L},
              {.mode = Mode::lockstep});
  Arrays arrays(machine.global(), permutation, w);
  auto& [a, b, p, q, s, d] = arrays;
  const Launch launch{.blocks = blocks, .threads = warps * w};
  const Permuting times{permutation.size(), blocks * warps * w, w, L};
  const std::uint64_t groups = distribution(std::span<const std::uint32_t>(permutation), w);
  const Time time = machine.launch(launch, permute_destination_designated<std::int64_t>, a, b, p);
  RC_ASSERT(time == times.lockstep_time(3, groups));
  RC_ASSERT(machine.launch(launch, permute_source_designated<std::int64_t>, a, b, q) == time);
  const std::uint64_t n = permutation.size();
  if (n > 0 && n % w == 0 && times.p >= n) {  // as printed
    RC_ASSERT(time == groups + 2 * n / w + 3 * L - 3);
  }
}

TEST(Permuting, in_place_moves_every_element_without_a_conflict_and_as_fast_as_a_copy) {
  // Transpose of 8 × 8 on 4 banks by diagonals: S(j) is the element in row j mod 8 of diagonal
  // ⌊j/8⌋.
  const auto source = [](Address j) { return j % 8 * 8 + (j / 8 + j % 8) % 8; };
  const auto target = [](Address j) { return (j / 8 + j % 8) % 8 * 8 + j % 8; };
  Dmm machine({.width = 4, .latency = 6}, {.mode = Mode::lockstep});
  Words a(machine.memory(), tags(64), "a");
  Words b(machine.memory(), 64, "b");
  const Time copy = machine.launch({.threads = 32}, copy_in_order<std::int64_t>, a, b);
  using In = decltype(source);
  using Out = decltype(target);
  EXPECT_EQ(machine.launch({.threads = 32}, permute_in_place<std::int64_t, In, Out>, a, b, source,
                           target),
            copy);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(b.values()[i % 8 * 8 + i / 8], a.values()[i]);
}

TEST(Permuting, makes_the_accesses_of_THS_table_4_1) {
  constexpr std::uint64_t n = 1024;
  Permutation permutation(n);
  for (std::uint32_t i = 0; i < n; ++i) permutation[i] = (i * 389 + 7) % n;
  Dmm machine({.width = 32, .latency = 1});
  Arrays arrays(machine.memory(), permutation, 32);
  auto& [a, b, p, q, s, d] = arrays;
  ArrayCounts counts;
  machine.attach(counts);
  using Expected = std::map<std::string, ArrayCounts::Requests>;
  const Launch launch{.threads = n};
  machine.launch(launch, copy_in_order<std::int64_t>, a, b);
  EXPECT_EQ(counts.take(), (Expected{{"a", {n, 0}}, {"b", {0, n}}}));
  machine.launch(launch, permute_destination_designated<std::int64_t>, a, b, p);
  EXPECT_EQ(counts.take(), (Expected{{"a", {n, 0}}, {"b", {0, n}}, {"p", {n, 0}}}));
  machine.launch(launch, permute_source_designated<std::int64_t>, a, b, q);
  EXPECT_EQ(counts.take(), (Expected{{"a", {n, 0}}, {"b", {0, n}}, {"q", {n, 0}}}));
  machine.launch(launch, permute_conflict_free<std::int64_t>, a, b, s, d);
  EXPECT_EQ(counts.take(), (Expected{{"a", {n, 0}}, {"b", {0, n}}, {"s", {n, 0}}, {"d", {n, 0}}}));
}

}  // namespace
}  // namespace bankproof::testing
