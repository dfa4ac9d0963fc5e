// Planted bugs in an algorithm. The algorithm's suite must catch each of these bugs in every run.
#include "../../../testing/algorithms.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../../algorithms/sum.hpp"
#include "../../../testing/canary.hpp"

namespace bankproof {
namespace {

using testing::caught;

/// Tests a property of the algorithm A on one of its wanted variants and machines.
template <class A>
auto on_any_variant(void (*property)(const testing::TestedVariant&),
                    testing::Wanted wanted = testing::any_variant) {
  return [=] {
    property(*rc::gen::suchThat(rc::gen::elementOf(testing::tested_variants<A>()), wanted));
  };
}

/// Omits the last number.
struct ForgetsTheLastNumber : Sum {
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, Inputs<T> inputs) {
    if (inputs[0].size() > 1) inputs[0].pop_back();
    Outcome<T> outcome = Sum::run<T>(task, machine, inputs);
    return outcome;
  }
};

/// Counts one round less.
struct ForgetsARound : Sum {
  static Cost<std::uint64_t> cost(const Task& task) {
    Cost<std::uint64_t> cost = Sum::cost(task);
    if (cost.global.rounds > 1) --cost.global.rounds;
    return cost;
  }
};

/// Promises an upper bound that does not hold.
struct BoundsByTheBandwidthAlone : Sum {
  static std::optional<Bound> upper(const Task& task) {
    return Bound{3, {{"n/w", task.sizes["n"], task.machine.w}}};
  }
};

/// Demands a lower bound that does not hold.
struct DemandsTheLatencyForEachNumber : Sum {
  static std::vector<Bound> lower(const Task& task) {
    return {{1, {{"nl", task.sizes["n"] * task.machine.latency()}}}};
  }
};

/// Waits for all threads after each access.
template <class T>
Program sum_with_many_barriers(Warp& warp, Array<T>& a, Array<T>& total) {
  Lanes<T> sum = warp.all(T{});
  for (Address i = 0; i < a.size(); ++i) {
    sum += co_await a.read(warp.same(i));
    co_await barrier();
  }
  const auto first = warp.only(warp.thread() == 0);
  co_await total.write(warp.same(0), sum);
}
struct WaitsNeedlessly : Sum {
  static constexpr std::array variants = {Variant{"needless", "", "", one_memory}};
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> total(main_memory(machine), 1, "total");
    const Time time =
        machine.launch({.threads = task.machine.p}, sum_with_many_barriers<T>, a, total);
    return {{total.values()[0]}, time};
  }
};

/// Each DMM adds its sum to the total in global memory, and the order of the DMMs is not fixed.
template <class T>
Program add_to_total(Warp& warp, Array<T>& a, Array<T>& total) {
  Lanes<T> sum = warp.all(T{});
  for (Address i = warp.block(); i < a.size(); i += warp.blocks()) {
    sum += co_await a.read(warp.same(i));
  }
  const auto first = warp.only(warp.thread() == 0);
  const Lanes<T> before = co_await total.read(warp.same(0));
  co_await total.write(warp.same(0), before + sum);
}
struct AddsInAnyOrder : Sum {
  static constexpr std::array variants = {Variant{"racing", "", "", hierarchical}};
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> total(main_memory(machine), std::vector<T>(1), "total");
    const Time time =
        machine.launch({.blocks = task.machine.d, .threads = 1}, add_to_total<T>, a, total);
    return {{total.values()[0]}, time};
  }
};

TEST(Canary, an_algorithm_that_forgets_a_number_is_caught) {
  EXPECT_TRUE(caught(on_any_variant<ForgetsTheLastNumber>(
      &testing::gives_the_oracles_result<ForgetsTheLastNumber>)));
}

TEST(Canary, a_closed_form_that_forgets_a_round_is_caught) {
  EXPECT_TRUE(caught(on_any_variant<ForgetsARound>(
      &testing::takes_the_closed_time_in_lockstep<ForgetsARound>, testing::is_lockstep)));
  EXPECT_TRUE(caught(on_any_variant<ForgetsARound>(
      &testing::overlapped_stays_between_the_closed_times<ForgetsARound>, testing::is_overlapped)));
}

TEST(Canary, bounds_that_are_too_tight_are_caught) {
  EXPECT_TRUE(caught(on_any_variant<BoundsByTheBandwidthAlone>(
      &testing::keeps_the_bounds_of_its_source<BoundsByTheBandwidthAlone>)));
  EXPECT_TRUE(caught(on_any_variant<DemandsTheLatencyForEachNumber>(
      &testing::keeps_the_bounds_of_its_source<DemandsTheLatencyForEachNumber>)));
}

TEST(Canary, a_barrier_that_nobody_needs_is_caught) {
  EXPECT_FALSE(testing::unneeded_barriers<WaitsNeedlessly>().empty());
}

