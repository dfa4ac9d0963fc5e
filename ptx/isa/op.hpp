// A decoded instruction, and the part of a warp's state that every instruction sees.
//
// An instruction is decoded once into an operation: the function that executes the instruction for
// a warp, and the slots of its operands. The function returns the next operation, so that a warp
// runs by `while (op != nullptr) op = op->step(warp, op);`. Null means that the warp stops for now:
// it waits, its time slice is over, or it has ended.
//
// Some operations have operands that are not slots, such as the target of a branch. Their handler
// declares the type of these operands, and StepWith makes the step from the handler. So a step can
// only be paired with operands of its own type; a wrong pairing does not compile:
//
//   const Op* branch(WarpState&, const Op*, const BranchOperands&);                   the handler
//   constinit const StepWith<BranchOperands> branch_step = handled_by<branch>;        its step
//   op.use(branch_step, operands);                                                    the decoder
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "registers.hpp"

namespace bankproof::ptx {

struct Op;

/// lane_bits[lane] is the mask of one lane. Loops that split or build masks read this table instead
/// of shifting, because not every processor has a vector shift by the lane number.
inline constexpr std::array<LaneMask, warp_lanes> lane_bits = [] {
  std::array<LaneMask, warp_lanes> bits{};
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}();

/// Room for the results of a step that must not write all lanes of its destinations. There is a
/// slot of the largest size for each destination. A host thread has one Scratch for all its warps,
/// so that it stays in the cache.
struct alignas(slot_alignment) Scratch {
  static constexpr std::size_t slot = slot_bytes(LaneType::b128);
  std::array<std::byte, 4 * slot> bytes{};
};

/// The part of a warp that arithmetic uses: the frame of the running call, and the lanes that run
/// it. The machine's own warp derives from this struct.
struct WarpState {
  std::byte* frame = nullptr;  // aligned to slot_alignment
  Scratch* scratch = nullptr;  // the scratch of the host thread that runs the warp
  LaneMask active = 0;
  // The same mask with a word per lane: all ones for an active lane, else zero.
  alignas(slot_alignment) std::array<std::uint32_t, warp_lanes> active_lanes{};

  void activate(LaneMask lanes) {
    active = lanes;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      active_lanes[lane] = (lanes & lane_bits[lane]) != 0 ? all_lanes : 0;
    }
  }

  /// The 32 lanes of a register.
  template <class T>
  T* lanes(Slot slot) const {
    return reinterpret_cast<T*>(std::assume_aligned<slot_alignment>(frame + slot));
  }
};

using Step = const Op* (*)(WarpState&, const Op*);

/// The step of operations whose further operands have the type `Operands`; handled_by makes the
/// step from a handler.
template <class Operands>
class StepWith {
 public:
  using Handler = const Op* (*)(WarpState&, const Op*, const Operands&);
  template <Handler handler>
  static constexpr StepWith of() {
    return StepWith(&run<handler>);
  }
  constexpr Step step() const { return step_; }

 private:
  constexpr explicit StepWith(Step made) : step_(made) {}
  template <Handler handler>
  static const Op* run(WarpState& warp, const Op* op);

  Step step_;
};

struct Op {
  Step step = nullptr;
  std::array<Slot, 4> d{no_slot, no_slot, no_slot, no_slot};           // destinations
  std::array<Slot, 5> s{no_slot, no_slot, no_slot, no_slot, no_slot};  // sources
  Slot guard = no_slot;                                                // a predicate
  bool guard_negated = false;
  std::uint32_t site = 0;      // the instruction, in the program's list of sites
  std::int64_t immediate = 0;  // the offset of an address

  /// Gives the operation a step and its operands, which must outlive the operation.
  template <class Operands>
  void use(StepWith<Operands> with, const std::type_identity_t<Operands>& operands) {
    step = with.step();
    operands_ = &operands;
  }
  template <class Operands>
  void use(StepWith<Operands> with, const std::type_identity_t<Operands>&& operands) = delete;

  /// The operands of an operation that uses this step.
  template <class Operands>
  const Operands& operands([[maybe_unused]] StepWith<Operands> with) const {
    assert(step == with.step());
    return *static_cast<const Operands*>(operands_);
  }

  /// Where the operation has the address of its operands, for compiled code.
  const void* place_of_operands() const { return &operands_; }

 private:
  const void* operands_ = nullptr;  // operands of the type that `step` takes; not owned
};

template <class Operands>
template <typename StepWith<Operands>::Handler handler>
const Op* StepWith<Operands>::run(WarpState& warp, const Op* op) {
  return handler(warp, op, op->operands(of<handler>()));
}

/// The operands of a handler.
template <class Handler>
struct HandlerOf;
template <class Operands>
struct HandlerOf<const Op* (*)(WarpState&, const Op*, const Operands&)> {
  using Step = StepWith<Operands>;
};

/// The step that calls `handler(warp, op, operands)`.
template <auto handler>
inline constexpr auto handled_by = HandlerOf<decltype(handler)>::Step::template of<handler>();

/// The active lanes whose guard holds.
inline LaneMask guarded_lanes(const WarpState& warp, const Op* op) {
  if (op->guard == no_slot) return warp.active;
  const auto* predicate = warp.lanes<const std::uint32_t>(op->guard);
  LaneMask mask = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    mask |= predicate[lane] & lane_bits[lane];
  }
  return warp.active & (op->guard_negated ? ~mask : mask);
}

}  // namespace bankproof::ptx
