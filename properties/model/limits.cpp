// Tests the limits of sizes, launches and arrays: the last allowed value and the first forbidden
// value. Also tests the state after a failed launch, and which stage serves each word of a memory
// without banks or groups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../model/machine.hpp"
#include "../../model/observers/served.hpp"

namespace bankproof {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The message of the fault that the launch throws, or "no fault".
template <class Machine, class... Rest>
std::string failure_of(Machine& machine, const Launch& launch, Rest&&... rest) {
  try {
    machine.launch(launch, std::forward<Rest>(rest)...);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

Program does_nothing(Warp&) { co_return; }

Program reads_from(Warp& warp, Array<int>& a, Address first) {
  co_await a.read(warp.lane() + first);
}

TEST(Limits, of_a_block_are_all_threads_that_round_up_to_whole_warps) {
  Hmm machine({.width = 4, .resident_threads = 8});
  EXPECT_THAT(failure_of(machine, {.threads = unlimited - 4}, does_nothing),
              HasSubstr("does not fit: whole warps take"));
  EXPECT_THAT(failure_of(machine, {.threads = 0}, does_nothing),
              HasSubstr("launch on HMM(d=1, w=4, l=1, L=1): 0 threads a block"));
  EXPECT_THAT(failure_of(machine, {.threads = unlimited - 3}, does_nothing),
              HasSubstr("expected 1 to " + std::to_string(unlimited - 4)));
}

TEST(Limits, indices_are_below_0_from_the_half_of_all_numbers_on) {
  Dmm machine({.width = 4});
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  constexpr Address half = Address{1} << 63;
  EXPECT_THAT(failure_of(machine, {.threads = 4}, reads_from, a, half - 1),
              AllOf(HasSubstr("index 9223372036854775807,"), Not(HasSubstr("below 0"))));
  EXPECT_THAT(failure_of(machine, {.threads = 4}, reads_from, a, half),
              HasSubstr("index 9223372036854775808 (below 0),"));
}

Program reads_and_may_fail(Warp& warp, Array<int>& a, std::uint64_t failing_block) {
  co_await a.read(warp.lane());
  if (warp.block() == failing_block) throw std::runtime_error("planned");
}

// The first block ends, so the launch has taken time; then the second block fails.
TEST(Limits, a_launch_that_fails_takes_no_time) {
  Dmm machine({.width = 4, .latency = 5, .resident_threads = 4});
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  EXPECT_THROW(machine.launch({.blocks = 2, .threads = 4}, reads_and_may_fail, a, 1U),
               std::runtime_error);
  EXPECT_EQ(machine.time(), 0U);
  EXPECT_EQ(machine.launch({.threads = 4}, does_nothing), 0U);
  EXPECT_EQ(machine.launch({.threads = 4}, reads_and_may_fail, a, 1U), 5U);
}

TEST(Limits, a_launch_that_has_ended_gives_its_shared_words_back) {
  Hmm machine({.width = 4, .capacity = 16});
  EXPECT_EQ(machine.launch({.threads = 4, .shared_words = 16}, does_nothing), 0U);
  const Array<int> a(machine.shared(0), 16, "a");
  EXPECT_EQ(a.base(), 0U);
}

TEST(Asynchronous, forgets_shared_memory_also_when_a_program_fails) {
  AsynchronousHmm machine({.dmms = 1, .width = 4}, 0);
  Array<int> a(machine.shared(0), std::vector<int>(16), "a");
  const std::vector<int> sevens(16, 7);
  a.assign(sevens);
  EXPECT_THROW(machine.launch({.threads = 4}, reads_and_may_fail, a, 0U), std::runtime_error);
  EXPECT_THAT(a.values(), Each(0));
  EXPECT_TRUE(a.starts_uninitialized());
  a.assign(sevens);
  EXPECT_THAT(failure_of(machine, {.threads = 4}, reads_from, a, 16U), HasSubstr("past the end"));
  EXPECT_THAT(a.values(), Each(0));
}

TEST(Arrays, hold_the_values_they_are_assigned) {
  Dmm machine({.width = 4});
  Array<int> a(machine.memory(), 4, "a");
  EXPECT_THAT(a.values(), ElementsAre(0, 0, 0, 0));
  EXPECT_TRUE(a.starts_uninitialized());
  const std::vector<int> values = {3, 1, 4, 1};
  a.assign(values);
  EXPECT_THAT(a.values(), ElementsAre(3, 1, 4, 1));
  EXPECT_FALSE(a.starts_uninitialized());
}

TEST(Accesses, have_kinds_with_names) {
  EXPECT_EQ(name_of(AccessKind::undeclared), "undeclared");
  EXPECT_EQ(name_of(AccessKind::coalesced), "coalesced");
  EXPECT_EQ(name_of(AccessKind::conflict_free), "conflict-free");
  EXPECT_EQ(name_of(AccessKind::casual), "casual");
}

/// Records the stages that serve the words of each access, in thread order.
struct StagesOfWords : Observer {
  std::vector<std::uint64_t> stages;
  void accessed(const AccessEvent& event) override {
    for (const ServedWord& word : served_words(event)) stages.push_back(word.stage);
  }
};

/// Reads words 9, 5, 9 and 1.
Program reads_three_words(Warp& warp, Array<int>& a) {
  const std::vector<Address> words = {9, 5, 9, 1};
  const auto four = warp.only(first_lanes(4));
  co_await a.read(make_lanes(warp.width(), [&](Width lane) { return words[lane % 4]; }));
}

template <class Machine>
std::vector<std::uint64_t> stages_of_three_words(Machine& machine, Memory& memory) {
  StagesOfWords served;
  machine.attach(served);
  Array<int> a(memory, std::vector<int>(16), "a");
  machine.launch({.threads = machine.width()}, reads_three_words, a);
  machine.detach(served);
  return served.stages;
}

TEST(ServedWords, are_all_in_one_stage_on_the_PRAM_and_one_in_each_in_constant_memory) {
  Pram pram;
  EXPECT_THAT(stages_of_three_words(pram, pram.memory()), ElementsAre(0, 0, 0));
  Hmm hmm({.width = 4});
  EXPECT_THAT(stages_of_three_words(hmm, hmm.add_constant_memory(2)), ElementsAre(0, 1, 2));
  EXPECT_THAT(stages_of_three_words(hmm, hmm.shared(0)), ElementsAre(0, 1, 2));
  EXPECT_THAT(stages_of_three_words(hmm, hmm.global()), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace bankproof
