// Replays the events of a launch on the model's HMM.
#include "replay.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "../../model/array.hpp"
#include "../../model/warp.hpp"
#include "../isa/registers.hpp"
#include "quick_replay.hpp"

namespace bankproof::ptx {

namespace {

std::uint64_t barriers_in(EventList events) {
  return static_cast<std::uint64_t>(std::count(events.begin(), events.end(), Event::barrier()));
}

// For each block, the most barriers that one of its warps passes.
std::vector<std::uint64_t> barriers_of_blocks(const LaunchEvents& events) {
  std::vector<std::uint64_t> most(events.blocks);
  const std::uint64_t warps_per_block = ceil_div(events.threads, std::uint64_t{warp_lanes});
  for (std::size_t warp = 0; warp < events.warps.size(); ++warp) {
    std::uint64_t& of_block = most[warp / warps_per_block];
    of_block = std::max(of_block, barriers_in(events.warps[warp]));
  }
  return most;
}

using Words = Array<std::uint32_t>;
constexpr std::uint64_t words_of_an_array = std::uint64_t{warp_lanes} * warp_lanes;

// The data that the programs of all warps use.
struct Replay {
  const LaunchEvents& events;
  std::vector<std::uint64_t> barriers;         // per block
  std::vector<std::unique_ptr<Words>> shared;  // per DMM
  std::unique_ptr<Words> global;
};

// Repeats the events of a warp. For an access of k stages, k lanes read the words 0, 32, 64, …,
// which lie in one bank and in k address groups. So the access takes k stages in shared and in
// global memory.
Program repeat(bankproof::Warp& warp, Replay& replay) {
  const std::uint64_t warps_per_block = ceil_div(warp.threads(), std::uint64_t{warp_lanes});
  const Progression apart{warp.width(), 0, warp_lanes};
  std::uint64_t passed = 0;
  for (const Event event : replay.events.warps[warp.block() * warps_per_block + warp.index()]) {
    if (event.kind() == Event::Kind::barrier) {
      ++passed;
      co_await barrier();
      continue;
    }
    const auto some = warp.only(first_lanes(event.stages()));
    Words& words =
        event.kind() == Event::Kind::shared ? *replay.shared[warp.dmm()] : *replay.global;
    co_await words.read(apart);
  }
  for (; passed < replay.barriers[warp.block()]; ++passed) co_await barrier();
}

}  // namespace

Time time_on(const HierarchicalMachine& machine, Mode mode, const LaunchEvents& events,
             Observer* observer) {
  if (mode == Mode::overlapped && observer == nullptr) {
    if (const auto time = quick_time(machine, events)) return *time;
  }
  return time_by_model(machine, mode, events, observer);
}

Time time_by_model(const HierarchicalMachine& machine, Mode mode, const LaunchEvents& events,
                   Observer* observer) {
  // Adds room for the replay's own arrays, which do not count as memory of a block.
  HierarchicalMachine roomier = machine;
  if (roomier.capacity < unlimited - words_of_an_array) roomier.capacity += words_of_an_array;
  Hmm hmm(roomier, {.mode = mode});
  if (observer != nullptr) hmm.attach(*observer);
  Replay replay{events, barriers_of_blocks(events), {}, nullptr};
  replay.shared.reserve(machine.dmms);
  for (std::uint64_t dmm = 0; dmm < machine.dmms; ++dmm) {
    replay.shared.push_back(std::make_unique<Words>(hmm.shared(dmm), words_of_an_array, "shared"));
  }
  replay.global = std::make_unique<Words>(hmm.global(), words_of_an_array, "global");
  return hmm.launch({.blocks = events.blocks,
                     .threads = events.threads,
                     .shared_words = ceil_div(events.shared_bytes, std::uint64_t{4})},
                    repeat, replay);
}

}  // namespace bankproof::ptx
