// A thin layer over llvm-c: vectors of the lanes of a strip, and the operations on them.
#pragma once

#include <llvm-c/Core.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "../isa/registers.hpp"

namespace bankproof::ptx::compiled {

using Value = LLVMValueRef;
using Type = LLVMTypeRef;

/// Lanes that one pass of compiled code handles together, in registers of the processor.
inline constexpr unsigned strip = 8;

class Ir {
 public:
  Ir(LLVMContextRef its_context, LLVMModuleRef its_module)
      : context(its_context), module(its_module), builder(LLVMCreateBuilderInContext(context)) {}
  ~Ir() { LLVMDisposeBuilder(builder); }
  Ir(const Ir&) = delete;
  Ir& operator=(const Ir&) = delete;

  Type bits(unsigned width) const { return LLVMIntTypeInContext(context, width); }
  Type pointer() const { return LLVMPointerTypeInContext(context, 0); }
  Type lanes(unsigned width) const { return LLVMVectorType(bits(width), strip); }
  Type floats(unsigned width) const {
    return LLVMVectorType(
        width == 32 ? LLVMFloatTypeInContext(context) : LLVMDoubleTypeInContext(context), strip);
  }
  /// The type of a strip of a register; predicates are vectors of bits.
  Type lanes(LaneType type) const {
    return lanes(type == LaneType::predicate ? 1U : 8U * static_cast<unsigned>(lane_bytes(type)));
  }

  Value number(unsigned width, std::uint64_t value) const {
    return LLVMConstInt(bits(width), value, 0);
  }
  /// The same number in all lanes.
  Value all(unsigned width, std::uint64_t value) const {
    std::vector<Value> elements(strip, number(width, value));
    return LLVMConstVector(elements.data(), strip);
  }
  Value same(Value number) const {
    const Type type = LLVMVectorType(LLVMTypeOf(number), strip);
    const Value first =
        LLVMBuildInsertElement(builder, LLVMGetPoison(type), number, this->number(32, 0), "");
    std::vector<Value> zeros(strip, this->number(32, 0));
    return LLVMBuildShuffleVector(builder, first, LLVMGetPoison(type),
                                  LLVMConstVector(zeros.data(), strip), "");
  }
  Value all_real(unsigned width, double value) const {
    const Type one =
        width == 32 ? LLVMFloatTypeInContext(context) : LLVMDoubleTypeInContext(context);
    std::vector<Value> elements(strip, LLVMConstReal(one, value));
    return LLVMConstVector(elements.data(), strip);
  }
  static unsigned width(Value v) {
    const Type type = LLVMTypeOf(v);
    const Type one = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    switch (LLVMGetTypeKind(one)) {
      case LLVMFloatTypeKind:
        return 32;
      case LLVMDoubleTypeKind:
        return 64;
      default:
        return LLVMGetIntTypeWidth(one);
    }
  }

  Value make(LLVMOpcode opcode, Value a, Value b) const {
    return LLVMBuildBinOp(builder, opcode, a, b, "");
  }
  Value add(Value a, Value b) const { return make(LLVMAdd, a, b); }
  Value sub(Value a, Value b) const { return make(LLVMSub, a, b); }
  Value mul(Value a, Value b) const { return make(LLVMMul, a, b); }
  Value and_(Value a, Value b) const { return make(LLVMAnd, a, b); }
  Value or_(Value a, Value b) const { return make(LLVMOr, a, b); }
  Value xor_(Value a, Value b) const { return make(LLVMXor, a, b); }
  Value not_(Value a) const { return LLVMBuildNot(builder, a, ""); }
  Value compare(LLVMIntPredicate how, Value a, Value b) const {
    return LLVMBuildICmp(builder, how, a, b, "");
  }
  Value compare(LLVMRealPredicate how, Value a, Value b) const {
    return LLVMBuildFCmp(builder, how, a, b, "");
  }
  Value select(Value mask, Value yes, Value no) const {
    return LLVMBuildSelect(builder, mask, yes, no, "");
  }
  Value cast(LLVMOpcode opcode, Value a, Type to) const {
    return LLVMTypeOf(a) == to ? a : LLVMBuildCast(builder, opcode, a, to, "");
  }
  Value bitcast(Value a, Type to) const { return cast(LLVMBitCast, a, to); }
  /// The low bits, or all bits with the sign or zeros before them.
  Value resized(Value a, unsigned to, bool is_signed) const {
    if (width(a) == to) return a;
    return cast(width(a) > to ? LLVMTrunc : is_signed ? LLVMSExt : LLVMZExt, a, lanes(to));
  }
  /// Calls the intrinsic on vectors of the first argument's type.
  Value intrinsic(const std::string& name, std::initializer_list<Value> arguments) const {
    Type type = LLVMTypeOf(*arguments.begin());
    const unsigned id = LLVMLookupIntrinsicID(name.data(), name.size());
    const Value function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    std::vector<Value> all(arguments);
    return LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, &type, 1), function,
                          all.data(), static_cast<unsigned>(all.size()), "");
  }

  Value load(Type type, Value from, unsigned alignment) const {
    const Value loaded = LLVMBuildLoad2(builder, type, from, "");
    LLVMSetAlignment(loaded, alignment);
    return loaded;
  }
  void store(Value value, Value to, unsigned alignment) const {
    LLVMSetAlignment(LLVMBuildStore(builder, value, to), alignment);
  }
  /// The address of the byte at a distance.
  Value at(Value base, Value bytes) const {
    return LLVMBuildGEP2(builder, bits(8), base, &bytes, 1, "");
  }
  Value at(Value base, std::uint64_t bytes) const { return at(base, number(64, bytes)); }

  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
};

}  // namespace bankproof::ptx::compiled
