// The machine and the oracle find the same races of random programs, which mix all kinds of
// accesses, barriers, fences, releases, acquires and copies in flight at a few words of shared and
// global memory.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "../memory/memory_support.hpp"
#include "race_oracle.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint32_t blocks = 2;
constexpr std::uint32_t threads = 64;
constexpr std::uint32_t bytes = 512;

/// Numbers that determine the next step; see perform().
using Choice = std::array<std::uint8_t, 8>;

struct Program {
  std::vector<Choice> choices;
  bool precise = false;
  bool copies = false;
};

/// Drives the machine and the oracle through the same steps.
class Run {
 public:
  Run(TestLaunch& machine, RaceOracle& oracle) : machine_(machine), oracle_(oracle) {}

  void perform(const Choice& choice, const Program& program, std::uint32_t instruction) {
    const bool precise = program.precise;
    const std::uint32_t block = choice[0] % blocks;
    const std::uint32_t index = choice[0] / blocks % 2;
    MemoryWarp& warp = machine_.warp(block, index);
    if (program.copies && choice[0] / 4 % 2 == 0) {
      use_copies(choice, warp, block, index, precise, instruction);
      return;
    }
    switch (choice[1] % (precise ? 14 : 8)) {
      case 0:
        machine_.barrier(block);
        oracle_.barrier(threads_of(block, 0, all_lanes, 1, all_lanes));
        return;
      case 1:
        warp_barrier(warp, all_lanes);
        oracle_.barrier(threads_of(block, index, all_lanes));
        return;
      case 8: {
        const LaneMask lanes = some_lanes(choice[2]);
        warp_barrier(warp, lanes);
        oracle_.barrier(threads_of(block, index, lanes));
        return;
      }
      case 9:
        partial_barrier(block, some_lanes(choice[2]), some_lanes(choice[3]), choice[4] % 3 == 0);
        return;
      case 10:
      case 11: {
        const LaneMask lanes = some_lanes(choice[2]);
        const bool device = choice[3] % 4 != 0;
        const bool sequential = choice[4] % 2 != 0;
        fence(warp, lanes, sequential, device ? Scope::device : Scope::block);
        for (const auto thread : threads_of(block, index, lanes)) {
          oracle_.fence(thread, sequential, device);
        }
        return;
      }
      case 2:
        access_all(choice, warp, block, index, instruction);
        return;
      default:
        access(choice, warp, block, index, precise, instruction);
    }
  }

 private:
  void use_copies(const Choice& choice, MemoryWarp& warp, std::uint32_t block, std::uint32_t index,
                  bool precise, std::uint32_t instruction) {
    const std::uint32_t step = choice[1] % (precise ? 8U : 7U);
    // In two of three cases, the whole warp commits or waits, but only some lanes copy.
    const bool all = (choice[2] % 3 == 0) == (step > 2);
    const LaneMask lanes = all ? all_lanes : some_lanes(choice[2] / 3);
    const auto each = [&](auto function) {
      for (const auto thread : threads_of(block, index, lanes)) function(thread);
    };
    switch (step) {
      case 0:
        commit_copies(warp, lanes);
        return each([&](std::uint32_t thread) { oracle_.commit(thread); });
      case 1: {
        const std::uint32_t groups = choice[3] % 3;
        wait_for_copies(warp, lanes, groups);
        return each([&](std::uint32_t thread) { oracle_.wait(thread, groups); });
      }
      case 2:
        wait_for_all_copies(warp, lanes);
        return each([&](std::uint32_t thread) { oracle_.wait_for_all(thread); });
      case 7:
        return arrive_after_copies(warp, block, index, some_lanes(choice[2]), instruction);
      default:
        copy(choice, warp, block, index, lanes, instruction);
    }
  }

