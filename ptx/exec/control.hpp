// Instructions that decide what comes next: branches, calls, returns, ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../isa/op.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// The first operation of every basic block. If the block is the reconvergence point of the current
/// split, the operation ends the split; otherwise it counts the visit. Op::immediate is the number
/// of the block.
const Op* block_step(WarpState& state, const Op* op);

/// bra without a guard; the operand of the step is the operation to which the branch goes. Backward
/// branches end time slices.
extern const StepWith<Op> jump_step;
extern const StepWith<Op> jump_back_step;

/// bra with a guard.
struct BranchOperands {
  const Op* target = nullptr;
  const Op* reconvergence = nullptr;  // the immediate post-dominator; may be null
};
extern const StepWith<BranchOperands> branch_step;
extern const StepWith<BranchOperands> branch_back_step;

/// brx.idx: s[0] is the index. An index out of range ends the launch.
struct TableOperands {
  std::vector<const Op*> targets;
  const Op* reconvergence = nullptr;
  bool backward = false;
};
extern const StepWith<TableOperands> table_step;

/// exit, and ret of a kernel.
const Op* exit_step(WarpState& state, const Op* op);
/// ret of a device function.
const Op* return_step(WarpState& state, const Op* op);

/// trap, brkpt: end the launch.
struct TrapOperands {
  std::string why;
};
extern const StepWith<TrapOperands> trap_step;

/// call: s[0] is the address of the function if the call is indirect.
struct CallOperands {
  const FunctionCode* function = nullptr;  // null: an indirect call
  std::vector<ParamArea> arguments;
  std::vector<ParamArea> results;
};
extern const StepWith<CallOperands> call_step;

/// The address of a function, for mov and indirect calls. These addresses lie outside of the
/// windows of all state spaces.
constexpr std::uint64_t function_address(std::size_t index) {
  return (std::uint64_t{5} << 32U) + 16 * (std::uint64_t{index} + 1);
}

/// The greatest depth of nested calls.
inline constexpr std::uint32_t most_calls = 1024;

}  // namespace bankproof::ptx
