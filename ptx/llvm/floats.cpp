// Arithmetic of f32 and f64 rounded to nearest (alu/floats.cpp, extremes.cpp, flush.hpp).
// Operations are never joined: LLVM contracts only what is marked for it.
#include "emit.hpp"

namespace bankproof::ptx::compiled {

namespace {

constexpr std::uint64_t canonical_f32 = 0x7fffffff;
constexpr std::uint64_t canonical_f64 = 0x7fffffffffffffff;

std::uint64_t sign_of(Value bits) { return std::uint64_t{1} << (Ir::width(bits) - 1); }

/// Maps the bits of numbers to integers in the same order, in which -0 comes before +0.
Value order(const Emit& e, Value bits) {
  const Ir& ir = e.ir;
  const unsigned width = Ir::width(bits);
  const Value negative = ir.make(LLVMAShr, bits, e.same(bits, width - 1));
  return ir.xor_(bits, ir.make(LLVMLShr, negative, e.same(bits, 1)));
}

/// min and max: a number wins over NaN unless .NaN says otherwise.
Value extreme(const Emit& e, bool greatest, bool nan, Value a, Value b) {
  const Ir& ir = e.ir;
  const Value first = ir.compare(greatest ? LLVMIntSGT : LLVMIntSLT, order(e, e.as_bits(a)),
                                 order(e, e.as_bits(b)));
  const Value chosen = ir.select(first, e.as_bits(a), e.as_bits(b));
  const Value none = e.same(chosen, Ir::width(chosen) == 32 ? canonical_f32 : canonical_f64);
  if (nan) return ir.select(ir.or_(e.is_nan(a), e.is_nan(b)), none, chosen);
  const Value a_or_b = ir.select(e.is_nan(a), ir.select(e.is_nan(b), none, e.as_bits(b)), chosen);
  return ir.select(e.is_nan(b), ir.select(e.is_nan(a), none, e.as_bits(a)), a_or_b);
}

std::optional<Results> extreme_row(const Emit& e, bool ftz) {
  if (!e.spelled.only({"ftz", "NaN"})) return {};
  return Emit::one(extreme(e, e.spelled.base() == "max", e.spelled.has("NaN"),
                           e.flushed(e.number(0), ftz), e.flushed(e.number(1), ftz)));
}

}  // namespace

Value Emit::flushed(Value real, bool ftz) const {
  if (!ftz) return real;
  const Value all = as_bits(real);
  const Value tiny = ir.compare(LLVMIntEQ, ir.and_(all, same(all, 0x7f800000)), same(all, 0));
  return this->real(ir.select(tiny, ir.and_(all, same(all, 0x80000000)), all));
}

Value Emit::saturated(Value real) const {
  const unsigned width = Ir::width(real);
  const Value zero = ir.all_real(width, 0);
  const Value one = ir.all_real(width, 1);
  const Value low = ir.select(ir.compare(LLVMRealOGT, real, zero), real, zero);
  return ir.select(ir.compare(LLVMRealOLT, low, one), low, one);
}

Value Emit::canonical(Value real) const {
  const Value all = as_bits(real);
  const Value nan = same(all, Ir::width(all) == 32 ? canonical_f32 : canonical_f64);
  return this->real(ir.select(is_nan(real), nan, all));
}

std::optional<Results> Emit::finished(Value real, bool ftz, bool sat) const {
  const Value flush = flushed(real, ftz);
  if (sat) return one(as_bits(saturated(flush)));
  Results results;
  results[0] = {as_bits(mistake == Mistake::passes_nan_on ? flush : canonical(flush)), flush};
  return results;
}

std::optional<Results> float_row(const Emit& e) {
  const auto type = e.spelled.type();
  if (!type || !type->is_float()) return {};
  const std::string_view base = e.spelled.base();
  const Ir& ir = e.ir;
  const bool ftz = e.spelled.has("ftz");
  const bool sat = e.spelled.has("sat");
  const auto operand = [&](std::size_t k) { return e.flushed(e.number(k), ftz); };
  const auto result = [&](Value real) { return e.finished(real, ftz, sat); };
  if (base == "min" || base == "max") return extreme_row(e, ftz);
  if (base == "abs" || base == "neg") {
    if (!e.spelled.only({"ftz"})) return {};
    const Value all = e.as_bits(e.flushed(e.real(e.s[0]), ftz));
    const std::uint64_t sign = sign_of(all);
    return Emit::one(base == "abs" ? ir.and_(all, e.same(all, sign - 1))
                                   : ir.xor_(all, e.same(all, sign)));
  }
  if (base == "add" || base == "sub" || base == "mul") {
    if (!e.spelled.only({"rn", "ftz", "sat"})) return {};
    const LLVMOpcode opcode = base == "add" ? LLVMFAdd : base == "sub" ? LLVMFSub : LLVMFMul;
    return result(ir.make(opcode, operand(0), operand(1)));
  }
  if (!e.spelled.has("rn")) return {};
  if (base == "fma" || base == "mad") {
    if (!e.processor.fused || !e.spelled.only({"rn", "ftz", "sat"})) return {};
    if (e.mistake == Mistake::rounds_twice) {
      return result(ir.make(LLVMFAdd, ir.make(LLVMFMul, operand(0), operand(1)), operand(2)));
    }
    return result(ir.intrinsic("llvm.fma", {operand(0), operand(1), operand(2)}));
  }
  if (!e.spelled.only({"rn", "ftz"})) return {};
  if (base == "div") return result(ir.make(LLVMFDiv, operand(0), operand(1)));
  if (base == "rcp") return result(ir.make(LLVMFDiv, ir.all_real(type->bits, 1), operand(0)));
  if (base == "sqrt") return result(ir.intrinsic("llvm.sqrt", {operand(0)}));
  return {};
}

}  // namespace bankproof::ptx::compiled
