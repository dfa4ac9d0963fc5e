// Follows paths between accesses; see order.hpp.
#include "order.hpp"

#include <algorithm>

#include "intervals.hpp"

namespace bankproof::symbolic {

ProgramOrder::ProgramOrder(const Trace& trace) : trace_(trace) {
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const Event& event = trace.events[e];
    if (event.kind == Event::Kind::access) of_access_[event.index] = e;
    if (event.kind == Event::Kind::barrier) barriers_.push_back(e);
    if (event.kind == Event::Kind::warp_barrier) warp_barriers_.push_back(e);
  }
}

std::vector<std::size_t> ProgramOrder::common_loops(std::size_t a, std::size_t b) const {
  std::vector<std::size_t> all;
  const std::vector<std::size_t> of_b = around(of_access_.at(b));
  for (const std::size_t loop : around(of_access_.at(a))) {
    if (std::find(of_b.begin(), of_b.end(), loop) != of_b.end()) all.push_back(loop);
  }
  return all;
}

bool ProgramOrder::is_before(std::size_t write, std::size_t read) const {
  return write != read &&
         reaches(of_access_.at(write), of_access_.at(read), common_loops(write, read), {});
}

bool ProgramOrder::is_before_barrier(std::size_t write, std::size_t read) const {
  return std::any_of(barriers_.begin(), barriers_.end(),
                     [&](std::size_t barrier) { return is_between(barrier, write, read); });
}

bool ProgramOrder::is_before_warp_barrier(std::size_t write, std::size_t read) const {
  return is_before_barrier(write, read) ||
         std::any_of(warp_barriers_.begin(), warp_barriers_.end(),
                     [&](std::size_t barrier) { return is_between(barrier, write, read); });
}

bool ProgramOrder::is_before_barrier_of_next(std::size_t write, std::size_t read) const {
  const std::vector<std::size_t> loops = common_loops(write, read);
  if (loops.empty()) return false;
  const auto goes_on_without = [&](std::size_t barrier) {
    for (std::size_t e = 0; e < trace_.events.size(); ++e) {
      const auto& next = trace_.events[e].next;
      const bool goes_on = std::any_of(next.begin(), next.end(), [&](const Event::Next& one) {
        return one.again == loops.front();
      });
      const std::size_t from = of_access_.at(write);
      if (goes_on && e != barrier && (e == from || reaches(from, e, loops, barrier))) return true;
    }
    return false;
  };
  return std::any_of(barriers_.begin(), barriers_.end(), [&](std::size_t barrier) {
    const std::size_t head = head_of(loops.front());
    return around(barrier) == loops &&
           (!reaches(head, of_access_.at(read), loops, barrier) || !goes_on_without(barrier));
  });
}

bool ProgramOrder::may_be_under_way(std::size_t write, std::size_t read) const {
  const Access& copy = trace_.accesses[write];
  return copy.is_echo || trace_.late_copies.count(copy.instruction) != 0 ||
         std::any_of(trace_.under_way.begin(), trace_.under_way.end(),
                     [&](const Trace::UnderWay& one) {
                       return one.access == read && one.copy.instruction == copy.instruction;
                     });
}

bool ProgramOrder::is_between(std::size_t barrier, std::size_t write, std::size_t read) const {
  const std::vector<std::size_t> loops = common_loops(write, read);
  const std::size_t first = loops.empty() ? 0 : head_of(loops.front());
  // The barrier may be in a loop that is around the read alone: the write is before all of its
  // iterations.
  return !reaches(barrier, of_access_.at(write), loops, {}) &&
         !reaches(first, of_access_.at(read), loops, barrier);
}

std::vector<std::size_t> ProgramOrder::around(std::size_t event) const {
  return loops_around(trace_, trace_.events[event]);
}

std::size_t ProgramOrder::head_of(std::size_t loop) const {
  const auto found = std::find_if(
      trace_.events.begin(), trace_.events.end(),
      [&](const Event& event) { return event.kind == Event::Kind::head && event.index == loop; });
  return static_cast<std::size_t>(found - trace_.events.begin());
}

bool ProgramOrder::reaches(std::size_t from, std::size_t to, const std::vector<std::size_t>& loops,
                           std::optional<std::size_t> without) const {
  const auto [known, is_new] = reached_.try_emplace({from, loops, without});
  if (is_new) known->second = reached_from(from, loops, without);
  return known->second[to];
}

std::vector<bool> ProgramOrder::reached_from(std::size_t from,
                                             const std::vector<std::size_t>& loops,
                                             std::optional<std::size_t> without) const {
  std::vector<bool> reached(trace_.events.size());
  std::vector<std::size_t> waiting{from};
  while (!waiting.empty()) {
    const std::size_t here = waiting.back();
    waiting.pop_back();
    for (const Event::Next& next : trace_.events[here].next) {
      if (next.again && std::find(loops.begin(), loops.end(), *next.again) != loops.end()) {
        continue;
      }
      if (next.event == without || reached[next.event]) continue;
      reached[next.event] = true;
      waiting.push_back(next.event);
    }
  }
  return reached;
}

}  // namespace bankproof::symbolic
