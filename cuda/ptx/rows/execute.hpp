// From the lambda of a row, which computes one lane, to the step that computes a warp.
//
// There is one loop, over all lanes. When all of them are active and no guard is given, it writes
// the destinations; else it writes beside them, and the lanes that count are merged into them. The
// loops have no branches on lanes, so that the compiler makes vectors of them.
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

#include "../machine/op.hpp"
#include "lanes.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define BANKPROOF_PTX_AVX2 1
#else
#define BANKPROOF_PTX_AVX2 0
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

/// The lane types of a tuple.
template <class Tuple>
inline constexpr std::array<LaneType, 0> types{};
template <class... T>
inline constexpr std::array<LaneType, sizeof...(T)> types<std::tuple<T...>>{lane_type<T>()...};

using Mask = std::array<U32, warp_lanes>;

/// All ones where a lane is active and its guard holds.
void lanes_of(const WarpState& warp, const Op* op, Mask& mask);

/// Copies the lanes of the mask.
template <class W>
void merge(W* to, const W* from, const Mask& mask);
extern template void merge(U16*, const U16*, const Mask&);
extern template void merge(U32*, const U32*, const Mask&);
extern template void merge(U64*, const U64*, const Mask&);
extern template void merge(Wide*, const Wide*, const Mask&);

/// Where the destinations of a step are written when not all lanes count: one behind the other,
/// each in the largest slot. Not on the stack, so that the usual path needs no frame.
inline constexpr std::size_t beside_bytes = slot_bytes(LaneType::b128);
struct alignas(slot_alignment) Beside {
  std::array<std::byte, 4 * beside_bytes> bytes{};
};
extern constinit thread_local Beside beside;

template <class W>
W* beside_lanes(std::size_t destination) {
  return reinterpret_cast<W*>(beside.bytes.data() + destination * beside_bytes);
}

inline bool whole(const WarpState& warp, const Op* op) {
  return op->guard == no_slot && warp.active == all_lanes;
}

/// Copies the lanes that count to the destinations of those words.
template <class... W>
[[gnu::noinline]] const Op* merge_lanes(WarpState& warp, const Op* op) {
  alignas(slot_alignment) Mask mask;
  lanes_of(warp, op, mask);
  std::size_t i = 0;
  ((merge(warp.lanes<W>(op->d[i]), beside_lanes<W>(i), mask), ++i), ...);
  return op + 1;
}

template <class F, class... D, class... S, std::size_t... d, std::size_t... s>
[[gnu::always_inline]] inline const Op* execute(WarpState& warp, const Op* op,
                                                std::type_identity<std::tuple<D...>>,
                                                std::type_identity<std::tuple<S...>>,
                                                std::index_sequence<d...>,
                                                std::index_sequence<s...>) {
  const bool all = whole(warp, op);
  const std::tuple<Word<D>*...> to{all ? warp.lanes<Word<D>>(op->d[d])
                                       : beside_lanes<Word<D>>(d)...};
  const std::tuple<const Word<S>*...> from{warp.lanes<const Word<S>>(op->s[s])...};
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const std::tuple<D...> result{
        F{}(std::bit_cast<S>(std::assume_aligned<slot_alignment>(std::get<s>(from))[lane])...)};
    ((std::assume_aligned<slot_alignment>(std::get<d>(to))[lane] =
          std::bit_cast<Word<D>>(std::get<d>(result))),
     ...);
  }
  if (!all) return merge_lanes<Word<D>...>(warp, op);
  return op + 1;
}

template <class F>
[[gnu::always_inline]] inline const Op* execute(WarpState& warp, const Op* op) {
  using Destinations = typename SignatureOf<F>::Destinations;
  using Sources = typename SignatureOf<F>::Sources;
  return execute<F>(warp, op, std::type_identity<Destinations>{}, std::type_identity<Sources>{},
                    std::make_index_sequence<std::tuple_size_v<Destinations>>{},
                    std::make_index_sequence<std::tuple_size_v<Sources>>{});
}

template <class F>
const Op* portable_step(WarpState& warp, const Op* op) {
  return execute<F>(warp, op);
}

#if BANKPROOF_PTX_AVX2
/// A function of its own with wider vectors; code that it shares with others stays as it is.
template <class F>
[[gnu::target("avx2,fma,bmi,bmi2,lzcnt,popcnt")]] const Op* avx2_step(WarpState& warp,
                                                                      const Op* op) {
  return execute<F>(warp, op);
}
#endif

/// The step of F, a function of three floats, where `Hastily` gives the same faster but for lanes
/// in doubt, of which there are few: if there is one, F computes all. Until that is known nothing
/// may be written.
template <class Hastily, class F>
const Op* hasty_step(WarpState& warp, const Op* op) {
  U32* to = std::assume_aligned<slot_alignment>(beside_lanes<U32>(0));
  const auto* a = warp.lanes<const U32>(op->s[0]);
  const auto* b = warp.lanes<const U32>(op->s[1]);
  const auto* c = warp.lanes<const U32>(op->s[2]);
  U32 doubt = 0;
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const auto result = Hastily{}(std::bit_cast<float>(a[lane]), std::bit_cast<float>(b[lane]),
                                  std::bit_cast<float>(c[lane]));
    to[lane] = result.bits;
    doubt |= result.doubt;
  }
  if (doubt != 0) [[unlikely]]
    return portable_step<F>(warp, op);
  if (!whole(warp, op)) return merge_lanes<U32>(warp, op);
  std::memcpy(warp.lanes<U32>(op->d[0]), to, slot_bytes(LaneType::b32));
  return op + 1;
}

template <class F>
[[gnu::noinline]] const Op* step_out_of_line(WarpState& warp, const Op* op) {
  return execute<F>(warp, op);
}

/// The same in another rounding mode of the host. The loop reads and writes memory that others see,
/// so it cannot move across the calls that set the mode.
template <class F, int mode>
const Op* rounded_step(WarpState& warp, const Op* op) {
  std::fesetround(mode);
  const Op* next = step_out_of_line<F>(warp, op);
  std::fesetround(FE_TONEAREST);
  return next;
}

}  // namespace bankproof::ptx::lanes
