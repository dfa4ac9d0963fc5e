// The common part of all machines: memories with their ports, launches, blocks in slots, barriers,
// and the dispatch of an access. overlapped.hpp and lockstep.hpp decide the order and the times.
//
// A warp's access takes effect when it is dispatched, and the warp's program resumes at once. The
// engine keeps the simulated time at which the warp goes on. A program cannot see the difference:
// programs share only memory, and accesses are dispatched in the order of time.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "block.hpp"
#include "cost.hpp"
#include "fault.hpp"
#include "observer.hpp"
#include "pipeline.hpp"
#include "slot_start.hpp"
#include "warp.hpp"

namespace bankproof {

/// The two ways to count time (docs/model.md, rule 5). Overlapped (MOD 3): an access is dispatched
/// as soon as the port and its warp allow. Lockstep (HMM IV, OPT, THS 5): all warps make one access
/// a round, and rounds do not overlap.
enum class Mode : std::uint8_t { overlapped, lockstep };

/// Choices that the definition of a machine leaves open.
struct Options {
  Mode mode = Mode::overlapped;
  WriterPolicy writers = WriterPolicy::highest;
  std::uint64_t seed = 0;  ///< the seed of random writers and of drift
};

template <class R>
class Overlapped;
template <class R>
class Lockstep;

namespace detail {
/// Whether a parameter of type P outlives the call. A value does. A reference does if it is bound
/// to the argument itself, and does not if the argument was converted to a temporary.
template <class P, class Argument>
inline constexpr bool outlives_call =
    !std::is_reference_v<P> ||
    std::is_convertible_v<std::remove_reference_t<Argument>*, std::remove_reference_t<P>*>;

template <class... P, class... Arguments>
constexpr void require_bound(Program (*)(Warp&, P...), const Arguments&...) {
  static_assert(
      (outlives_call<P, Arguments> && ...),
      "a program's reference parameter would dangle: give it an argument of its own type");
}
}  // namespace detail

/// Common part of the machines of machine.hpp. `R` is Rules or, in a test, rules with a planted
/// bug.
template <class R>
class Engine {
 public:
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  Width width() const { return width_; }
  Mode mode() const { return options_.mode; }
  /// Time units that all launches took so far.
  Time time() const { return now_; }
  /// For example "DMM(w=32, l=5)".
  const std::string& description() const { return description_; }

  /// Reports every event to the observer from now on, until the observer is detached. The observer
  /// must live until it is detached.
  void attach(Observer& observer) { observers_.push_back(&observer); }
  void detach(Observer& observer) { std::erase(observers_, &observer); }

  /// Adds a memory that all threads can read, with a port of its own. An access takes one stage for
  /// each distinct address (CONV 7.3).
  Memory& add_constant_memory(Latency latency) {
    return add_memory("constant", MemoryKind::broadcast, latency, unlimited);
  }

  /// Runs `program(warp, arguments…)` for every warp of the launch and returns the time units that
  /// the launch took. `program` is a function that returns Program. Throws Fault, or the exception
  /// that a program throws. The machine can be used again afterwards.
  template <class F, class... Arguments>
  Time launch(const Launch& shape, F program, Arguments&&... arguments) {
    static_assert(std::is_empty_v<F> || std::is_pointer_v<F>,
                  "a coroutine outlives the captures of a lambda: pass them as arguments");
    if constexpr (requires { +program; }) detail::require_bound(+program, arguments...);
    return run(shape, [&](Warp& warp) -> Program { return program(warp, arguments...); });
  }

 protected:
  struct Limits {
    std::uint64_t resident_threads = unlimited;  ///< the most on one DMM
    Time drift = 0;                              ///< the longest random delay of a DMM
    bool forgets_shared = false;                 ///< shared memories are reset when a launch ends
  };

  Engine(std::string description, Width width, std::uint64_t dmms, Limits limits, Options options);

