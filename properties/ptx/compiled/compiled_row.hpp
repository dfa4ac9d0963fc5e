// Rows of arithmetic as one-instruction functions, run by the interpreter and on compiled code.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "../../../ptx/alu/row.hpp"
#include "../../../ptx/compiled/find.hpp"
#include "../../../ptx/exec/describe.hpp"
#include "../../../ptx/exec/warp.hpp"

namespace bankproof::ptx {

/// Pseudorandom operands: any bits, small numbers, and the corners of f32 and f64.
class Operands {
 public:
  explicit Operands(std::uint64_t seed) : state_(seed) {}
  std::uint64_t word() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27U) * 0x94d049bb133111eb;
    return z ^ z >> 31U;
  }
  std::uint64_t below(std::uint64_t end) { return word() % end; }
  std::uint64_t operand() {
    constexpr std::array<std::uint32_t, 16> f32{0,          1,          0x007fffff, 0x00800000,
                                                0x3f800000, 0x3f7fffff, 0x3f800001, 0x3f000000,
                                                0x4effffff, 0x4f000000, 0x4f800000, 0x7f7fffff,
                                                0x7f800000, 0x7f800001, 0x7fc12345, 0x40490fdb};
    const auto one = [&] {
      return f32[below(f32.size())] | (below(2) != 0 ? std::uint32_t{1} << 31U : 0U);
    };
    switch (below(6)) {
      case 0:
        return word();
      case 1:
        return below(2) != 0 ? below(70) : std::uint64_t{0} - below(70);
      case 2:
        return one() | std::uint64_t{one()} << 32U;
      case 3: {  // near one another, so that digits cancel
        const auto near = [&] { return 0x3f000000 + (word() & 0x81ffffffU); };
        return near() | near() << 32U;
      }
      case 4: {  // an f64: a corner, or between 1/8 and 8
        const std::uint64_t exponent = below(3) == 0 ? below(2) * 2047 : 1020 + below(7);
        return exponent << 52U | (word() & (below(2) << 63U)) |
               (below(2) != 0 ? word() & 0xfffffffffffffU : below(2));
      }
      default: {  // the limits of integers
        const std::uint64_t end = std::uint64_t{1} << below(64);
        return end + below(3) - 1;
      }
    }
  }

 private:
  std::uint64_t state_;
};

/// A row in a function of its own. `constants`: its last source is a constant; `guarded`: it has a
/// guard.
struct RowFunction {
  RowFunction(const Row& its_row, std::size_t number, bool constant, bool guarded, bool negated,
              std::uint64_t bits)
      : row(its_row), name("row" + std::to_string(number)) {
    const auto place = [&](LaneType type) {
      const std::size_t at = frame_bytes;
      frame_bytes += slot_bytes(type);
      return static_cast<Slot>(at);
    };
    Op& op = ops[1];
    op.step = row.step;
    for (std::size_t k = 0; k < row.destinations.size(); ++k) op.d[k] = place(row.destinations[k]);
    for (std::size_t k = 0; k < row.sources.size(); ++k) op.s[k] = place(row.sources[k]);
    if (guarded) op.guard = place(LaneType::predicate);
    op.guard_negated = negated;
    instruction.kind = compiled::Kind::row;
    instruction.opcode = row.opcode.c_str();
    instruction.destinations = static_cast<std::uint8_t>(row.destinations.size());
    instruction.sources = static_cast<std::uint8_t>(row.sources.size());
    std::copy(row.destinations.begin(), row.destinations.end(), instruction.d_type.begin());
    std::copy(row.sources.begin(), row.sources.end(), instruction.s_type.begin());
    instruction.d = op.d;
    instruction.s = op.s;
    instruction.guard = op.guard;
    instruction.guard_negated = negated;
    if (constant && !row.sources.empty()) {
      const std::size_t last = row.sources.size() - 1;
      constants.push_back({op.s[last], row.sources[last], fitted(bits, row.sources[last])});
    }
    temporary.assign(frame_bytes / slot_alignment, 0);
  }

  static std::uint64_t fitted(std::uint64_t bits, LaneType type) {
    if (type == LaneType::predicate) return (bits & 1U) != 0 ? 0xffffffff : 0;
    return lane_bytes(type) < 8 ? bits & ((std::uint64_t{1} << 8 * lane_bytes(type)) - 1) : bits;
  }

  compiled::Function described() {
    block = {.op = 0, .count = 0, .size = 1, .instructions = &instruction};
    return {.symbol = name.c_str(),
            .size = 1,
            .blocks = &block,
            .constants_size = static_cast<std::uint32_t>(constants.size()),
            .constants = constants.data(),
            .lines = static_cast<std::uint32_t>(temporary.size()),
            .temporary = temporary.data()};
  }

