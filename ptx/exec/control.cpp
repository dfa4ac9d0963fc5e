// The control flow of a warp.
#include "control.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "block_run.hpp"
#include "compiled_code.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

namespace {

const Op* diverge_at(Warp& warp, const Op* op, LaneMask taken, const BranchOperands& branch) {
  const std::array<Path, 2> paths{{{branch.target, taken}, {op + 1, warp.active & ~taken}}};
  return diverge(warp, paths, branch.reconvergence);
}

const Op* stop(Warp& warp, const Op* op, LaneMask lanes, const std::string& why) {
  warp.run->stop(op, warp, lanes, [&] { return why; });
  return nullptr;
}

}  // namespace

const Op* block_step(WarpState& state, const Op* op) {
  Warp& warp = warp_of(state);
  if (op == warp.reconvergence) return reconverge(warp);
  if (warp.pieces != nullptr) {
    const CompiledPiece& piece = warp.pieces[op->immediate];
    if (piece.run != nullptr) return piece.run(warp, piece.ops, piece.block);
  }
  BlockCount& count = warp.counts[op->immediate];
  ++count.visits;
  count.lanes += warp.active_count;
  return op + 1;
}

namespace {

const Op* take_jump(WarpState& /*state*/, const Op* /*op*/, const Op& target) { return &target; }

const Op* take_jump_back(WarpState& state, const Op* /*op*/, const Op& target) {
  Warp& warp = warp_of(state);
  if (--warp.slice == 0) return end_slice(warp, &target);
  return &target;
}

const Op* take_branch(WarpState& state, const Op* op, const BranchOperands& branch) {
  const LaneMask taken = guarded_lanes(state, op);
  if (taken == 0) return op + 1;
  if (taken == state.active || branch.target == op + 1) return branch.target;
  return diverge_at(warp_of(state), op, taken, branch);
}

const Op* take_branch_back(WarpState& state, const Op* op, const BranchOperands& branch) {
  Warp& warp = warp_of(state);
  const LaneMask taken = guarded_lanes(state, op);
  if (taken == 0) return op + 1;
  const Op* const next =
      taken == state.active ? branch.target : diverge_at(warp, op, taken, branch);
  if (next != nullptr && --warp.slice == 0) return end_slice(warp, next);
  return next;
}

const Op* take_branch_of_table(WarpState& state, const Op* op, const TableOperands& table) {
  Warp& warp = warp_of(state);
  const auto* const index = warp.lanes<const std::uint32_t>(op->s[0]);
  const LaneMask lanes = guarded_lanes(warp, op);
  std::array<Path, warp_lanes + 1> paths;
  std::size_t count = 0;
  const auto add = [&](const Op* to, LaneMask mask) {
    for (std::size_t i = 0; i < count; ++i) {
      if (paths[i].to != to) continue;
      paths[i].lanes |= mask;
      return;
    }
    paths[count++] = {to, mask};
  };
  if (lanes != warp.active) add(op + 1, warp.active & ~lanes);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const LaneMask lane = left & (0U - left);
    const std::uint32_t entry = index[std::countr_zero(left)];
    if (entry >= table.targets.size()) {
      return stop(warp, op, lane,
                  "index " + std::to_string(entry) + " of a table of " +
                      std::to_string(table.targets.size()) + " branches");
    }
    add(table.targets[entry], lane);
  }
  const Op* const next =
      count == 1 ? paths[0].to : diverge(warp, std::span(paths).first(count), table.reconvergence);
  if (table.backward && next != nullptr && --warp.slice == 0) return end_slice(warp, next);
  return next;
}

}  // namespace

constinit const StepWith<Op> jump_step = handled_by<take_jump>;
constinit const StepWith<Op> jump_back_step = handled_by<take_jump_back>;
constinit const StepWith<BranchOperands> branch_step = handled_by<take_branch>;
constinit const StepWith<BranchOperands> branch_back_step = handled_by<take_branch_back>;
constinit const StepWith<TableOperands> table_step = handled_by<take_branch_of_table>;

const Op* exit_step(WarpState& state, const Op* op) {
  const LaneMask lanes = guarded_lanes(state, op);
  return lanes == 0 ? op + 1 : exit_lanes(warp_of(state), lanes, op + 1);
}

