// The replay of a recorded launch takes the time of the launch: the test watches random programs of
// the HMM, and replays their requests to the memories.
#include "../../ptx/timing/replay.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "../../model/array.hpp"
#include "../../model/machine.hpp"
#include "../../ptx/timing/quick_replay.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t words = 256;

// Records the requests of each warp, and the barriers that its block passes.
class Recorder : public Observer {
 public:
  Recorder(std::uint64_t blocks, std::uint64_t threads, std::uint64_t dmms)
      : dmms_(dmms), warps_per_block_(ceil_div(threads, std::uint64_t{32})) {
    events.blocks = blocks;
    events.threads = threads;
    lists_.resize(blocks * warps_per_block_);
  }
  void accessed(const AccessEvent& access) override {
    const bool global = access.memory().port == dmms_;
    const std::uint64_t warp = access.warp.block() * warps_per_block_ + access.warp.index();
    lists_[warp].push_back(global ? Event::global(access.stages) : Event::shared(access.stages));
  }
  void barrier_opens(const BlockEvent& event) override {
    for (std::uint64_t warp = 0; warp < warps_per_block_; ++warp) {
      lists_[event.block.index * warps_per_block_ + warp].push_back(Event::barrier());
    }
  }
  void launch_ends(const LaunchEvent& /*event*/) override { events.set(lists_); }
  LaunchEvents events;

 private:
  std::uint64_t dmms_;
  std::uint64_t warps_per_block_;
  std::vector<std::vector<Event>> lists_;
};

// Makes accesses to random addresses. In every third turn, all warps pass a barrier. Warps whose
// number is a multiple of `ragged` stop making accesses early.
bankproof::Program wander(bankproof::Warp& warp, Array<std::uint32_t>& global,
                          const std::uint64_t& turns, const std::uint64_t& ragged) {
  Array<std::uint32_t>& shared = warp.shared<std::uint32_t>(words);
  std::mt19937_64 random(warp.block() * 64 + warp.index());
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    if (turn % 3 == 2) co_await barrier();
    if (turn > turns / 2 && warp.index() % ragged == 0) continue;
    Lanes<bankproof::Address> index(warp.width(), 0);
    const std::uint64_t spread = 1 + random() % words;
    for (Width lane = 0; lane < warp.width(); ++lane) index[lane] = random() % spread;
    if (random() % 2 == 0) {
      co_await shared.read(index);
    } else {
      co_await global.read(index);
    }
  }
}

struct Parameters {
  HierarchicalMachine machine;
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::uint64_t turns = 0;
  std::uint64_t ragged = 0;
};

Parameters arbitrary() {
  Parameters result;
  result.machine.dmms = *rc::gen::inRange<std::uint64_t>(1, 5);
  result.machine.shared_latency = *rc::gen::inRange<std::uint64_t>(1, 8);
  result.machine.global_latency = *rc::gen::inRange<std::uint64_t>(1, 60);
  result.machine.resident_threads = 32 * *rc::gen::inRange<std::uint64_t>(4, 9);
  result.blocks = *rc::gen::inRange<std::uint64_t>(1, 12);
  result.threads = *rc::gen::inRange<std::uint64_t>(1, 128);
  result.turns = *rc::gen::inRange<std::uint64_t>(0, 14);
  result.ragged = *rc::gen::inRange<std::uint64_t>(1, 4);
  return result;
}

}  // namespace

RC_GTEST_PROP(PtxReplay, takes_the_time_of_what_was_recorded, ()) {
  const Parameters drawn = arbitrary();
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    Hmm machine(drawn.machine, {.mode = mode});
    Array<std::uint32_t> global(machine.global(), words, "global");
    Recorder recorder(drawn.blocks, drawn.threads, drawn.machine.dmms);
    recorder.events.shared_bytes = words * 4;
    machine.attach(recorder);
    const Time taken =
        machine.launch({.blocks = drawn.blocks, .threads = drawn.threads, .shared_words = words},
                       wander, global, drawn.turns, drawn.ragged);
    RC_ASSERT(time_by_model(drawn.machine, mode, recorder.events) == taken);
    RC_ASSERT(time_on(drawn.machine, mode, recorder.events) == taken);
  }
}

// The events need not be those of a program: warps may end early, or have more stages than lanes.
RC_GTEST_PROP(PtxReplay, without_the_model_takes_the_same_time, ()) {
  Parameters drawn = arbitrary();
  drawn.machine.global_latency *= *rc::gen::element(1U, 10U, 100U);
  if (*rc::gen::arbitrary<bool>()) drawn.machine.shared_latency *= 20;
  LaunchEvents events;
  events.blocks = drawn.blocks;
  events.threads = drawn.threads;
  events.shared_bytes = *rc::gen::inRange<std::uint64_t>(0, 600);
  if (*rc::gen::arbitrary<bool>()) drawn.machine.capacity = 160;
  const auto event = rc::gen::map(rc::gen::inRange(0, 80), [](int number) {
    const auto stages = static_cast<std::uint64_t>(number % 32 + 1);
    return number >= 70      ? Event::barrier()
           : number % 2 == 0 ? Event::shared(stages)
                             : Event::global(stages);
  });
  const std::size_t warps = drawn.blocks * ceil_div(drawn.threads, std::uint64_t{32});
  // Some blocks do nothing, or all accesses end at the same times.
  const auto list = *rc::gen::element(rc::gen::container<std::vector<Event>>(event),
                                      rc::gen::oneOf(rc::gen::just(std::vector<Event>()),
                                                     rc::gen::container<std::vector<Event>>(event)),
                                      rc::gen::container<std::vector<Event>>(rc::gen::element(
                                          Event::shared(1), Event::global(1), Event::barrier())));
  if (*rc::gen::arbitrary<bool>()) {
    drawn.machine.shared_latency = drawn.machine.global_latency = *rc::gen::inRange(1U, 3U);
  }
  events.set(*rc::gen::container<std::vector<std::vector<Event>>>(warps, list));
  RC_ASSERT(quick_time(drawn.machine, events) ==
            time_by_model(drawn.machine, Mode::overlapped, events));
}