  void copy(const Choice& choice, MemoryWarp& warp, std::uint32_t block, std::uint32_t index,
            LaneMask lanes, std::uint32_t instruction) {
    const auto size = std::uint32_t{4} << choice[3] % 3;
    const std::uint32_t stride = lanes == all_lanes ? 1U : choice[5] % 3;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint64_t rank = stride == 2 ? 2 - lane % 3 : lane * stride;
      const std::uint64_t to = (choice[4] % 3 + rank) * size % 512;
      const std::uint64_t from = (choice[4] / 3 % 3 + rank) * size % 512;
      machine_.addresses()[lane] = to;
      machine_.sources()[lane] = buffer_address(0) + from;
      if ((lanes >> lane & 1U) == 0) continue;
      oracle_.copy(block * threads + index * warp_lanes + lane, from,
                   std::uint64_t{block + 1} * 4096 + to, size, instruction);
    }
    machine_.copy(warp, size, lanes, instruction);
  }

  /// Arrives at 8 bytes that other steps access, too.
  void arrive_after_copies(MemoryWarp& warp, std::uint32_t block, std::uint32_t index,
                           LaneMask lanes, std::uint32_t instruction) {
    Access what = access_to(Operation::atomic, Space::shared, 8);
    what.semantics = Semantics::release;
    what.scope = Scope::block;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      machine_.addresses()[lane] = 8;
      if ((lanes >> lane & 1U) == 0) continue;
      oracle_.access(block * threads + index * warp_lanes + lane, what,
                     std::uint64_t{block + 1} * 4096 + 8, instruction, true);
    }
    machine_.access(warp, what, lanes, instruction, LaneType::b64, true);
  }

  static LaneMask some_lanes(std::uint8_t choice) {
    constexpr std::array<LaneMask, 6> masks = {1, 2, 4, 3, 7, 5};
    return masks[choice % masks.size()];
  }

  static std::vector<std::uint32_t> threads_of(std::uint32_t block, std::uint32_t index,
                                               LaneMask lanes, std::uint32_t index2 = 0,
                                               LaneMask lanes2 = 0) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint32_t first = block * threads + lane;
      if ((lanes >> lane & 1U) != 0) result.push_back(first + index * warp_lanes);
      if ((lanes2 >> lane & 1U) != 0) result.push_back(first + index2 * warp_lanes);
    }
    return result;
  }

  /// A barrier for lanes of both warps. If `early`, the lanes of the first warp only arrive, and do
  /// not wait.
  void partial_barrier(std::uint32_t block, LaneMask first, LaneMask second, bool early) {
    const std::array<Arrival, 2> arrivals = {
        {{&machine_.warp(block, 0), first}, {&machine_.warp(block, 1), second}}};
    if (!early) {
      block_barrier(machine_.block(block), arrivals);
      oracle_.barrier(threads_of(block, 0, first, 1, second));
      return;
    }
    EarlyArrivals arrived;
    arrive(*arrivals[0].warp, first, arrived);
    std::vector<RaceOracle::Event> events;
    for (const auto thread : threads_of(block, 0, first)) events.push_back(oracle_.arrive(thread));
    block_barrier(machine_.block(block), std::span(arrivals).subspan(1), &arrived);
    oracle_.barrier(threads_of(block, 1, second), events);
  }

  /// Lanes of the warp access elements at equal distances, or lanes load one element together: all
  /// of them or only some.
  void access_all(const Choice& choice, MemoryWarp& warp, std::uint32_t block, std::uint32_t index,
                  std::uint32_t instruction) {
    const auto size = std::uint32_t{1} << choice[2] % 4;
    const Access what = access_to(choice[3] % 2 == 0 ? Operation::load : Operation::store,
                                  choice[4] % 2 == 0 ? Space::shared : Space::global, size);
    const std::uint64_t first = std::uint64_t{choice[5]} % 3 * size;
    constexpr std::array<std::uint32_t, 8> distances = {1, 1, 2, 4, 8, 3, 0, 0};
    std::uint32_t distance = size * distances[choice[6] % distances.size()];
    if (distance == 0 && what.operation == Operation::store) distance = size;
    constexpr std::array<LaneMask, 4> masks = {all_lanes, all_lanes, 0x3FF, 0x55555555};
    LaneMask lanes = masks[choice[7] % masks.size()];
    // Lanes that wrap around must not store to one element.
    while (std::bit_width(lanes) * distance > bytes) lanes &= lanes >> 1;
    if (lanes == 0) lanes = 1;
    const std::uint32_t together = what.operation == Operation::load && choice[7] >= 128 ? 2 : 1;
    run(
        what, warp, block, index, lanes,
        [&](std::uint32_t lane) { return (first + lane / together * distance) % bytes; },
        instruction);
  }

  void access(const Choice& choice, MemoryWarp& warp, std::uint32_t block, std::uint32_t index,
              bool precise, std::uint32_t instruction) {
    constexpr std::array<Operation, 4> operations = {Operation::load, Operation::store,
                                                     Operation::load, Operation::atomic};
    Access what =
        access_to(operations[choice[2] % 4], choice[3] % 2 == 0 ? Space::shared : Space::global,
                  std::uint32_t{1} << choice[4] % 4);
    const bool atomic = what.operation == Operation::atomic;
    if (atomic) what.element_bytes = std::max(what.element_bytes, 2U);
    const std::uint32_t meaning = choice[5] % (precise ? 8U : 4U);
    if (meaning == 1 || meaning == 2 || atomic) what.semantics = Semantics::relaxed;
    if (meaning >= 4) {
      what.semantics = what.operation == Operation::load    ? Semantics::acquire
                       : what.operation == Operation::store ? Semantics::release
                       : meaning == 4                       ? Semantics::acquire
                       : meaning == 5                       ? Semantics::release
                                                            : Semantics::acquire_release;
    }
    if (what.semantics != Semantics::weak && choice[5] / 8 % 4 == 0) what.scope = Scope::block;
    const LaneMask lanes = some_lanes(choice[6]);
    // All lanes access one address, or consecutive addresses in ascending or descending order.
    const std::uint32_t stride = choice[7] % 3;
    const std::uint64_t first = std::uint64_t{choice[7]} / 3 % 3;
    run(
        what, warp, block, index, lanes,
        [&](std::uint32_t lane) {
          const std::uint64_t rank = stride == 2 ? 2 - lane : lane * stride;
          return (first + rank) * what.element_bytes % 16;
        },
        instruction);
  }

  template <class Place>
  void run(const Access& what, MemoryWarp& warp, std::uint32_t block, std::uint32_t index,
           LaneMask lanes, const Place& place, std::uint32_t instruction) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const bool active = (lanes >> lane & 1U) != 0;
      const std::uint64_t at = active ? place(lane) : 0;
      machine_.addresses()[lane] = at + (what.space == Space::global ? buffer_address(0) : 0);
      if (!active) continue;
      // Each block has its own shared memory.
      const std::uint64_t memory = what.space == Space::global ? 0 : (block + 1) * 4096;
      oracle_.access(block * threads + index * warp_lanes + lane, what, memory + at, instruction);
    }
    machine_.access(warp, what, lanes, instruction,
                    what.element_bytes <= 2   ? LaneType::b16
                    : what.element_bytes == 4 ? LaneType::b32
                                              : LaneType::b64);
  }

  TestLaunch& machine_;
  RaceOracle& oracle_;
};

