// The values of a strip; see segment.hpp.
#include "segment.hpp"

namespace bankproof::ptx::compiled {

namespace {

unsigned bytes_of_lane(LaneType type) { return static_cast<unsigned>(lane_bytes(type)); }

/// A strip of a predicate in the frame is one of words, all ones or zeros.
bool is_predicate(LaneType type) { return type == LaneType::predicate; }

}  // namespace

Value Strip::address(Slot slot, LaneType type) const {
  const Value base = ir_.at(frame_, slot);
  return ir_.at(base, LLVMBuildMul(ir_.builder, lane_, ir_.number(64, bytes_of_lane(type)), ""));
}

Value Strip::active() {
  if (active_ == nullptr) {
    const Value lanes = ir_.at(around_.warp, around_.order.layout.active_lanes);
    const Value at = ir_.at(lanes, LLVMBuildMul(ir_.builder, lane_, ir_.number(64, 4), ""));
    active_ = ir_.compare(LLVMIntSLT, ir_.load(ir_.lanes(32U), at, 32), ir_.all(32, 0));
  }
  return active_;
}

Lanes Strip::read(Slot slot, LaneType type) {
  if (const auto found = known_.find(slot); found != known_.end()) return found->second.lanes;
  Value value = nullptr;
  if (const auto constant = around_.constants.find(slot); constant != around_.constants.end()) {
    const std::uint64_t bits = constant->second->bits;
    value =
        is_predicate(type) ? ir_.all(1, bits != 0 ? 1 : 0) : ir_.all(8 * bytes_of_lane(type), bits);
  } else if (is_predicate(type)) {
    const Value words = ir_.load(ir_.lanes(32U), address(slot, type), 32);
    value = ir_.compare(LLVMIntSLT, words, ir_.all(32, 0));
  } else {
    value = ir_.load(ir_.lanes(type), address(slot, type), 16);
  }
  known_[slot] = {{value, nullptr}, type, false};
  return {value, nullptr};
}

bool Strip::row(const Instruction& instruction, Results& results) {
  std::array<Lanes, 5> sources{};
  for (std::size_t k = 0; k < instruction.sources; ++k) {
    if (instruction.s_type[k] == LaneType::b128) return false;
    sources[k] = read(instruction.s[k], instruction.s_type[k]);
  }
  if (instruction.kind == Kind::shift) {
    const auto by = static_cast<std::uint64_t>(instruction.immediate);
    results[0].bits = ir_.add(sources[0].bits, ir_.all(64, by));
    return true;
  }
  const auto found = emit_row(ir_, around_.processor, around_.order.mistake, instruction, sources);
  if (!found) return false;
  results = *found;
  return true;
}

bool Strip::compute(const Instruction& instruction) {
  if (instruction.kind != Kind::row && instruction.kind != Kind::shift) return false;
  Results results{};
  if (!row(instruction, results)) return false;
  Value guard = nullptr;
  if (instruction.guard != no_slot) {
    guard = read(instruction.guard, LaneType::predicate).bits;
    if (instruction.guard_negated) guard = ir_.not_(guard);
  }
  // All sources are read before any result is written.
  for (std::size_t k = 0; k < instruction.destinations; ++k) {
    const LaneType type = instruction.d_type[k];
    const Value result = results[k].bits;
    if (result == nullptr || LLVMTypeOf(result) != ir_.lanes(type)) return false;
    if (guard != nullptr) {
      results[k] = {ir_.select(guard, result, read(instruction.d[k], type).bits), nullptr};
    }
  }
  for (std::size_t k = 0; k < instruction.destinations; ++k) {
    known_[instruction.d[k]] = {results[k], instruction.d_type[k], true};
  }
  return true;
}

void Strip::store(const std::set<Slot>& wanted) {
  for (const auto& [slot, known] : known_) {
    if (!known.written) continue;
    const bool temporary = around_.is_temporary(slot);
    const bool stores = around_.order.mistake != Mistake::stores_no_temporary;
    if (temporary && !(stores && wanted.contains(slot))) continue;
    const Value to = address(slot, known.type);
    Value value = known.lanes.bits;
    if (is_predicate(known.type)) value = ir_.cast(LLVMSExt, value, ir_.lanes(32U));
    const unsigned alignment = is_predicate(known.type) ? 32 : 16;
    if (!temporary && around_.order.mistake != Mistake::forgets_mask) {
      value = ir_.select(active(), value, ir_.load(LLVMTypeOf(value), to, alignment));
    }
    ir_.store(value, to, alignment);
  }
}

Value Strip::mask(Slot predicate) {
  const Value lanes = read(predicate, LaneType::predicate).bits;
  const Value byte = ir_.bitcast(lanes, ir_.bits(strip));
  const Value word = LLVMBuildZExt(ir_.builder, byte, ir_.bits(32), "");
  const Value by = LLVMBuildTrunc(ir_.builder, lane_, ir_.bits(32), "");
  return ir_.make(LLVMShl, word, by);
}

std::size_t compiled_prefix(const Around& around, std::span<const Instruction> instructions) {
  // Tries the rows in a block that is thrown away.
  const LLVMBasicBlockRef here = LLVMGetInsertBlock(around.ir.builder);
  const LLVMBasicBlockRef trial = around.block("");
  LLVMPositionBuilderAtEnd(around.ir.builder, trial);
  Strip tried(around, around.warp, around.ir.number(64, 0));
  std::size_t size = 0;
  while (size < instructions.size() && tried.compute(instructions[size])) ++size;
  LLVMPositionBuilderAtEnd(around.ir.builder, here);
  LLVMDeleteBasicBlock(trial);
  return size;
}

}  // namespace bankproof::ptx::compiled
