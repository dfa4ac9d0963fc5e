// Instructions that access memory: what they mean, and the steps that execute them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "../isa/level.hpp"
#include "../isa/op.hpp"
#include "../syntax/syntax.hpp"
#include "spaces.hpp"

namespace bankproof::ptx {

enum class Operation : std::uint8_t {
  load,
  store,
  atomic,     // atom: with a result
  reduction,  // red: without one
  prefetch,   // nothing happens
  copy,       // cp.async: global to shared
};

/// PTX ISA, "Memory Consistency Model": volatile is relaxed with the scope of the system.
enum class Semantics : std::uint8_t { weak, relaxed, acquire, release, acquire_release };
enum class Scope : std::uint8_t { block, device };  // .cta; .cluster, .gpu, .sys

enum class AtomicOperation : std::uint8_t {
  none,
  exchange,
  compare_and_swap,
  add,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  increment,
  decrement,
  arrive,          // at an mbarrier (mbarrier.hpp)
  arrive_and_drop  // like `arrive`, and drops out of all later phases
};

struct Access {
  Operation operation = Operation::load;
  Space space = Space::global;
  bool generic = false;  // no state space is written
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::device;
  std::uint32_t element_bytes = 4;
  std::uint32_t vector = 1;    // number of elements; f16x2 is one of 4 bytes
  bool sign_extended = false;  // ld.s8 and the like
  AtomicOperation atomic = AtomicOperation::none;
  Number number = Number::bits;  // for atomic operations; loads and stores move bits
  bool packed = false;           // atom.add.noftz.f16x2: `element_bytes` counts the pair
  bool operator==(const Access&) const = default;

  /// The number of bytes that one lane accesses. They are contiguous, and aligned to their number.
  std::uint32_t bytes() const { return element_bytes * vector; }

  /// The number of bytes that one atomic or other strong access changes or reads at once: half of a
  /// packed number (PTX ISA, "Packed Data-types").
  std::uint32_t bytes_at_once() const { return packed ? element_bytes / 2 : element_bytes; }
};

/// Throws Error "unsupported: opcode, file:line:column". Knows ld, ldu, st, atom, red, prefetch,
/// prefetchu, cp.async.ca and cp.async.cg.
Access access_of(const Instruction& instruction, std::string_view file);

/// Whether access_of knows the opcode's base. cp.async.commit_group, cp.async.wait_group and
/// cp.async.wait_all are no accesses.
bool is_access(const Instruction& instruction);

struct MemoryOperands;
struct MemoryWarp;
/// A short way: performs an access of these lanes if it needs nothing unusual, and returns true.
/// Otherwise returns false, and has changed nothing.
using PerformShort = bool (*)(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                              LaneMask lanes);
/// Likewise for all lanes of a warp, which must be a MemoryWarp, if lane l accesses the bytes from
/// begin + l * Access::bytes() on.
using PerformRow = bool (*)(WarpState& warp, const Op* op, const MemoryOperands& operands,
                            std::uint64_t begin);

/// The operands of an access. Op::immediate is added to the address. In .param space,
/// MemoryOperands describe only loads of a launch's parameters: the parameters of device functions
/// lie in frames (exec/system.hpp).
struct MemoryOperands {
  Access access;
  Slot address = no_slot;    // no_slot: Op::immediate is the address
  bool wide_address = true;  // 64 bits; else 32, zero-extended after the offset is added
  // Loads: bit i is set if nothing uses byte i, of the first 16 (flow/used_bits.hpp).
  std::uint16_t unused_bytes = 0;
  // Loads: no lane uses what it loads (flow/overwritten_loads.hpp).
  bool unused = false;
  // Loads: lanes in which this predicate has this value do not use what they load
  // (flow/selected_loads.hpp); no_slot: any lane may.
  Slot unused_if = no_slot;
  bool unused_value = false;
  // Loads and stores: a slot for each element of a vector; a load drops an element whose slot is
  // no_slot. atom: the result (no_slot if it is unused), then the operands (for cas, the compared
  // value and the new value). red: the operands. cp.async: empty. A slot's lane is at least as wide
  // as an element: loads extend the element, stores cut the lane.
  std::vector<Slot> values;
  LaneType type = LaneType::b32;  // the type of all values
  // cp.async: `source` has the address in global memory from which it copies to `address`. Only
  // source_bytes bytes are read, and zeros fill the rest; no_slot: all bytes are read.
  Slot source = no_slot;
  std::int64_t source_offset = 0;
  Slot source_bytes = no_slot;
  // cp.async.mbarrier.arrive: the arrival comes after the lane's copies.
  bool after_copies = false;
  // The short ways of loads and stores, in this order; null if these operands have none.
  PerformShort row = nullptr;        // lane_rows.hpp: looks for a row, and calls row_at for it
  PerformShort broadcast = nullptr;  // broadcasts.hpp
  PerformShort scattered = nullptr;  // scattered_lanes.hpp, small_rows.hpp
  PerformRow row_at = nullptr;       // null if `row` is
};

/// The step that executes the access for a warp, which must be a MemoryWarp; it returns op + 1.
StepWith<MemoryOperands> step_of(const Access& access);

/// Whether an access with these operands may take a short way: a weak load or store of elements
/// that fill their registers, in global or shared memory.
bool has_short_way(const MemoryOperands& operands);

/// Sets the short ways of the operands, which are complete otherwise.
void choose_short_ways(MemoryOperands& operands, Level level);

/// Whether races of a kernel with this instruction can be judged only with a clock for each thread.
/// This holds for fences, for acquire and release, and for barriers of only some threads of the
/// block or warp.
bool needs_exact_clocks(const Instruction& instruction);

}  // namespace bankproof::ptx
