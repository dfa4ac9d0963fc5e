// A decoded kernel: the operations of all functions that it can reach, and the layout of their
// frames.
//
// Decoding happens once. A launch fills in the values that depend on it: special registers,
// parameters, and the addresses of variables.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../alu/row.hpp"
#include "../isa/op.hpp"
#include "../syntax/layout.hpp"
#include "../syntax/syntax.hpp"
#include "slot_contents.hpp"
#include "special_values.hpp"

namespace bankproof::ptx {

class CompiledCode;
struct Family;

/// An instruction of the module.
struct Site {
  std::size_t function = 0;   // in Module::functions
  std::size_t statement = 0;  // in Function::body
  Place place;
  std::uint32_t block = 0;  // in Program::block_sites; the sites of a block are counted together
};

/// A slot that holds the same value in all lanes; the decoder knows the value.
struct ConstantSlot {
  Slot slot = no_slot;
  LaneType type = LaneType::b32;
  std::uint64_t bits = 0;
};

struct SpecialSlot {
  Slot slot = no_slot;
  SpecialValue value;
};

/// A slot with a parameter of the kernel, or with a part of a parameter.
struct ParameterSlot {
  Slot slot = no_slot;
  LaneType type = LaneType::b32;
  std::uint64_t offset = 0;  // in the block of parameters
  std::uint32_t bytes = 0;
  bool sign_extended = false;
};

/// A slot with the address of a variable of the module in global memory.
struct GlobalSlot {
  Slot slot = no_slot;
  std::size_t variable = 0;  // in Program::globals
  std::int64_t offset = 0;
};

/// A slot with an address in the local memory of the call.
struct LocalSlot {
  Slot slot = no_slot;
  std::int64_t offset = 0;
};

/// The place in a frame for a parameter or result of a device function, or for a variable in .param
/// space for a call. Each lane has `bytes` bytes; the lanes follow one another, beginning at
/// `slot`.
struct ParamArea {
  Slot slot = no_slot;
  std::uint32_t bytes = 0;
};

/// Bytes of a frame.
struct FrameRange {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

/// The code of a function, and the layout of the frame that each call gets. Frames are aligned to
/// 64 bytes.
struct FunctionCode {
  std::string name;
  std::size_t function = 0;  // in Module::functions
  std::vector<Op> ops;
  std::size_t frame_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::vector<ConstantSlot> constants;
  SlotContents contents_of_constants;
  std::vector<SpecialSlot> specials;
  std::vector<ParameterSlot> parameter_slots;  // of the kernel
  std::vector<GlobalSlot> globals;
  std::vector<LocalSlot> locals;
  std::vector<ParamArea> parameters;  // of a device function
  std::vector<ParamArea> results;
  // The slots that a call may read before it has written them (first_reads.hpp), and all areas;
  // they begin as zeros. Besides these, a call reads only the slots that a launch fills in, and
  // slots that it has written.
  std::vector<SlotRange> read_first;
  std::vector<Slot> read_by_steps;      // operands of steps other than rows; also written ones
  std::vector<std::uint8_t> temporary;  // for each slot_alignment bytes of the frame
  std::vector<FrameRange> lasting;      // in the order of the frame
};

/// An address in an initializer. The launch writes the address when it fills the variable's memory.
struct Relocation {
  enum class Target : std::uint8_t { number, global };
  std::uint64_t at = 0;     // byte in the variable
  std::uint32_t bytes = 8;  // written, little-endian
  Target target = Target::number;
  std::size_t variable = 0;  // for Target::global, in Program::globals
  std::uint64_t number = 0;  // added to the address of the target
  std::uint32_t shift = 0;   // for a mask: 0xFF00(symbol) takes the byte from bit 8
};

/// A .global variable of the module.
struct GlobalVariable {
  std::string name;  // a function's own variable includes its place: "x, 12:9"
  std::uint64_t bytes = 0;
  std::vector<std::byte> initial;
  std::vector<Relocation> relocations;
};

/// A .const variable of the module that the kernel uses.
struct ConstantVariable {
  std::string name;
  std::uint64_t offset = 0;  // in Program::constant
};

struct Program {
  std::string entry;
  std::string file;
  std::vector<std::unique_ptr<FunctionCode>> functions;  // the kernel first
  std::vector<Site> sites;
  std::vector<std::uint32_t> block_sites;  // the number of sites of each counted block
  std::vector<KernelParameter> parameters;
  std::uint64_t parameter_bytes = 0;
  std::uint64_t shared_bytes = 0;    // the bytes of variables
  std::uint64_t dynamic_shared = 0;  // where .extern .shared arrays begin
  std::uint64_t dynamic_alignment = 16;
  std::vector<std::byte> constant;
  std::vector<Relocation> constant_relocations;
  std::vector<ConstantVariable> constants;
  std::vector<GlobalVariable> globals;
  bool precise = false;       // an instruction needs exact clocks of threads (needs_exact_clocks)
  bool copies = false;        // an instruction is cp.async
  bool communicates = false;  // blocks may communicate within a launch
  bool differs_by_launch = false;  // reads a clock or the launch's number, or uses the heap
  bool uses_heap = false;          // calls malloc, free or the like
  bool launches = false;           // calls what launches kernels
  // Set by the first launch whose merged records suspected a race (RaceRecording): later launches
  // begin without merging. Only their speed depends on it.
  std::shared_ptr<std::atomic<bool>> merging_misleads = std::make_shared<std::atomic<bool>>(false);
  std::vector<std::uint64_t> most_threads;            // .maxntid, .reqntid
  bool requires_shape = false;                        // .reqntid: the block has exactly this shape
  std::vector<std::shared_ptr<const void>> operands;  // the operands of operations (Op::use)

  std::shared_ptr<CompiledCode> compiled;  // what is known of its compiled code

  std::uint64_t local_bytes = 0;  // per lane, for all calls that can be open at once
  // Of a kernel that launches: the bytes at the end of its local memory in which it writes the
  // parameters of children.
  std::uint64_t parameter_buffers = 0;
  // The sites before it are those of other kernels of its family.
  std::uint32_t first_site = 0;
  std::vector<std::size_t> kernels;      // in Module::functions; those whose address is taken
  std::shared_ptr<const Family> family;  // null unless it is a kernel that launches
  // The functions whose address is taken, each with its address.
  std::vector<std::pair<std::uint64_t, const FunctionCode*>> addresses;

  /// Null if no function has that address.
  const FunctionCode* function_at(std::uint64_t address) const {
    for (const auto& [at, code] : addresses) {
      if (at == address) return code;
    }
    return nullptr;
  }

  template <class T>
  T* keep(T value) {
    auto kept = std::make_shared<T>(std::move(value));
    T* const pointer = kept.get();
    operands.push_back(std::move(kept));
    return pointer;
  }
};

/// An instruction that this machine does not know: `unsupported: opcode, file:line:column`.
class UnsupportedInstruction : public Error {
 public:
  UnsupportedInstruction(const std::string& what, std::string_view file, const Site& site)
      : Error("unsupported: " + what, file, site.place), what_(what), site_(site) {}

  /// Without the place.
  const std::string& instruction() const { return what_; }
  const Site& site() const { return site_; }

 private:
  std::string what_;
  Site site_;
};

/// Decodes the kernel `entry`. Throws UnsupportedInstruction. Throws Error if the module has no
/// such kernel, or uses anything else that this machine does not know. `level` selects the rows of
/// arithmetic.
Program decode(const Module& module, const std::string& entry, Level level = best_level());

}  // namespace bankproof::ptx