  /// Fills a frame with operands.
  void fill(std::byte* frame, Operands& operands) const {
    const auto put = [&](Slot slot, LaneType type, bool same, const std::uint64_t* bits) {
      for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
        for (std::size_t at = 0; at < lane_bytes(type); at += sizeof(std::uint64_t)) {
          const std::uint64_t value = fitted(bits != nullptr ? *bits : operands.operand(), type);
          std::memcpy(frame + slot + lane * lane_bytes(type) + at, &value,
                      std::min<std::size_t>(lane_bytes(type), sizeof value));
        }
        if (same && lane > 0) {
          std::memcpy(frame + slot + lane * lane_bytes(type), frame + slot, lane_bytes(type));
        }
      }
    };
    const Op& op = ops[1];
    for (std::size_t k = 0; k < row.destinations.size(); ++k) {
      put(op.d[k], row.destinations[k], false, nullptr);
    }
    for (std::size_t k = 0; k < row.sources.size(); ++k) {
      put(op.s[k], row.sources[k], operands.below(4) == 0, nullptr);
    }
    if (op.guard != no_slot) put(op.guard, LaneType::predicate, false, nullptr);
    for (const compiled::Constant& c : constants) put(c.slot, c.type, true, &c.bits);
  }

  const Row& row;
  std::string name;
  std::size_t frame_bytes = 0;
  std::array<Op, 3> ops;
  compiled::Instruction instruction;
  std::vector<compiled::Constant> constants;
  std::vector<std::uint8_t> temporary;
  compiled::Block block;
};

/// A warp with a frame, the same for both engines.
class RowWarp {
 public:
  RowWarp(const RowFunction& function, std::uint64_t seed)
      : memory_(function.frame_bytes / slot_alignment) {
    Operands operands(seed);
    function.fill(memory_[0].bytes, operands);
    warp_.frame = memory_[0].bytes;
    warp_.scratch = scratch_.get();
    warp_.counts = &count_;
    const auto lanes = operands.below(2) != 0 ? all_lanes : static_cast<LaneMask>(operands.word());
    warp_.activate(lanes);
    warp_.active_count = static_cast<std::uint32_t>(std::popcount(lanes));
  }

  const Op* interpret(const RowFunction& function) {
    return function.row.step(warp_, &function.ops[1]);
  }
  const Op* run(const RowFunction& function, compiled::Run code) {
    return code(warp_, function.ops.data(), 0);
  }
  std::string frame() const {
    return {reinterpret_cast<const char*>(memory_.data()), memory_.size() * slot_alignment};
  }
  const BlockCount& count() const { return count_; }
  std::uint32_t lanes() const { return warp_.active_count; }

 private:
  struct alignas(slot_alignment) Line {
    std::byte bytes[slot_alignment];
  };
  std::vector<Line> memory_;
  std::unique_ptr<Scratch> scratch_ = std::make_unique<Scratch>();
  BlockCount count_;
  Warp warp_;
};

/// The rows of one object file.
class CompiledRows {
 public:
  explicit CompiledRows(const compiled::Compiler& compiler) : compiler_(compiler) {}
  ~CompiledRows() { compiler_.unload(loaded_); }
  CompiledRows(const CompiledRows&) = delete;
  CompiledRows& operator=(const CompiledRows&) = delete;

  void add(const Row& row, Operands& operands) {
    const auto any = [&] { return operands.below(2) != 0; };
    // A row whose only source is a constant is tried on one operand alone.
    const bool constant = row.sources.size() > 1 ? any() : operands.below(8) == 0;
    functions_.emplace_back(row, functions_.size(), constant, any(), any(), operands.operand());
  }

  /// Empty, or why the rows cannot be compiled.
  std::string compile(compiled::Mistake mistake = compiled::Mistake::none) {
    std::vector<compiled::Function> described;
    described.reserve(functions_.size());
    for (RowFunction& function : functions_) described.push_back(function.described());
    const compiled::Object object =
        compiler_.compile({layout_of_warps(), static_cast<std::uint32_t>(described.size()),
                           described.data(), mistake});
    if (object.why != nullptr) return object.why;
    loaded_ = compiler_.load(object.data, object.bytes);
    if (loaded_ == nullptr) return "cannot be loaded";
    // Each search in the loaded code takes longer than a run.
    for (const RowFunction& function : functions_) {
      runs_.push_back(compiler_.find(loaded_, function.name.c_str()));
    }
    return "";
  }

  /// What differs between the engines for these operands; empty if nothing does.
  std::string difference(std::uint64_t seed) {
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      const RowFunction& function = functions_[k];
      RowWarp one(function, seed);
      RowWarp other(function, seed);
      if (one.interpret(function) != other.run(function, runs_[k]))
        return function.row.opcode + " ends";
      if (one.frame() != other.frame()) return function.row.opcode + " computes something else";
      if (other.count().visits != 1 || other.count().lanes != other.lanes()) {
        return function.row.opcode + " counts something else";
      }
    }
    return {};
  }

 private:
  const compiled::Compiler& compiler_;
  std::deque<RowFunction> functions_;
  std::vector<compiled::Run> runs_;
  void* loaded_ = nullptr;
};

}  // namespace bankproof::ptx
