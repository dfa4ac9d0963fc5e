// Planted bugs in the rules of the machines. The laws must catch each of these bugs in every run.
#include <algorithm>

#include "../../../algorithms/contiguous_access.hpp"
#include "../../../oracles/contiguous.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/laws.hpp"

namespace bankproof {
namespace {

using testing::caught;

struct LateByOne : Rules {
  static Time completion(Time start, std::uint64_t stages, Latency latency) {
    return Rules::completion(start, stages, latency) + 1;
  }
};

/// Counts several requests to one address several times.
struct ForgetsMerging : Rules {
  static std::uint64_t stages(MemoryKind kind, const Pattern& pattern, StageCounter& counter) {
    if (kind != MemoryKind::banks || pattern.contiguous) {
      return Rules::stages(kind, pattern, counter);
    }
    std::vector<std::uint64_t> fill(counter.divider().width(), 0);
    for (const Address address : pattern.addresses) ++fill[counter.divider().bank(address)];
    return *std::max_element(fill.begin(), fill.end());
  }
};

/// Always dispatches the first ready warp, and the last warp only if it is alone.
struct StarvesTheLastWarp : Rules {
  static std::size_t next_warp(const ReadySet& ready, std::size_t) { return ready.next_cyclic(0); }
};

TEST(Canary, a_latency_that_is_off_by_one_is_caught) {
  EXPECT_TRUE(caught(&testing::machine_agrees_with_the_oracle<LateByOne>));
}

TEST(Canary, a_cost_that_forgets_merging_is_caught) {
  EXPECT_TRUE(caught(&testing::stages_are_those_of_the_pipeline<ForgetsMerging>));
  EXPECT_TRUE(caught(&testing::stages_depend_only_on_the_set_of_addresses<ForgetsMerging>));
  EXPECT_TRUE(caught(&testing::machine_agrees_with_the_oracle<ForgetsMerging>));
}

TEST(Canary, a_dispatcher_that_starves_the_last_warp_is_caught) {
  EXPECT_TRUE(caught(&testing::machine_agrees_with_the_oracle<StarvesTheLastWarp>));
}

TEST(Canary, the_rules_themselves_are_not_caught) {
  EXPECT_FALSE(caught(&testing::machine_agrees_with_the_oracle<Rules>));
  EXPECT_FALSE(caught(&testing::stages_are_those_of_the_pipeline<Rules>));
  EXPECT_FALSE(caught(&testing::stages_depend_only_on_the_set_of_addresses<Rules>));
}

/// MOD 3's closed form must also notice a wrong dispatcher or latency.
template <class R>
bool contiguous_access_meets_the_closed_form() {
  const ContiguousAccess c{60, 12, 4, 3};
  BasicDmm<R> machine({.width = 4, .latency = 3});
  Array<int> a(machine.memory(), std::vector<int>(60), "a");
  auto ignore = [](const auto&, const auto&, Mask) {};
  const Time time = machine.launch({.threads = 12}, contiguous_read<int, decltype(ignore)>, a,
                                   Address{60}, ignore);
  return time == contiguous_overlapped_time_on_dmm(c);
}

TEST(Canary, a_late_completion_breaks_the_closed_form_of_contiguous_access) {
  EXPECT_TRUE(contiguous_access_meets_the_closed_form<Rules>());
  EXPECT_FALSE(contiguous_access_meets_the_closed_form<LateByOne>());
}

}  // namespace
}  // namespace bankproof
