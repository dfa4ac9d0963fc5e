// Walks over a function's blocks and decodes their instructions.
#include "function_decoder.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "../alu/row.hpp"
#include "barrier.hpp"
#include "control.hpp"
#include "images.hpp"
#include "matrix.hpp"
#include "system.hpp"
#include "temporaries.hpp"

namespace bankproof::ptx {

namespace {

bool is_exit(const Instruction& i) { return !i.guard && (i.base == "ret" || i.base == "exit"); }

// Whether the basic block does nothing but leave the function.
bool only_leaves(const Function& function, const Block& block) {
  for (std::size_t s = block.begin; s < block.end; ++s) {
    if (const auto* i = std::get_if<Instruction>(&function.body[s])) return is_exit(*i);
  }
  return block.exits;
}

// Whether a warp mostly goes on behind the operation in another turn or in another function.
// Compiled code takes over where a counted block begins.
bool may_end_turn(const Op& op) {
  return op.step == barrier_step.step() || op.step == call_step.step();
}

// The blocks from which a path leads to an exit.
std::vector<bool> blocks_with_a_way_out(const ExitGraph& graph) {
  std::vector<std::vector<std::size_t>> predecessors(graph.successors.size());
  for (std::size_t b = 0; b < graph.successors.size(); ++b) {
    for (const std::size_t next : graph.successors[b]) predecessors[next].push_back(b);
  }
  std::vector<bool> found = graph.exits;
  std::vector<std::size_t> unseen;
  for (std::size_t b = 0; b < found.size(); ++b) {
    if (found[b]) unseen.push_back(b);
  }
  while (!unseen.empty()) {
    const std::size_t b = unseen.back();
    unseen.pop_back();
    for (const std::size_t before : predecessors[b]) {
      if (found[before]) continue;
      found[before] = true;
      unseen.push_back(before);
    }
  }
  return found;
}

}  // namespace

FunctionDecoder::FunctionDecoder(ProgramDecoder& program, const Function& function,
                                 FunctionCode& code)
    : decoder_(program), function_(function), code_(code), slots_(function, code) {
  if (function.entry) return;
  const auto areas = [&](const std::vector<Variable>& variables, std::vector<ParamArea>& to) {
    for (const Variable& v : variables)
      to.push_back(slots_.area(std::max<std::uint64_t>(1, bytes_of(v))));
  };
  areas(function.parameters, code.parameters);
  areas(function.results, code.results);
}

void FunctionDecoder::run() {
  flow_ = flow_of(function_, file_of(decoder_.module, function_));
  find_reconvergence();
  selected_loads_.emplace(function_, flow_);
  named_.resize(flow_.blocks.size());
  for (block_ = 0; block_ < flow_.blocks.size(); ++block_) {
    first_op_.push_back(code_.ops.size());
    begin_counted_block();
    if (block_ == 0) copy_parameters();
    const Block& block = flow_.blocks[block_];
    for (const auto [s, ahead] : selected_loads_->in_order(block.begin, block.end)) {
      const auto* i = std::get_if<Instruction>(&function_.body[s]);
      if (i == nullptr) continue;
      statement_ = s;
      try {
        if (ahead) {
          comparison_ahead(*i);
          continue;
        }
        instruction(*i);
      } catch (const std::invalid_argument& error) {
        unsupported(error.what());
      }
      if (may_end_turn(code_.ops.back())) begin_counted_block();
    }
  }
  // The end of the body acts as a `ret`. It is no instruction, so it is not counted.
  at_ = nullptr;
  guard_.reset();
  const auto site = static_cast<std::uint32_t>(decoder_.program.sites.size());
  decoder_.program.sites.push_back(
      {code_.function, std::max<std::size_t>(function_.body.size(), 1) - 1, function_.place,
       static_cast<std::uint32_t>(decoder_.program.block_sites.size() - 1)});
  emit(function_.entry ? exit_step : return_step).site = site;
  resolve();
  add_first_reads(flow_, named_, code_.read_first);
  find_temporaries(code_);
}

// Lanes that leave at once do not make a warp diverge: at `@%p1 bra END` with nothing but `ret` at
// END, the other lanes go on without them. So the search for the reconvergence point of the other
// lanes ignores paths that leave. A loop with no other way out is an exception: without these paths
// no block in or before the loop would lead to an exit, and lanes would never reconverge.
void FunctionDecoder::find_reconvergence() {
  const std::vector<Block>& blocks = flow_.blocks;
  ExitGraph graph;
  std::vector<bool> may_leave;
  for (const Block& block : blocks) {
    std::vector<std::size_t> stay;
    for (const std::size_t next : block.successors) {
      if (!only_leaves(function_, blocks[next])) stay.push_back(next);
    }
    may_leave.push_back(block.exits || stay.size() < block.successors.size());
    graph.exits.push_back(stay.empty() && may_leave.back());
    graph.successors.push_back(std::move(stay));
  }
  const std::vector<bool> has_way_out = blocks_with_a_way_out(graph);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!has_way_out[b]) graph.exits[b] = may_leave[b];
  }
  reconvergence_ = immediate_post_dominators(graph);
}

void FunctionDecoder::begin_counted_block() {
  Program& program = decoder_.program;
  Op op;
  op.step = block_step;
  op.site = static_cast<std::uint32_t>(program.sites.size());
  op.immediate = static_cast<std::int64_t>(program.block_sites.size());
  program.block_sites.push_back(0);
  code_.ops.push_back(op);
}

