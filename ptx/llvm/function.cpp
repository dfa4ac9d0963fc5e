// The code of a function: its blocks, which count their visits, compute segments, call the steps of
// all other operations, and go on where the branch goes. Whatever a step decides differently from
// `the next operation` is the interpreter's: the code returns it.
#include "function.hpp"

#include <span>
#include <vector>

#include "addresses.hpp"
#include "segment.hpp"

namespace bankproof::ptx::compiled {

namespace {

class Writer {
 public:
  Writer(const Ir& ir, const Processor& processor, const Order& order, const Function& function)
      : around_{ir, processor, order, function, nullptr, nullptr, {}},
        ir_(ir),
        layout_(order.layout),
        addresses_(around_) {
    for (std::uint32_t k = 0; k < function.constants_size; ++k) {
      around_.constants[function.constants[k].slot] = &function.constants[k];
    }
  }

  void write() {
    Type parameters[]{ir_.pointer(), ir_.pointer(), ir_.bits(32)};
    const Type type = LLVMFunctionType(ir_.pointer(), parameters, 3, 0);
    around_.code = LLVMAddFunction(ir_.module, around_.function.symbol, type);
    around_.warp = LLVMGetParam(around_.code, 0);
    ops_ = LLVMGetParam(around_.code, 1);
    step_ = LLVMFunctionType(ir_.pointer(), parameters, 2, 0);
    Type of_row[]{ir_.pointer(), ir_.pointer(), ir_.pointer(), ir_.bits(64)};
    perform_row_ = LLVMFunctionType(ir_.bits(1), of_row, 4, 0);
    const LLVMBasicBlockRef entry = around_.block("entry");
    for (std::uint32_t b = 0; b < around_.function.size; ++b) {
      arrivals_.push_back(around_.block("arrive"));
      visits_.push_back(around_.block("visit"));
    }
    const LLVMBasicBlockRef none = around_.block("none");
    LLVMPositionBuilderAtEnd(ir_.builder, entry);
    const Value choice =
        LLVMBuildSwitch(ir_.builder, LLVMGetParam(around_.code, 2), none, around_.function.size);
    for (std::uint32_t b = 0; b < around_.function.size; ++b) {
      LLVMAddCase(choice, ir_.number(32, b), visits_[b]);
    }
    LLVMPositionBuilderAtEnd(ir_.builder, none);
    LLVMBuildUnreachable(ir_.builder);
    for (std::uint32_t b = 0; b < around_.function.size; ++b) block(b);
  }

 private:
  const Block& block_of(std::uint32_t b) const { return around_.function.blocks[b]; }
  Value op(std::uint32_t index) const {
    return ir_.at(ops_, std::uint64_t{index} * layout_.op_bytes);
  }
  void give_back(Value next) const { LLVMBuildRet(ir_.builder, next); }
  void go_to(LLVMBasicBlockRef to) const { LLVMBuildBr(ir_.builder, to); }
  void begin(LLVMBasicBlockRef at) const { LLVMPositionBuilderAtEnd(ir_.builder, at); }

  /// Calls the operation's step, which gives the next operation.
  Value call(std::uint32_t index) const {
    const Value at = op(index);
    const Value step = ir_.load(ir_.pointer(), ir_.at(at, layout_.op_step), 8);
    Value arguments[]{around_.warp, at};
    return LLVMBuildCall2(ir_.builder, step_, step, arguments, 2, "");
  }
  /// To the block behind the one with this number, whose operations follow.
  void fall_through(std::uint32_t b) const {
    if (b + 1 < around_.function.size) {
      go_to(arrivals_[b + 1]);
    } else {
      give_back(op(block_of(b).op + 1 + block_of(b).size));
    }
  }

  void block(std::uint32_t b) {
    const Block& block = block_of(b);
    // The split ends here if this is where it reconverges; the interpreter does that.
    begin(arrivals_[b]);
    const Value reconvergence =
        ir_.load(ir_.pointer(), ir_.at(around_.warp, layout_.reconvergence), 8);
    const LLVMBasicBlockRef ends = around_.block("ends");
    LLVMBuildCondBr(ir_.builder, ir_.compare(LLVMIntEQ, reconvergence, op(block.op)), ends,
                    visits_[b]);
    begin(ends);
    give_back(op(block.op));

    begin(visits_[b]);
    addresses_.begin_block();
    count(block);
    std::span<const Instruction> left(block.instructions, block.size);
    std::uint32_t at = block.op + 1;
    while (!left.empty()) {
      const std::size_t size = compiled_prefix(around_, left);
      const bool branches = size < left.size() && left[size].kind == Kind::branch;
      const Value taken =
          size > 0 || branches ? segment(left.first(size), left.subspan(size)) : nullptr;
      for (const Instruction& instruction : left.first(size)) addresses_.forget(instruction);
      at += static_cast<std::uint32_t>(size);
      left = left.subspan(size);
      if (left.empty()) break;
      if (leave(b, at, left.front(), taken)) return;
      ++at;
      left = left.subspan(1);
    }
    fall_through(b);
  }