TEST(PtxReplay, leaves_what_does_not_fit_to_the_model) {
  LaunchEvents events;
  events.threads = 64;
  events.set({{}, {}});
  HierarchicalMachine machine;
  machine.resident_threads = 32;
  EXPECT_EQ(quick_time(machine, events), std::nullopt);
  EXPECT_THROW(time_on(machine, Mode::overlapped, events), Fault);
  machine.resident_threads = 64;
  EXPECT_EQ(quick_time(machine, events), 0U);
  machine.capacity = 31;
  events.shared_bytes = 4;
  EXPECT_EQ(quick_time(machine, events), std::nullopt);
  EXPECT_THROW(time_on(machine, Mode::overlapped, events), Fault);
}

TEST(PtxReplay, leaves_machines_and_launches_of_other_sizes_to_the_model) {
  LaunchEvents events;
  events.threads = 32;
  events.set({{Event::shared(1)}});
  constexpr std::uint64_t huge = std::uint64_t{1} << 33U;
  const HierarchicalMachine usual{.resident_threads = 2 * huge};
  EXPECT_NE(quick_time(usual, events), std::nullopt);
  const auto is_left = [&](const char* what, auto change) {
    HierarchicalMachine machine = usual;
    LaunchEvents launch = events;
    change(machine, launch);
    EXPECT_EQ(quick_time(machine, launch), std::nullopt) << what;
  };
  is_left("width", [](HierarchicalMachine& machine, LaunchEvents&) { machine.width = 16; });
  is_left("DMMs", [](HierarchicalMachine& machine, LaunchEvents&) { machine.dmms = 0; });
  is_left("shared latency",
          [](HierarchicalMachine& machine, LaunchEvents&) { machine.shared_latency = 0; });
  is_left("global latency",
          [](HierarchicalMachine& machine, LaunchEvents&) { machine.global_latency = 0; });
  is_left("long shared latency",
          [](HierarchicalMachine& machine, LaunchEvents&) { machine.shared_latency = 1U << 23U; });
  is_left("long global latency",
          [](HierarchicalMachine& machine, LaunchEvents&) { machine.global_latency = 1U << 23U; });
  is_left("no threads", [](HierarchicalMachine&, LaunchEvents& launch) { launch.threads = 0; });
  is_left("threads",
          [](HierarchicalMachine&, LaunchEvents& launch) { launch.threads = ~std::uint64_t{0}; });
  is_left("shared memory",
          [](HierarchicalMachine&, LaunchEvents& launch) { launch.shared_bytes = huge; });
}

// An observer sees the launch on the model, so the model has to run.
TEST(PtxReplay, shows_the_launch_to_an_observer) {
  struct Accesses : Observer {
    void accessed(const AccessEvent&) override { ++number; }
    int number = 0;
  } observer;
  LaunchEvents events;
  events.threads = 32;
  events.set({{Event::shared(2), Event::global(1)}});
  const Time time = time_on({}, Mode::overlapped, events, &observer);
  EXPECT_EQ(observer.number, 2);
  EXPECT_EQ(time_on({}, Mode::overlapped, events), time);
}

TEST(PtxReplay, of_one_warp_adds_its_accesses_up) {
  LaunchEvents events;
  events.threads = 32;
  events.set({{Event::shared(32), Event::global(2), Event::barrier(), Event::shared(1)}});
  HierarchicalMachine machine;
  machine.shared_latency = 5;
  machine.global_latency = 100;
  EXPECT_EQ(time_on(machine, Mode::overlapped, events), (32 + 4) + (2 + 99) + (1 + 4));
}

TEST(PtxReplay, does_not_wait_for_warps_that_have_ended) {
  LaunchEvents events;
  events.threads = 64;
  events.set({{Event::shared(1)},
              {Event::shared(1), Event::barrier(), Event::shared(1), Event::barrier()}});
  EXPECT_EQ(time_on({}, Mode::overlapped, events), 3U);
}

TEST(PtxReplay, capacity_bounds_the_blocks_that_run_together) {
  LaunchEvents events;
  events.blocks = 2;
  events.threads = 32;
  events.shared_bytes = 400;
  events.set({{Event::global(1)}, {Event::global(1)}});
  HierarchicalMachine machine;
  machine.global_latency = 100;
  EXPECT_EQ(time_on(machine, Mode::overlapped, events), 101U);
  machine.capacity = 128;
  EXPECT_EQ(time_on(machine, Mode::overlapped, events), 200U);
}

}  // namespace bankproof::ptx
