// Starts and repeats launches; see launch_memory.hpp.
#include "launch_memory.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace bankproof::ptx {
namespace {

/// In each run, the list of suspects can hold this many times more words than in the run before, so
/// that few runs suffice.
constexpr std::size_t growth = 16;

}  // namespace

const Grid& LaunchMemory::grid_of(WarpNumber warp) const {
  const auto after =
      std::upper_bound(grids.begin(), grids.end(), warp,
                       [](WarpNumber one, const Grid& other) { return one < other.first_warp; });
  return after == grids.begin() ? grids.front() : *std::prev(after);
}

ThreadName LaunchMemory::name(WarpNumber warp, std::uint32_t lane) const {
  const Grid& its = grid_of(warp);
  const std::uint32_t numbers = (copies ? 2 : 1) * its.warps_per_block;
  const std::uint32_t index = warp - its.first_warp;
  const std::uint32_t of_block = index % numbers % its.warps_per_block;
  return {its.number, index / numbers, of_block * warp_lanes + lane};
}

namespace {

void place_grid(LaunchMemory& launch, Grid grid, std::uint64_t blocks, std::uint32_t threads) {
  launch.threads_per_block = threads;
  launch.warps_per_block = (threads + warp_lanes - 1) / warp_lanes;
  launch.first_warp = launch.global->take_warps(blocks * launch.numbers_per_block());
  grid.warps_per_block = launch.warps_per_block;
  grid.first_warp = launch.first_warp;
  launch.grids.push_back(std::move(grid));
}

}  // namespace

void start_launch(LaunchMemory& launch, std::uint64_t blocks, std::uint32_t threads) {
  // Half of the numbers is for the grids that kernels launch.
  if (launch.launches) launch.global->need_warps(most_warps / 2);
  launch.grids.clear();
  launch.known = {};
  place_grid(launch, {launch.kernel, launch.number, launch.grid, launch.block, 0, 0}, blocks,
             threads);
  launch.first_of_launch = launch.first_warp;
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

void start_grid(LaunchMemory& launch, Grid grid, Clock known) {
  const std::uint64_t blocks = volume(grid.grid);
  const std::uint64_t threads = volume(grid.block);
  const std::uint64_t warps = (threads + warp_lanes - 1) / warp_lanes;
  const std::uint64_t most = most_warps - launch.global->next_warp();
  if (blocks * warps * (launch.copies ? 2 : 1) > most) {
    throw std::length_error("the grids that kernels launched have more than " +
                            std::to_string(most_warps / 2) + " warps together");
  }
  launch.number = grid.number;
  launch.grid = grid.grid;
  launch.block = grid.block;
  launch.known = std::move(known);
  place_grid(launch, std::move(grid), blocks, static_cast<std::uint32_t>(threads));
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
