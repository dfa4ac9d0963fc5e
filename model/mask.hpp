// Masks say which threads of a warp take part.
//
// A mask comes from comparing addresses and goes to `warp.only(mask)`; `&`, `|`, `^` and `~`
// combine masks. A mask is not a condition: the whole warp takes a branch, and `!`, `&&` and `||`
// reduce all threads to one truth value. So neither a branch on a mask nor one of these operators
// compiles. For a decision of the whole warp, use `warp.any(mask)`, `warp.none(mask)` and
// `warp.count(mask)`. They look only at the threads that take part, and ignore the other lanes of
// the mask.
#pragma once

#include <bit>
#include <cstdint>

#include "units.hpp"

namespace bankproof {

/// A set of lanes, one bit for each; lane 0 is the lowest bit.
class Mask {
 public:
  /// No lane.
  constexpr Mask() = default;
  constexpr explicit Mask(std::uint64_t bits) : bits_(bits) {}

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool has(Width lane) const { return (bits_ >> lane & 1) != 0; }
  constexpr void add(Width lane) { bits_ |= std::uint64_t{1} << lane; }

  explicit operator bool() const = delete;  // warp.only(mask), or if (warp.any(mask))

  constexpr Mask& operator&=(Mask other) {
    bits_ &= other.bits_;
    return *this;
  }
  constexpr Mask& operator|=(Mask other) {
    bits_ |= other.bits_;
    return *this;
  }
  friend constexpr Mask operator&(Mask a, Mask b) { return Mask(a.bits_ & b.bits_); }
  friend constexpr Mask operator|(Mask a, Mask b) { return Mask(a.bits_ | b.bits_); }
  friend constexpr Mask operator^(Mask a, Mask b) { return Mask(a.bits_ ^ b.bits_); }
  friend constexpr Mask operator~(Mask a) { return Mask(~a.bits_); }
  bool operator==(const Mask&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

/// The lanes below `count`; all 64 lanes if count is 64 or more.
constexpr Mask first_lanes(std::uint64_t count) {
  return Mask(count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1);
}

/// Calls f(lane) for each lane of the mask, lowest first.
template <class F>
constexpr void for_each_lane(Mask mask, F f) {
  for (std::uint64_t bits = mask.bits(); bits != 0; bits &= bits - 1) {
    f(static_cast<Width>(std::countr_zero(bits)));
  }
}

}  // namespace bankproof
