// The plain judge of races: it keeps every event and the whole happens-before relation, and must
// never be optimized. It shares nothing with the records, clocks and lists of ptx/races.
//
// PTX ISA, "Memory Consistency Model": happens-before consists of program order, barriers, and
// release patterns that acquire patterns observe. Two events race if they conflict, are not morally
// strong, and happens-before does not order them. A cp.async is an event outside its thread's
// order: it follows the thread's earlier events, and the thread's later events follow it only after
// a wait for the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "../../../ptx/memory/access.hpp"

namespace bankproof::ptx {

class RaceOracle {
 public:
  using Thread = std::uint32_t;
  using Event = std::size_t;

  RaceOracle(std::uint32_t threads, std::uint32_t threads_per_block)
      : threads_per_block_(threads_per_block),
        last_(threads),
        copies_(threads),
        groups_(threads),
        seen_(threads),
        fences_(threads),
        releases_(threads) {}

  /// One lane's part of an instruction; all lanes of an instruction have the same number
  /// `instruction`. With `after_copies` the access takes place only when all copies of the thread
  /// are complete.
  void access(Thread thread, const Access& what, std::uint64_t address, std::uint32_t instruction,
              bool after_copies = false) {
    begin(instruction);
    const Event event = add({thread});
    const bool writes = what.operation != Operation::load;
    const bool strong = what.semantics != Semantics::weak;
    for (std::uint32_t k = 0; k < what.vector; ++k) {
      Touch touch{event,
                  thread,
                  address + std::uint64_t{k} * what.element_bytes,
                  what.element_bytes,
                  writes,
                  strong,
                  what.scope == Scope::device,
                  instruction,
                  thread};
      // The acquired events happened before the access itself.
      acquire(touch, what, sources_for(touch, what, published_before_));
      judge(touch);
      publish(touch, what, after_copies ? beside(thread, open_copies(thread)) : event);
    }
  }

  /// One lane's part of a cp.async.
  void copy(Thread thread, std::uint64_t from, std::uint64_t to, std::uint32_t bytes,
            std::uint32_t instruction) {
    begin(instruction);
    const Event event = beside(thread, {});
    const Event agent = last_.size() + event;
    judge({event, thread, from, bytes, false, false, false, instruction, agent});
    const Touch write{event, thread, to, bytes, true, false, false, instruction, agent};
    judge(write);
    publish(write, {Operation::store}, event);
    copies_[thread].push_back(event);
  }
  void commit(Thread thread) {
    groups_[thread].push_back(copies_[thread]);
    copies_[thread].clear();
  }
  /// Waits for all groups of the thread except the last `but_last` groups.
  void wait(Thread thread, std::size_t but_last) {
    const auto& groups = groups_[thread];
    std::vector<Event> complete;
    for (std::size_t k = 0; k + but_last < groups.size(); ++k) {
      complete.insert(complete.end(), groups[k].begin(), groups[k].end());
    }
    add({thread}, complete);
  }
  void wait_for_all(Thread thread) { add({thread}, open_copies(thread)); }

  /// Past events of these threads happen before their future events.
  void barrier(const std::vector<Thread>& threads, const std::vector<Event>& early = {}) {
    add(threads, early);
  }
  Event arrive(Thread thread) { return add({thread}); }

  void fence(Thread thread, bool sequential, bool device) {
    std::set<Event> sources;
    for (const Seen& seen : seen_[thread]) {
      const Source& source = seen.source;
      if (source.sequential && !(sequential && device)) continue;
      if (block(source.thread) == block(thread) ? !source.sequential || seen.device
                                                : seen.device && device && source.device) {
        sources.insert(source.event);
      }
    }
    const Event event = add({thread}, {sources.begin(), sources.end()});
    fences_[thread].push_back({event, thread, device, sequential});
    if (sequential && device) all_sequential_.push_back({event, thread, true, true});
  }

  std::set<std::uint32_t> racing;  // instructions that race with an earlier instruction

 private:
  struct Touch {
    Event event;
    Thread thread;
    std::uint64_t address;
    std::uint32_t bytes;
    bool writes, strong, device;
    std::uint32_t instruction;
    Event agent;  // who makes the access: the thread, or a number for a copy
  };
  /// The event that begins a release pattern: a release, or a fence before a strong write.
  struct Source {
    Event event;
    Thread thread;
    bool device;
    bool sequential;  // another thread's fence.sc; barriers order it before the write
  };
  struct Seen {
    Source source;
    bool device;  // the scope of the read
    std::uint64_t address;
    std::uint32_t bytes;
  };
  struct Release {
    Source source;
    std::uint64_t address;
    std::uint32_t bytes;
  };
  struct Published {
    std::uint32_t bytes = 0;
    std::vector<Source> sources;
    Thread thread = 0;  // the last writer
    bool device = false;
  };

  std::uint32_t block(Thread thread) const { return thread / threads_per_block_; }

  void begin(std::uint32_t instruction) {
    if (instruction == instruction_) return;
    instruction_ = instruction;
    published_before_ = published_;
  }

  /// Judges the access against all earlier accesses, and keeps it, to judge later accesses against
  /// it.
  void judge(const Touch& touch) {
    for (const Touch& other : touches_) {
      if (other.instruction != touch.instruction && conflict(other, touch) &&
          before_[touch.event].count(other.event) == 0 && other.agent != touch.agent) {
        racing.insert(touch.instruction);
      }
    }
    touches_.push_back(touch);
  }

  /// Adds an event that follows the thread's events and `others`. The thread's later events do not
  /// follow this event.
  Event beside(Thread thread, const std::vector<Event>& others) {
    const std::vector<Event> last = last_[thread];
    const Event event = add({thread}, others);
    last_[thread] = last;
    return event;
  }

