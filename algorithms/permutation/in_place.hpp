// Permutations computed in place, by operations on the bits of an index (THS 4.4), for n = w²
// elements and w = 2^k. One formula for S serves all of them: S(j) = j ⊕ (j mod w)·w and D(j) =
// P(S(j)) are a conflict-free plan for width w (R6).
//
// They are templates over a type of machine words, so that the proofs are about what kernels
// compute.
//
// Example: for 1024 elements, transposed(33) is 33, shuffled(512) is 1, and source(2) is 66.
#pragma once

#include <cstdint>

#include "../../model/host_device.hpp"

namespace bankproof {

struct InPlace {
  std::uint64_t k;

  BANKPROOF_HOST_DEVICE constexpr std::uint64_t width() const { return std::uint64_t{1} << k; }
  BANKPROOF_HOST_DEVICE constexpr std::uint64_t size() const { return std::uint64_t{1} << 2 * k; }

  /// The last k bits: bank of an element, lane of a thread.
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N low(const N& i) const {
    return i & N(width() - 1);
  }
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N high(const N& i) const {
    return i >> N(k);
  }

  /// S.
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N source(const N& j) const {
    return j ^ (low(j) << N(k));
  }

  // ---- P, as named in formulas.hpp.
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N transposed(const N& i) const {
    return high(i) | (low(i) << N(k));
  }
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N shuffled(const N& i) const {
    return (i >> N(2 * k - 1)) | ((i & N(size() / 2 - 1)) << N(std::uint64_t{1}));
  }
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N unshuffled(const N& i) const {
    return (i >> N(std::uint64_t{1})) | ((i & N(std::uint64_t{1})) << N(2 * k - 1));
  }
  /// Makes the three assignments that THS 4.4 prints for n = 1024. Requires k = 5.
  template <class N>
  BANKPROOF_HOST_DEVICE constexpr N reversed(const N& i) const {
    const N one(std::uint64_t{1});
    const N three(std::uint64_t{3});
    const N u = transposed(i);
    const N v = ((u & N(std::uint64_t{0x318})) >> three) | ((u & N(std::uint64_t{0x63})) << three);
    return ((v & N(std::uint64_t{0x252})) >> one) | ((v & N(std::uint64_t{0x129})) << one) |
           (u & N(std::uint64_t{0x84}));
  }
};

}  // namespace bankproof
