// See elements.hpp.
#include "elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "../../text/typed.hpp"

namespace bankproof::cuda {

namespace {

constexpr auto is_signed = NumberKind::signed_integer;
constexpr auto is_unsigned = NumberKind::unsigned_integer;
constexpr auto is_floating = NumberKind::floating;

constexpr std::array<ElementType, 12> types = {{{"i8", 1, is_signed, "|i1"},
                                                {"u8", 1, is_unsigned, "|u1"},
                                                {"i16", 2, is_signed, "<i2"},
                                                {"u16", 2, is_unsigned, "<u2"},
                                                {"i32", 4, is_signed, "<i4"},
                                                {"u32", 4, is_unsigned, "<u4"},
                                                {"i64", 8, is_signed, "<i8"},
                                                {"u64", 8, is_unsigned, "<u8"},
                                                {"f16", 2, is_floating, "<f2", 10},
                                                {"bf16", 2, is_floating, "<u2", 7},
                                                {"f32", 4, is_floating, "<f4", 23},
                                                {"f64", 8, is_floating, "<f8", 52}}};

std::uint64_t lowest(std::uint64_t bits, std::uint32_t bytes) {
  return bytes == 8 ? bits : bits & ((std::uint64_t{1} << 8 * bytes) - 1);
}

// The bits of `value` in a floating-point format, rounded to nearest as IEEE 754 defines: `units`
// counts the unit of the last place of the value's exponent.
std::uint64_t rounded(double value, std::uint32_t bits, std::uint32_t fraction_bits) {
  const std::uint32_t exponent_bits = bits - 1 - fraction_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): no type has 0 bits
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << (bits - 1) : 0;
  const std::uint64_t infinity = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  if (std::isnan(value)) return sign | infinity | std::uint64_t{1} << fraction_bits >> 1;
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const double units =
      std::nearbyint(std::ldexp(std::fabs(value), static_cast<int>(fraction_bits) - exponent));
  // In a normal number, `units` has a leading 1, which adds 1 to the exponent's field. A carry adds
  // another 1.
  const std::uint64_t field = static_cast<std::uint64_t>(exponent + bias - 1) << fraction_bits;
  return sign | std::min(field + static_cast<std::uint64_t>(units), infinity);
}

template <class T>
std::optional<T> parsed(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Parses an f32 as a float and other types as a double, so that f32 and f64 are rounded only once.
std::optional<std::uint64_t> parse_floating(const ElementType& type, std::string_view text) {
  if (type.bytes == 4) {
    float value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return std::bit_cast<std::uint32_t>(value);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return bits_of(type, value);
}

std::optional<std::uint64_t> parse_integer(const ElementType& type, std::string_view text) {
  if (type.kind == NumberKind::signed_integer) {
    const auto value = parsed<std::int64_t>(text);
    if (!value) return std::nullopt;
    const auto most = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - 8 * type.bytes));
    if (*value > most || *value < -most - 1) return std::nullopt;
    return lowest(static_cast<std::uint64_t>(*value), type.bytes);
  }
  const auto value = parsed<std::uint64_t>(text);
  return value && lowest(*value, type.bytes) == *value ? value : std::nullopt;
}

// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// The bytes of `count` consecutive numbers, little-endian. bits_at(k) gives the bits of number k.
template <class Bits>
std::vector<std::byte> bytes_of(const ElementType& type, std::uint64_t count, Bits bits_at) {
  std::vector<std::byte> bytes(count * type.bytes);
  std::byte* to = bytes.data();
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t bits = bits_at(k);
    for (std::uint32_t b = 0; b < type.bytes; ++b) *to++ = static_cast<std::byte>(bits >> 8 * b);
  }
  return bytes;
}

}  // namespace

std::span<const ElementType> element_types() { return types; }

const ElementType& find_element_type(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(types.size());
  std::string list;
  for (const ElementType& type : types) {
    if (type.name == name) return type;
    names.push_back(type.name);
    list += (list.empty() ? "" : ", ") + std::string(type.name);
  }
  const auto near = nearest(name, names);
  throw ArgumentError(
      "unknown type " + in_quotes(name) +
      (near ? "; did you mean " + in_quotes(*near) + "? There are " : "; there are ") + list);
}

std::uint64_t parse_number(const ElementType& type, std::string_view text) {
  std::optional<std::uint64_t> bits;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    bits = parsed<std::uint64_t>(text.substr(2), 16);
    if (bits && lowest(*bits, type.bytes) != *bits) bits.reset();
  } else if (type.kind == NumberKind::floating) {
    bits = parse_floating(type, text);
  } else {
    bits = parse_integer(type, text);
  }
  if (!bits) {
    throw ArgumentError(fmt::format("{} is not a number of type {}", in_quotes(text), type.name));
  }
  return *bits;
}

std::uint64_t bits_of(const ElementType& type, std::int64_t value) {
  if (type.kind == NumberKind::floating) return bits_of(type, static_cast<double>(value));
  return lowest(static_cast<std::uint64_t>(value), type.bytes);
}

std::uint64_t bits_of(const ElementType& type, double value) {
  if (type.kind != NumberKind::floating) {
    return lowest(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), type.bytes);
  }
  if (type.bytes == 8) return std::bit_cast<std::uint64_t>(value);
  if (type.bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return rounded(value, 8 * type.bytes, type.fraction_bits);
}

std::vector<std::byte> iota_bytes(const ElementType& type, std::uint64_t count) {
  return bytes_of(type, count,
                  [&](std::uint64_t k) { return bits_of(type, static_cast<std::int64_t>(k)); });
}

std::vector<std::byte> random_bytes(const ElementType& type, std::uint64_t count,
                                    const RandomNumbers& random) {
  Random draw(random.seed);
  const double low = random.low.value_or(0);
  const double high = random.high.value_or(1);
  if (type.kind != NumberKind::floating) {
    const auto first = static_cast<std::int64_t>(low);
    const auto many = static_cast<std::uint64_t>(high - low);
    return bytes_of(type, count, [&](std::uint64_t) {
      const std::uint64_t drawn = draw();
      return random.low ? bits_of(type, first + static_cast<std::int64_t>(drawn % many)) : drawn;
    });
  }
  const std::uint64_t first = bits_of(type, low);
  const std::uint64_t end = bits_of(type, high);
  return bytes_of(type, count, [&](std::uint64_t) {
    const double part = static_cast<double>(draw() >> 11) * 0x1p-53;
    const std::uint64_t bits = bits_of(type, low + (high - low) * part);
    return bits == end ? first : bits;  // values just below `high` may round to it
  });
}

}  // namespace bankproof::cuda
