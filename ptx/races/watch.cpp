// Judges watched words exactly; see watch.hpp.
#include "watch.hpp"

#include <algorithm>
#include <bit>

namespace bankproof::ptx {
namespace {

bool in_block(const Viewer& viewer, const WatchedAccess& access) {
  return access.warp - viewer.first < viewer.warps;
}

bool all_lanes_know(const Viewer& viewer, const WatchedAccess& access) {
  return viewer.all_lanes_know(ShadowWord::of(access.warp, access.epoch, 0, access.bytes));
}

/// Whether `access`, as lane `other` made it, happened before the current access of the viewer's
/// lane `lane`.
bool happened_before(const Viewer& viewer, const WatchedAccess& access, std::uint32_t other,
                     std::uint32_t lane) {
  return viewer.ordered(ShadowWord::of(access.warp, access.epoch, other, access.bytes), lane,
                        access.bytes);
}

/// The first lane of `access` that is not ordered before the current access of the viewer's lane
/// `lane`; warp_lanes if all lanes are ordered before it.
std::uint32_t unordered_lane(const Viewer& viewer, const WatchedAccess& access,
                             std::uint32_t lane) {
  if (all_lanes_know(viewer, access)) return warp_lanes;
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (!happened_before(viewer, access, other, lane)) return other;
  }
  return warp_lanes;
}

/// Whether every access that conflicts with `old` also conflicts with `mine`.
bool stands_for(const WatchedAccess& mine, const WatchedAccess& old, bool same_block) {
  if ((old.bytes & ~mine.bytes) != 0 || (old.write && !mine.write)) return false;
  return !mine.strong || (same_block && old.strong && old.element == mine.element &&
                          old.bytes == mine.bytes && old.device == mine.device);
}

bool same_but_lanes(const WatchedAccess& a, const WatchedAccess& b) {
  return a.warp == b.warp && a.epoch == b.epoch && a.site == b.site && a.bytes == b.bytes &&
         a.element == b.element && a.write == b.write && a.strong == b.strong &&
         a.device == b.device;
}

/// A list removes the accesses that it can forget when it reaches this length, and each time that
/// its length has doubled.
constexpr std::size_t short_list = 16;

}  // namespace

void Suspects::add(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (words_.size() < most) words_.insert(address);
}

bool conflict(const WatchedAccess& a, const WatchedAccess& b, bool same_block) {
  if ((a.bytes & b.bytes) == 0 || (!a.write && !b.write)) return false;
  const bool morally_strong = a.strong && b.strong && a.bytes == b.bytes &&
                              a.element == b.element && (same_block || (a.device && b.device));
  return !morally_strong;
}

Race race_of(const std::vector<WatchedAccess>& list, const Viewer& viewer,
             const WatchedAccess& mine, std::uint32_t lane) {
  for (const WatchedAccess& other : list) {
    if (!conflict(other, mine, in_block(viewer, other))) continue;
    const std::uint32_t found = unordered_lane(viewer, other, lane);
    if (found < warp_lanes) return {&other, found};
  }
  return {};
}

bool all_lanes_know_conflicts(const std::vector<WatchedAccess>& list, const Viewer& viewer,
                              const WatchedAccess& mine) {
  return std::all_of(list.begin(), list.end(), [&](const WatchedAccess& other) {
    return !conflict(other, mine, in_block(viewer, other)) || all_lanes_know(viewer, other);
  });
}

void watch(std::vector<WatchedAccess>& list, const Viewer& viewer, const WatchedAccess& mine,
           std::uint32_t lane) {
  if (!list.empty() && same_but_lanes(list.back(), mine)) {
    list.back().lanes |= mine.lanes;
    return;
  }
  if (list.size() >= short_list && std::has_single_bit(list.size())) {
    // An access `old` that happened before `mine` can go: a later access that races with it also
    // races with `mine`.
    std::erase_if(list, [&](const WatchedAccess& old) {
      return stands_for(mine, old, in_block(viewer, old)) &&
             unordered_lane(viewer, old, lane) == warp_lanes;
    });
  }
  list.push_back(mine);
}

}  // namespace bankproof::ptx
