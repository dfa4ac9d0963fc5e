// Lockstep time (docs/model.md, rule 5; HMM IV, OPT II, THS 5): rounds do not overlap. In a round,
// each warp that has not ended and does not wait at a barrier makes its next access, on any memory.
// The round lasts as long as its slowest memory, which takes k+l−1 for k stages in all. An empty
// access takes part in the round and costs nothing. Barriers open and blocks start between rounds.
#pragma once

#include <algorithm>
#include <vector>

#include "engine.hpp"
#include "pipeline.hpp"

namespace bankproof {

template <class R>
class Lockstep {
 public:
  explicit Lockstep(Engine<R>& engine)
      : engine_(engine), stages_(engine.memories_.size() + engine.dmms_), now_(engine.now_) {}

  void run() {
    std::vector<Warp*> part;  // the warps of the round
    for (;;) {
      between_rounds();
      if (waiting_ == 0) return;
      part.clear();
      std::fill(stages_.begin(), stages_.end(), 0);
      choose_absent_dmms();
      for (Warp& warp : engine_.warps_) {
        if (takes_part(warp)) {
          make_access(warp);
          engine_.resume(warp);
          part.push_back(&warp);
        }
      }
      now_ += duration();
      ++engine_.rounds_;
      waiting_ -= part.size();
      for (Warp* warp : part) {
        warp->ready = now_;
        engine_.settle(*this, *warp);
      }
    }
  }

  void wait(Warp&, std::size_t) { ++waiting_; }
  void wait_for_nothing(Warp&) { ++waiting_; }

 private:
  void between_rounds() {
    for (;;) {
      engine_.open_barriers(*this, now_);
      if (!engine_.start_due(now_)) return;
      engine_.start_next_block(*this);
    }
  }

  bool takes_part(const Warp& warp) const {
    return (warp.state == Warp::State::access || warp.state == Warp::State::compute ||
            warp.state == Warp::State::empty) &&
           (absent_.empty() || !absent_[warp.dmm()]);
  }

  void make_access(Warp& warp) {
    if (warp.state == Warp::State::access) {
      const std::size_t port = warp.pending->array->memory().port;
      if (on_pram()) {
        stages_[port] = std::max(stages_[port], engine_.dispatch(warp, now_));
      } else {
        stages_[port] += engine_.dispatch(warp, now_ + stages_[port]);
      }
    } else if (warp.state == Warp::State::compute) {
      std::uint64_t& operations = stages_[engine_.compute_port(warp)];
      operations = on_pram() ? std::max(operations, warp.operations) : operations + warp.operations;
    }
  }

  /// On the PRAM no processor waits for another: each has its own port and arithmetic.
  bool on_pram() const { return engine_.memories_[0]->kind() == MemoryKind::uniform; }

  Time duration() const {
    Time longest = 0;
    for (std::size_t port = 0; port < stages_.size(); ++port) {
      if (stages_[port] == 0) continue;
      const bool is_memory = port < engine_.memories_.size();
      const Latency latency = is_memory ? engine_.memories_[port]->latency() : 1;
      longest = std::max(longest, R::completion(0, stages_[port], latency));
    }
    return longest;
  }

  /// On an asynchronous machine some DMMs miss some rounds.
  void choose_absent_dmms() {
    if (engine_.limits_.drift == 0) return;
    absent_.resize(engine_.dmms_);
    for (auto&& absent : absent_) absent = engine_.random_() % 4 == 0;
  }

  Engine<R>& engine_;
  /// The stages of this round, on each memory, then on each DMM's arithmetic.
  std::vector<std::uint64_t> stages_;
  std::vector<bool> absent_;
  std::size_t waiting_ = 0;  ///< warps that will take part in the next round
  Time now_;
};

}  // namespace bankproof
