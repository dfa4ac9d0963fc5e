// What the engine and the plug-in that compiles kernels (ptx/llvm) know of each other.
//
// The engine describes functions: blocks of instructions, each a row of arithmetic or something
// that the code calls. The plug-in makes an object file from them, which the engine may keep, and
// loads object files. The compiled code of a function works on the same frames, counts and
// operations as the interpreter, and gives back the operation at which the interpreter goes on. So
// each may take over from the other at the beginning of any block.
//
// Engine and plug-in are built at different times, perhaps: a plug-in of another version is
// refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../isa/op.hpp"

namespace bankproof::ptx::compiled {

inline constexpr std::uint32_t interface_version = 3;

/// Runs the function from the beginning of a block. The block's first operation has found that the
/// split goes on; the visit is not counted yet. `ops` is the function's first operation.
using Run = const Op* (*)(WarpState& warp, const Op* ops, std::uint32_t block);

enum class Kind : std::uint8_t {
  row,     // arithmetic
  shift,   // d[0] = s[0] + immediate, 64 bits: an address in another window
  jump,    // to the block `target`
  branch,  // the same for the lanes for which the guard holds
  access,  // a load or store: the code calls PerformRow if all lanes are active and make a row
  other,   // the code calls the operation's step
};

struct Instruction {
  Kind kind = Kind::other;
  bool backward = false;  // a jump or branch that may end a time slice
  bool guard_negated = false;
  std::uint8_t destinations = 0;
  std::uint8_t sources = 0;
  std::array<LaneType, 4> d_type{};
  std::array<LaneType, 5> s_type{};
  std::array<Slot, 4> d{};
  std::array<Slot, 5> s{};
  Slot guard = no_slot;
  std::uint32_t target = 0;
  std::int64_t immediate = 0;
  std::uint32_t bytes = 0;  // that a lane accesses, from the address s[0] + immediate on
  const char* opcode = "";  // the row's
};

/// Its first operation, which the compiled code replaces too, is `op`. The operations of its
/// instructions follow.
struct Block {
  std::uint32_t op = 0;
  std::uint32_t count = 0;  // the number of its counter
  std::uint32_t size = 0;
  const Instruction* instructions = nullptr;
};

struct Constant {
  Slot slot = no_slot;
  LaneType type = LaneType::b32;
  std::uint64_t bits = 0;
};

struct Function {
  const char* symbol = "";  // the name of its code
  std::uint32_t size = 0;
  const Block* blocks = nullptr;
  std::uint32_t constants_size = 0;
  const Constant* constants = nullptr;
  /// For each slot_alignment bytes of the frame, whether they are of a temporary: a register that
  /// need not be in the frame (exec/temporaries.hpp).
  std::uint32_t lines = 0;
  const std::uint8_t* temporary = nullptr;
};

/// Where the parts of a warp and of an operation lie, in bytes.
struct Layout {
  std::uint32_t frame = 0;
  std::uint32_t active = 0;
  std::uint32_t active_lanes = 0;
  std::uint32_t active_count = 0;
  std::uint32_t reconvergence = 0;
  std::uint32_t slice = 0;
  std::uint32_t counts = 0;  // a pointer to pairs of visits and lanes
  std::uint32_t op_bytes = 0;
  std::uint32_t op_step = 0;
  std::uint32_t op_operands = 0;  // a pointer to MemoryOperands
  std::uint32_t row_at = 0;       // in MemoryOperands, a pointer to a PerformRow
};

/// A bug that a test plants, to see that it is found.
enum class Mistake : std::uint8_t {
  none,
  rounds_twice,
  passes_nan_on,  // gives a NaN as the processor does
  forgets_mask,
  stores_no_temporary,
  counts_no_lanes,
  keeps_addresses  // forgets that a register has changed
};

struct Order {
  Layout layout;
  std::uint32_t size = 0;
  const Function* functions = nullptr;
  Mistake mistake = Mistake::none;
};

/// The bytes of an object file, or why there is none. Valid until the next call by the same thread.
struct Object {
  const void* data = nullptr;
  std::size_t bytes = 0;
  const char* why = nullptr;
};

struct Compiler {
  std::uint32_t version = interface_version;
  std::uint32_t op_bytes = sizeof(Op);
  /// The compiler's version and the processor, for a person.
  const char* shown = "";
  /// The same with the processor's features: object files of another name are not loaded.
  const char* name = "";
  Object (*compile)(const Order& order) = nullptr;
  /// Loads an object file; null if it cannot.
  void* (*load)(const void* data, std::size_t bytes) = nullptr;
  /// The code of a function; null if the object file has none of that name.
  Run (*find)(void* loaded, const char* symbol) = nullptr;
  void (*unload)(void* loaded) = nullptr;
  /// Whether the code of this row calls no step.
  bool (*knows)(const Instruction& row) = nullptr;
};

}  // namespace bankproof::ptx::compiled

/// What a plug-in exports; null if it has not this version of the interface, or cannot run here.
extern "C" const bankproof::ptx::compiled::Compiler* bankproof_compiler(std::uint32_t version);
