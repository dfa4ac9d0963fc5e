// One instruction on one warp: operands in slots of a frame, the step of a row, results.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "../../../ptx/alu/row.hpp"
#include "oracle.hpp"

namespace bankproof::ptx {

using Lanes = std::array<Bits, warp_lanes>;

/// A frame with slots for the operands of a row and a guard.
class Warp {
 public:
  explicit Warp(const Row& row) : row_(row) {
    Slot end = 0;
    const auto place = [&](auto& slots, const std::vector<LaneType>& types) {
      for (std::size_t i = 0; i < types.size(); ++i) {
        slots.at(i) = end;
        end += static_cast<Slot>(slot_bytes(types[i]));
      }
    };
    place(op_.d, row.destinations);
    place(op_.s, row.sources);
    guard_ = end;
    end += static_cast<Slot>(slot_bytes(LaneType::predicate));
    memory_.resize(end / slot_alignment);
    state_.frame = memory_[0].bytes;
    state_.scratch = scratch_.get();
    state_.activate(all_lanes);
  }

  void set_source(std::size_t i, const Lanes& lanes) {
    write(op_.s.at(i), row_.sources.at(i), lanes);
  }
  void set_destination(std::size_t i, const Lanes& lanes) {
    write(op_.d.at(i), row_.destinations.at(i), lanes);
  }
  Lanes destination(std::size_t i) const { return read(op_.d.at(i), row_.destinations.at(i)); }

  /// Lets a destination use the slot of a source, which has to have the same type.
  void alias(std::size_t destination, std::size_t source) {
    op_.d.at(destination) = op_.s.at(source);
  }

  void activate(LaneMask lanes) { state_.activate(lanes); }
  void set_guard(const Lanes& lanes, bool negated) {
    write(guard_, LaneType::predicate, lanes);
    op_.guard = guard_;
    op_.guard_negated = negated;
  }
  LaneMask lanes() const { return guarded_lanes(state_, &op_); }

  /// Runs the step; true if it continues with the next operation.
  bool run() { return row_.step(state_, &op_) == &op_ + 1; }

 private:
  struct alignas(slot_alignment) Line {
    std::byte bytes[slot_alignment];
  };

  void write(Slot slot, LaneType type, const Lanes& lanes) {
    for (std::size_t i = 0; i < warp_lanes; ++i) {
      std::memcpy(state_.frame + slot + i * lane_bytes(type), &lanes[i], lane_bytes(type));
    }
  }
  Lanes read(Slot slot, LaneType type) const {
    Lanes lanes{};
    for (std::size_t i = 0; i < warp_lanes; ++i) {
      std::memcpy(&lanes[i], state_.frame + slot + i * lane_bytes(type), lane_bytes(type));
    }
    return lanes;
  }

  const Row& row_;
  Op op_;
  Slot guard_ = 0;
  std::vector<Line> memory_;
  std::unique_ptr<Scratch> scratch_ = std::make_unique<Scratch>();
  WarpState state_;
};

}  // namespace bankproof::ptx
