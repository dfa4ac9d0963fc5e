// Sums, products and fma of f16 and f16x2 at Level::avx2. The processor's conversions (F16C) take
// eight halves at a time; the formulas are those of halves.cpp. A register of pairs holds 64
// consecutive halves.
#pragma once

#include "execute.hpp"

namespace bankproof::ptx::lanes {
struct HalfSum;
struct HalfDifference;
struct HalfProduct;
struct HalfFused;
}  // namespace bankproof::ptx::lanes

#if BANKPROOF_PTX_AVX2
#include <immintrin.h>

namespace bankproof::ptx::lanes {

// These functions take vectors as arguments, so all of them are inlined into the step.
#define BANKPROOF_PTX_HALVES [[BANKPROOF_PTX_FOR_AVX2, gnu::always_inline]] inline

using Floats = float __attribute__((vector_size(32)));
using FloatBits = U32 __attribute__((vector_size(32)));
using HalfBits = U16 __attribute__((vector_size(16)));

/// With .ftz: replaces a number that is subnormal as a half by a zero of the same sign.
template <bool ftz>
BANKPROOF_PTX_HALVES Floats flush(Floats x) {
  if constexpr (!ftz) return x;
  const auto bits = reinterpret_cast<FloatBits>(x);
  const auto normal = reinterpret_cast<FloatBits>((bits & 0x7fffffffU) >= 0x38800000U);
  return reinterpret_cast<Floats>(bits & (normal | 0x80000000U));
}

struct HalfSum {
  BANKPROOF_PTX_HALVES static Floats of(Floats a, Floats b) { return a + b; }
};
struct HalfDifference {
  BANKPROOF_PTX_HALVES static Floats of(Floats a, Floats b) { return a - b; }
};
struct HalfProduct {
  BANKPROOF_PTX_HALVES static Floats of(Floats a, Floats b) { return a * b; }
};
/// The product is exact; the sum is rounded to odd (fused.hpp).
struct HalfFused {
  BANKPROOF_PTX_HALVES static Floats of(Floats a, Floats b, Floats c) {
    const Floats product = a * b;
    const Floats sum = product + c;
    const Floats part = sum - product;
    const Floats error = (product - (sum - part)) + (c - part);
    const auto bits = reinterpret_cast<FloatBits>(sum);
    const auto inexact = reinterpret_cast<FloatBits>((error > 0) | (error < 0));
    const FloatBits adjust = inexact & 1U & ~bits;
    const FloatBits inwards = (reinterpret_cast<FloatBits>(error) ^ bits) >> 31U;
    return reinterpret_cast<Floats>(bits + adjust - 2U * (adjust & inwards));
  }
};

/// Rounds to halves, with the modifiers of the opcode.
template <bool ftz, bool sat, bool relu>
BANKPROOF_PTX_HALVES HalfBits rounded_halves(Floats x) {
  if constexpr (sat) {
    x = x > 0.0F ? x : Floats{};
    x = x < 1.0F ? x : Floats{} + 1.0F;
  }
  // NOLINTNEXTLINE(misc-redundant-expression): false of a NaN.
  const auto number = reinterpret_cast<FloatBits>(x == x);
  // NaN becomes the canonical NaN of floats, which _mm256_cvtps_ph turns into that of halves.
  x = reinterpret_cast<Floats>((reinterpret_cast<FloatBits>(x) & number) | (~number >> 1U));
  auto halves = reinterpret_cast<HalfBits>(_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
  if constexpr (ftz) {
    halves &= reinterpret_cast<HalfBits>((halves & 0x7c00) != 0) | 0x8000;
  }
  if constexpr (relu) halves &= (halves >> 15) - 1;
  return halves;
}

/// The step of F on all halves of a register, whose 32 lanes are of type W.
template <class F, class W, bool ftz, bool sat, bool relu, std::size_t... source>
[[BANKPROOF_PTX_FOR_AVX2]] const Op* halves_step(WarpState& warp, const Op* op) {
  const bool all = whole(warp, op);
  auto* const to =
      reinterpret_cast<__m128i*>(all ? warp.lanes<W>(op->d[0]) : scratch_lanes<W>(warp, 0));
  for (std::size_t k = 0; k < warp_lanes * sizeof(W) / sizeof(__m128i); ++k) {
    const Floats x = F::of(flush<ftz>(
        Floats(_mm256_cvtph_ps(_mm_load_si128(warp.lanes<const __m128i>(op->s[source]) + k))))...);
    _mm_store_si128(to + k, reinterpret_cast<__m128i>(rounded_halves<ftz, sat, relu>(x)));
  }
  return all ? op + 1 : merge_lanes<W>(warp, op);
}

#undef BANKPROOF_PTX_HALVES

}  // namespace bankproof::ptx::lanes
#endif