struct Judged {
  std::set<std::uint32_t> machine;
  std::set<std::uint32_t> oracle;
  std::uint32_t runs = 0;
};

/// A way in which the machine records and performs accesses. All ways find the same races.
struct Way {
  RaceRecording records;
  bool short_ways;
  Level level;
};
constexpr std::array<Way, 5> ways = {{{RaceRecording::words, false, Level::portable},
                                      {RaceRecording::sectors, false, Level::portable},
                                      {RaceRecording::sectors, true, Level::portable},
                                      {RaceRecording::merged, false, Level::portable},
                                      {RaceRecording::merged, true, Level::avx2}}};

Judged judged(const Program& program, const Way& way) {
  Judged result;
  TestLaunch machine(blocks, threads, bytes, "hmm", program.choices.size() + 1);
  machine.memory.add_buffer("a", bytes, true);
  machine.launch.precise = program.precise;
  machine.launch.copies = program.copies;
  machine.launch.records = way.records;
  machine.launch.short_ways = way.short_ways;
  machine.level = std::min(way.level, best_level());
  for (;; repeat_launch(machine.launch)) {
    machine.start();
    RaceOracle oracle(blocks * threads, threads);
    Run run(machine, oracle);
    for (std::uint32_t k = 0; k < program.choices.size(); ++k) {
      run.perform(program.choices[k], program, k);
    }
    ++result.runs;
    result.oracle = oracle.racing;
    if (!undecided(machine.launch)) break;
  }
  for (const auto& [key, fault] : machine.worker->faults.all()) {
    if (fault.kind == FaultKind::race) result.machine.insert(fault.site);
  }
  return result;
}

std::vector<Choice> some_choices() {
  const auto byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
  return *rc::gen::container<std::vector<Choice>>(rc::gen::container<Choice>(byte));
}

/// Choices after which most accesses are volatile, to elements of 1 or 2 bytes.
std::vector<Choice> some_small_volatiles() {
  std::vector<Choice> choices = some_choices();
  for (Choice& choice : choices) {
    if (choice[4] < 200) choice[4] = choice[4] % 2;
    if (choice[5] % 4 == 3) choice[5] -= 2;
  }
  return choices;
}

void judges_as_the_oracle_does(bool precise, bool copies = false, bool small = false) {
  const auto choices = small ? some_small_volatiles() : some_choices();
  const auto other = *rc::gen::inRange<std::size_t>(1, ways.size());
  for (const Way& way : {ways[0], ways[other]}) {
    const Judged result = judged({choices, precise, copies}, way);
    RC_CLASSIFY(!result.oracle.empty(), "racing");
    RC_CLASSIFY(result.oracle.empty() && result.runs > 1, "suspected without need");
    RC_ASSERT(result.machine == result.oracle);
  }
}

RC_GTEST_PROP(Races, with_full_barriers_are_those_of_the_oracle, ()) {
  judges_as_the_oracle_does(false);
}

RC_GTEST_PROP(Races, with_fences_and_releases_are_those_of_the_oracle, ()) {
  judges_as_the_oracle_does(true);
}

RC_GTEST_PROP(Races, of_small_volatiles_with_full_barriers_are_those_of_the_oracle, ()) {
  judges_as_the_oracle_does(false, false, true);
}

RC_GTEST_PROP(Races, of_small_volatiles_with_fences_and_releases_are_those_of_the_oracle, ()) {
  judges_as_the_oracle_does(true, false, true);
}

RC_GTEST_PROP(Races, of_copies_with_full_barriers_are_those_of_the_oracle, ()) {
  judges_as_the_oracle_does(false, true);
}

RC_GTEST_PROP(Races, of_copies_with_fences_and_releases_are_those_of_the_oracle, ()) {
  judges_as_the_oracle_does(true, true);
}

}  // namespace
}  // namespace bankproof::ptx
