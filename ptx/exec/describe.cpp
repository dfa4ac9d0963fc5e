// From operations to the compiler's instructions; see describe.hpp.
#include "describe.hpp"

#include <algorithm>
#include <span>

#include "../alu/row.hpp"
#include "control.hpp"
#include "system.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

namespace {

using compiled::Kind;

/// The time of a compiler grows faster than the code. Longer functions are compiled in parts.
constexpr std::size_t most_ops = 2048;

static_assert(sizeof(BlockCount) == 2 * sizeof(std::uint64_t));

/// The operation to which a jump or branch goes; null for other operations.
const Op* target_of(const Op& op) {
  if (op.step == jump_step.step()) return &op.operands(jump_step);
  if (op.step == jump_back_step.step()) return &op.operands(jump_back_step);
  if (op.step == branch_step.step()) return op.operands(branch_step).target;
  if (op.step == branch_back_step.step()) return op.operands(branch_back_step).target;
  return nullptr;
}

void describe_row(compiled::Instruction& to, const Row& row) {
  to.kind = Kind::row;
  to.opcode = row.opcode.c_str();  // rows live as long as the program
  to.destinations = static_cast<std::uint8_t>(row.destinations.size());
  to.sources = static_cast<std::uint8_t>(row.sources.size());
  std::copy(row.destinations.begin(), row.destinations.end(), to.d_type.begin());
  std::copy(row.sources.begin(), row.sources.end(), to.s_type.begin());
}

/// The operands of a load or store of which a row is usual, and all of whose lanes use what they
/// load; null for other operations.
const MemoryOperands* usual_access(const Op& op) {
  for (const Operation operation : {Operation::load, Operation::store}) {
    const StepWith<MemoryOperands> step = step_of({.operation = operation});
    if (op.guard != no_slot || op.step != step.step()) continue;
    const MemoryOperands& operands = op.operands(step);
    const bool fits = operands.values.size() <= compiled::Instruction().d.size();
    const bool all_use_it = !operands.unused && operands.unused_if == no_slot;
    return operands.row_at != nullptr && fits && all_use_it ? &operands : nullptr;
  }
  return nullptr;
}

void describe_access(compiled::Instruction& to, const MemoryOperands& operands) {
  to.kind = Kind::access;
  to.bytes = operands.access.bytes();
  to.sources = 1;
  to.s[0] = operands.address;
  to.s_type[0] = operands.wide_address ? LaneType::b64 : LaneType::b32;
  if (operands.access.operation == Operation::store) return;
  for (const Slot value : operands.values) {
    if (value == no_slot) continue;
    to.d_type[to.destinations] = operands.type;
    to.d[to.destinations++] = value;
  }
}

compiled::Instruction described(const Op& op) {
  compiled::Instruction to;
  to.d = op.d;
  to.s = op.s;
  to.guard = op.guard;
  to.guard_negated = op.guard_negated;
  to.immediate = op.immediate;
  if (const Row* const row = row_of(op.step)) {
    describe_row(to, *row);
  } else if (op.step == address_step) {
    to.kind = Kind::shift;
    to.destinations = 1;
    to.sources = 1;
    to.d_type[0] = LaneType::b64;
    to.s_type[0] = LaneType::b64;
  } else if (const MemoryOperands* const operands = usual_access(op)) {
    describe_access(to, *operands);
  } else if (target_of(op) != nullptr) {
    to.kind = op.guard == no_slot ? Kind::jump : Kind::branch;
    to.backward = op.step == jump_back_step.step() || op.step == branch_back_step.step();
  }
  return to;
}

Description::Part part_of(const FunctionCode& code, std::size_t begin, std::size_t end) {
  Description::Part part;
  part.ops = code.ops.data();
  part.temporary = code.temporary;
  for (const ConstantSlot& c : code.constants) part.constants.push_back({c.slot, c.type, c.bits});
  std::vector<const Op*> firsts;
  for (std::size_t k = begin; k < end; ++k) {
    const Op& op = code.ops[k];
    if (op.step == block_step) {
      firsts.push_back(&op);
      part.blocks.push_back(
          {.op = static_cast<std::uint32_t>(k), .count = static_cast<std::uint32_t>(op.immediate)});
      part.instructions.emplace_back();
    } else {
      part.instructions.back().push_back(described(op));
    }
  }
  // Branches to another part are the interpreter's.
  for (std::size_t b = 0; b < part.blocks.size(); ++b) {
    std::vector<compiled::Instruction>& instructions = part.instructions[b];
    for (std::size_t k = 0; k < instructions.size(); ++k) {
      const Op* const target = target_of(code.ops[part.blocks[b].op + 1 + k]);
      if (target == nullptr) continue;
      const auto found = std::find(firsts.begin(), firsts.end(), target);
      if (found == firsts.end()) instructions[k].kind = Kind::other;
      instructions[k].target = static_cast<std::uint32_t>(found - firsts.begin());
    }
    part.blocks[b].size = static_cast<std::uint32_t>(instructions.size());
    part.blocks[b].instructions = instructions.data();
  }
  return part;
}

}  // namespace

