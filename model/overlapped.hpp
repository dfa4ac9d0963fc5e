// Overlapped time (docs/model.md, rule 5; MOD 3): each memory dispatches whenever its port is free
// and a warp is ready. Time jumps from event to event: the start of a block, or a dispatch.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "engine.hpp"
#include "pipeline.hpp"

namespace bankproof {

template <class R>
class Overlapped {
 public:
  explicit Overlapped(Engine<R>& engine)
      : engine_(engine),
        ports_(engine.memories_.size() + engine.dmms_, Pipeline<R>(engine.warps_.size())),
        next_(ports_.size(), never),
        in_use_(engine.memories_.size()) {}

  void run() {
    for (;;) {
      const Time next_dispatch = earliest_dispatch();
      if (engine_.start_due(next_dispatch)) {
        engine_.start_next_block(*this);
      } else if (next_dispatch != never) {
        for (std::size_t port = 0; port < in_use_; ++port) {
          if (next_[port] == next_dispatch) dispatch(port, next_dispatch);
        }
      } else {
        return;
      }
      engine_.open_barriers(*this, 0);
    }
  }

  /// The warp waits for the port from the time warp.ready on.
  void wait(Warp& warp, std::size_t port) {
    // The ports of the DMMs' arithmetic come last. Most programs do not use them, so they are
    // skipped until a warp does.
    if (port >= in_use_) in_use_ = ports_.size();
    ports_[port].arrive(engine_.number_of(warp), warp.ready + drift());
    next_[port] = ports_[port].next_dispatch();
  }
  void wait_for_nothing(Warp&) {}  // never called: an empty access does not stop a program

 private:
  Time earliest_dispatch() const {
    Time earliest = next_[0];
    for (std::size_t port = 1; port < in_use_; ++port) earliest = std::min(earliest, next_[port]);
    return earliest;
  }

  void dispatch(std::size_t port, Time now) {
    Warp& warp = engine_.warps_[ports_[port].choose(now)];
    if (warp.state == Warp::State::compute) {
      ports_[port].hold(now, warp.operations);
      warp.ready = R::completion(now, warp.operations, 1);
    } else {
      const std::uint64_t stages = engine_.dispatch(warp, now);
      const Memory& memory = *engine_.memories_[port];
      ports_[port].hold(now, memory.kind() == MemoryKind::uniform ? 0 : stages);
      warp.ready = R::completion(now, stages, memory.latency());
    }
    next_[port] = ports_[port].next_dispatch();
    engine_.advance(*this, warp);
  }

  /// The delay of an arrival at a port. On an asynchronous machine, one arrival in four gets a
  /// random delay up to the maximum.
  Time drift() {
    const Time most = engine_.limits_.drift;
    if (most == 0 || engine_.random_() % 4 != 0) return 0;
    return std::uniform_int_distribution<Time>(0, most)(engine_.random_);
  }

  Engine<R>& engine_;
  std::vector<Pipeline<R>> ports_;  ///< the ports of the memories, then of the DMMs' arithmetic
  std::vector<Time> next_;          ///< next_dispatch() of each port
  std::size_t in_use_;
};

}  // namespace bankproof
