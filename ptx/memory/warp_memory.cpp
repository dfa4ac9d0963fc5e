// Launches, blocks, barriers and fences; see warp_memory.hpp.
#include "warp_memory.hpp"

#include <algorithm>
#include <stdexcept>

namespace bankproof::ptx {
namespace {

/// Each further run may suspect this many times more words, so that few runs suffice.
constexpr std::size_t growth = 16;

}  // namespace

void LocalMemory::resize(std::uint64_t bytes_per_lane) {
  bytes = (bytes_per_lane + 15) / 16 * 16;
  data.assign(bytes * warp_lanes, std::byte{0});
  written.reset(bytes * warp_lanes);
}

ThreadName MemoryWarp::name(std::uint32_t lane) const {
  return {launch->number, block->number, index * warp_lanes + lane};
}

ThreadName LaunchMemory::name(WarpNumber warp, std::uint32_t lane) const {
  const std::uint32_t index = warp - first_warp;
  const std::uint32_t of_block = index % numbers_per_block() % warps_per_block;
  return {number, index / numbers_per_block(), of_block * warp_lanes + lane};
}

WarpNumber MemoryWarp::copier() const { return number + launch->warps_per_block; }

void start_launch(LaunchMemory& launch, std::uint64_t blocks, std::uint32_t threads) {
  launch.threads_per_block = threads;
  launch.warps_per_block = (threads + warp_lanes - 1) / warp_lanes;
  launch.first_warp = launch.global->take_warps(blocks * launch.numbers_per_block());
  launch.published.clear();
  launch.told_race = false;
  for (std::size_t k = 0; k < launch.global->size(); ++k) {
    (*launch.global)[k].has_published = false;
  }
  std::vector<std::uint64_t> words;
  words.reserve(launch.watched.size());
  for (auto& [word, list] : launch.watched) {
    list.clear();
    words.push_back(word);
  }
  launch.global->watch(words);
  launch.global->keep();
}

bool undecided(const LaunchMemory& launch) { return !launch.suspects.empty() && !launch.told_race; }

void repeat_launch(LaunchMemory& launch) {
  launch.global->undo();
  if (launch.workers > 1) {
    // Which words were suspected first depends on how the workers ran, so the list is not used.
    launch.workers = 1;
  } else {
    for (const std::uint64_t word : launch.suspects.words()) {
      if (space_of(word) == Space::shared) {
        launch.watched_shared.push_back(address_in(Space::shared, word));
      } else {
        launch.watched.try_emplace(word);
      }
    }
    launch.suspects.most *= growth;
    // Without clocks, lanes that have waited for different copies are not distinguished.
    launch.precise = launch.precise || launch.copies;
  }
  launch.suspects.clear();
}

void start_block(BlockMemory& block, const LaunchMemory& launch, std::uint64_t number,
                 std::uint32_t shared_bytes) {
  const auto first =
      static_cast<WarpNumber>(launch.first_warp + number * launch.numbers_per_block());
  // If the block's number is higher than that of the block before, the old records are quiet and
  // can stay.
  const bool follows = first > block.first_warp && shared_bytes == block.shared_bytes;
  const std::size_t words = (std::size_t{shared_bytes} + 3) / 4;
  block.number = number;
  block.threads = launch.threads_per_block;
  block.shared_bytes = shared_bytes;
  block.shared.assign(shared_bytes, std::byte{0});
  block.written.reset(shared_bytes);
  if (follows) {
    for (const auto& [word, list] : block.watched) {
      block.writes[word / 4] = {};
      block.reads[word / 4] = {};
    }
  } else {
    block.writes.assign(words, {});
    block.reads.assign(words, {});
  }
  block.watched.clear();
  for (const std::uint64_t word : launch.watched_shared) {
    if (word / 4 >= words) continue;
    block.writes[word / 4] = Record::watched();
    block.watched.try_emplace(word);
  }
  block.first_warp = first;
  block.warps.assign(launch.warps_per_block, nullptr);
  block.known.assign(launch.numbers_per_block(), 0);
  block.settled = 0;
  block.known_clock.reset();
  block.published.clear();
}

void start_warp(MemoryWarp& warp, LaunchMemory& launch, BlockMemory& block, Worker& worker,
                std::uint32_t index) {
  warp.launch = &launch;
  warp.block = &block;
  warp.worker = &worker;
  warp.index = index;
  const std::uint32_t lanes = std::min(warp_lanes, block.threads - index * warp_lanes);
  warp.existing = all_lanes >> (warp_lanes - lanes);
  warp.number = block.first_warp + index;
  warp.now = 1;
  warp.known = 0;
  warp.local.resize(warp.local.bytes);
  warp.clocks = launch.precise ? std::make_unique<LaneClocks>() : nullptr;
  warp.copies = nullptr;
  block.warps[index] = &warp;
}

}  // namespace bankproof::ptx
