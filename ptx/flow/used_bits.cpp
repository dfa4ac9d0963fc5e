// Goes backwards from uses to sources; see used_bits.hpp.
#include "used_bits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string_view>
#include <variant>

#include "../syntax/types.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

constexpr std::uint64_t low(std::uint64_t count) {
  return count >= 64 ? all_bits : (std::uint64_t{1} << count) - 1;
}

const Scalar* scalar_of(const Instruction& i, std::size_t operand) {
  return operand < i.operands.size() ? std::get_if<Scalar>(&i.operands[operand].value) : nullptr;
}
const Vector* vector_of(const Instruction& i, std::size_t operand) {
  return operand < i.operands.size() ? std::get_if<Vector>(&i.operands[operand].value) : nullptr;
}
std::optional<std::uint64_t> constant_of(const Instruction& i, std::size_t operand) {
  const Scalar* const scalar = scalar_of(i, operand);
  const auto* const constant = scalar == nullptr ? nullptr : std::get_if<Immediate>(scalar);
  if (constant == nullptr || constant->kind != Immediate::Kind::integer) return std::nullopt;
  return constant->bits;
}

/// The only modifier of the instruction, as a type of at most 64 bits; or null.
const FundamentalType* only_type(const Instruction& i) {
  const FundamentalType* const type =
      i.modifiers.size() == 1 ? find_type(i.modifiers.front()) : nullptr;
  return type != nullptr && type->bits <= 64 ? type : nullptr;
}

bool is_integer(const FundamentalType* type) {
  return type != nullptr && !type->packed &&
         (type->number == Number::signed_integer || type->number == Number::unsigned_integer);
}

bool only_moves_bits(const Instruction& i) {
  constexpr std::array<std::string_view, 9> bases{"mov", "cvt", "and",  "or",  "xor",
                                                  "not", "shl", "selp", "shfl"};
  return i.base == "shr" || std::find(bases.begin(), bases.end(), i.base) != bases.end();
}

bool is_store_to(const Instruction& i, const std::set<std::size_t>& variables) {
  if (i.base != "st" || !i.has("param") || i.operands.empty()) return false;
  const auto* const address = std::get_if<Address>(&i.operands.front().value);
  const auto* const symbol = address == nullptr ? nullptr : std::get_if<Symbol>(&address->base);
  return symbol != nullptr && symbol->kind == Symbol::Kind::local &&
         variables.count(symbol->index) != 0;
}

}  // namespace

UsedBits::UsedBits(const Function& function, const std::set<std::size_t>& unread) {
  std::size_t count = 0;
  for (const RegisterDeclaration& declaration : function.registers) {
    first_.push_back(count);
    bits_.push_back(low(bits_of(declaration.type)));
    count += declaration.count.value_or(1);
  }
  used_.resize(count);
  std::vector<const Instruction*> passing;  // backwards
  for (const Statement& statement : std::views::reverse(function.body)) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i == nullptr) continue;
    if (i->guard) use(i->guard->predicate, all_bits);
    if (only_moves_bits(*i)) {
      passing.push_back(i);
    } else if (!is_store_to(*i, unread)) {
      use_all(*i, i->base == "ld" ? 1 : 0);
    }
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (const Instruction* const i : passing) changes = pass(*i) || changes;
  }
}

std::uint16_t UsedBits::unused_bytes(const Instruction& load, std::uint32_t element_bytes) const {
  if (element_bytes > 8 || load.operands.empty()) return 0;
  const Scalar* const scalar = scalar_of(load, 0);
  const Vector* const vector = vector_of(load, 0);
  const std::vector<Scalar> elements =
      scalar != nullptr ? std::vector<Scalar>{*scalar}
                        : (vector != nullptr ? vector->elements : std::vector<Scalar>{});
  std::uint32_t unused = 0;
  std::uint32_t byte = 0;
  for (const Scalar& element : elements) {
    std::uint64_t used = of(element);
    // The bits of a wider register may be copies of the sign.
    if ((used & ~low(std::uint64_t{8} * element_bytes)) != 0) used = all_bits;
    for (std::uint32_t k = 0; k < element_bytes && byte < 16; ++k, ++byte) {
      if ((used >> (8 * k) & 0xFF) == 0) unused |= std::uint32_t{1} << byte;
    }
  }
  return static_cast<std::uint16_t>(unused);
}

// ---- What is used. Each function returns whether more is used than before.

bool UsedBits::use(const Scalar& scalar, std::uint64_t bits) {
  const auto* const r = std::get_if<Register>(&scalar);
  if (r == nullptr) return false;
  std::uint64_t& used = used_[first_[r->declaration] + r->number];
  bits &= bits_[r->declaration];
  const bool more = (bits & ~used) != 0;
  used |= bits;
  return more;
}