compiled::Layout layout_of_warps() {
  static const compiled::Layout found = [] {
    const Warp warp;
    const Op op;
    const MemoryOperands operands;
    const auto in = [](const void* part, const void* whole) {
      return static_cast<std::uint32_t>(static_cast<const std::byte*>(part) -
                                        static_cast<const std::byte*>(whole));
    };
    const WarpState* const state = &warp;
    return compiled::Layout{.frame = in(&warp.frame, state),
                            .active = in(&warp.active, state),
                            .active_lanes = in(&warp.active_lanes, state),
                            .active_count = in(&warp.active_count, state),
                            .reconvergence = in(&warp.reconvergence, state),
                            .slice = in(&warp.slice, state),
                            .counts = in(&warp.counts, state),
                            .op_bytes = sizeof(Op),
                            .op_step = in(&op.step, &op),
                            .op_operands = in(op.place_of_operands(), &op),
                            .row_at = in(&operands.row_at, &operands)};
  }();
  return found;
}

Description::Description(const Program& program) {
  for (const auto& code : program.functions) {
    std::size_t begin = 0;
    while (begin < code->ops.size()) {
      std::size_t end = std::min(begin + most_ops, code->ops.size());
      while (end < code->ops.size() && code->ops[end].step != block_step) ++end;
      parts_.push_back(part_of(*code, begin, end));
      parts_.back().symbol = "part" + std::to_string(parts_.size());
      begin = end;
    }
  }
  for (const Part& part : parts_) {
    functions_.push_back({.symbol = part.symbol.c_str(),
                          .size = static_cast<std::uint32_t>(part.blocks.size()),
                          .blocks = part.blocks.data(),
                          .constants_size = static_cast<std::uint32_t>(part.constants.size()),
                          .constants = part.constants.data(),
                          .lines = static_cast<std::uint32_t>(part.temporary.size()),
                          .temporary = part.temporary.data()});
  }
}

compiled::Order Description::order(compiled::Mistake mistake) const {
  return {layout_of_warps(), static_cast<std::uint32_t>(functions_.size()), functions_.data(),
          mistake};
}

std::string Description::key() const {
  std::string key;
  const auto add = [&key](const auto&... numbers) {
    ((key += std::to_string(static_cast<std::uint64_t>(numbers)), key += ' '), ...);
  };
  const compiled::Layout at = layout_of_warps();
  add(at.frame, at.active, at.active_lanes, at.active_count, at.reconvergence, at.slice, at.counts,
      at.op_bytes, at.op_step, at.op_operands, at.row_at);
  for (const Part& part : parts_) {
    key += "\n" + part.symbol + " ";
    for (const compiled::Constant& c : part.constants) add(c.slot, c.type, c.bits);
    key += "temporary ";
    for (const std::uint8_t line : part.temporary) key += line != 0 ? '1' : '0';
    for (std::size_t b = 0; b < part.blocks.size(); ++b) {
      key += "\nblock ";
      add(part.blocks[b].op, part.blocks[b].count);
      for (const compiled::Instruction& i : part.instructions[b]) {
        key += "\n" + std::string(i.opcode) + " ";
        add(i.kind, i.backward, i.guard_negated, i.guard, i.target, i.immediate, i.bytes);
        for (std::size_t k = 0; k < i.destinations; ++k) add(i.d[k], i.d_type[k]);
        for (std::size_t k = 0; k < i.sources; ++k) add(i.s[k], i.s_type[k]);
      }
    }
  }
  return key;
}

}  // namespace bankproof::ptx
