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

/// Many loops with conditional barriers, one behind the other, have more paths than this.
constexpr std::size_t most_reached = 5000;

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
      if (found.size() > most_reached) throw TooManyPaths();
    }
  };
  Lateness at_begin;
  for (const std::size_t loop : loops_around(trace, trace.events[begin])) at_begin[loop] = {};
  follow({begin, at_begin});
  while (!waiting.empty()) {
    const Reached here = waiting.back();
    waiting.pop_back();
    if (barriers.count(trace.events[here.event].kind) == 0) follow(here);
  }
  return found;
}

/// The events to which a path leads.
std::vector<bool> behind(const Trace& trace, std::size_t begin) {
  std::vector<bool> met(trace.events.size());
  std::vector<std::size_t> waiting{begin};
  while (!waiting.empty()) {
    const std::size_t here = waiting.back();
    waiting.pop_back();
    for (const Event::Next& next : trace.events[here].next) {
      if (met[next.event]) continue;
      met[next.event] = true;
      waiting.push_back(next.event);
    }
  }
  return met;
}

/// A loop with barriers that is in no other one.
struct OuterLoop {
  std::size_t number = 0;  // in Trace::loops
  std::size_t head = 0;
  std::vector<bool> behind;  // the events in it, and behind it
};

std::vector<OuterLoop> outer_loops(const Trace& trace) {
  std::vector<OuterLoop> all;
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const Event& event = trace.events[e];
    if (event.kind != Event::Kind::head) continue;
    const LoopInstance& loop = trace.loops[event.index];
    if (loop.has_barrier && !loop.parent) all.push_back({event.index, e, behind(trace, e)});
  }
  return all;
}

/// Marks the loops that come between.
void add_passed(const std::vector<OuterLoop>& loops, std::size_t begin, Reached& reached) {
  for (const OuterLoop& loop : loops) {
    const bool is_passed = begin != loop.head && !loop.behind[begin] && loop.behind[reached.event];
    if (!is_passed || reached.late.count(loop.number) != 0) continue;
    reached.late[loop.number].passed = true;
  }
}

/// The accesses between two barriers of these kinds.
std::set<Together> together(const Trace& trace, const Kinds& barriers) {
  std::set<Together> pairs;
  const std::vector<OuterLoop> loops = outer_loops(trace);
  for (std::size_t begin = 0; begin < trace.events.size(); ++begin) {
    const Event::Kind kind = trace.events[begin].kind;
    if (kind != Event::Kind::begin && barriers.count(kind) == 0) continue;
    std::set<Reached> reached;
    for (Reached one : reached_from(trace, begin, barriers)) {
      add_passed(loops, begin, one);
      reached.insert(std::move(one));
    }
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
