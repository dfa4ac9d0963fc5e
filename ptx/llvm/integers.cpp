// Sums, products and extremes of integers, and moves (alu/integers.cpp, products.cpp, carries.cpp,
// moves.cpp).
#include "emit.hpp"

namespace bankproof::ptx::compiled {

namespace {

Value product(const Emit& e, Value a, Value b, unsigned to, bool is_signed) {
  return e.ir.mul(e.ir.resized(a, to, is_signed), e.ir.resized(b, to, is_signed));
}

/// mul and mad: .lo, .hi, .wide.
std::optional<Results> product_row(const Emit& e, const Written& type) {
  const bool adds = e.spelled.base() == "mad";
  const unsigned bits = type.bits;
  const std::string_view part = e.spelled[1];
  if (e.spelled.size() != 3 || type.is_float() || type.kind == 'b' || bits < 16) return {};
  Value result = nullptr;
  if (part == "lo") {
    result = e.ir.mul(e.s[0], e.s[1]);
  } else if (bits == 64) {
    return {};  // products of 128 bits
  } else if (part == "wide") {
    result = product(e, e.s[0], e.s[1], 2 * bits, type.is_signed());
  } else if (part == "hi") {
    const Value wide = product(e, e.s[0], e.s[1], 2 * bits, type.is_signed());
    result = e.ir.resized(e.ir.make(LLVMLShr, wide, e.ir.all(2 * bits, bits)), bits, false);
  } else {
    return {};
  }
  return Emit::one(adds ? e.ir.add(result, e.s[2]) : result);
}

/// add.cc, addc, sub.cc, subc. The condition code is a predicate, which holds the borrow after a
/// subtraction.
std::optional<Results> carry_row(const Emit& e) {
  const std::string_view base = e.spelled.base();
  const bool adds = base.starts_with("add");
  const bool reads = base.ends_with("c");
  const bool writes = e.spelled[1] == "cc";
  if (e.spelled.size() != (writes ? 3U : 2U)) return {};
  const Ir& ir = e.ir;
  const Value a = e.s[0];
  const Value in = reads ? ir.cast(LLVMZExt, e.s[2], LLVMTypeOf(a)) : e.same(a, 0);
  const Value once = adds ? ir.add(a, e.s[1]) : ir.sub(a, e.s[1]);
  const Value twice = adds ? ir.add(once, in) : ir.sub(once, in);
  const Value out =
      adds ? ir.or_(ir.compare(LLVMIntULT, once, a), ir.compare(LLVMIntULT, twice, once))
           : ir.or_(ir.compare(LLVMIntULT, a, e.s[1]), ir.compare(LLVMIntULT, once, twice));
  return Emit::two(twice, writes ? out : nullptr);
}

std::optional<Results> move_row(const Emit& e) {
  const std::string_view base = e.spelled.base();
  const Ir& ir = e.ir;
  if (base == "mov" && e.spelled.size() == 2 && !e.spelled[1].ends_with("8")) {
    Results results;
    results[0] = e.sources[0];
    return results;
  }
  if (base == "selp" && e.spelled.size() == 2) return Emit::one(ir.select(e.s[2], e.s[0], e.s[1]));
  const std::string_view opcode = e.row.opcode;
  if (opcode == "pack.b64.b32" || opcode == "pack.b32.b16") {
    const unsigned half = base.size() == 4 && opcode == "pack.b64.b32" ? 32 : 16;
    const Value high = ir.resized(e.s[1], 2 * half, false);
    return Emit::one(ir.or_(ir.resized(e.s[0], 2 * half, false),
                            ir.make(LLVMShl, high, ir.all(2 * half, half))));
  }
  if (opcode == "unpack.b64.b32" || opcode == "unpack.b32.b16") {
    const unsigned half = opcode == "unpack.b64.b32" ? 32 : 16;
    const Value high = ir.make(LLVMLShr, e.s[0], ir.all(2 * half, half));
    return Emit::two(ir.resized(e.s[0], half, false), ir.resized(high, half, false));
  }
  return {};
}

}  // namespace

std::optional<Results> integer_row(const Emit& e) {
  const std::string_view base = e.spelled.base();
  const Ir& ir = e.ir;
  if (auto moved = move_row(e)) return moved;
  const auto type = e.spelled.type();
  if (!type || type->is_float() || type->bits < 16) return {};
  if (base == "mul" || base == "mad") return product_row(e, *type);
  if (type->kind == 'b') return {};
  if (base == "addc" || base == "subc" ||
      ((base == "add" || base == "sub") && e.spelled[1] == "cc")) {
    return carry_row(e);
  }
  if (e.spelled.size() != 2) return {};
  const bool is_signed = type->is_signed();
  if (base == "add") return Emit::one(ir.add(e.s[0], e.s[1]));
  if (base == "sub") return Emit::one(ir.sub(e.s[0], e.s[1]));
  if (base == "neg") return Emit::one(ir.sub(e.same(e.s[0], 0), e.s[0]));
  if (base == "abs") {
    const Value zero = e.same(e.s[0], 0);
    return Emit::one(ir.select(ir.compare(LLVMIntSLT, e.s[0], zero), ir.sub(zero, e.s[0]), e.s[0]));
  }
  if (base == "min" || base == "max" || base == "sad") {
    const Value less = ir.compare(is_signed ? LLVMIntSLT : LLVMIntULT, e.s[0], e.s[1]);
    if (base == "min") return Emit::one(ir.select(less, e.s[0], e.s[1]));
    if (base == "max") return Emit::one(ir.select(less, e.s[1], e.s[0]));
    const Value distance = ir.select(less, ir.sub(e.s[1], e.s[0]), ir.sub(e.s[0], e.s[1]));
    return Emit::one(ir.add(e.s[2], distance));
  }
  return {};
}

}  // namespace bankproof::ptx::compiled
