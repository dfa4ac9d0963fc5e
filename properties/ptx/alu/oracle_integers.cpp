// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").
#include <algorithm>

#include "oracle.hpp"

namespace bankproof::ptx {

namespace {

/// Bits n … 2n-1 of the product if `high`, otherwise bits 0 … n-1.
Bits word_of_product(Bits a, Bits b, std::string_view type, bool high) {
  const Bits product = static_cast<Bits>(value_of(a, type)) * static_cast<Bits>(value_of(b, type));
  return low_bits(high ? product >> bits_of(type) : product, bits_of(type));
}

Bits product_of_24(Bits a, Bits b, std::string_view type, bool high) {
  const auto part = [&](Bits x) {
    const auto low = static_cast<Signed>(x & 0xffffff);
    return is_signed(type) && low >= 0x800000 ? low - 0x1000000 : low;
  };
  return low_bits(static_cast<Bits>(part(a) * part(b)) >> (high ? 16 : 0), 32);
}

Bits integer_quotient(Signed a, Signed b, int n) {
  if (b == 0) return bits_of_value(-1, n);
  return bits_of_value(a / b, n);
}

Signed dot(Case& a, std::string_view a_type, std::string_view b_type) {
  const bool four = a.op.base() == "dp4a";
  const int skip = four ? 0 : a.op.take("hi") ? 2 : 0;
  if (!four) a.op.take("lo");
  const int bits = four ? 8 : 16;
  const std::string wide = std::string(is_signed(a_type) ? "s" : "u") + std::to_string(bits);
  const std::string narrow = is_signed(b_type) ? "s8" : "u8";
  Signed result = value_of(a.s[2], "u32");
  for (int i = 0; i < (four ? 4 : 2); ++i) {
    result += value_of(a.s[0] >> (bits * i), wide) * value_of(a.s[1] >> (8 * (i + skip)), narrow);
  }
  return result;
}

std::optional<Results> of_elements(Case& a, std::string_view type) {
  const std::string_view op = a.op.base();
  const int n = bits_of(type);
  const auto value = [&](std::size_t i) { return value_of(a.s.at(i), type); };
  const auto wrapped = [&](Signed x) {
    return Results{bits_of_value(a.op.take("sat") ? clamped(x, type) : x, n)};
  };
  if (op == "add") return wrapped(value(0) + value(1));
  if (op == "sub") return wrapped(value(0) - value(1));
  if (op == "neg") return wrapped(-value(0));
  if (op == "abs") return wrapped(value(0) < 0 ? -value(0) : value(0));
  if (op == "sad") {
    const Signed distance = value(0) < value(1) ? value(1) - value(0) : value(0) - value(1);
    return wrapped(value(2) + distance);
  }
  if (op == "min" || op == "max") {
    Signed x = (op == "min") == (value(0) < value(1)) ? value(0) : value(1);
    if (a.op.take("relu") && x < 0) x = 0;
    return wrapped(x);
  }
  if (op == "div") return Results{integer_quotient(value(0), value(1), n)};
  if (op == "rem") return wrapped(value(1) == 0 ? value(0) : value(0) % value(1));
  return {};
}

}  // namespace

std::optional<Results> distances_result(Case& a, std::string_view last) {
  if (!a.op.base().starts_with("vabsdiff")) return {};
  const bool add = last == "add";
  for (int types = add ? 3 : 2; types > 0; --types) {
    if (a.op.take_last() != "u32") return {};
  }
  const int bits = a.op.base() == "vabsdiff2" ? 16 : 8;
  Bits parts = 0;
  Bits sum = a.s[2];
  for (int at = 32 - bits; at >= 0; at -= bits) {
    const auto x = static_cast<Signed>(low_bits(a.s[0] >> at, bits));
    const auto y = static_cast<Signed>(low_bits(a.s[1] >> at, bits));
    const auto distance = static_cast<Bits>(std::max(x - y, y - x));
    parts = parts << bits | distance;
    sum += distance;
  }
  return Results{low_bits(add ? sum : parts, 32)};
}

std::optional<Results> integer_result(Case& a, std::string_view type) {
  if (type.empty() || is_float(type) || type.starts_with('b') || type == "pred") return {};
  const std::string_view op = a.op.base();
  if (op == "dp4a" || op == "dp2a") {
    const std::string_view a_type = a.op.take_last();
    return Results{low_bits(static_cast<Bits>(dot(a, a_type, type)), 32)};
  }
  if (op == "mul" || op == "mad" || op == "mul24" || op == "mad24") {
    const int n = bits_of(type);
    const Bits c = op.starts_with("mad") ? a.s.at(2) : 0;
    if (a.op.take("wide")) {
      return Results{bits_of_value(
          value_of(a.s[0], type) * value_of(a.s[1], type) + static_cast<Signed>(c), 2 * n)};
    }
    const bool high = a.op.take("hi");
    if (!high && !a.op.take("lo")) return {};
    const Bits part = op.ends_with("24") ? product_of_24(a.s[0], a.s[1], type, high)
                                         : word_of_product(a.s[0], a.s[1], type, high);
    const Signed sum = value_of(part, type) + value_of(c, type);
    return Results{bits_of_value(a.op.take("sat") ? clamped(sum, type) : sum, n)};
  }
  if (!is_pair(type)) return of_elements(a, type);
  // Computes both halves. The first computation takes modifiers from a copy; the second takes them
  // from the case itself.
  const std::string_view element = type.substr(0, 3);
  Case low = a;
  for (Bits& source : low.s) source &= 0xffff;
  const auto first = of_elements(low, element);
  for (Bits& source : a.s) source >>= 16;
  const auto second = of_elements(a, element);
  if (!first || !second) return {};
  return Results{first->at(0) | second->at(0) << 16};
}

std::optional<Results> carry_result(Case& a, std::string_view type) {
  const std::string_view op = a.op.base();
  const bool in = op == "addc" || op == "subc" || op == "madc";
  const bool out = a.op.take("cc");
  if (!in && !out) return {};
  const int n = bits_of(type);
  const Bits carry = in ? a.s.back() & 1 : 0;
  Bits x = low_bits(a.s[0], n);
  Bits y = low_bits(a.s[1], n);
  if (op.starts_with("mad")) {
    const bool high = a.op.take("hi");
    if (!high && !a.op.take("lo")) return {};
    x = word_of_product(x, y, type, high);
    y = low_bits(a.s[2], n);
  }
  const bool minus = op.starts_with("sub");
  Results results{low_bits(minus ? x - y - carry : x + y + carry, n)};
  if (out) results.push_back(predicate_bits(minus ? x < y + carry : (x + y + carry) >> n != 0));
  return results;
}

}  // namespace bankproof::ptx
