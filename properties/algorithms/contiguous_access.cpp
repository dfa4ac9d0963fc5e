// Contiguous access (rows C1–C4 and C7): for every n, p, w and l the machines take the time of the
// project's closed form, and of the sources' printed forms where those apply. The closed form
// agrees with the oracle's counts.
#include "../../algorithms/contiguous_access.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <numeric>
#include <vector>

#include "../../algorithms/copy.hpp"
#include "../../oracles/contiguous.hpp"
#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using Word = std::uint64_t;
using Numbers = std::initializer_list<std::uint64_t>;

/// Adds up the values that a contiguous read returns, so that a test checks values and time
/// together.
struct Sum {
  Word total = 0;
  template <class I>
  void operator()(const I&, const Lanes<Word>& values, Mask mask) {
    for_each_lane(mask, [&](Width lane) { total += values[lane]; });
  }
};

template <class Machine>
Time time_of(const ContiguousAccess& c, Mode mode) {
  Machine machine({.width = static_cast<Width>(c.w), .latency = c.l}, {.mode = mode});
  std::vector<Word> words(c.n);
  std::iota(words.begin(), words.end(), Word{1});
  Array<Word> a(machine.memory(), words, "a");
  Sum sum;
  const Time time = machine.launch({.threads = c.p}, contiguous_read<Word, Sum>, a, c.n, sum);
  EXPECT_EQ(sum.total, c.n * (c.n + 1) / 2);
  return time;
}

oracle::ContiguousAccess for_oracle(const ContiguousAccess& c,
                                    oracle::ContiguousAccess::Memory memory) {
  return {.memory = memory, .words = c.n, .threads = c.p, .width = c.w, .latency = c.l};
}

void expect_forms_are_exact(const ContiguousAccess& c) {
  SCOPED_TRACE("n=" + std::to_string(c.n) + " p=" + std::to_string(c.p) +
               " w=" + std::to_string(c.w) + " l=" + std::to_string(c.l));
  const auto dmm = for_oracle(c, oracle::ContiguousAccess::Memory::dmm);
  const auto umm = for_oracle(c, oracle::ContiguousAccess::Memory::umm);
  ASSERT_EQ(contiguous_lockstep_time_on_dmm(c), oracle::contiguous_time_lockstep(dmm));
  ASSERT_EQ(contiguous_lockstep_time_on_umm(c), oracle::contiguous_time_lockstep(umm));
  ASSERT_EQ(contiguous_overlapped_time_on_dmm(c), oracle::contiguous_time_overlapped(dmm));
  ASSERT_EQ(contiguous_overlapped_time_on_umm(c), oracle::contiguous_time_overlapped(umm));
}

TEST(ContiguousAccess, closed_forms_equal_the_counting_oracle_for_all_small_parameters) {
  for (std::uint64_t w = 1; w <= 6; ++w) {
    for (std::uint64_t p = 1; p <= 3 * w + 1; ++p) {
      for (const std::uint64_t l : Numbers{1, 2, 3, 4, 5, 7, 9, 12}) {
        for (std::uint64_t n = 0; n <= 4 * p + 3 * w; ++n) {
          ASSERT_NO_FATAL_FAILURE(expect_forms_are_exact({n, p, w, l}));
        }
      }
    }
  }
}

rc::Gen<ContiguousAccess> any_contiguous_access() {
  const auto number = [](std::uint64_t end) { return rc::gen::inRange<std::uint64_t>(1, end); };
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange<std::uint64_t>(0, 3000), number(300), number(65), number(60)),
      [](const auto& drawn) {
        const auto& [n, p, w, l] = drawn;
        return ContiguousAccess{n, p, w, l};
      });
}

BANKPROOF_PROPERTY(ContiguousAccess, takes_the_closed_lockstep_time_on_both_machines, ()) {
  const auto c = *any_contiguous_access();
  RC_ASSERT(time_of<Dmm>(c, Mode::lockstep) == contiguous_lockstep_time_on_dmm(c));
  RC_ASSERT(time_of<Umm>(c, Mode::lockstep) == contiguous_lockstep_time_on_umm(c));
}

BANKPROOF_PROPERTY(ContiguousAccess, takes_the_closed_overlapped_time_on_both_machines, ()) {
  const auto c = *any_contiguous_access();
  RC_ASSERT(time_of<Dmm>(c, Mode::overlapped) == contiguous_overlapped_time_on_dmm(c));
  RC_ASSERT(time_of<Umm>(c, Mode::overlapped) == contiguous_overlapped_time_on_umm(c));
}