bool UsedBits::use_all(const Operand& operand) {
  bool more = false;
  const auto each = [&](const std::vector<Scalar>& scalars) {
    for (const Scalar& one : scalars) more = use(one, all_bits) || more;
  };
  if (const auto* const scalar = std::get_if<Scalar>(&operand.value)) return use(*scalar, all_bits);
  if (const auto* const address = std::get_if<Address>(&operand.value)) {
    if (const auto* const r = std::get_if<Register>(&address->base)) more = use(*r, all_bits);
    each(address->more);
    each(address->coordinates);
  } else if (const auto* const negated = std::get_if<Negated>(&operand.value)) {
    more = use(negated->predicate, all_bits);
  } else if (const auto* const pair = std::get_if<Pair>(&operand.value)) {
    each({pair->first, pair->second});
  } else if (const auto* const vector = std::get_if<Vector>(&operand.value)) {
    each(vector->elements);
  } else if (const auto* const arguments = std::get_if<Arguments>(&operand.value)) {
    each(arguments->elements);
  }
  return more;
}

bool UsedBits::use_all(const Instruction& i, std::size_t from) {
  bool more = false;
  for (std::size_t k = from; k < i.operands.size(); ++k) more = use_all(i.operands[k]) || more;
  return more;
}

std::uint64_t UsedBits::of(const Scalar& scalar) const {
  const auto* const r = std::get_if<Register>(&scalar);
  return r == nullptr ? 0 : of(*r);
}

std::uint64_t UsedBits::of_result(const Instruction& i) const {
  if (i.operands.empty()) return 0;
  if (const Scalar* const scalar = scalar_of(i, 0)) return of(*scalar);
  const auto* const pair = std::get_if<Pair>(&i.operands.front().value);
  return pair == nullptr ? all_bits : of(pair->first);  // shfl's second result says who took part
}

// ---- Instructions that only move bits

bool UsedBits::pass(const Instruction& i) {
  const std::uint64_t used = of_result(i);
  if (i.base == "mov") return move(i, used);
  if (i.base == "cvt") return convert(i, used);
  if (i.base == "shl" || i.base == "shr") return shift(i, used);
  if (i.operands.size() < 2 || scalar_of(i, 1) == nullptr) return use_all(i, 1);
  if (i.base == "shfl") {
    const bool more = use(*scalar_of(i, 1), used);
    return use_all(i, 2) || more;
  }
  const Scalar* const second = scalar_of(i, 2);
  if (second == nullptr) return i.base == "not" ? use(*scalar_of(i, 1), used) : use_all(i, 1);
  const std::uint64_t kept = i.base == "and" ? constant_of(i, 2).value_or(all_bits) : all_bits;
  bool more = use(*scalar_of(i, 1), used & kept);
  more = use(*second, used) || more;
  return use_all(i, 3) || more;  // the predicate of selp
}

bool UsedBits::move(const Instruction& i, std::uint64_t of_result) {
  const FundamentalType* const type = only_type(i);
  const Scalar* const result = scalar_of(i, 0);
  const Scalar* const source = scalar_of(i, 1);
  if (type == nullptr) return use_all(i, 1);
  if (result != nullptr && source != nullptr) return use(*source, of_result);
  const auto bits_of_one = [&](const Vector& v) { return type->bits / v.elements.size(); };
  if (const Vector* const parts = vector_of(i, 0); parts != nullptr && source != nullptr) {
    std::uint64_t used = 0;
    for (std::size_t k = 0; k < parts->elements.size(); ++k) {
      used |= (of(parts->elements[k]) & low(bits_of_one(*parts))) << (k * bits_of_one(*parts));
    }
    return use(*source, used);
  }
  const Vector* const parts = vector_of(i, 1);
  if (result == nullptr || parts == nullptr) return use_all(i, 1);
  bool more = false;
  for (std::size_t k = 0; k < parts->elements.size(); ++k) {
    const std::uint64_t used = of_result >> (k * bits_of_one(*parts)) & low(bits_of_one(*parts));
    more = use(parts->elements[k], used) || more;
  }
  return more;
}

bool UsedBits::convert(const Instruction& i, std::uint64_t of_result) {
  const Scalar* const source = scalar_of(i, 1);
  const FundamentalType* const to = i.modifiers.size() == 2 ? find_type(i.modifiers[0]) : nullptr;
  const FundamentalType* const from = i.modifiers.size() == 2 ? find_type(i.modifiers[1]) : nullptr;
  if (!is_integer(to) || !is_integer(from) || source == nullptr) return use_all(i, 1);
  if (of_result == 0) return false;
  // Bits beyond either type are zeros, or copies of a sign.
  const std::uint64_t common = low(std::min(to->bits, from->bits));
  const bool beyond = (of_result & ~common) != 0;
  return use(*source, beyond ? low(from->bits) : of_result & common);
}

bool UsedBits::shift(const Instruction& i, std::uint64_t of_result) {
  const Scalar* const source = scalar_of(i, 1);
  const FundamentalType* const type = only_type(i);
  const std::optional<std::uint64_t> by = constant_of(i, 2);
  if (source == nullptr || type == nullptr || !by || *by >= type->bits) return use_all(i, 1);
  if (i.base == "shl") return use(*source, of_result >> *by);
  const std::uint64_t shifted_in = low(type->bits) & ~low(type->bits - *by);
  const bool sign = type->number == Number::signed_integer && (of_result & shifted_in) != 0;
  return use(*source, of_result << *by | (sign ? std::uint64_t{1} << (type->bits - 1) : 0));
}

}  // namespace bankproof::ptx
