// setp and set on integers, f32 and f64 (alu/comparing.hpp).
#include <array>
#include <utility>

#include "emit.hpp"

namespace bankproof::ptx::compiled {

namespace {

/// A comparison of integers, for signed and other types, or -1.
struct OfIntegers {
  std::string_view name;
  int of_signed;
  int of_unsigned;
};
constexpr std::array<OfIntegers, 10> of_integers{{{"eq", LLVMIntEQ, LLVMIntEQ},
                                                  {"ne", LLVMIntNE, LLVMIntNE},
                                                  {"lt", LLVMIntSLT, LLVMIntULT},
                                                  {"le", LLVMIntSLE, LLVMIntULE},
                                                  {"gt", LLVMIntSGT, LLVMIntUGT},
                                                  {"ge", LLVMIntSGE, LLVMIntUGE},
                                                  {"lo", -1, LLVMIntULT},
                                                  {"ls", -1, LLVMIntULE},
                                                  {"hi", -1, LLVMIntUGT},
                                                  {"hs", -1, LLVMIntUGE}}};

constexpr std::array<std::pair<std::string_view, LLVMRealPredicate>, 14> of_floats{
    {{"eq", LLVMRealOEQ},
     {"ne", LLVMRealONE},
     {"lt", LLVMRealOLT},
     {"le", LLVMRealOLE},
     {"gt", LLVMRealOGT},
     {"ge", LLVMRealOGE},
     {"equ", LLVMRealUEQ},
     {"neu", LLVMRealUNE},
     {"ltu", LLVMRealULT},
     {"leu", LLVMRealULE},
     {"gtu", LLVMRealUGT},
     {"geu", LLVMRealUGE},
     {"num", LLVMRealORD},
     {"nan", LLVMRealUNO}}};

/// The comparison as a predicate; null if it is not compiled.
Value compared(const Emit& e, const Written& type) {
  const std::string_view how = e.spelled[1];
  if (type.is_float()) {
    const bool ftz = e.spelled.has("ftz");
    for (const auto& [name, predicate] : of_floats) {
      if (name != how) continue;
      return e.ir.compare(predicate, e.flushed(e.number(0), ftz), e.flushed(e.number(1), ftz));
    }
    return nullptr;
  }
  if (type.bits < 16) return nullptr;
  for (const OfIntegers& one : of_integers) {
    const int predicate = type.is_signed() ? one.of_signed : one.of_unsigned;
    if (one.name != how || predicate < 0) continue;
    return e.ir.compare(static_cast<LLVMIntPredicate>(predicate), e.s[0], e.s[1]);
  }
  return nullptr;
}

/// Joined with the predicate c by .and, .or, .xor.
Value joined(const Emit& e, Value mask) {
  if (e.row.sources < 3) return mask;
  const std::string_view how = e.spelled[2];
  return how == "and"  ? e.ir.and_(mask, e.s[2])
         : how == "or" ? e.ir.or_(mask, e.s[2])
                       : e.ir.xor_(mask, e.s[2]);
}

}  // namespace

std::optional<Results> comparison_row(const Emit& e) {
  const std::string_view base = e.spelled.base();
  const auto type = e.spelled.type();
  if ((base != "setp" && base != "set") || !type) return {};
  const Value mask = compared(e, *type);
  if (mask == nullptr) return {};
  if (base == "setp") {
    return Emit::two(joined(e, mask),
                     e.row.destinations > 1 ? joined(e, e.ir.not_(mask)) : nullptr);
  }
  const auto to = e.spelled.type(1);
  if (!to || to->bits != 32 || to->kind == 'b') return {};
  const std::uint64_t one = to->is_float() ? 0x3f800000 : 0xffffffff;
  return Emit::one(e.ir.select(joined(e, mask), e.ir.all(32, one), e.ir.all(32, 0)));
}

}  // namespace bankproof::ptx::compiled
