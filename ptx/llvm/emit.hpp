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
  const std::array<Value, 5>& s;

  static std::optional<Results> one(Value result) { return Results{result}; }

  /// A constant as wide as the lanes of `like`.
  Value same(Value like, std::uint64_t value) const { return ir.all(Ir::width(like), value); }
  Value real(Value bits) const { return ir.bitcast(bits, ir.floats(Ir::width(bits))); }
  Value as_bits(Value real) const { return ir.bitcast(real, ir.lanes(Ir::width(real))); }
  Value is_nan(Value real) const { return ir.compare(LLVMRealUNO, real, real); }

  /// As flush(), saturated() and canonical() of alu/flush.hpp.
  Value flushed(Value real, bool ftz) const;
  Value saturated(Value real) const;
  Value canonical(Value real) const;
  /// The bits of a result: finished() of alu/flush.hpp.
  Value finished(Value real, bool ftz, bool sat) const;
};

std::optional<Results> integer_row(const Emit& emit);
std::optional<Results> bit_row(const Emit& emit);
std::optional<Results> float_row(const Emit& emit);
std::optional<Results> comparison_row(const Emit& emit);
std::optional<Results> conversion_row(const Emit& emit);

}  // namespace bankproof::ptx::compiled
