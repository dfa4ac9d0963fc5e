// Asynchronous operations that have been enqueued and not executed yet.
//
// A GPU may execute unordered operations in any order, and late. With schedule 0 each operation is
// executed when it is enqueued. With another schedule it waits until somebody waits for it; then
// pseudo-random ready operations are executed until the awaited ones are done. Every execution that
// the order allows is the execution of some sequence of draws. The schedule is the seed: the same
// program with the same schedule is executed in the same order.
//
//     PendingOperations pending(1);
//     pending.add(order.begin(stream, host), [] { … });
//     order.synchronize(host, stream);
//     pending.run_until(order.known(host));
//
// Enqueuing and waiting cost the timelines that have pending operations; execution adds the edges
// between neighboring operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "clock.hpp"

namespace bankproof::cuda {

/// Actions do not call this object, and do not throw. The caller has one lock for all calls; an
/// action may give it away, so that other threads call this object meanwhile. Operations that wait
/// for such an action are not executed before it has ended, whatever the schedule.
class PendingOperations {
 public:
  explicit PendingOperations(std::uint64_t schedule = 0) { set_schedule(schedule); }
  PendingOperations(const PendingOperations&) = delete;
  PendingOperations& operator=(const PendingOperations&) = delete;
  virtual ~PendingOperations() = default;

  /// Executes what is pending, and starts the schedule from its beginning.
  void set_schedule(std::uint64_t schedule);

  /// Where another thread has to end an action first, wait() lets it.
  void set_wait(std::function<void()> wait) { wait_ = std::move(wait); }

  /// Operations are added in the order in which Order names them.
  void add(const Operation& operation, std::function<void()> action);
  /// Executes operations until all that the clock knows are done.
  void run_until(const Clock& clock);
  void run_all();

  std::size_t size() const { return pending_.size(); }
  /// What is known to all that later operations know, and to all pending operations: AccessHistory
  /// may forget it.
  Clock known_to_all(Clock known_to_later) const;

 protected:
  /// Whether the operation has to wait for an earlier one. Tests replace this rule, to show that
  /// they would notice.
  virtual bool waits_for(const Operation& operation, Name earlier) const {
    return operation.happens_after(earlier);
  }

 private:
  struct Pending {
    Clock before;
    std::function<void()> action;
    std::size_t awaited = 0;  // how many pending operations it waits for,
    std::vector<Name> later;  // and which operations wait for it
  };
  using ByName = std::map<Name, Pending>;

  ByName::const_iterator next_timeline(ByName::const_iterator at) const;
  std::size_t pending_in(const Clock& clock) const;
  Name draw();
  /// Executes the operation; with schedule 0, and those that have only waited for it.
  void run(Name name);
  void run_one(Name name);

  ByName pending_;
  std::vector<Name> ready_;
  std::uint64_t schedule_ = 0;
  std::mt19937_64 random_;
  std::function<void()> wait_ = [] {};
  std::uint64_t executed_ = 0;  // so far
};

}  // namespace bankproof::cuda
