// Bits, logic, shifts, bytes and moves (PTX ISA, "Integer Arithmetic Instructions", "Logic and
// Shift Instructions", "Data Movement and Conversion Instructions"), computed bit by bit.
#include <array>
#include <compare>

#include "oracle.hpp"

namespace bankproof::ptx {

namespace {

bool bit(Bits a, int i) { return (a >> i & 1) != 0; }

/// The number whose bit i is f(i).
template <class F>
Bits from_bits(int n, F f) {
  Bits result = 0;
  for (int i = 0; i < n; ++i) result |= static_cast<Bits>(f(i) ? 1 : 0) << i;
  return result;
}

int highest(Bits a, int n, bool is_signed) {
  const bool sought = !(is_signed && bit(a, n - 1));
  for (int i = n - 1; i >= 0; --i) {
    if (bit(a, i) == sought) return i;
  }
  return -1;
}

Bits find_nth(Bits mask, Bits base, Signed offset) {
  if (base > 31) return all_ones;
  if (offset == 0) return bit(mask, static_cast<int>(base)) ? base : all_ones;
  Signed count = (offset < 0 ? -offset : offset) - 1;
  for (int i = static_cast<int>(base); i >= 0 && i<32; i += offset> 0 ? 1 : -1) {
    if (!bit(mask, i)) continue;
    if (count == 0) return static_cast<Bits>(i);
    --count;
  }
  return all_ones;
}

Bits permuted(const Case& a, std::string_view mode) {
  const Bits bytes = a.s[0] | a.s[1] << 32;
  const auto i = static_cast<std::size_t>(a.s[2] & 3);
  // The selectors of bytes 3, 2, 1, 0 of d.
  using Digits = std::array<std::array<int, 4>, 4>;
  const std::array<std::pair<const char*, Digits>, 6> modes{{
      {"f4e", {{{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}}},
      {"b4e", {{{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}}},
      {"rc8", {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}}},
      {"ecl", {{{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}}},
      {"ecr", {{{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}}},
      {"rc16", {{{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}},
  }};
  for (const auto& [name, digits] : modes) {
    if (mode != name) continue;
    Bits result = 0;
    for (const int digit : digits[i]) result = result << 8 | (bytes >> (8 * digit) & 255);
    return result;
  }
  if (mode != "b32") throw std::invalid_argument("prmt has no mode " + std::string(mode));
  Bits result = 0;
  for (int k = 3; k >= 0; --k) {
    const auto digit = static_cast<int>(a.s[2] >> (4 * k) & 15);
    const Bits byte = bytes >> (8 * (digit & 7)) & 255;
    result = result << 8 | (digit < 8 ? byte : byte >= 128 ? Bits{255} : Bits{0});
  }
  return result;
}

std::optional<Results> field_result(Case& a, std::string_view type, int n) {
  const std::string_view op = a.op.base();
  const auto& s = a.s;
  if (op == "bfe") {
    const auto position = static_cast<int>(s[1] & 255);
    const auto length = static_cast<int>(s[2] & 255);
    const bool sign =
        is_signed(type) && length != 0 && bit(s[0], std::min(position + length - 1, n - 1));
    return Results{from_bits(
        n, [&](int i) { return i < length && position + i < n ? bit(s[0], position + i) : sign; })};
  }
  if (op == "bfi") {
    const auto position = static_cast<int>(s[2] & 255);
    const auto length = static_cast<int>(s[3] & 255);
    return Results{from_bits(n, [&](int i) {
      return i >= position && i < position + length ? bit(s[0], i - position) : bit(s[1], i);
    })};
  }
  if (op == "bmsk" || op == "szext") {
    const bool wrap = a.op.take("wrap");
    if (!wrap && !a.op.take("clamp")) return {};
    const auto amount = [&](Bits x) {
      return wrap ? static_cast<Signed>(x & 31) : static_cast<Signed>(x);
    };
    if (op == "bmsk") {
      return Results{from_bits(
          32, [&](int i) { return i >= amount(s[0]) && i < amount(s[0]) + amount(s[1]); })};
    }
    const Signed count = amount(s[1]);
    const bool sign =
        is_signed(type) && count > 0 && count < 32 && bit(s[0], static_cast<int>(count) - 1);
    return Results{from_bits(32, [&](int i) { return i < count ? bit(s[0], i) : sign; })};
  }
  return {};
}

std::optional<Results> shift_result(Case& a, std::string_view type, int n) {
  const std::string_view op = a.op.base();
  const auto& s = a.s;
  if (op == "shl" || op == "shr") {
    const Signed amount = op == "shl" ? -static_cast<Signed>(s[1]) : static_cast<Signed>(s[1]);
    const bool sign = op == "shr" && is_signed(type) && bit(s[0], n - 1);
    return Results{from_bits(n, [&](int i) {
      const Signed from = i + amount;
      return from >= n ? sign : from >= 0 && bit(s[0], static_cast<int>(from));
    })};
  }
  if (op == "shf") {
    const bool clamp = a.op.take("clamp");
    if (!clamp && !a.op.take("wrap")) return {};
    const auto amount = static_cast<int>(clamp ? std::min(s[2], Bits{32}) : s[2] & 31);
    const Bits pair = s[0] | s[1] << 32;
    if (a.op.take("l")) return Results{low_bits(pair << amount >> 32, 32)};
    if (a.op.take("r")) return Results{low_bits(pair >> amount, 32)};
  }
  return {};
}

}  // namespace

std::optional<Results> bit_result(Case& a, std::string_view type) {
  const std::string_view op = a.op.base();
  if (op == "prmt") {
    if (type != "b32" && !a.op.take("b32")) return {};
    return Results{permuted(a, type)};
  }
  if (type.empty()) return {};
  const int n = type == "pred" ? 32 : bits_of(type);
  const auto& s = a.s;
  if (op == "and") return Results{s[0] & s[1]};
  if (op == "or") return Results{s[0] | s[1]};
  if (op == "xor") return Results{s[0] ^ s[1]};
  if (op == "not") return Results{from_bits(n, [&](int i) { return !bit(s[0], i); })};
  if (op == "cnot") return Results{Bits{s[0] == 0 ? 1U : 0U}};
  if (op == "brev") return Results{from_bits(n, [&](int i) { return bit(s[0], n - 1 - i); })};
  if (op == "popc") {
    Bits count = 0;
    for (int i = 0; i < n; ++i) count += bit(s[0], i) ? 1U : 0U;
    return Results{count};
  }
  if (op == "clz") return Results{static_cast<Bits>(n - 1 - highest(s[0], n, false))};
  if (op == "bfind") {
    const int found = highest(s[0], n, is_signed(type));
    const bool amount = a.op.take("shiftamt");
    return Results{found < 0 ? all_ones : static_cast<Bits>(amount ? n - 1 - found : found)};
  }
  if (op == "fns") return Results{find_nth(s[0], s[1], value_of(s[2], "s32"))};
  if (op == "lop3") {
    const Bits d = from_bits(32, [&](int i) {
      return bit(s[3], (bit(s[0], i) ? 4 : 0) + (bit(s[1], i) ? 2 : 0) + (bit(s[2], i) ? 1 : 0));
    });
    if (a.op.take("or")) return Results{d, predicate_bits(d != 0 || s[4] != 0)};
    if (a.op.take("and")) return Results{d, predicate_bits(d != 0 && s[4] != 0)};
    return Results{d};
  }
  if (auto result = field_result(a, type, n)) return result;
  return shift_result(a, type, n);
}

std::optional<Results> move_result(Case& a, std::string_view type) {
  const std::string_view op = a.op.base();
  const auto& s = a.s;
  if (op == "mov")
    return Results{type == "pred" ? s[0]
                                  : low_bits(s[0], type.ends_with("x2") ? 32 : bits_of(type))};
  if (op == "selp") return Results{s[2] != 0 ? s[0] : s[1]};
  if (op == "slct") {
    a.op.take_last();  // the type of the result: only its width matters
    if (type == "s32") return Results{value_of(s[2], "s32") >= 0 ? s[0] : s[1]};
    const Format f32 = format_of("f32");
    const Number c = decoded(flushed(static_cast<std::uint64_t>(s[2]), f32, a.op.take("ftz")), f32);
    return Results{std::is_gteq(compare(c, zero(false))) ? s[0] : s[1]};
  }
  if (op != "pack" && op != "unpack") return {};
  const int part = bits_of(type);
  const int whole = bits_of(a.op.take_last());
  Results results;
  if (op == "pack") {
    results.push_back(0);
    for (int i = 0; i < whole / part; ++i) {
      results[0] |= low_bits(s.at(static_cast<std::size_t>(i)), part) << (part * i);
    }
  } else {
    for (int i = 0; i < whole / part; ++i) results.push_back(low_bits(s[0] >> (part * i), part));
  }
  return results;
}

}  // namespace bankproof::ptx
