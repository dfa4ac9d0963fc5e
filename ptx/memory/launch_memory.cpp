// Starts and repeats launches; see launch_memory.hpp.
#include "launch_memory.hpp"

namespace bankproof::ptx {
namespace {

/// In each run, the list of suspects can hold this many times more words than in the run before, so
/// that few runs suffice.
constexpr std::size_t growth = 16;

}  // namespace

ThreadName LaunchMemory::name(WarpNumber warp, std::uint32_t lane) const {
  const std::uint32_t index = warp - first_warp;
  const std::uint32_t of_block = index % numbers_per_block() % warps_per_block;
  return {number, index / numbers_per_block(), of_block * warp_lanes + lane};
}

void start_launch(LaunchMemory& launch, std::uint64_t blocks, std::uint32_t threads) {
  launch.threads_per_block = threads;
  launch.warps_per_block = (threads + warp_lanes - 1) / warp_lanes;
  launch.first_warp = launch.global->take_warps(blocks * launch.numbers_per_block());
  launch.history.published.clear();
  launch.told_race = false;
  for (const std::uint32_t k : launch.global->live()) {
    (*launch.global)[k].shadow.has_published = false;
  }
  std::vector<std::uint64_t> words;
  words.reserve(launch.history.watched.size());
  for (auto& [word, list] : launch.history.watched) {
    list.clear();
    words.push_back(word);
  }
  launch.global->watch(words);
  launch.global->keep();
}

bool undecided(const LaunchMemory& launch) { return !launch.suspects.empty() && !launch.told_race; }

void repeat_launch(LaunchMemory& launch) {
  launch.global->undo();
  const bool merged = !launch.suspects.empty() && launch.records == RaceRecording::merged;
  if (launch.workers > 1 || merged) {
    // The list of suspects depends on how the workers were scheduled, or on merged records. So the
    // next run, on one worker and without merging, makes a new list.
    launch.workers = 1;
    launch.several = false;
    if (merged) launch.records = RaceRecording::sectors;
  } else {
    for (const std::uint64_t word : launch.suspects.words()) {
      if (space_of(word) == Space::shared) {
        launch.watched_shared.push_back(address_in(Space::shared, word));
      } else {
        launch.history.watched.try_emplace(word);
      }
    }
    launch.suspects.most *= growth;
    // Only a precise launch distinguishes lanes that have waited for different copies.
    launch.precise = launch.precise || launch.copies;
  }
  launch.suspects.clear();
}

}  // namespace bankproof::ptx