  void count(const Block& block) const {
    const Value counts = ir_.load(ir_.pointer(), ir_.at(around_.warp, layout_.counts), 8);
    const Value visits = ir_.at(counts, 16 * std::uint64_t{block.count});
    const auto increase = [&](Value at, Value by) {
      ir_.store(ir_.add(ir_.load(ir_.bits(64), at, 8), by), at, 8);
    };
    increase(visits, ir_.number(64, 1));
    if (around_.order.mistake == Mistake::counts_no_lanes) return;
    const Value lanes = around_.field(layout_.active_count, ir_.bits(32));
    increase(ir_.at(visits, 8), LLVMBuildZExt(ir_.builder, lanes, ir_.bits(64), ""));
  }

  /// Computes the instructions in strips. Gives the lanes for which the guard of the branch holds
  /// that follows, or null.
  Value segment(std::span<const Instruction> instructions, std::span<const Instruction> behind) {
    const bool branches = !behind.empty() && behind.front().kind == Kind::branch;
    const std::set<Slot> wanted = read_behind(behind);
    const Value frame = ir_.load(ir_.pointer(), ir_.at(around_.warp, layout_.frame), 8);
    const LLVMBasicBlockRef before = LLVMGetInsertBlock(ir_.builder);
    const LLVMBasicBlockRef loop = around_.block("strip");
    const LLVMBasicBlockRef after = around_.block("stripped");
    go_to(loop);
    begin(loop);
    const Value lane = LLVMBuildPhi(ir_.builder, ir_.bits(64), "");
    const Value mask = LLVMBuildPhi(ir_.builder, ir_.bits(32), "");
    Strip strip_of(around_, frame, lane);
    for (const Instruction& instruction : instructions) strip_of.compute(instruction);
    const Value masks =
        branches ? ir_.make(LLVMOr, mask, strip_of.mask(behind.front().guard)) : mask;
    strip_of.store(wanted);
    const Value next = ir_.add(lane, ir_.number(64, strip));
    const Value more = ir_.compare(LLVMIntULT, next, ir_.number(64, warp_lanes));
    LLVMBasicBlockRef froms[]{before, loop};
    Value lanes[]{ir_.number(64, 0), next};
    Value seen[]{ir_.number(32, 0), masks};
    LLVMAddIncoming(lane, lanes, froms, 2);
    LLVMAddIncoming(mask, seen, froms, 2);
    LLVMBuildCondBr(ir_.builder, more, loop, after);
    begin(after);
    return branches ? masks : nullptr;
  }

  /// The registers that the instructions read before they write them. What a called step reads is
  /// no temporary, but for the sources of its row.
  static std::set<Slot> read_behind(std::span<const Instruction> behind) {
    std::set<Slot> read;
    std::set<Slot> written;
    for (const Instruction& instruction : behind) {
      for (std::size_t k = 0; k < instruction.sources; ++k) {
        if (!written.contains(instruction.s[k])) read.insert(instruction.s[k]);
      }
      // A guarded row also keeps the old value.
      const bool guarded = instruction.guard != no_slot;
      // The segment itself gives the guard of a branch that follows at once.
      const bool branches = &instruction == &behind.front() && instruction.kind == Kind::branch;
      if (guarded && !branches) read.insert(instruction.guard);
      for (std::size_t k = 0; k < instruction.destinations; ++k) {
        if (guarded) read.insert(instruction.d[k]);
        if (!guarded) written.insert(instruction.d[k]);
      }
    }
    return read;
  }

  /// The code of an operation that no segment contains. Whether the block ends there.
  bool leave(std::uint32_t b, std::uint32_t at, const Instruction& instruction, Value taken) {
    if (instruction.kind == Kind::jump) {
      jump(at, instruction);
      return true;
    }
    if (instruction.kind == Kind::branch) {
      branch(b, at, instruction, taken);
      return true;
    }
    const LLVMBasicBlockRef goes_on = around_.block("goes_on");
    const LLVMBasicBlockRef leaves = around_.block("leaves");
    if (instruction.kind == Kind::access) try_row(at, instruction, goes_on);
    addresses_.forget(instruction);
    const Value next = call(at);
    LLVMBuildCondBr(ir_.builder, ir_.compare(LLVMIntEQ, next, op(at + 1)), goes_on, leaves);
    begin(leaves);
    give_back(next);
    begin(goes_on);
    return false;
  }

