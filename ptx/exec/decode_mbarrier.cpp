// Decodes the instructions of mbarriers (PTX ISA, "Parallel Synchronization and Communication
// Instructions: mbarrier"). An mbarrier is a barrier in shared memory at which threads arrive and
// which threads poll. The instructions become atomic operations on a word of 64 bits, and loads of
// the word. An arrival is a release; a test that finds the phase complete is an acquire.
//
// Here cp.async copies its bytes when it is issued, so cp.async.mbarrier.arrive arrives at once.
// But only a thread that acquires from that arrival knows that the copies are complete.
// Instructions that count the bytes of bulk copies (expect_tx, complete_tx) are unsupported.
#include <algorithm>
#include <utility>

#include "../memory/mbarrier.hpp"
#include "function_decoder.hpp"

namespace bankproof::ptx {

bool FunctionDecoder::mbarrier() {
  const bool after_copies = opcode_.starts_with("cp.async.mbarrier.arrive");
  if (at_->base != "mbarrier" && !after_copies) return false;
  MemoryOperands operands;
  Access& access = operands.access;
  access.element_bytes = 8;
  access.number = Number::unsigned_integer;
  access.scope = Scope::block;
  access.generic = true;
  operands.type = LaneType::b64;
  operands.after_copies = after_copies;
  const std::string operation = after_copies             ? "cp.async"
                                : at_->modifiers.empty() ? ""
                                                         : at_->modifiers.front();
  const bool tests = operation == "test_wait" || operation == "try_wait";
  access.semantics = tests ? Semantics::acquire : Semantics::release;
  bool by_parity = false;
  for (std::size_t k = after_copies ? 3 : 1; k < at_->modifiers.size(); ++k) {
    const std::string& modifier = at_->modifiers[k];
    if (space_named(modifier) == Space::shared) {
      access.space = Space::shared;
      access.generic = false;
    } else if (modifier == "parity" && tests) {
      by_parity = true;
    } else if (modifier == "relaxed") {
      access.semantics = Semantics::relaxed;
    } else if (modifier != "b64" && modifier != "cta" && modifier != "cluster" &&
               modifier != "noComplete" && modifier != "noinc" &&
               modifier != (tests ? "acquire" : "release")) {
      unsupported(opcode_);
    }
  }
  decoder_.program.precise = true;
  if (operation == "init") {
    initialize_mbarrier(std::move(operands));
  } else if (operation == "arrive" || operation == "arrive_drop" || after_copies) {
    access.operation = Operation::atomic;
    access.atomic =
        operation == "arrive_drop" ? AtomicOperation::arrive_and_drop : AtomicOperation::arrive;
    arrive_at_mbarrier(std::move(operands));
  } else if (tests) {
    test_mbarrier(std::move(operands), by_parity);
  } else if (operation == "pending_count") {
    const Slot counts = slots_.constant(LaneType::b64, mbarrier_counts);
    const Slot pending =
        computed("and.b64", LaneType::b64, {source(operand(1), LaneType::b64), counts});
    const Slot to = destination(scalar(operand(0)), LaneType::b32);
    Op& op = emit_row("cvt.u32.u64");
    op.s[0] = pending;
    op.d[0] = to;
  } else {
    unsupported(opcode_);
  }
  return true;
}

// mbarrier.init [address], count: an ordinary store.
void FunctionDecoder::initialize_mbarrier(MemoryOperands operands) {
  const Slot count = computed("cvt.u64.u32", LaneType::b64, {source(operand(1), LaneType::b32)});
  const Slot bits = slots_.constant(LaneType::b32, mbarrier_count_bits);
  const Slot next = computed("shl.b64", LaneType::b64, {count, bits});
  operands.access.operation = Operation::store;
  operands.access.semantics = Semantics::weak;
  operands.values = {computed("or.b64", LaneType::b64, {count, next})};
  access_mbarrier(std::move(operands));
}

// mbarrier.arrive state, [address]{, count}; cp.async.mbarrier.arrive{.noinc} [address]. Without
// .noinc, cp.async.mbarrier.arrive also adds one to the arrivals that the phase waits for.
void FunctionDecoder::arrive_at_mbarrier(MemoryOperands operands) {
  const bool after_copies = at_->base == "cp";
  if (after_copies) {
    const bool counted = at_->has("noinc");
    operands.values = {no_slot, slots_.constant(LaneType::b64, counted ? 1 : 0)};
  } else {
    const bool has_count = at_->operands.size() > 2;
    const Slot count =
        has_count ? computed("cvt.u64.u32", LaneType::b64, {source(operand(2), LaneType::b32)})
                  : slots_.constant(LaneType::b64, 1);
    operands.values = {destination(scalar(operand(0)), LaneType::b64), count};
  }
  access_mbarrier(std::move(operands));
}

// mbarrier.test_wait complete, [address], state: whether the phase of the state is over.
// mbarrier.test_wait.parity complete, [address], parity: whether the last phase of that parity is
// over. try_wait may wait for a while, but need not.
void FunctionDecoder::test_mbarrier(MemoryOperands operands, bool by_parity) {
  const Slot given = source(operand(2), by_parity ? LaneType::b32 : LaneType::b64);
  const Slot to = destination(scalar(operand(0)), LaneType::predicate);
  const Slot word = slots_.scratch(LaneType::b64);
  operands.access.operation = Operation::load;
  operands.values = {word};
  access_mbarrier(std::move(operands));
  const Slot bit = slots_.constant(LaneType::b32, mbarrier_phase_bit);
  const auto phase = [&](Slot of) { return computed("shr.u64", LaneType::b64, {of, bit}); };
  Slot differs = no_slot;
  if (by_parity) {
    const Slot now = computed("cvt.u32.u64", LaneType::b32, {phase(word)});
    const Slot other = computed("xor.b32", LaneType::b32, {now, given});
    differs = computed("and.b32", LaneType::b32, {other, slots_.constant(LaneType::b32, 1)});
  } else {
    differs = phase(computed("xor.b64", LaneType::b64, {word, given}));
  }
  const LaneType type = by_parity ? LaneType::b32 : LaneType::b64;
  Op& op = emit_row(by_parity ? "setp.ne.u32" : "setp.ne.u64", 1);
  op.s[0] = differs;
  op.s[1] = slots_.constant(type, 0);
  op.d[0] = to;
}

// Emits the access. The address is the instruction's only operand in brackets.
void FunctionDecoder::access_mbarrier(MemoryOperands operands) {
  const auto found = std::find_if(at_->operands.begin(), at_->operands.end(), [](const Operand& o) {
    return std::holds_alternative<Address>(o.value);
  });
  if (found == at_->operands.end()) unsupported("no address");
  const auto& address = std::get<Address>(found->value);
  operands.address = address_slot(address, operands.wide_address);
  const StepWith<MemoryOperands> step = step_of(operands.access);
  emit_guarded(step, std::move(operands)).immediate = address.offset;
}

}  // namespace bankproof::ptx