  std::vector<Event> open_copies(Thread thread) const {
    std::vector<Event> all = copies_[thread];
    for (const auto& group : groups_[thread]) all.insert(all.end(), group.begin(), group.end());
    return all;
  }

  bool conflict(const Touch& a, const Touch& b) const {
    if (a.address + a.bytes <= b.address || b.address + b.bytes <= a.address) return false;
    if (!a.writes && !b.writes) return false;
    const bool in_scope = block(a.thread) == block(b.thread) || (a.device && b.device);
    const bool morally_strong =
        a.strong && b.strong && a.address == b.address && a.bytes == b.bytes && in_scope;
    return !morally_strong;
  }

  /// Adds an event that follows the events of these threads and `others`; all later events of these
  /// threads follow it.
  Event add(const std::vector<Thread>& threads, const std::vector<Event>& others = {}) {
    const Event event = before_.size();
    std::set<Event> before, local;
    const auto follow = [&](std::set<Event>& set, Event one,
                            const std::vector<std::set<Event>>& of) {
      set.insert(one);
      set.insert(of[one].begin(), of[one].end());
    };
    for (const Thread thread : threads) {
      for (const Event one : last_[thread]) {
        follow(before, one, before_);
        follow(local, one, local_);
      }
    }
    for (const Event one : others) follow(before, one, before_);
    before_.push_back(before);
    local_.push_back(local);
    for (const Thread thread : threads) last_[thread] = {event};
    return event;
  }

  /// The sources that a strong read sees: those that a write to the element has published, if read
  /// and write are morally strong.
  std::vector<Source> sources_for(const Touch& touch, const Access& what,
                                  const std::map<std::uint64_t, Published>& published) const {
    const auto found = published.find(touch.address);
    if (what.operation == Operation::store || !touch.strong || found == published.end()) return {};
    const Published& there = found->second;
    const bool in_scope =
        block(there.thread) == block(touch.thread) || (there.device && touch.device);
    return there.bytes == touch.bytes && in_scope ? there.sources : std::vector<Source>{};
  }

  void acquire(const Touch& touch, const Access& what, const std::vector<Source>& sources) {
    if (what.semantics != Semantics::acquire && what.semantics != Semantics::acquire_release) {
      return;
    }
    for (const Source& source : sources) {
      const bool valid =
          block(source.thread) == block(touch.thread) || (touch.device && source.device);
      if (!valid || source.sequential) continue;
      follow(touch.event, source.event);
    }
    // The access also acquires the sources that earlier strong reads of the element by this thread
    // have seen.
    for (const Seen& seen : seen_[touch.thread]) {
      const Source& source = seen.source;
      const bool valid = block(source.thread) == block(touch.thread) ||
                         (touch.device && seen.device && source.device);
      if (!valid || source.sequential || seen.address != touch.address || seen.bytes != touch.bytes)
        continue;
      follow(touch.event, source.event);
    }
  }

  void follow(Event event, Event before) {
    before_[event].insert(before);
    before_[event].insert(before_[before].begin(), before_[before].end());
  }

  /// `released` is an event that follows everything that a release orders: the event of the access,
  /// or a separate event.
  void publish(const Touch& touch, const Access& what, Event released) {
    std::vector<Source> here = sources_for(touch, what, published_);
    for (const Source& source : here)
      seen_[touch.thread].push_back({source, touch.device, touch.address, touch.bytes});
    acquire(touch, what, here);
    if (!touch.writes) return;
    // An element that is overwritten, even in part, publishes nothing any more.
    for (auto at = published_.begin(); at != published_.end();) {
      const bool overlaps =
          at->first < touch.address + touch.bytes && touch.address < at->first + at->second.bytes;
      at = overlaps ? published_.erase(at) : std::next(at);
    }
    if (!touch.strong) return;
    if (what.semantics == Semantics::release || what.semantics == Semantics::acquire_release) {
      here.push_back({released, touch.thread, touch.device, false});
      releases_[touch.thread].push_back(
          {{touch.event, touch.thread, touch.device, false}, touch.address, touch.bytes});
    }
    for (const Release& release : releases_[touch.thread]) {
      if (release.address != touch.address || release.bytes != touch.bytes) continue;
      here.push_back(
          {release.source.event, touch.thread, release.source.device && touch.device, false});
    }
    for (const Source& fence : fences_[touch.thread]) {
      here.push_back({fence.event, touch.thread, fence.device && touch.device, false});
    }
    if (touch.device) {
      for (const Source& fence : all_sequential_) {
        if (fence.thread != touch.thread && local_[touch.event].count(fence.event) != 0) {
          here.push_back(fence);
        }
      }
    }
    published_[touch.address] = {touch.bytes, here, touch.thread, touch.device};
  }

  std::uint32_t threads_per_block_;
  std::vector<std::vector<Event>> last_;                 // of each thread
  std::vector<std::vector<Event>> copies_;               // of each thread: copies in no group
  std::vector<std::vector<std::vector<Event>>> groups_;  // of each thread
  std::vector<std::set<Event>> before_;                  // for each event, all events before it
  std::vector<std::set<Event>> local_;  // events before it by program order and barriers
  std::vector<std::vector<Seen>> seen_;
  std::vector<std::vector<Source>> fences_;
  std::vector<std::vector<Release>> releases_;
  std::vector<Source> all_sequential_;
  std::vector<Touch> touches_;
  std::map<std::uint64_t, Published> published_;
  std::map<std::uint64_t, Published> published_before_;  // before the current instruction
  std::uint32_t instruction_ = ~std::uint32_t{0};
};

}  // namespace bankproof::ptx
