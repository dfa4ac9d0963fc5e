// cvt between integers, f32 and f64 (alu/integer_conversions.cpp, conversions_to_floats.cpp,
// conversions_to_integers.cpp, float_conversions.cpp).
#include "emit.hpp"

namespace bankproof::ptx::compiled {

namespace {

/// The value of a source, whose register may be wider than its type.
Value narrow(const Emit& e, Value lane, const Written& type) {
  return type.bits < type.lane() ? e.ir.resized(lane, type.bits, false) : lane;
}

std::optional<Results> between_integers(const Emit& e, const Written& to, const Written& from) {
  if (e.spelled.size() != 3) return {};
  const Value value = e.ir.resized(narrow(e, e.s[0], from), to.bits, from.is_signed());
  return Emit::one(e.ir.resized(value, to.lane(), to.is_signed()));
}

std::optional<Results> to_float(const Emit& e, const Written& to, const Written& from) {
  if (e.spelled.size() != 4 || e.spelled[1] != "rn" || from.bits > 32) return {};
  const Value value = narrow(e, e.s[0], from);
  const LLVMOpcode opcode = from.is_signed() ? LLVMSIToFP : LLVMUIToFP;
  return Emit::one(e.as_bits(e.ir.cast(opcode, value, e.ir.floats(to.bits))));
}

/// A number out of range gives the nearest number of the type.
std::optional<Results> to_integer(const Emit& e, const Written& to, const Written& from) {
  if (to.bits != 32 || !e.spelled.only({"rni", "rzi", "rmi", "rpi", "ftz", "sat"}, 2)) return {};
  if (!e.processor.rounds) return {};
  const Ir& ir = e.ir;
  const Value real = e.flushed(e.number(0), e.spelled.has("ftz"));
  Value x = ir.cast(LLVMFPExt, real, ir.floats(64));
  if (e.spelled.has("rni")) x = ir.intrinsic("llvm.roundeven", {x});
  if (e.spelled.has("rmi")) x = ir.intrinsic("llvm.floor", {x});
  if (e.spelled.has("rpi")) x = ir.intrinsic("llvm.ceil", {x});
  const bool is_signed = to.is_signed();
  const Value low = ir.all_real(64, is_signed ? -0x1p31 : 0);
  const Value high = ir.all_real(64, is_signed ? 0x1p31 - 1 : 0x1p32 - 1);
  const Value at_least = ir.select(ir.compare(LLVMRealOGT, x, low), x, low);
  const Value inside = ir.select(ir.compare(LLVMRealOLT, at_least, high), at_least, high);
  const Value result = ir.cast(is_signed ? LLVMFPToSI : LLVMFPToUI, inside, ir.lanes(32U));
  const std::uint64_t of_nan = from.bits == 64 ? 0x80000000 : 0;
  return Emit::one(ir.select(e.is_nan(x), ir.all(32, of_nan), result));
}

std::optional<Results> between_floats(const Emit& e, const Written& to, const Written& from) {
  const Ir& ir = e.ir;
  const bool ftz = e.spelled.has("ftz");
  const Value value = e.flushed(e.number(0), ftz && from.bits == 32);
  if (to.bits == 64 && from.bits == 32 && e.spelled.only({"ftz"}, 2)) {
    return e.finished(ir.cast(LLVMFPExt, value, ir.floats(64)), false, false);
  }
  if (to.bits == 32 && from.bits == 64 && e.spelled[1] == "rn" &&
      e.spelled.only({"rn", "ftz"}, 2)) {
    return e.finished(ir.cast(LLVMFPTrunc, value, ir.floats(32)), ftz, false);
  }
  return {};
}

}  // namespace

std::optional<Results> conversion_row(const Emit& e) {
  const auto from = e.spelled.type();
  const auto to = e.spelled.type(1);
  if (e.spelled.base() != "cvt" || !to || !from || to->kind == 'b' || from->kind == 'b') return {};
  if (!to->is_float() && !from->is_float()) return between_integers(e, *to, *from);
  if (!from->is_float()) return to_float(e, *to, *from);
  if (!to->is_float()) return to_integer(e, *to, *from);
  return between_floats(e, *to, *from);
}

}  // namespace bankproof::ptx::compiled