void FunctionDecoder::instruction(const Instruction& i) {
  Program& program = decoder_.program;
  at_ = &i;
  const auto block = static_cast<std::uint32_t>(program.block_sites.size() - 1);
  program.sites.push_back({code_.function, statement_, i.place, block});
  ++program.block_sites.back();
  opcode_ = i.opcode();
  guard_.reset();
  const bool of_parts = std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& o) {
    const auto* address = std::get_if<Address>(&o.value);
    return address != nullptr && !(address->more.empty() && address->coordinates.empty());
  });
  if (i.guard) guard_ = slots_.of(i.guard->predicate);
  writes_all_lanes_ = false;
  if (!image()) {
    if (of_parts) unsupported(opcode_);
    if (!control() && !collective() && !matrix() && !memory()) arithmetic();
  }
  note_named();
}

// It belongs to the load that follows, and is not counted.
void FunctionDecoder::comparison_ahead(const Instruction& i) {
  const std::size_t first = code_.ops.size();
  at_ = &i;
  opcode_ = i.opcode();
  guard_.reset();
  writes_all_lanes_ = false;
  arithmetic();
  note_named();
  const auto site = static_cast<std::uint32_t>(decoder_.program.sites.size());
  for (std::size_t k = first; k < code_.ops.size(); ++k) code_.ops[k].site = site;
}

/// An instruction reads its sources before it writes its results.
void FunctionDecoder::note_named() {
  NamedSlots& block = named_[block_];
  const std::vector<Slots::Named> all = slots_.named();
  for (const Slots::Named& one : all) {
    if (!one.is_written) block.push_back(one);
  }
  const bool writes = writes_all_lanes_ && !at_->guard;
  for (Slots::Named one : all) {
    if (!one.is_written) continue;
    one.is_written = writes;  // a lane that keeps the old value reads it, so to speak
    block.push_back(one);
  }
}

void FunctionDecoder::unsupported(const std::string& what) const {
  throw UnsupportedInstruction(
      what.starts_with(opcode_) ? what : opcode_ + ": " + what, file_of(decoder_.module, function_),
      {code_.function, statement_, at_ == nullptr ? function_.place : at_->place, 0});
}

Op& FunctionDecoder::emit(Step step) {
  Op op;
  op.step = step;
  op.site = static_cast<std::uint32_t>(decoder_.program.sites.size() - 1);
  code_.ops.push_back(op);
  return code_.ops.back();
}

Op& FunctionDecoder::emit_guarded(Step step) {
  Op& op = emit(step);
  if (guard_) {
    op.guard = *guard_;
    op.guard_negated = at_->guard->negated;
  }
  return op;
}

void FunctionDecoder::note_slots(std::initializer_list<Slot> slots) {
  code_.read_by_steps.insert(code_.read_by_steps.end(), slots);
}

void FunctionDecoder::note_slots(const MemoryOperands& operands) {
  note_slots({operands.address, operands.source, operands.source_bytes, operands.unused_if});
  for (const Slot value : operands.values) note_slots({value});
}

void FunctionDecoder::note_slots(const AreaOperands& operands) { note_slots({operands.value}); }

void FunctionDecoder::note_slots(const BarrierOperands& operands) {
  note_slots({operands.id, operands.threads, operands.predicate});
}

void FunctionDecoder::note_slots(const ImageOperands& operands) {
  note_slots({operands.object, operands.layer, operands.given_level});
  for (const auto* const slots : {&operands.coordinates, &operands.by_x, &operands.by_y}) {
    for (const Slot slot : *slots) note_slots({slot});
  }
  note_slots(operands.memory);
}

void FunctionDecoder::note_slots(const CollectiveOperands& operands) {
  note_slots({operands.members});
  if (operands.matrix == nullptr) return;
  note_slots(operands.matrix->memory);
  note_slots({operands.matrix->stride});
  for (const Slot slot : operands.matrix->d) note_slots({slot});
  for (const auto& source : operands.matrix->s) {
    for (const Slot slot : source) note_slots({slot});
  }
}

Op& FunctionDecoder::emit_row(const std::string& opcode, std::size_t destinations) {
  const Row* row = decoder_.row(opcode, destinations);
  if (row == nullptr) unsupported(opcode == opcode_ ? opcode_ : "there is no row " + opcode);
  return emit_guarded(row->step);
}

Slot FunctionDecoder::computed(const std::string& opcode, LaneType type,
                               std::initializer_list<Slot> sources) {
  const Row* const row = find_row(opcode);
  if (row == nullptr) unsupported("there is no row " + opcode);
  const Slot to = slots_.scratch(type);
  Op& op = emit(row->step);
  std::copy(sources.begin(), sources.end(), op.s.begin());
  op.d[0] = to;
  return to;
}

void FunctionDecoder::resolve() {
  Program& program = decoder_.program;
  const auto op_of = [&](std::size_t block) -> const Op* { return &code_.ops[first_op_[block]]; };
  for (const Fix& fix : fixes_) {
    Op& op = code_.ops[fix.op];
    const Op* const reconvergence = fix.reconvergence ? op_of(*fix.reconvergence) : nullptr;
    const bool backward = std::any_of(fix.targets.begin(), fix.targets.end(),
                                      [&](std::size_t target) { return target <= fix.from; });
    if (fix.by_table) {
      TableOperands table;
      for (const std::size_t target : fix.targets) table.targets.push_back(op_of(target));
      table.reconvergence = reconvergence;
      table.backward = backward;
      op.use(table_step, *program.keep(std::move(table)));
    } else if (op.guard == no_slot) {
      op.use(backward ? jump_back_step : jump_step, *op_of(fix.targets.front()));
    } else {
      op.use(backward ? branch_back_step : branch_step,
             *program.keep(BranchOperands{op_of(fix.targets.front()), reconvergence}));
    }
  }
}

}  // namespace bankproof::ptx
