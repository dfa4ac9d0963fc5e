// What the files of rows share.
#pragma once

#include "rows.hpp"
#include "spelling.hpp"

namespace bankproof::ptx::compiled {

/// A row that is being compiled.
struct Emit {
  const Ir& ir;
  const Processor& processor;
  Mistake mistake;
  const Instruction& row;
  const Spelling& spelled;
  const std::array<Value, 5>& s;  // the bits of the sources
  const std::array<Lanes, 5>& sources;

  static std::optional<Results> one(Value result) {
    Results results;
    results[0].bits = result;
    return results;
  }
  static std::optional<Results> two(Value first, Value second) {
    Results results;
    results[0].bits = first;
    results[1].bits = second;
    return results;
  }

  /// A constant as wide as the lanes of `like`.
  Value same(Value like, std::uint64_t value) const { return ir.all(Ir::width(like), value); }
  Value real(Value bits) const { return ir.bitcast(bits, ir.floats(Ir::width(bits))); }
  /// The source as a number, for operations to which all NaN are the same.
  Value number(std::size_t source) const {
    const Lanes& lanes = sources[source];
    return lanes.number != nullptr ? lanes.number : real(lanes.bits);
  }
  Value as_bits(Value real) const { return ir.bitcast(real, ir.lanes(Ir::width(real))); }
  Value is_nan(Value real) const { return ir.compare(LLVMRealUNO, real, real); }

  /// As flush(), saturated() and canonical() of alu/flush.hpp.
  Value flushed(Value real, bool ftz) const;
  Value saturated(Value real) const;
  Value canonical(Value real) const;
  /// The result of an operation: finished() of alu/flush.hpp.
  std::optional<Results> finished(Value real, bool ftz, bool sat) const;
};

std::optional<Results> integer_row(const Emit& emit);
std::optional<Results> bit_row(const Emit& emit);
std::optional<Results> float_row(const Emit& emit);
std::optional<Results> comparison_row(const Emit& emit);
std::optional<Results> conversion_row(const Emit& emit);

}  // namespace bankproof::ptx::compiled