  /// Performs the access of a row, and goes on; else the code follows here.
  void try_row(std::uint32_t at, const Instruction& access, LLVMBasicBlockRef goes_on) {
    if (around_.constants.contains(access.s[0])) return;
    const Addresses::Row row = addresses_.row(access);
    const Value active = around_.field(layout_.active, ir_.bits(32));
    const Value all = ir_.compare(LLVMIntEQ, active, ir_.number(32, all_lanes));
    const LLVMBasicBlockRef found = around_.block("row");
    const LLVMBasicBlockRef not_performed = around_.block("no_row");
    LLVMBuildCondBr(ir_.builder, ir_.and_(all, row.holds), found, not_performed);
    begin(found);
    const unsigned bits = Ir::width(row.first);
    const Value begins =
        ir_.add(row.first, ir_.number(bits, static_cast<std::uint64_t>(access.immediate)));
    const Value operands = ir_.load(ir_.pointer(), ir_.at(op(at), layout_.op_operands), 8);
    const Value perform = ir_.load(ir_.pointer(), ir_.at(operands, layout_.row_at), 8);
    Value arguments[]{around_.warp, op(at), operands, ir_.cast(LLVMZExt, begins, ir_.bits(64))};
    const Value performed = LLVMBuildCall2(ir_.builder, perform_row_, perform, arguments, 4, "");
    LLVMBuildCondBr(ir_.builder, performed, goes_on, not_performed);
    begin(not_performed);
  }

  /// To the target, but to `step` if the time slice ends there.
  void arrive(const Instruction& instruction, LLVMBasicBlockRef step) const {
    if (!instruction.backward) return go_to(arrivals_[instruction.target]);
    const Value at = ir_.at(around_.warp, layout_.slice);
    const Value left = ir_.sub(ir_.load(ir_.bits(32), at, 4), ir_.number(32, 1));
    const LLVMBasicBlockRef goes_on = around_.block("goes_on");
    LLVMBuildCondBr(ir_.builder, ir_.compare(LLVMIntEQ, left, ir_.number(32, 0)), step, goes_on);
    begin(goes_on);
    ir_.store(left, at, 4);
    go_to(arrivals_[instruction.target]);
  }

  void jump(std::uint32_t at, const Instruction& instruction) const {
    const LLVMBasicBlockRef step = around_.block("step");
    arrive(instruction, step);
    begin(step);
    give_back(call(at));
  }

  void branch(std::uint32_t b, std::uint32_t at, const Instruction& instruction,
              Value guard) const {
    const Value active = around_.field(layout_.active, ir_.bits(32));
    const Value holds = instruction.guard_negated ? ir_.not_(guard) : guard;
    const Value taken = ir_.and_(holds, active);
    const LLVMBasicBlockRef some = around_.block("some");
    const LLVMBasicBlockRef none = around_.block("none");
    const LLVMBasicBlockRef all = around_.block("all");
    const LLVMBasicBlockRef step = around_.block("step");
    LLVMBuildCondBr(ir_.builder, ir_.compare(LLVMIntEQ, taken, ir_.number(32, 0)), none, some);
    begin(none);
    fall_through(b);
    begin(some);
    LLVMBuildCondBr(ir_.builder, ir_.compare(LLVMIntEQ, taken, active), all, step);
    begin(all);
    arrive(instruction, step);
    begin(step);
    if (around_.is_temporary(instruction.guard)) spread(guard, instruction.guard);
    give_back(call(at));
  }

  /// Stores the lanes of a mask as a predicate, which the step of the branch reads.
  void spread(Value mask, Slot predicate) const {
    const Value frame = ir_.load(ir_.pointer(), ir_.at(around_.warp, layout_.frame), 8);
    for (unsigned lane = 0; lane < warp_lanes; lane += strip) {
      const Value byte = LLVMBuildTrunc(ir_.builder, ir_.make(LLVMLShr, mask, ir_.number(32, lane)),
                                        ir_.bits(strip), "");
      const Value words = ir_.cast(LLVMSExt, ir_.bitcast(byte, ir_.lanes(1U)), ir_.lanes(32U));
      ir_.store(words, ir_.at(frame, predicate + 4 * lane), 32);
    }
  }

  Around around_;
  const Ir& ir_;
  const Layout& layout_;
  Value ops_ = nullptr;
  Type step_ = nullptr;
  Type perform_row_ = nullptr;
  Addresses addresses_;
  std::vector<LLVMBasicBlockRef> arrivals_;  // at a block: may be where the split ends
  std::vector<LLVMBasicBlockRef> visits_;
};

}  // namespace

void emit_function(const Ir& ir, const Processor& processor, const Order& order,
                   const Function& function) {
  Writer(ir, processor, order, function).write();
}

}  // namespace bankproof::ptx::compiled
