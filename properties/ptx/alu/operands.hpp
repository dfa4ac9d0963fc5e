// Random operands: corner cases of integers and of every floating-point format, numbers of similar
// size (whose digits cancel), small integers, and arbitrary bits.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <vector>

#include "warp.hpp"

namespace bankproof::ptx {

/// A generator of pseudorandom words (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27U) * 0x94d049bb133111eb;
    return z ^ z >> 31U;
  }
  std::uint64_t below(std::uint64_t end) { return (*this)() % end; }

 private:
  std::uint64_t state_;
};

/// Zero, the smallest and largest subnormal and normal numbers, one and its neighbors, a half,
/// numbers at the limits of integers, infinity, NaN; of either sign.
inline std::uint64_t float_corner(Words& words, Format format) {
  const auto fraction = static_cast<unsigned>(format.fraction);
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias()) << fraction;
  const std::uint64_t normal = std::uint64_t{1} << fraction;
  const std::array<std::uint64_t, 16> corners{
      0, 1, normal - 1, normal, normal + 1, one, one - 1, one + 1, one - normal,
      one + (normal >> 1), format.infinity() - 1, format.infinity(), format.infinity() + 1,
      format.nan(),
      // About 2^k or a neighbor of it: the limit of integers with k bits.
      one + (words.below(65) << fraction) + words.below(3) - 1,
      one - (words.below(static_cast<std::uint64_t>(format.bias())) << fraction) + words.below(2)};
  return (corners[words.below(corners.size())] & format.nan()) |
         (words.below(2) != 0 ? format.sign() : 0);
}

/// A number between about 1/8 and 8, with few or many digits.
inline std::uint64_t moderate(Words& words, Format format) {
  const auto fraction = static_cast<unsigned>(format.fraction);
  const std::uint64_t exponent = static_cast<std::uint64_t>(format.bias()) - 3 + words.below(7);
  const std::uint64_t digits = words() & ((std::uint64_t{1} << fraction) - 1);
  const std::uint64_t few = digits & ~((std::uint64_t{1} << (fraction / 2)) - 1);
  return (words.below(2) != 0 ? format.sign() : 0) | exponent << fraction |
         (words.below(2) != 0 ? digits : few);
}

/// A value for a source of any width; `kind` is 0 … 9.
inline std::uint64_t operand(unsigned kind, std::uint64_t seed) {
  Words words(seed);
  const auto repeated = [&](int bits, auto make) {
    std::uint64_t result = 0;
    for (int at = 0; at < 64; at += bits) result |= make() << static_cast<unsigned>(at);
    return result;
  };
  switch (kind) {
    case 0:
      return seed;
    case 1:
      return words();
    case 2:
      return repeated(16, [&] { return float_corner(words, format_of("f16")); });
    case 3:
      return repeated(16, [&] { return float_corner(words, format_of("bf16")); });
    case 4:
      return repeated(32, [&] { return float_corner(words, format_of("f32")); });
    case 5:
      return float_corner(words, format_of("f64"));
    case 6:
      return repeated(16, [&] { return moderate(words, format_of("f16")); });
    case 7:
      return repeated(32, [&] { return moderate(words, format_of("f32")); });
    case 8:
      return moderate(words, format_of("f64"));
    default:
      break;
  }
  // Limits of integers of 8, 16, 32 and 64 bits, and small numbers of either sign.
  const std::uint64_t end = std::uint64_t{1}
                            << (std::array{7U, 8U, 15U, 16U, 31U, 32U, 63U, 5U}[words.below(8)]);
  const std::uint64_t around = end + words.below(3) - 1;
  const std::uint64_t small = words.below(70);
  const std::uint64_t chosen = words.below(2) != 0 ? around : small;
  return words.below(2) != 0 ? chosen : std::uint64_t{0} - chosen;
}

/// The input of one case of a property: raw operands for five sources, and the active lanes.
struct Draw {
  std::array<Lanes, 5> sources;
  Lanes guard;
  bool has_guard = false;
  bool negated = false;
  LaneMask active = all_lanes;
};

inline rc::Gen<std::uint64_t> any_operand() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(0U, 10U), rc::gen::arbitrary<std::uint64_t>()),
                      [](const auto& drawn) { return operand(drawn.first, drawn.second); });
}

inline Draw any_draw() {
  const auto raw =
      *rc::gen::container<std::vector<std::uint64_t>>(std::size_t{5} * warp_lanes, any_operand());
  Draw draw;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    draw.sources[i / warp_lanes][i % warp_lanes] = Bits{raw[i]} | Bits{~raw[raw.size() - 1 - i]}
                                                                      << 64;
  }
  // Some sources have the same value in all lanes, like constants.
  const auto constant = *rc::gen::arbitrary<std::uint8_t>();
  for (std::size_t i = 0; i < draw.sources.size(); ++i) {
    if ((constant >> i & 1U) != 0) draw.sources[i].fill(draw.sources[i][0]);
  }
  const auto guard = *rc::gen::arbitrary<std::uint32_t>();
  for (std::size_t i = 0; i < warp_lanes; ++i)
    draw.guard[i] = predicate_bits((guard >> i & 1U) != 0);
  draw.has_guard = *rc::gen::arbitrary<bool>();
  draw.negated = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) draw.active = *rc::gen::arbitrary<std::uint32_t>();
  return draw;
}

}  // namespace bankproof::ptx