  Memory& add_memory(std::string name, MemoryKind kind, Latency latency, std::uint64_t capacity) {
    if (latency < 1) throw fault::bad_launch("latency 0: expected at least 1", description_);
    memories_.push_back(std::make_unique<Memory>(std::move(name), kind, width_, latency, capacity));
    memories_.back()->port = memories_.size() - 1;
    return *memories_.back();
  }
  Memory& memory(std::uint64_t number) const { return *memories_[number]; }

 private:
  template <class>
  friend class Overlapped;
  template <class>
  friend class Lockstep;

  Time run(const Launch& shape, std::function<Program(Warp&)> program);
  void forget_shared();
  std::uint64_t slots_for(const Launch& shape) const;
  void prepare(const Launch& shape);
  void clear();

  bool start_due(Time now) const { return !starts_.empty() && starts_.top().time <= now; }
  template <class Scheduler>
  void start_next_block(Scheduler& scheduler);
  template <class Scheduler>
  void open_barriers(Scheduler& scheduler, Time at_least);
  void resume(Warp& warp);
  template <class Scheduler>
  void settle(Scheduler& scheduler, Warp& warp);
  template <class Scheduler>
  void advance(Scheduler& scheduler, Warp& warp) {
    resume(warp);
    settle(scheduler, warp);
  }
  void end_of(Warp& warp);
  std::uint64_t one_of(const BlockState& block, Warp::State state) const;
  void wait_at_barrier(Warp& warp);

  std::uint64_t dispatch(Warp& warp, Time now);
  Pattern pattern_of(const Warp& warp);
  [[noreturn, gnu::noinline]] void reject_foreign(const Warp& warp) const;
  [[noreturn, gnu::noinline]] void reject_out_of_bounds(const Warp& warp) const;
  [[noreturn, gnu::noinline]] void reject_write(const Warp& warp) const;
  [[noreturn, gnu::noinline]] void reject_ended(std::uint64_t ended, std::uint64_t waiting,
                                                const Warp& warp) const;
  [[gnu::noinline]] void shift(Pattern& pattern, Address offset);
  [[gnu::noinline]] void check_declaration(const Pattern& pattern, const Warp& warp);
  [[gnu::noinline]] void show_access(const Warp& warp, Time now, std::uint64_t stages) const;

  std::size_t number_of(const Warp& warp) const {
    return static_cast<std::size_t>(&warp - warps_.data());
  }
  std::size_t number_of(const BlockState& block) const {
    return static_cast<std::size_t>(&block - blocks_.data());
  }
  std::size_t compute_port(const Warp& warp) const { return memories_.size() + warp.dmm(); }
  std::size_t port_of(const Warp& warp) const;
  template <class F>
  void tell(F event) const {
    for (Observer* observer : observers_) event(*observer);
  }

  std::string description_;
  Width width_;
  std::uint64_t dmms_;
  Limits limits_;
  Options options_;
  std::vector<std::unique_ptr<Memory>> memories_;  ///< shared ones first
  std::vector<Observer*> observers_;
  std::mt19937_64 random_;
  StageCounter counter_;
  Time now_ = 0;
  std::uint64_t launches_ = 0;

  // The state of the running launch.
  const Launch* shape_ = nullptr;
  std::function<Program(Warp&)> program_;
  std::uint64_t slots_ = 0;
  std::uint64_t warps_per_block_ = 0;
  std::vector<BlockState> blocks_;         ///< by DMM and slot
  std::vector<Warp> warps_;                ///< by DMM, slot and warp: the cyclic order
  std::vector<std::uint64_t> next_block_;  ///< the next block of each DMM
  std::priority_queue<SlotStart, std::vector<SlotStart>, std::greater<>> starts_;
  std::vector<BlockState*> complete_barriers_;
  Time end_ = 0;
  std::uint64_t rounds_ = 0;  ///< done so far, in lockstep
  std::array<Address, widest_warp> addresses_{};
};

}  // namespace bankproof

#include "engine_impl.hpp"

#ifdef BANKPROOF_INSTANTIATED
namespace bankproof {
extern template class Engine<Rules>;  // instances.cpp
}  // namespace bankproof
#endif
