// MOD 7 line by line: the optimal prefix sums as printed, and the text's statements about them (row
// P2; docs/errata.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "../../algorithms/prefix_sums.hpp"
#include "../../model/observers/array_counts.hpp"
#include "../../model/observers/statistics.hpp"
#include "../../oracles/sums.hpp"
#include "../../testing/property.hpp"
#include "../../testing/values.hpp"

namespace bankproof::testing {
namespace {

using Words = std::vector<std::uint64_t>;
using Numbers = Array<std::uint64_t>;

/// n = 2^m numbers in a_m, and the arrays a_0 to a_{m−1}, on a UMM. Here w threads that access
/// every second word take two stages.
struct Arrays {
  Umm machine{{.width = 4}};
  std::vector<std::unique_ptr<Numbers>> a;  ///< a[t] is a_t

  explicit Arrays(const Words& numbers) {
    for (std::uint64_t size = 1; size < numbers.size(); size *= 2) {
      a.push_back(std::make_unique<Numbers>(machine.memory(), size, "a_t"));
    }
    a.push_back(std::make_unique<Numbers>(machine.memory(), numbers, "a_m"));
  }
  std::uint64_t m() const { return a.size() - 1; }
  Words values(std::uint64_t t) const {
    const auto all = std::as_const(*a[t]).values();
    return {all.begin(), all.end()};
  }

  void sum_intervals() {
    for (std::uint64_t t = m(); t-- > 0;) {
      machine.launch({.threads = 8}, add_pairs<std::uint64_t>, *a[t + 1], *a[t]);
    }
  }
  void sum_the_sums() {
    for (std::uint64_t t = 0; t < m(); ++t) {
      machine.launch({.threads = 8}, spread_to_pairs<std::uint64_t>, *a[t + 1], *a[t]);
    }
  }
};

Words powers_of_two(std::uint64_t n) {
  Words numbers;
  for (std::uint64_t i = 0; i < n; ++i) numbers.push_back(std::uint64_t{1} << i);
  return numbers;
}

/// x[first] + … + x[last], without words beyond the end.
std::uint64_t interval(const Words& x, std::uint64_t first, std::uint64_t last) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = first; i <= last && i < x.size(); ++i) sum += x[i];
  return sum;
}

TEST(Errata, work_arrays_of_MOD_7_hold_sums_of_the_numbers_and_not_of_themselves) {
  const Words numbers = powers_of_two(16);
  Arrays arrays(numbers);
  arrays.sum_intervals();
  bool printed_holds = true;
  for (std::uint64_t t = 0; t < arrays.m(); ++t) {
    const Words sums = arrays.values(t);
    const std::uint64_t length = numbers.size() >> t;  // n/2^t
    for (std::uint64_t i = 0; i < sums.size(); ++i) {
      EXPECT_EQ(sums[i], interval(numbers, i * length, (i + 1) * length - 1));
      printed_holds = printed_holds && sums[i] == interval(sums, i * length, (i + 1) * length - 1);
    }
  }
  EXPECT_FALSE(printed_holds);
}

TEST(Errata, work_arrays_of_MOD_7_have_one_word_less_than_there_are_numbers) {
  for (const std::uint64_t n : {2U, 4U, 16U, 64U}) {
    const Arrays arrays{Words(n)};
    std::uint64_t words = 0;
    for (std::uint64_t t = 0; t < arrays.m(); ++t) words += arrays.values(t).size();
    EXPECT_EQ(words, n - 1);  // not 2⁰ + … + 2^{m−1} − 1
  }
}

/// Counts writes of a word.
class WritesOf : public Observer {
 public:
  WritesOf(const Numbers& array, Address word) : array_(array), word_(word) {}
  void accessed(const AccessEvent& event) override {
    if (&event.array() != &array_ || !event.is_write()) return;
    for_each_lane(event.access.mask, [&](Width lane) {
      ++all_;
      if (event.index(lane) == word_) ++of_word_;
    });
  }
  std::uint64_t all() const { return all_; }
  std::uint64_t of_word() const { return of_word_; }

 private:
  const Numbers& array_;
  Address word_;
  std::uint64_t all_ = 0;
  std::uint64_t of_word_ = 0;
};

TEST(Errata, second_stage_of_MOD_7_writes_all_words_of_an_array_but_the_first) {
  const Words numbers = powers_of_two(16);
  for (std::uint64_t t = 0; t < 4; ++t) {
    Arrays arrays(numbers);
    arrays.sum_intervals();
    WritesOf writes(*arrays.a[t + 1], 0);
    arrays.machine.attach(writes);
    arrays.sum_the_sums();
    EXPECT_EQ(writes.of_word(), 0U);
    EXPECT_EQ(writes.all(), (std::uint64_t{2} << t) - 1);  // not 2^{t+1}
  }
}

TEST(Errata, sums_of_MOD_7_are_of_all_numbers_and_not_of_the_first_half) {
  const Words numbers = powers_of_two(16);
  Arrays arrays(numbers);
  arrays.sum_intervals();
  arrays.sum_the_sums();
  EXPECT_EQ(arrays.values(arrays.m()), oracle::prefix_sums(numbers));
  // MOD 7 claims the sums only for i ≤ 2^t − 1, where t is m − 1 at the end: for i < 8.
  EXPECT_EQ(arrays.a[arrays.m() - 1]->size(), 8U);
}

TEST(Errata, first_stage_of_MOD_7_takes_time_for_two_numbers_where_its_printed_sum_is_empty) {
  Arrays arrays(Words{1, 2});  // m = 1, so no t has 1 ≤ t ≤ m − 1
  const Time before = arrays.machine.time();
  arrays.sum_intervals();
  EXPECT_EQ(arrays.machine.time() - before, 3U);
}

Program read_every_second(Warp& warp, Numbers& a) {
  for (auto i : warp.each(a.size() / 2)) co_await a.read(2 * i);
}

template <class Machine>
std::uint64_t stages_of_every_second(Width width, std::uint64_t accesses) {
  Machine machine({.width = width});
  Numbers a(machine.memory(), Words(2 * accesses * width), "a");
  Statistics statistics;
  machine.attach(statistics);
  machine.launch({.threads = width}, read_every_second, a);
  return statistics.of(machine.memory()).stages;
}

BANKPROOF_PROPERTY(Errata, reads_of_MOD_7_at_stride_two_take_twice_the_stages_but_for_odd_banks,
                   ()) {
  const auto width = *rc::gen::inRange<Width>(2, widest_warp + 1);
  const auto accesses = *rc::gen::inRange<std::uint64_t>(1, 10);
  RC_ASSERT(stages_of_every_second<Umm>(width, accesses) == 2 * accesses);
  RC_ASSERT(stages_of_every_second<Dmm>(width, accesses) ==
            (width % 2 == 0 ? 2 * accesses : accesses));
}

}  // namespace
}  // namespace bankproof::testing
