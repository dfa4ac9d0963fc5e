// Logic, shifts, and counting and moving bits (alu/shifts.cpp, bits.cpp).
#include "emit.hpp"

namespace bankproof::ptx::compiled {

namespace {

/// A shift by the width or more is one by the width.
Value shifted(const Emit& e, bool left, bool is_signed, Value a, Value amount) {
  const Ir& ir = e.ir;
  const unsigned width = Ir::width(a);
  const Value inside = ir.compare(LLVMIntULT, amount, ir.all(32, width));
  if (!left && is_signed) {
    const Value most = ir.select(inside, amount, ir.all(32, width - 1));
    return ir.make(LLVMAShr, a, ir.resized(most, width, false));
  }
  const Value by = ir.resized(ir.and_(amount, ir.all(32, width - 1)), width, false);
  return ir.select(inside, ir.make(left ? LLVMShl : LLVMLShr, a, by), e.same(a, 0));
}

std::optional<Results> logic_row(const Emit& e) {
  const std::string_view base = e.spelled.base();
  const Ir& ir = e.ir;
  if (e.spelled.size() != 2) return {};
  if (base == "and") return Emit::one(ir.and_(e.s[0], e.s[1]));
  if (base == "or") return Emit::one(ir.or_(e.s[0], e.s[1]));
  if (base == "xor") return Emit::one(ir.xor_(e.s[0], e.s[1]));
  if (base == "not") return Emit::one(ir.not_(e.s[0]));
  const auto type = e.spelled.type();
  if (!type || type->is_float()) return {};
  if (base == "cnot") {
    const Value none = ir.compare(LLVMIntEQ, e.s[0], e.same(e.s[0], 0));
    return Emit::one(ir.cast(LLVMZExt, none, LLVMTypeOf(e.s[0])));
  }
  if (base == "shl") return Emit::one(shifted(e, true, false, e.s[0], e.s[1]));
  if (base == "shr") return Emit::one(shifted(e, false, type->is_signed(), e.s[0], e.s[1]));
  return {};
}

/// shf: the amount counts modulo 32 (.wrap), or at most 32 (.clamp).
std::optional<Results> funnel_row(const Emit& e) {
  const std::string_view opcode = e.row.opcode;
  const bool left = e.spelled[1] == "l";
  const bool wraps = opcode.ends_with(".wrap.b32");
  if (!wraps && !opcode.ends_with(".clamp.b32")) return {};
  const Ir& ir = e.ir;
  const Value moved = ir.intrinsic(left ? "llvm.fshl" : "llvm.fshr", {e.s[1], e.s[0], e.s[2]});
  if (wraps) return Emit::one(moved);
  const Value whole = ir.compare(LLVMIntUGE, e.s[2], ir.all(32, 32));
  return Emit::one(ir.select(whole, left ? e.s[0] : e.s[1], moved));
}

/// lop3: bit 4·a + 2·b + c of the table, which has to be a constant.
std::optional<Results> lookup_row(const Emit& e) {
  if (std::string_view(e.row.opcode) != "lop3.b32" || LLVMIsConstant(e.s[3]) == 0) return {};
  const Value first = LLVMGetAggregateElement(e.s[3], 0);
  if (first == nullptr || LLVMIsAConstantInt(first) == nullptr) return {};
  const std::uint64_t table = LLVMConstIntGetZExtValue(first);
  const Ir& ir = e.ir;
  Value result = e.same(e.s[0], 0);
  for (unsigned k = 0; k < 8; ++k) {
    if ((table >> k & 1U) == 0) continue;
    const auto factor = [&](unsigned bit, Value v) { return (k & bit) != 0 ? v : ir.not_(v); };
    result =
        ir.or_(result, ir.and_(ir.and_(factor(4, e.s[0]), factor(2, e.s[1])), factor(1, e.s[2])));
  }
  return Emit::one(result);
}

/// The lowest n bits; n may exceed the width.
Value low_bits(const Emit& e, Value n) {
  const Ir& ir = e.ir;
  const unsigned width = Ir::width(n);
  const Value by = ir.and_(n, e.same(n, width - 1));
  const Value some = ir.sub(ir.make(LLVMShl, e.same(n, 1), by), e.same(n, 1));
  return ir.select(ir.compare(LLVMIntUGE, n, e.same(n, width)), ir.not_(e.same(n, 0)), some);
}

/// bfe: bits position … position + length - 1; a signed field is extended by its highest bit, or by
/// the register's if the field reaches beyond it.
Value extracted(const Emit& e, bool is_signed) {
  const Ir& ir = e.ir;
  const Value a = e.s[0];
  const unsigned width = Ir::width(a);
  const auto byte = [&](Value v) { return ir.resized(ir.and_(v, ir.all(32, 255)), width, false); };
  const auto least = [&](Value x, Value y) {
    return ir.select(ir.compare(LLVMIntULT, x, y), x, y);
  };
  const Value position = byte(e.s[1]);
  const Value length = byte(e.s[2]);
  const Value beyond = ir.compare(LLVMIntUGE, position, e.same(a, width));
  const Value zero = e.same(a, 0);
  const Value by = ir.and_(position, e.same(a, width - 1));
  const Value moved = ir.select(beyond, zero, ir.make(LLVMLShr, a, by));
  const Value inside = ir.select(beyond, zero, least(length, ir.sub(e.same(a, width), position)));
  const Value field = low_bits(e, inside);
  Value result = ir.and_(moved, field);
  if (is_signed) {
    const Value top = least(ir.sub(ir.add(position, length), e.same(a, 1)), e.same(a, width - 1));
    const Value sign = ir.and_(ir.make(LLVMLShr, a, top), e.same(a, 1));
    result = ir.or_(result, ir.and_(ir.sub(zero, sign), ir.not_(field)));
  }
  return ir.select(ir.compare(LLVMIntEQ, length, zero), zero, result);
}

/// bfi: the low bits of a in the place of a field of b.
Value inserted(const Emit& e) {
  const Ir& ir = e.ir;
  const Value a = e.s[0];
  const Value b = e.s[1];
  const unsigned width = Ir::width(a);
  const auto byte = [&](Value v) { return ir.resized(ir.and_(v, ir.all(32, 255)), width, false); };
  const Value position = byte(e.s[2]);
  const Value by = ir.and_(position, e.same(a, width - 1));
  const Value field = ir.make(LLVMShl, low_bits(e, byte(e.s[3])), by);
  const Value joined = ir.or_(ir.and_(b, ir.not_(field)), ir.and_(ir.make(LLVMShl, a, by), field));
  return ir.select(ir.compare(LLVMIntUGE, position, e.same(a, width)), b, joined);
}

/// The position of the highest bit that differs from the sign; all ones if no bit differs.
Value highest_bit(const Emit& e, bool is_signed) {
  const Ir& ir = e.ir;
  const Value a = e.s[0];
  const unsigned width = Ir::width(a);
  const Value bits = is_signed ? ir.xor_(a, ir.make(LLVMAShr, a, e.same(a, width - 1))) : a;
  const Value zeros = ir.intrinsic("llvm.ctlz", {bits, ir.number(1, 0)});
  return ir.resized(ir.sub(e.same(a, width - 1), zeros), 32, false);
}

}  // namespace

std::optional<Results> bit_row(const Emit& e) {
  if (auto result = logic_row(e)) return result;
  const std::string_view base = e.spelled.base();
  const Ir& ir = e.ir;
  if (base == "shf") return funnel_row(e);
  if (base == "lop3") return lookup_row(e);
  const auto type = e.spelled.type();
  if (!type || type->is_float() || type->bits < 32 || e.spelled.size() != 2) return {};
  const auto counted = [&](Value v) { return Emit::one(ir.resized(v, 32, false)); };
  if (base == "popc") return counted(ir.intrinsic("llvm.ctpop", {e.s[0]}));
  if (base == "clz") return counted(ir.intrinsic("llvm.ctlz", {e.s[0], ir.number(1, 0)}));
  if (base == "brev") return Emit::one(ir.intrinsic("llvm.bitreverse", {e.s[0]}));
  if (base == "bfind") return Emit::one(highest_bit(e, type->is_signed()));
  if (base == "bfe") return Emit::one(extracted(e, type->is_signed()));
  if (base == "bfi") return Emit::one(inserted(e));
  return {};
}

}  // namespace bankproof::ptx::compiled