namespace {

const Op* trap(WarpState& state, const Op* op, const TrapOperands& operands) {
  const LaneMask lanes = guarded_lanes(state, op);
  if (lanes == 0) return op + 1;
  return stop(warp_of(state), op, lanes, operands.why);
}

// Copies an argument or a result of each lane from one frame to another.
void copy_area(const std::byte* from, const ParamArea& source, std::byte* to,
               const ParamArea& target, LaneMask lanes) {
  const std::uint32_t bytes = std::min(source.bytes, target.bytes);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    std::memcpy(to + target.slot + lane * target.bytes, from + source.slot + lane * source.bytes,
                bytes);
  }
}

const Op* call_function(WarpState& state, const Op* op, const CallOperands& operands) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  if (lanes != warp.active) {
    const std::array<Path, 2> paths{{{op, lanes}, {op + 1, warp.active & ~lanes}}};
    return diverge(warp, paths, nullptr);
  }
  const Frame& frame = *warp.current->frame;
  bool too_deep = false;
  std::array<Callee, warp_lanes> callees;
  std::size_t count = 0;
  const auto add = [&](const FunctionCode& code, LaneMask mask) {
    callees[count++] = {warp.run->take_frame(code, warp, &frame), mask};
    const Program& program = warp.run->program();
    too_deep = too_deep || frame.local + frame.code->local_bytes + code.local_bytes >
                               program.local_bytes - program.parameter_buffers;
  };
  if (operands.function != nullptr) {
    add(*operands.function, lanes);
  } else {
    const auto* const addresses = warp.lanes<const std::uint64_t>(op->s[0]);
    for (LaneMask left = lanes; left != 0;) {
      const std::uint64_t address = addresses[std::countr_zero(left)];
      LaneMask same = 0;
      for (LaneMask rest = left; rest != 0; rest &= rest - 1) {
        if (addresses[std::countr_zero(rest)] == address) same |= rest & (0U - rest);
      }
      const FunctionCode* const code = warp.run->program().function_at(address);
      if (code == nullptr)
        return stop(warp, op, same, "a call of something that is not a function");
      add(*code, same);
      left &= ~same;
    }
  }
  if (frame.depth + 1 >= most_calls) {
    return stop(warp, op, lanes,
                "this call nests " + std::to_string(frame.depth + 1) +
                    " deep, and the machine's calls at most " + std::to_string(most_calls - 1));
  }
  if (too_deep) {
    return stop(warp, op, lanes,
                "this call nests " + std::to_string(frame.depth + 1) +
                    " deep and needs more local memory than the machine gives a recursion: " +
                    std::to_string(warp.run->program().local_bytes -
                                   warp.run->program().parameter_buffers) +
                    " bytes a thread");
  }
  for (std::size_t c = 0; c < count; ++c) {
    const Frame& callee = *callees[c].frame;
    const auto& parameters = callee.code->parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), operands.arguments.size()); ++i) {
      copy_area(frame.data, operands.arguments[i], callee.data, parameters[i], callees[c].lanes);
    }
  }
  const Op* const next = call(warp, std::span(callees).first(count), op + 1);
  // Recursive calls may go on for long without a backward branch, so calls count too.
  return --warp.slice == 0 ? end_slice(warp, next) : next;
}

}  // namespace

constinit const StepWith<TrapOperands> trap_step = handled_by<trap>;
constinit const StepWith<CallOperands> call_step = handled_by<call_function>;

const Op* return_step(WarpState& state, const Op* op) {
  Warp& warp = warp_of(state);
  const LaneMask lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  const Frame& frame = *warp.current->frame;
  const Split* caller = warp.current;
  while (caller->frame == &frame) caller = caller->above;
  // The operation before the caller's next operation is the call.
  const auto& call = (caller->at - 1)->operands(call_step);
  for (std::size_t i = 0; i < std::min(call.results.size(), frame.code->results.size()); ++i) {
    copy_area(frame.data, frame.code->results[i], caller->frame->data, call.results[i], lanes);
  }
  return return_lanes(warp, lanes, op + 1);
}

}  // namespace bankproof::ptx
