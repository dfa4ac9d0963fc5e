// An addition splits the intervals at its ends, looks for conflicts, is recorded in each interval,
// and unites neighbors that have become the same.
#include "accesses.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bankproof::cuda {

bool AccessHistory::conflicts(const Access& earlier, const Operation& operation,
                              AccessKind kind) const {
  const bool is_allowed = kind == earlier.kind && kind != AccessKind::write;
  return !is_allowed && earlier.operation != operation.name &&
         !operation.happens_after(earlier.operation);
}

bool AccessHistory::covers(const Operation& operation, AccessKind kind,
                           const Access& earlier) const {
  return (kind == AccessKind::write || kind == earlier.kind) &&
         (earlier.operation == operation.name || operation.happens_after(earlier.operation));
}

/// Afterwards no interval contains both the address and the one before it.
void AccessHistory::split(std::uint64_t address) {
  const auto behind = intervals_.upper_bound(address);
  if (behind == intervals_.begin()) return;
  const auto found = std::prev(behind);
  if (found->first == address || found->second.end <= address) return;
  Interval second = found->second;
  found->second.end = address;
  intervals_.emplace_hint(behind, address, std::move(second));
}

/// Afterwards the intervals contain all of [begin, end), where both are borders.
void AccessHistory::fill(std::uint64_t begin, std::uint64_t end) {
  auto next = intervals_.lower_bound(begin);
  while (begin < end) {
    const std::uint64_t gap_end = next == intervals_.end() ? end : std::min(end, next->first);
    if (begin < gap_end) intervals_.emplace_hint(next, begin, Interval{gap_end, {}});
    if (gap_end == end) return;
    begin = next->second.end;
    ++next;
  }
}

/// Unites the neighbors with the same accesses, from the one before `begin` to the one at `end`.
void AccessHistory::unite(std::uint64_t begin, std::uint64_t end) {
  auto at = intervals_.lower_bound(begin);
  if (at != intervals_.begin()) --at;
  while (at != intervals_.end()) {
    const auto next = std::next(at);
    if (next == intervals_.end() || next->first > end) return;
    if (at->second.end == next->first && at->second.accesses == next->second.accesses) {
      at->second.end = next->second.end;
      intervals_.erase(next);
    } else {
      at = next;
    }
  }
}

std::vector<Conflict> AccessHistory::conflicts_of(const Operation& operation, std::uint64_t begin,
                                                  std::uint64_t end, AccessKind kind) const {
  std::vector<Conflict> found;
  for (auto at = intervals_.lower_bound(begin); at != intervals_.end() && at->first < end; ++at) {
    for (const Access& earlier : at->second.accesses) {
      if (!conflicts(earlier, operation, kind)) continue;
      const auto same = std::find_if(found.rbegin(), found.rend(), [&](const Conflict& conflict) {
        return conflict.earlier == earlier && conflict.end == at->first;
      });
      if (same == found.rend()) {
        found.push_back({earlier, at->first, at->second.end});
      } else {
        same->end = at->second.end;
      }
    }
  }
  return found;
}

void AccessHistory::record(Interval& interval, const Operation& operation, AccessKind kind,
                           Place place) const {
  std::vector<Access>& accesses = interval.accesses;
  const bool known = std::any_of(accesses.begin(), accesses.end(), [&](const Access& earlier) {
    return earlier.operation == operation.name &&
           (earlier.kind == AccessKind::write || earlier.kind == kind);
  });
  if (known) return;
  std::erase_if(accesses, [&](const Access& earlier) { return covers(operation, kind, earlier); });
  accesses.push_back({operation.name, kind, place});
}

std::vector<Conflict> AccessHistory::add(const Operation& operation, std::uint64_t begin,
                                         std::uint64_t end, AccessKind kind, Place place) {
  if (begin >= end) return {};
  split(begin);
  split(end);
  std::vector<Conflict> found = conflicts_of(operation, begin, end, kind);
  fill(begin, end);
  for (auto at = intervals_.find(begin); at != intervals_.end() && at->first < end; ++at) {
    record(at->second, operation, kind, place);
  }
  unite(begin, end);
  return found;
}

std::vector<Conflict> AccessHistory::free(const Operation& operation, std::uint64_t begin,
                                          std::uint64_t end) {
  if (begin >= end) return {};
  split(begin);
  split(end);
  std::vector<Conflict> found = conflicts_of(operation, begin, end, AccessKind::write);
  intervals_.erase(intervals_.lower_bound(begin), intervals_.lower_bound(end));
  return found;
}

void AccessHistory::forget(const Clock& known_to_all) {
  for (auto at = intervals_.begin(); at != intervals_.end();) {
    std::erase_if(at->second.accesses,
                  [&](const Access& access) { return known_to_all.knows(access.operation); });
    at = at->second.accesses.empty() ? intervals_.erase(at) : std::next(at);
  }
}

std::size_t AccessHistory::size() const {
  std::size_t kept = 0;
  for (const auto& [begin, interval] : intervals_) kept += interval.accesses.size();
  return kept;
}

}  // namespace bankproof::cuda
