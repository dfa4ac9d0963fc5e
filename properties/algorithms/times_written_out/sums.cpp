// Sums (MOD 4, HMM VII) and prefix sums (MOD 6 and 7), written out.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../../../testing/property.hpp"
#include "times.hpp"

namespace bankproof::written_out {
namespace {

/// Adds pairs at distances n/2, …, 1, three rounds for each p pairs; n, p and w are powers of two.
Number pairwise(Number n, Number p, Number w, Number l) {
  Number time = 0;
  for (Number distance = n / 2; distance > 0; distance /= 2) {
    const Number turns = distance > p ? distance / p : 1;
    const Number stages = distance / turns > w ? distance / turns / w : 1;
    time += 3 * turns * round(stages, l);
  }
  return time;
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_sums, ()) {
  const Number w = power_of_two(3);
  const Number p = w * power_of_two(4);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  const Number d = any(1, 5);
  const Number n = power_of_two(10);
  const MachineKind kind = *rc::gen::element(MachineKind::dmm, MachineKind::umm);
  RC_ASSERT(machine_time<Sum>("pairwise", {.machine = kind, .w = w, .l = l, .p = p}, {{"n", n}}) ==
            pairwise(n, p, w, l));
  // The rounds access a column of k numbers for each of p threads, their sums, and the sum in
  // global memory.
  const Number k = any(1, 5);
  RC_ASSERT(
      machine_time<Sum>("one-dmm", {.w = w, .l = l, .L = L, .d = d, .p = p}, {{"n", k * p}}) ==
      k * round(p / w, L) + round(p / w, l) + pairwise(p, p, w, l) + round(1, l) + round(1, L));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_sums_of_any_size, ()) {
  const MachineKind kind = *rc::gen::element(MachineKind::dmm, MachineKind::umm);
  const MachineParameters machine{.machine = kind, .w = any(1, 8), .l = any(1, 9), .p = any(1, 40)};
  const Number n = any(1, 300);
  Number time = 0;
  for (Number left = n; left > 1;) {
    Number distance = 1;  // adds the numbers beyond the largest power of two to the first numbers
    while (2 * distance < left) distance *= 2;
    for (Number first = 0; first < left - distance; first += machine.p) {
      const Number count = std::min(machine.p, left - distance - first);
      time += 2 * round(stages(kind, first, count, 1, machine.w), machine.l);
      time += round(stages(kind, first + distance, count, 1, machine.w), machine.l);
    }
    left = distance;
  }
  RC_ASSERT(machine_time<Sum>("pairwise", machine, {{"n", n}}) == time);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_sums_by_all_DMMs, ()) {
  const Number w = power_of_two(2);
  const Number p = w * power_of_two(3);
  const Number d = power_of_two(6);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  // The time in which `blocks` blocks of p threads add n numbers; `blocks` times p divides n, or n
  // is less than p.
  const auto launch = [&](Number n, Number blocks) {
    const Number numbers = std::min(n, p);  // numbers of a block at a time
    return n / blocks / numbers * round(blocks * ceil(numbers, w), L) + round(ceil(numbers, w), l) +
           pairwise(numbers, p, w, l) + round(1, l) + round(blocks, L);
  };
  const MachineParameters machine{.w = w, .l = l, .L = L, .d = d, .p = p};
  const Number n = d * p * any(1, 4);
  Number time = launch(n, d);
  if (d > 1) time += launch(d, 1);
  RC_ASSERT(machine_time<Sum>("all-dmms", machine, {{"n", n}}) == time);

  // With recursion, each DMM adds p sums (at least two), and only the DMMs needed for all sums
  // work.
  Number recursive = 0;
  for (Number left = n; left > 1 || recursive == 0;) {
    const Number blocks = std::min(d, ceil(left, std::max<Number>(p, 2)));
    recursive += launch(left, blocks);
    left = blocks;
  }
  RC_ASSERT(machine_time<Sum>("recursive", machine, {{"n", n}}) == recursive);
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_sums_on_the_PRAM, ()) {
  const Number log_p = any(0, 6);
  const Number k = any(1, 9);
  // The rounds access a column of k numbers and their sum; on each level they make two reads and a
  // write.
  RC_ASSERT(machine_time<Sum>("columns", MachineParameters::pram(Number{1} << log_p),
                              {{"n", k << log_p}}) == k + 1 + 3 * log_p);
}

struct Prefixes {
  MachineKind kind;
  Number n;
  Number p;
  Number w;
  Number l;

  /// MOD 6: from `distance` on, reads two numbers and writes one for each number, p at a time.
  Number simple() const {
    Number time = 0;
    for (Number distance = 1; distance < n; distance *= 2) {
      for (Number first = distance; first < n; first += p) {
        const Number count = std::min(p, n - first);
        time += round(stages(kind, first - distance, count, 1, w), l);
        time += 2 * round(stages(kind, first, count, 1, w), l);
      }
    }
    return time;
  }
  /// MOD 7: on the way down, reads both numbers of a pair and writes their sum. On the way up,
  /// reads the sum and writes it to the pair's second number, then reads and writes the number
  /// after the pair, except for the last pair.
  Number optimal() const {
    Number time = 0;
    for (Number size = n; size > 1; size /= 2) {
      const Number pairs = size / 2;
      for (Number first = 0; first < pairs; first += p) {
        const Number count = std::min(p, pairs - first);
        const Number after = std::min(count, (size - 1) / 2 - std::min(first, (size - 1) / 2));
        time += round(stages(kind, 2 * first, count, 2, w), l);
        time += 2 * round(stages(kind, 2 * first + 1, count, 2, w), l);
        time += 2 * round(stages(kind, first, count, 1, w), l);
        time += 2 * round(stages(kind, 2 * first + 2, after, 2, w), l);
      }
    }
    return time;
  }
};

BANKPROOF_PROPERTY(TimesWrittenOut, of_prefix_sums, ()) {
  const Number w = any(1, 8);
  const Prefixes sums{*rc::gen::element(MachineKind::dmm, MachineKind::umm), any(1, 300),
                      any(1, 40), w, any(1, 9)};
  const MachineParameters machine{.machine = sums.kind, .w = w, .l = sums.l, .p = sums.p};
  RC_ASSERT(machine_time<PrefixSums>("simple", machine, {{"n", sums.n}}) == sums.simple());
  RC_ASSERT(machine_time<PrefixSums>("optimal", machine, {{"n", sums.n}}) == sums.optimal());
}

TEST(TimesWrittenOut, of_prefix_sums_of_4_numbers_are_these) {
  // w = 4, so each access takes a stage. Simple has the distances 1 and 2; optimal has two levels
  // each way, and the upper level has no number after its only pair.
  const MachineParameters machine{.machine = MachineKind::dmm, .w = 4, .l = 5, .p = 4};
  EXPECT_EQ(machine_time<PrefixSums>("simple", machine, {{"n", 4}}), 2 * 3 * 5U);
  EXPECT_EQ(machine_time<PrefixSums>("optimal", machine, {{"n", 4}}), (7 + 5) * 5U);
}

}  // namespace
}  // namespace bankproof::written_out
