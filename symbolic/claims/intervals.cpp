// Follows paths without barriers; see intervals.hpp.
#include "intervals.hpp"

namespace bankproof::symbolic {

namespace {

struct Reached {
  std::size_t event;
  Lateness late;
  bool operator<(const Reached& other) const {
    return std::tie(event, late) < std::tie(other.event, other.late);
  }
};

using Kinds = std::set<Event::Kind>;

/// Without a further barrier of these kinds.
std::set<Reached> reached_from(const Trace& trace, std::size_t begin, const Kinds& barriers) {
  std::set<Reached> found;
  std::vector<Reached> waiting;
  const auto follow = [&](const Reached& here) {
    for (const Event::Next& next : trace.events[here.event].next) {
      Reached there{next.event, here.late};
      const Event& event = trace.events[next.event];
      if (event.kind == Event::Kind::head && trace.loops[event.index].has_barrier) {
        Late& late = there.late[event.index];
        if (!next.again) {
          late = {.entered = true, .by = 0};
        } else if (late.by < many) {
          ++late.by;
        }
      }
      if (found.insert(there).second) waiting.push_back(there);
    }
  };
  follow({begin, {}});
  while (!waiting.empty()) {
    const Reached here = waiting.back();
    waiting.pop_back();
    if (barriers.count(trace.events[here.event].kind) == 0) follow(here);
  }
  return found;
}

/// The accesses between two barriers of these kinds.
std::set<Together> together(const Trace& trace, const Kinds& barriers) {
  std::set<Together> pairs;
  for (std::size_t begin = 0; begin < trace.events.size(); ++begin) {
    const Event::Kind kind = trace.events[begin].kind;
    if (kind != Event::Kind::begin && barriers.count(kind) == 0) continue;
    const std::set<Reached> reached = reached_from(trace, begin, barriers);
    for (const Reached& a : reached) {
      if (trace.events[a.event].kind != Event::Kind::access) continue;
      for (const Reached& b : reached) {
        if (trace.events[b.event].kind != Event::Kind::access) continue;
        const std::size_t first = trace.events[a.event].index;
        const std::size_t second = trace.events[b.event].index;
        if (first > second) continue;
        if (trace.accesses[first].kind == AccessKind::read &&
            trace.accesses[second].kind == AccessKind::read) {
          continue;
        }
        pairs.insert({first, second, a.late, b.late});
      }
    }
  }
  return pairs;
}

}  // namespace

std::vector<std::size_t> loops_around(const Trace& trace, const Event& event) {
  std::optional<std::size_t> loop;
  if (event.kind == Event::Kind::access) loop = trace.accesses[event.index].loop;
  if (event.kind == Event::Kind::barrier) loop = trace.barriers[event.index].loop;
  if (event.kind == Event::Kind::head) loop = event.index;
  std::vector<std::size_t> all;
  for (; loop; loop = trace.loops[*loop].parent) all.push_back(*loop);
  return all;
}

std::set<Together> together(const Trace& trace) { return together(trace, {Event::Kind::barrier}); }

std::set<std::pair<std::size_t, std::size_t>> together_in_warp(const Trace& trace) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const Together& one : together(trace, {Event::Kind::barrier, Event::Kind::warp_barrier})) {
    pairs.emplace(one.first, one.second);
  }
  return pairs;
}

}  // namespace bankproof::symbolic
