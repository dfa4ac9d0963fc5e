// The plain interpreter of tiny kernels: it tries every possible next step.
#include "interleavings.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace bankproof::ptx {

namespace {

using Kind = TinyStep::Kind;
using Order = TinyStep::Order;

/// A step of a thread that has happened, at a position in the interleaving.
struct OrderedEvent {
  StepName name;
  std::uint64_t before = 0;               // a bit for each position whose step happened before it
  std::optional<std::size_t> reads_from;  // the write that it read; empty: it read the initial 0
};

struct State {
  std::vector<std::size_t> next;  // the next step of each thread
  std::vector<OrderedEvent> events;
  std::map<std::uint32_t, std::size_t> written;  // for each word, the position of its last write
  Numbers numbers;
  std::set<StepPair> races;
};

bool is_strong(const TinyStep& step) {
  return step.kind == Kind::fence || step.kind == Kind::exchange || step.order != Order::weak;
}

class Explorer {
 public:
  explicit Explorer(const TinyKernel& kernel) : kernel_(kernel) {}

  Interleavings run() {
    State state;
    state.next.resize(kernel_.threads.size());
    state.numbers.resize(8 * kernel_.threads.size());
    explore(state);
    return std::move(found_);
  }

 private:
  // ---- Properties of steps

  const TinyStep& step(const StepName& name) const {
    return kernel_.threads[name.first].steps[name.second];
  }
  const TinyStep& step(const OrderedEvent& event) const { return step(event.name); }
  std::uint32_t block(const OrderedEvent& event) const {
    return kernel_.threads[event.name.first].block;
  }
  static bool is_access(const TinyStep& step) { return step.reads() || step.writes(); }
  static bool acquires(const TinyStep& step) {
    return step.reads() && (step.order == Order::acquire || step.order == Order::acquire_release);
  }
  static bool releases(const TinyStep& step) {
    return step.writes() && (step.order == Order::release || step.order == Order::acquire_release);
  }
  bool same_word(const OrderedEvent& a, const OrderedEvent& b) const {
    return word_of(kernel_, a.name) == word_of(kernel_, b.name);
  }

  /// Whether two events are of one thread, or are both strong with scopes that include each other.
  /// Two accesses must also be to the same word.
  bool morally_strong(const OrderedEvent& a, const OrderedEvent& b) const {
    if (is_access(step(a)) && is_access(step(b)) && !same_word(a, b)) return false;
    if (a.name.first == b.name.first) return true;
    const bool in_scope = block(a) == block(b) || (step(a).device && step(b).device);
    return is_strong(step(a)) && is_strong(step(b)) && in_scope;
  }

  bool conflict(const OrderedEvent& a, const OrderedEvent& b) const {
    return a.name.first != b.name.first && is_access(step(a)) && is_access(step(b)) &&
           same_word(a, b) && (step(a).writes() || step(b).writes()) && !morally_strong(a, b);
  }

  // ---- The relation happens-before

  static void follow(OrderedEvent& event, std::size_t place, const State& state) {
    event.before |= std::uint64_t{1} << place | state.events[place].before;
  }

  /// The first operations of the release patterns that end with this write.
  std::vector<std::size_t> release_patterns(const State& state, std::size_t write) const {
    std::vector<std::size_t> first;
    const OrderedEvent& w = state.events[write];
    if (!is_strong(step(w))) return first;
    for (std::size_t place = 0; place <= write; ++place) {
      const OrderedEvent& e = state.events[place];
      if (e.name.first != w.name.first) continue;
      // A release of the write's location; it may be the write itself.
      const bool release = releases(step(e)) && same_word(e, w);
      if (release || step(e).kind == Kind::fence) first.push_back(place);
    }
    return first;
  }

  /// The writes that precede the read in observation order: the write that it read. If that write
  /// is a read-modify-write, also the writes that precede the read of this read-modify-write.
  std::vector<std::size_t> observed_writes(const State& state, const OrderedEvent& read) const {
    std::vector<std::size_t> writes;
    const OrderedEvent* reader = &read;
    while (reader->reads_from && morally_strong(*reader, state.events[*reader->reads_from])) {
      writes.push_back(*reader->reads_from);
      reader = &state.events[writes.back()];
      if (step(*reader).kind != Kind::exchange) break;
    }
    return writes;
  }

  /// Orders a new event after the release patterns that `read` has observed, if the event ends an
  /// acquire pattern that begins with `read`. Two kinds of events end the pattern: an acquire that
  /// is `read` itself or another access to the location, and a fence of the same thread.
  void acquire(OrderedEvent& event, const OrderedEvent& read, const State& state) const {
    if (!step(read).reads() || !is_strong(step(read))) return;
    const bool access = is_access(step(event)) && acquires(step(event)) && same_word(read, event);
    if (!access && step(event).kind != Kind::fence) return;
    for (const std::size_t write : observed_writes(state, read)) {
      for (const std::size_t first : release_patterns(state, write)) {
        if (morally_strong(state.events[first], event)) follow(event, first, state);
      }
    }
  }

  /// Whether both events are fence.sc, and `first` certainly comes first in the single order of all
  /// fence.sc: some strong read before the second fence has read a write after the first. Otherwise
  /// either order is possible.
  bool is_certainly_first(const State& state, std::size_t first, const OrderedEvent& second) const {
    const OrderedEvent& fence = state.events[first];
    if (step(fence).order != Order::sequential || step(second).order != Order::sequential ||
        !morally_strong(fence, second)) {
      return false;
    }
    for (std::size_t place = 0; place < state.events.size(); ++place) {
      if ((second.before >> place & 1U) == 0 || !step(state.events[place]).reads()) continue;
      for (const std::size_t write : observed_writes(state, state.events[place])) {
        if ((state.events[write].before >> first & 1U) != 0) return true;
      }
    }
    return false;
  }