/// Waits twice where one barrier is enough.
template <class T>
Program sum_with_doubled_barriers(Warp& warp, Array<T>& a) {
  for (Address n = a.size(), distance = first_distance(n); distance > 0; distance /= 2) {
    for (auto i : warp.each(std::min(distance, n - distance))) {
      const Lanes<T> left = co_await a.read(i);
      const Lanes<T> right = co_await a.read(i + distance);
      co_await a.write(i, left + right);
    }
    co_await barrier();
    co_await barrier();
    n = distance;
  }
}
struct WaitsTwice : Sum {
  static constexpr std::array variants = {Variant{"doubled", "", "", one_memory}};
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    const Time time = machine.launch({.threads = task.machine.p}, sum_with_doubled_barriers<T>, a);
    return {{a.values()[0]}, time};
  }
};

TEST(Canary, a_barrier_after_another_is_caught) {
  EXPECT_THAT(testing::unneeded_barriers<WaitsTwice>(),
              ::testing::Contains(::testing::HasSubstr("algorithms.cpp:")).Times(2));
}

/// Launches a second kernel without need.
struct LaunchesNeedlessly : Sum {
  static constexpr std::array variants = {Variant{"twice", "", "", hierarchical}};
  static std::string refusal(const Task& task) {
    return task.machine.capacity == unlimited ? "" : "takes as many words as there are numbers";
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> c(main_memory(machine), std::vector<T>(task.machine.d), "c");
    const Launch launch{.blocks = task.machine.d, .threads = 1, .shared_words = a.size()};
    Time time = 0;
    for (int k = 0; k < 2; ++k) time += machine.launch(launch, sum_columns<T>, a, c);
    return {{c.values()[0]}, time};
  }
};

TEST(Canary, a_launch_that_nobody_needs_is_caught) {
  const auto unneeded = testing::unneeded_barriers<LaunchesNeedlessly>();
  ASSERT_EQ(unneeded.size(), 1U);
  EXPECT_EQ(unneeded[0], "twice, launch 1");
}

/// All threads write their values at once; the machine chooses which value remains.
template <class T>
Program write_all_at_once(Warp& warp, Array<T>& a, Array<T>& total, bool same) {
  const auto inside = warp.only(warp.thread() < a.size());
  Lanes<T> values = warp.all(T{});
  if (same) {
    values = co_await a.read(warp.same(0));
  } else {
    values = co_await a.read(warp.thread());
  }
  co_await total.write(warp.same(0), values);
}
template <bool same>
struct WritesAllAtOnce : Sum {
  static constexpr std::array variants = {Variant{"at-once", "", "", one_memory}};
  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    // The result if the highest thread wins, which is the machine's usual choice.
    const std::uint64_t threads =
        smaller(task.machine.w, smaller(task.machine.p, inputs[0].size()));
    return {inputs[0][same ? 0 : threads - 1]};
  }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> total(main_memory(machine), 1, "total");
    const std::uint64_t threads = smaller(task.machine.p, task.machine.w);  // of one warp
    machine.launch({.threads = threads}, write_all_at_once<T>, a, total, same);
    return {{total.values()[0]}, 0};
  }
};

TEST(Canary, a_result_that_depends_on_which_writer_wins_is_caught) {
  using A = WritesAllAtOnce<false>;
  EXPECT_TRUE(caught(on_any_variant<A>(&testing::gives_the_oracles_result<A>)));
}

TEST(Canary, writes_that_collide_are_caught_though_they_write_the_same) {
  using A = WritesAllAtOnce<true>;
  EXPECT_TRUE(caught(on_any_variant<A>(&testing::has_one_writer_at_a_time<A>)));
}

/// Ignores the mode that the machine should run in.
template <class A>
void runs_in_lockstep(const testing::TestedVariant& tested) {
  testing::gives_the_oracles_result<A>({tested.variant, tested.machine, Mode::lockstep});
}

TEST(Canary, a_variant_that_is_never_run_is_found) {
  const auto missing = testing::variants_not_run<Sum>(&runs_in_lockstep<Sum>, testing::any_variant);
  EXPECT_EQ(missing.size(), testing::tested_variants<Sum>().size() / 2);
  EXPECT_THAT(missing,
              ::testing::Each(::testing::Field(&testing::TestedVariant::mode, Mode::overlapped)));
}

/// Has a bound only for tasks that no test draws.
struct BoundedNowhere : Sum {
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    auto bound = Sum::upper(task);
    bound->domain = task.machine.w == N(0);
    return bound;
  }
};

TEST(Canary, a_bound_whose_domain_no_task_meets_is_found) {
  EXPECT_EQ(testing::variants_not_bounded<BoundedNowhere>().size(),
            testing::tested_variants<Sum>().size() / 2);
}

TEST(Canary, an_algorithm_whose_DMMs_race_is_caught) {
  EXPECT_TRUE(caught(on_any_variant<AddsInAnyOrder>(&testing::gives_it_in_any_drift<AddsInAnyOrder>,
                                                    testing::drifts)));
}

}  // namespace
}  // namespace bankproof