template <class F>
void for_each_parameter_of_the_sources(F f) {
  for (const std::uint64_t w : Numbers{1, 2, 3, 4, 8, 32}) {
    for (const std::uint64_t l : Numbers{1, 2, 5, 17, 40}) {
      for (const std::uint64_t warps : Numbers{1, 2, 3, 7, 20, 64}) {
        for (const std::uint64_t rounds : Numbers{1, 2, 5}) f(w, l, warps * w, warps * w * rounds);
      }
    }
  }
}

TEST(ContiguousAccess, meets_the_printed_lockstep_form_of_HMM_IV) {
  for_each_parameter_of_the_sources([](auto w, auto l, auto p, auto n) {
    const Time printed = printed::lockstep_full_warps(ContiguousAccess{n, p, w, l});
    EXPECT_EQ(time_of<Dmm>({n, p, w, l}, Mode::lockstep), printed);
    EXPECT_EQ(time_of<Umm>({n, p, w, l}, Mode::lockstep), printed);
  });
}

TEST(ContiguousAccess, meets_the_printed_form_of_HMM_IV_for_a_single_warp) {
  for (const std::uint64_t w : Numbers{4, 6, 32}) {
    for (std::uint64_t p = 1; p <= w; ++p) {
      if (w % p != 0) continue;
      for (const std::uint64_t l : Numbers{1, 3, 20}) {
        const std::uint64_t n = 6 * p;
        const Time printed = printed::lockstep_one_warp(ContiguousAccess{n, p, w, l});
        EXPECT_EQ(time_of<Dmm>({n, p, w, l}, Mode::lockstep), printed);
        EXPECT_EQ(time_of<Umm>({n, p, w, l}, Mode::lockstep), printed);
      }
    }
  }
}

TEST(ContiguousAccess, meets_the_printed_form_of_HMM_IV_for_more_threads_than_words) {
  for (const std::uint64_t w : Numbers{1, 3, 4, 32}) {
    for (const std::uint64_t l : Numbers{1, 3, 20}) {
      for (std::uint64_t words = 1; words <= 5; ++words) {
        const std::uint64_t n = words * w;
        const Time printed = printed::more_threads_than_words(ContiguousAccess{n, n + 1, w, l});
        for (const std::uint64_t p : Numbers{n + 1, 2 * n, 7 * n + 3}) {
          for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
            EXPECT_EQ(time_of<Dmm>({n, p, w, l}, mode), printed);
            EXPECT_EQ(time_of<Umm>({n, p, w, l}, mode), printed);
          }
        }
      }
    }
  }
}

TEST(ContiguousAccess, meets_the_printed_overlapped_form_of_MOD_3) {
  for_each_parameter_of_the_sources([](auto w, auto l, auto p, auto n) {
    const Time printed = printed::overlapped(ContiguousAccess{n, p, w, l});
    EXPECT_EQ(time_of<Dmm>({n, p, w, l}, Mode::overlapped), printed);
    EXPECT_EQ(time_of<Umm>({n, p, w, l}, Mode::overlapped), printed);
  });
}

TEST(ContiguousAccess, takes_a_round_for_each_p_words_on_the_PRAM) {
  for (const std::uint64_t n : Numbers{1, 64, 65, 1000}) {
    for (const std::uint64_t p : Numbers{1, 3, 64, 100, 2000}) {
      Pram machine;
      Array<Word> a(machine.memory(), std::vector<Word>(n, 1), "a");
      Sum sum;
      EXPECT_EQ(machine.launch({.threads = p}, contiguous_read<Word, Sum>, a, n, sum),
                ceil_div(n, p));
      EXPECT_EQ(sum.total, n);
    }
  }
}

BANKPROOF_PROPERTY(ContiguousAccess, writes_every_word_once, ()) {
  const auto c = *any_contiguous_access();
  Umm machine({.width = static_cast<Width>(c.w), .latency = c.l});
  Array<Word> a(machine.memory(), c.n, "a");
  const auto square = [](Address i) { return i * i; };
  const Time time =
      machine.launch({.threads = c.p}, contiguous_write<Word, decltype(square)>, a, c.n, square);
  RC_ASSERT(time == contiguous_overlapped_time_on_umm(c));
  for (Address i = 0; i < c.n; ++i) RC_ASSERT(a.values()[i] == i * i);
}

}  // namespace
}  // namespace bankproof
