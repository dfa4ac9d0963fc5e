// Turns the lambda of a row, which computes one lane, into the step that computes a warp.
//
// A step has one loop over all lanes. If all lanes are active and there is no guard, the loop
// writes the destinations. Otherwise the loop writes scratch, and the step copies the active lanes
// whose guard holds from scratch to the destinations. The loops have no branches on lanes, so that
// the compiler vectorizes them.
#pragma once

#include <array>
#include <bit>
#include <cfenv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../isa/level.hpp"
#include "../isa/op.hpp"
#include "lanes.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace bankproof::ptx::lanes {

template <class T>
struct Results {
  using Type = std::tuple<T>;
};
template <class... T>
struct Results<std::tuple<T...>> {
  using Type = std::tuple<T...>;
};

/// The operand types of a lambda: (A...) -> R, or -> std::tuple<R...> for several destinations.
template <class F>
struct Signature;
template <class F, class R, class... A>
struct Signature<R (F::*)(A...) const> {
  using Destinations = typename Results<R>::Type;
  using Sources = std::tuple<A...>;
};
template <class F>
using SignatureOf = Signature<decltype(&F::operator())>;

/// The lane types of a tuple's elements.
template <class Tuple>
inline constexpr std::array<LaneType, 0> types{};
template <class... T>
inline constexpr std::array<LaneType, sizeof...(T)> types<std::tuple<T...>>{lane_type<T>()...};

using Mask = std::array<U32, warp_lanes>;

/// The mask of each lane: all ones if the lane is active and its guard holds. The result may be
/// stored in `space`.
[[nodiscard]] const Mask& lanes_of(const WarpState& warp, const Op* op, Mask& space);

/// Copies the lanes for which the mask is all ones.
template <class W>
void merge(W* to, const W* from, const Mask& mask);
extern template void merge(U16*, const U16*, const Mask&);
extern template void merge(U32*, const U32*, const Mask&);
extern template void merge(U64*, const U64*, const Mask&);
extern template void merge(Wide*, const Wide*, const Mask&);

/// The lanes of a destination in the scratch of the warp. Scratch is not on the stack, so that the
/// usual path needs no frame.
template <class W>
W* scratch_lanes(const WarpState& warp, std::size_t destination) {
  return reinterpret_cast<W*>(warp.scratch->bytes.data() + destination * Scratch::slot);
}

inline bool whole(const WarpState& warp, const Op* op) {
  return op->guard == no_slot && warp.active == all_lanes;
}

/// Copies the active lanes whose guard holds from scratch to the destinations. The words of the
/// destinations have the types W...
template <class... W>
[[gnu::noinline]] const Op* merge_lanes(WarpState& warp, const Op* op) {
  alignas(slot_alignment) Mask space;
  const Mask& mask = lanes_of(warp, op, space);
  std::size_t i = 0;
  ((merge(warp.lanes<W>(op->d[i]), scratch_lanes<W>(warp, i), mask), ++i), ...);
  return op + 1;
}

template <class F, class... D, class... S, std::size_t... d, std::size_t... s>
[[gnu::always_inline]] inline const Op* execute(WarpState& warp, const Op* op, const F& f,
                                                std::type_identity<std::tuple<D...>>,
                                                std::type_identity<std::tuple<S...>>,
                                                std::index_sequence<d...>,
                                                std::index_sequence<s...>) {
  const bool all = whole(warp, op);
  const std::tuple<Word<D>*...> to{all ? warp.lanes<Word<D>>(op->d[d])
                                       : scratch_lanes<Word<D>>(warp, d)...};
  const std::tuple<const Word<S>*...> from{warp.lanes<const Word<S>>(op->s[s])...};
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const std::tuple<D...> result{
        f(std::bit_cast<S>(std::assume_aligned<slot_alignment>(std::get<s>(from))[lane])...)};
    ((std::assume_aligned<slot_alignment>(std::get<d>(to))[lane] =
          std::bit_cast<Word<D>>(std::get<d>(result))),
     ...);
  }
  if (!all) return merge_lanes<Word<D>...>(warp, op);
  return op + 1;
}

template <class F>
[[gnu::always_inline]] inline const Op* execute(WarpState& warp, const Op* op, const F& f) {
  using Destinations = typename SignatureOf<F>::Destinations;
  using Sources = typename SignatureOf<F>::Sources;
  return execute(warp, op, f, std::type_identity<Destinations>{}, std::type_identity<Sources>{},
                 std::make_index_sequence<std::tuple_size_v<Destinations>>{},
                 std::make_index_sequence<std::tuple_size_v<Sources>>{});
}