  /// The event of the step, together with all events that happened before it.
  OrderedEvent event_of(const State& state, const StepName& name) const {
    OrderedEvent event{name, 0, {}};
    if (step(name).reads()) {
      const auto found = state.written.find(word_of(kernel_, name));
      if (found != state.written.end()) event.reads_from = found->second;
    }
    for (std::size_t place = 0; place < state.events.size(); ++place) {
      const OrderedEvent& other = state.events[place];
      if (other.name.first == name.first) {
        follow(event, place, state);
        acquire(event, other, state);
      }
    }
    for (std::size_t place = 0; place < state.events.size(); ++place) {
      if (is_certainly_first(state, place, event)) follow(event, place, state);
    }
    acquire(event, event, state);
    return event;
  }

  // ---- The possible next steps

  bool has_ended(const State& state, std::size_t thread) const {
    return state.next[thread] == kernel_.threads[thread].steps.size();
  }
  bool is_at(const State& state, std::size_t thread, Kind kind) const {
    return !has_ended(state, thread) && step({thread, state.next[thread]}).kind == kind;
  }

  void explore(const State& state) {
    bool all_ended = true;
    bool any = false;
    for (std::size_t t = 0; t < kernel_.threads.size(); ++t) {
      if (has_ended(state, t)) continue;
      all_ended = false;
      if (is_at(state, t, Kind::barrier) || is_at(state, t, Kind::warp_barrier)) {
        any = try_barrier(state, t) || any;
      } else if (!is_at(state, t, Kind::await) ||
                 state.written.contains(word_of(kernel_, {t, state.next[t]}))) {
        any = true;
        take_step(state, t);
      }
    }
    if (all_ended) {
      end(state);
    } else if (!any) {
      found_.stuck = true;
    }
  }

  void take_step(State state, std::size_t t) {
    const StepName name{t, state.next[t]++};
    const OrderedEvent event = event_of(state, name);
    if (step(name).reads() && event.reads_from) {
      state.numbers[place_of(name)] = value_of(state.events[*event.reads_from].name);
    }
    for (std::size_t place = 0; place < state.events.size(); ++place) {
      const OrderedEvent& other = state.events[place];
      if (!conflict(other, event)) continue;
      const StepPair pair = pair_of(other.name, name);
      if ((event.before >> place & 1U) == 0) state.races.insert(pair);
      if (place + 1 == state.events.size()) found_.adjacent.insert(pair);
    }
    if (step(name).writes()) state.written[word_of(kernel_, name)] = state.events.size();
    state.events.push_back(event);
    explore(state);
  }

  /// Lets all threads of this thread's barrier go on, if all of them are there. At a barrier of the
  /// block, threads that have ended count as present; at a barrier of a warp they do not.
  bool try_barrier(State state, std::size_t t) {
    const Kind kind = step({t, state.next[t]}).kind;
    const TinyThread& of = kernel_.threads[t];
    std::vector<std::size_t> members;
    for (std::size_t u = 0; u < kernel_.threads.size(); ++u) {
      const TinyThread& thread = kernel_.threads[u];
      const bool same_warp = thread.index / 32 == of.index / 32 || kind == Kind::barrier;
      if (thread.block == of.block && same_warp) members.push_back(u);
    }
    const bool all_there = std::all_of(members.begin(), members.end(), [&](std::size_t u) {
      return is_at(state, u, kind) || (kind == Kind::barrier && has_ended(state, u));
    });
    if (!all_there) return false;
    if (members.front() != t && is_at(state, members.front(), kind))
      return true;  // that thread tries the same barrier
    OrderedEvent all;
    for (std::size_t place = 0; place < state.events.size(); ++place) {
      const std::size_t thread = state.events[place].name.first;
      if (std::find(members.begin(), members.end(), thread) != members.end()) {
        follow(all, place, state);
      }
    }
    for (const std::size_t u : members) {
      if (has_ended(state, u)) continue;
      state.events.push_back({{u, state.next[u]++}, all.before, {}});
    }
    explore(state);
    return true;
  }

  void end(const State& state) {
    ++found_.count;
    found_.read.insert(state.numbers);
    found_.races.insert(state.races.begin(), state.races.end());
    std::set<StepPair>& races =
        found_.races_by_strong_reads[of_strong_reads(kernel_, state.numbers)];
    races.insert(state.races.begin(), state.races.end());
  }

  const TinyKernel& kernel_;
  Interleavings found_;
};

}  // namespace

std::uint32_t word_of(const TinyKernel& kernel, const StepName& name) {
  const TinyThread& thread = kernel.threads[name.first];
  const TinyStep& step = thread.steps[name.second];
  return step.shared ? 2 + 2 * thread.block + step.word : step.word;
}

Numbers of_strong_reads(const TinyKernel& kernel, Numbers numbers) {
  for (std::size_t t = 0; t < kernel.threads.size(); ++t) {
    const std::vector<TinyStep>& steps = kernel.threads[t].steps;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (!is_strong(steps[k])) numbers[place_of({t, k})] = 0;
    }
  }
  return numbers;
}

Interleavings interleavings_of(const TinyKernel& kernel) { return Explorer(kernel).run(); }

}  // namespace bankproof::ptx
