// A segment: consecutive instructions of a block that are computed strip by strip, with the values
// of registers in registers of the processor.
//
// A strip loads what it reads from the frame, and stores what it writes, for active lanes. It
// stores no temporary, unless an instruction behind the segment reads it.
#pragma once

#include <map>
#include <set>
#include <span>

#include "../compiled/interface.hpp"
#include "ir.hpp"
#include "rows.hpp"

namespace bankproof::ptx::compiled {

/// What the code of a function knows.
struct Around {
  const Ir& ir;
  const Processor& processor;
  const Order& order;
  const Function& function;
  Value code = nullptr;  // the LLVM function
  Value warp = nullptr;
  std::map<Slot, const Constant*> constants;

  bool is_temporary(Slot slot) const { return function.temporary[slot / slot_alignment] != 0; }
  LLVMBasicBlockRef block(const char* name) const {
    return LLVMAppendBasicBlockInContext(ir.context, code, name);
  }
  Value field(std::uint32_t at, Type type) const { return ir.load(type, ir.at(warp, at), 4); }
};

/// A strip of 8 lanes: the values of registers, as far as they are known.
class Strip {
 public:
  /// `lane` is the strip's first lane.
  Strip(const Around& around, Value frame, Value lane)
      : around_(around), ir_(around.ir), frame_(frame), lane_(lane) {}

  Lanes read(Slot slot, LaneType type);
  /// Computes the instruction; false if it is not compiled.
  bool compute(const Instruction& instruction);
  /// Stores the registers that were written; temporaries only if they are in `wanted`.
  void store(const std::set<Slot>& wanted);
  /// The lanes of a predicate, as the low bits of 32.
  Value mask(Slot predicate);

 private:
  Value address(Slot slot, LaneType type) const;
  Value active();
  bool row(const Instruction& instruction, Results& results);

  struct Known {
    Lanes lanes;
    LaneType type = LaneType::b32;
    bool written = false;
  };
  const Around& around_;
  const Ir& ir_;
  Value frame_;
  Value lane_;
  Value active_ = nullptr;
  std::map<Slot, Known> known_;
};

/// The number of instructions at the beginning that one segment computes.
std::size_t compiled_prefix(const Around& around, std::span<const Instruction> instructions);

}  // namespace bankproof::ptx::compiled