template <class F>
const Op* portable_step(WarpState& warp, const Op* op) {
  return execute(warp, op, F{});
}

#if BANKPROOF_PTX_AVX2
/// The step of F, compiled for AVX2. Only this function is compiled for AVX2; functions that other
/// steps call too keep their portable code.
template <class F>
[[BANKPROOF_PTX_FOR_AVX2]] const Op* avx2_step(WarpState& warp, const Op* op) {
  return execute(warp, op, F{});
}
#endif

/// constant_source() returns the last source if all its lanes are equal, as in a constant; else
/// null. If the lanes are equal, constant_step() runs F(constant), a function of the other sources;
/// if they differ, constant_step() runs `General`.
template <class F>
const U32* constant_source(const WarpState& warp, const Op* op) {
  constexpr std::size_t last = std::tuple_size_v<typename SignatureOf<F>::Sources>;
  const auto* const lanes = warp.lanes<const U32>(op->s[last]);
  U32 difference = 0;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) difference |= lanes[lane] ^ lanes[0];
  return difference == 0 ? lanes : nullptr;
}
template <class F, class General>
const Op* constant_step(WarpState& warp, const Op* op) {
  const U32* const constant = constant_source<F>(warp, op);
  if (constant == nullptr) return portable_step<General>(warp, op);
  return execute(warp, op, F(*constant));
}
#if BANKPROOF_PTX_AVX2
template <class F, class General>
[[BANKPROOF_PTX_FOR_AVX2]] const Op* avx2_constant_step(WarpState& warp, const Op* op) {
  const U32* const constant = constant_source<F>(warp, op);
  if (constant == nullptr) return portable_step<General>(warp, op);
  return execute(warp, op, F(*constant));
}
#endif

/// The step of F, a function of three floats. Each `Hasty` function is faster than F and gives the
/// results of F, but leaves a few lanes in doubt. If any lane is in doubt, the next `Hasty`
/// function computes all lanes again. If the last `Hasty` function leaves a lane in doubt, F
/// computes all lanes. The step writes the destination only when no lane is in doubt.
template <class F>
const Op* hasty_step(WarpState& warp, const Op* op) {
  return portable_step<F>(warp, op);
}
template <class F, class Hasty, class... Others>
const Op* hasty_step(WarpState& warp, const Op* op) {
  U32* to = std::assume_aligned<slot_alignment>(scratch_lanes<U32>(warp, 0));
  const auto* a = warp.lanes<const U32>(op->s[0]);
  const auto* b = warp.lanes<const U32>(op->s[1]);
  const auto* c = warp.lanes<const U32>(op->s[2]);
  U32 doubt = 0;
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const auto result = Hasty{}(std::bit_cast<float>(a[lane]), std::bit_cast<float>(b[lane]),
                                std::bit_cast<float>(c[lane]));
    to[lane] = result.bits;
    doubt |= result.doubt;
  }
  if (doubt != 0) [[unlikely]]
    return hasty_step<F, Others...>(warp, op);
  if (!whole(warp, op)) return merge_lanes<U32>(warp, op);
  std::memcpy(warp.lanes<U32>(op->d[0]), to, slot_bytes(LaneType::b32));
  return op + 1;
}

/// On a host with SSE, SSE does all arithmetic, so this function sets only the rounding mode of
/// SSE. fesetround would also set the mode of the x87 unit, and would take longer than a step.
inline void set_rounding(int mode) {
#if defined(__SSE2__)
  static_assert(FE_TOWARDZERO << 3 == _MM_ROUND_TOWARD_ZERO);
  _mm_setcsr((_mm_getcsr() & ~static_cast<unsigned>(_MM_ROUND_MASK)) | static_cast<unsigned>(mode)
                                                                           << 3U);
#else
  std::fesetround(mode);
#endif
}

template <class F>
[[gnu::noinline]] const Op* step_out_of_line(WarpState& warp, const Op* op) {
  return execute(warp, op, F{});
}

/// Runs a step in another rounding mode of the host. The step is not inlined. The step's loop reads
/// and writes memory that other functions can access, so the compiler cannot move the loop across
/// the calls that set the mode.
template <Step step, int mode>
const Op* rounded_step(WarpState& warp, const Op* op) {
  set_rounding(mode);
  const Op* next = step(warp, op);
  set_rounding(FE_TONEAREST);
  return next;
}

}  // namespace bankproof::ptx::lanes
