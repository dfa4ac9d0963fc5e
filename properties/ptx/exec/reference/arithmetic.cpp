// The arithmetic of the reference: 64-bit integers, cut to the type.
#include <algorithm>
#include <stdexcept>

#include "thread.hpp"

namespace bankproof::ptx::reference {

IntegerType integer_type(const std::string& type) {
  if (type == "pred") return {1, false};
  const bool integer = !type.empty() && (type[0] == 's' || type[0] == 'u' || type[0] == 'b');
  if (!integer) throw std::invalid_argument("no integer type: " + type);
  return {static_cast<std::uint32_t>(std::stoul(type.substr(1))), type[0] == 's'};
}

std::uint64_t fitted(std::uint64_t value, const IntegerType& type) {
  if (type.bits >= 64) return value;
  const std::uint64_t low = value & ((std::uint64_t{1} << type.bits) - 1);
  const bool negative = type.is_signed && (low >> (type.bits - 1)) != 0;
  return negative ? low | ~std::uint64_t{0} << type.bits : low;
}

namespace {

bool compared(const std::string& how, std::uint64_t a, std::uint64_t b, bool is_signed) {
  const auto sa = static_cast<std::int64_t>(a);
  const auto sb = static_cast<std::int64_t>(b);
  const bool less = is_signed ? sa < sb : a < b;
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "lt" || how == "lo") return less;
  if (how == "le" || how == "ls") return less || a == b;
  if (how == "gt" || how == "hi") return !less && a != b;
  if (how == "ge" || how == "hs") return !less;
  throw std::invalid_argument("comparison " + how);
}

std::uint64_t shifted_right(std::uint64_t a, std::uint64_t by, const IntegerType& type) {
  if (!type.is_signed) return by >= type.bits ? 0 : a >> by;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >>
                                    std::min<std::uint64_t>(by, type.bits - 1));
}

}  // namespace

std::optional<std::uint64_t> Thread::computed(const Instruction& i) const {
  if (i.modifiers.empty()) return std::nullopt;
  const std::string& base = i.base;
  const IntegerType type = integer_type(i.modifiers.back());
  const auto operand = [&](std::size_t k) { return fitted(value(i.operands.at(k)), type); };
  const auto plain = [&](std::size_t k) { return value(i.operands.at(k)); };
  const bool wide = i.modifiers.front() == "wide";
  if (base == "mov") return operand(1);
  if (base == "add") return operand(1) + operand(2);
  if (base == "sub") return operand(1) - operand(2);
  if (base == "mul" && (wide || i.modifiers.front() == "lo")) return operand(1) * operand(2);
  if (base == "mad" && (wide || i.modifiers.front() == "lo")) {
    return operand(1) * operand(2) + plain(3);
  }
  if (base == "and") return operand(1) & operand(2);
  if (base == "or") return operand(1) | operand(2);
  if (base == "xor") return operand(1) ^ operand(2);
  if (base == "not") return ~operand(1);
  if (base == "neg") return 0 - operand(1);
  if (base == "shl") {
    return plain(2) >= type.bits ? 0 : operand(1) << plain(2);
  }
  if (base == "shr") return shifted_right(operand(1), plain(2), type);
  if (base == "min" || base == "max") {
    const bool first = compared("lt", operand(1), operand(2), type.is_signed) == (base == "min");
    return first ? operand(1) : operand(2);
  }
  if (base == "rem" && !type.is_signed && operand(2) != 0) return operand(1) % operand(2);
  if (base == "selp") return plain(3) != 0 ? operand(1) : operand(2);
  if (base == "cvt")
    return fitted(operand(1), integer_type(i.modifiers.at(i.modifiers.size() - 2)));
  if (base == "setp") {
    const bool result = compared(i.modifiers.front(), operand(1), operand(2), type.is_signed);
    if (i.modifiers.size() == 2) return result ? 1 : 0;
    const bool other = plain(3) != 0;
    if (i.modifiers[1] == "and") return result && other ? 1 : 0;
    if (i.modifiers[1] == "or") return result || other ? 1 : 0;
    if (i.modifiers[1] == "xor") return result != other ? 1 : 0;
  }
  return std::nullopt;
}

}  // namespace bankproof::ptx::reference
