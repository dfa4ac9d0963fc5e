// Comparisons in two stages. The first stage is a loop that gives a mask for each lane. The second
// stage may join the mask with a predicate (the third source), and writes the mask as a predicate
// or a number. All comparisons share the second stage. So the many spellings of setp and set need
// only one loop per comparison.
#pragma once

#include <array>
#include <utility>

#include "flush.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

/// The .CmpOp of an instruction, and how it compares numbers. Comparisons that end in u also hold
/// for NaN.
enum class Comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

template <Comparison op, class T>
constexpr bool holds(T a, T b) {
  switch (op) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return (a < b) | (a > b);
    case Comparison::lt:
    case Comparison::lo:
      return a < b;
    case Comparison::le:
    case Comparison::ls:
      return a <= b;
    case Comparison::gt:
    case Comparison::hi:
      return a > b;
    case Comparison::ge:
    case Comparison::hs:
      return a >= b;
    case Comparison::equ:
      return !((a < b) | (a > b));
    case Comparison::neu:
      return !(a == b);
    case Comparison::ltu:
      return !(a >= b);
    case Comparison::leu:
      return !(a > b);
    case Comparison::gtu:
      return !(a <= b);
    case Comparison::geu:
      return !(a < b);
    case Comparison::num:
      return (U32{is_number(a)} & U32{is_number(b)}) != 0;
    case Comparison::nan:
      break;
  }
  return (U32{is_number(a)} & U32{is_number(b)}) == 0;
}

template <Comparison op>
struct Comparing : std::integral_constant<Comparison, op> {
  std::string_view name;
};
template <Comparison op>
constexpr Comparing<op> comparing(std::string_view name) {
  Comparing<op> result;
  result.name = name;
  return result;
}

inline constexpr std::tuple equalities{comparing<Comparison::eq>("eq"),
                                       comparing<Comparison::ne>("ne")};
inline constexpr std::tuple orders = std::tuple_cat(
    equalities, std::tuple{comparing<Comparison::lt>("lt"), comparing<Comparison::le>("le"),
                           comparing<Comparison::gt>("gt"), comparing<Comparison::ge>("ge")});
inline constexpr std::tuple unsigned_orders = std::tuple_cat(
    orders, std::tuple{comparing<Comparison::lo>("lo"), comparing<Comparison::ls>("ls"),
                       comparing<Comparison::hi>("hi"), comparing<Comparison::hs>("hs")});
inline constexpr std::tuple float_orders = std::tuple_cat(
    orders, std::tuple{comparing<Comparison::equ>("equ"), comparing<Comparison::neu>("neu"),
                       comparing<Comparison::ltu>("ltu"), comparing<Comparison::leu>("leu"),
                       comparing<Comparison::gtu>("gtu"), comparing<Comparison::geu>("geu"),
                       comparing<Comparison::num>("num"), comparing<Comparison::nan>("nan")});

// ---- The second stage

/// The operation that joins the comparison with the predicate c.
enum class Joined : std::uint8_t { alone, with_and, with_or, with_xor };

/// The form of set's result: the mask as an integer, or 1.0 in a floating-point format.
enum class Writes : std::uint8_t {
  word,
  half_word,
  one_f32,
  one_f16,
  one_bf16,
  pair_f16,
  pair_bf16
};

/// A mask per lane. If the lanes are pairs, the low half of the word is the mask of the pair's low
/// half, and the high half is that of its high half.
struct alignas(slot_alignment) Masks {
  std::array<U32, warp_lanes> lanes;
};

/// Joins the masks with the predicate op->s[2]; does nothing for Joined::alone.
void join(const WarpState& warp, const Op* op, Masks& masks, Joined how);

/// Writes p; if `both`, also writes q by the opposite comparison.
template <Joined how, bool both>
const Op* finish_setp(WarpState& warp, const Op* op, const Masks& masks);

/// Writes p from the low half of the masks, and q from the high half.
template <Joined how>
const Op* finish_setp_of_pairs(WarpState& warp, const Op* op, const Masks& masks);

template <Joined how, Writes what>
const Op* finish_set(WarpState& warp, const Op* op, Masks& masks);

// ---- The first stage

template <class F>
[[gnu::noinline]] void compare(const WarpState& warp, const Op* op, Masks& masks) {
  using T = std::tuple_element_t<0, typename SignatureOf<F>::Sources>;
  const auto* a = warp.lanes<const Word<T>>(op->s[0]);
  const auto* b = warp.lanes<const Word<T>>(op->s[1]);
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    masks.lanes[lane] = F{}(std::bit_cast<T>(a[lane]), std::bit_cast<T>(b[lane])).mask;
  }
}

template <class F, Joined how, bool both>
const Op* setp_step(WarpState& warp, const Op* op) {
  Masks masks;
  compare<F>(warp, op, masks);
  return finish_setp<how, both>(warp, op, masks);
}

template <class F, Joined how>
const Op* setp_of_pairs_step(WarpState& warp, const Op* op) {
  Masks masks;
  compare<F>(warp, op, masks);
  return finish_setp_of_pairs<how>(warp, op, masks);
}

template <class F, Joined how, Writes what>
const Op* set_step(WarpState& warp, const Op* op) {
  Masks masks;
  compare<F>(warp, op, masks);
  return finish_set<how, what>(warp, op, masks);
}

/// The steps of setp. The first three write only p: the comparison joined by and, or, xor. The
/// other four write p and q: the comparison alone, or joined by and, or, xor.
using SetpSteps = std::array<Step, 7>;
/// The steps of set: the comparison alone, or joined by and, or, xor.
using SetSteps = std::array<Step, 4>;
/// The steps of setp on pairs: the comparison alone, or joined by and, or, xor.
using PairSteps = std::array<Step, 4>;

void put_setp(Table& table, std::string_view comparison, std::string_view suffix, LaneType type,
              const SetpSteps& steps);
void put_setp_of_pairs(Table& table, std::string_view comparison, std::string_view suffix,
                       const PairSteps& steps);
void put_set(Table& table, std::string_view comparison, std::string_view suffix, LaneType result,
             LaneType type, const SetSteps& steps);

/// Adds the rows of setp for F, which compares two T and returns a Predicate. Each way to join the
/// comparison, and each number of destinations (one or two), gives a row.
template <bool fast, class F>
void add_setp(Table& table, std::string_view comparison, std::string_view suffix, F f) {
  using T = std::tuple_element_t<0, typename SignatureOf<F>::Sources>;
  if constexpr (fast) {
    table.fast(joined("setp.", comparison, suffix), f);
  } else {
    table.add(joined("setp.", comparison, suffix), f);
  }
  static constexpr SetpSteps steps{
      &setp_step<F, Joined::with_and, false>, &setp_step<F, Joined::with_or, false>,
      &setp_step<F, Joined::with_xor, false>, &setp_step<F, Joined::alone, true>,
      &setp_step<F, Joined::with_and, true>,  &setp_step<F, Joined::with_or, true>,
      &setp_step<F, Joined::with_xor, true>};
  put_setp(table, comparison, suffix, lane_type<T>(), steps);
}

/// Adds the rows of setp on pairs for F, which returns the masks of both halves.
template <class F>
void add_setp_of_pairs(Table& table, std::string_view comparison, std::string_view suffix, F) {
  static constexpr PairSteps steps{
      &setp_of_pairs_step<F, Joined::alone>, &setp_of_pairs_step<F, Joined::with_and>,
      &setp_of_pairs_step<F, Joined::with_or>, &setp_of_pairs_step<F, Joined::with_xor>};
  put_setp_of_pairs(table, comparison, suffix, steps);
}

/// Adds the rows of set for F, whose results have the form `what`.
template <Writes what, class F>
void add_set(Table& table, std::string_view comparison, std::string_view suffix, F) {
  using T = std::tuple_element_t<0, typename SignatureOf<F>::Sources>;
  constexpr bool narrow =
      what == Writes::half_word || what == Writes::one_f16 || what == Writes::one_bf16;
  static constexpr SetSteps steps{
      &set_step<F, Joined::alone, what>, &set_step<F, Joined::with_and, what>,
      &set_step<F, Joined::with_or, what>, &set_step<F, Joined::with_xor, what>};
  put_set(table, comparison, suffix, narrow ? LaneType::b16 : LaneType::b32, lane_type<T>(), steps);
}

// ---- All comparisons

template <class T, class Comparisons, class Add>
void each_of(std::string_view type, const Comparisons& comparisons, const Add& add) {
  each(comparisons, [&](auto op) {
    constexpr Comparison comparison = decltype(op)::value;
    add(op.name, "", type, [](T a, T b) { return predicate(holds<comparison>(a, b)); });
  });
}

template <bool ftz, class Add>
void each_of_f32(std::string_view modifier, const Add& add) {
  each(float_orders, [&](auto op) {
    constexpr Comparison comparison = decltype(op)::value;
    add(op.name, modifier, "f32", [](float a, float b) {
      a = flush<ftz>(a);
      b = flush<ftz>(b);
      return predicate(holds<comparison>(a, b));
    });
  });
}

/// Calls `add(comparison, ftz, type, f)` for every comparison of integers, f32 and f64; `f` gives
/// the mask of one lane.
template <class Add>
void each_comparison(const Add& add) {
  each(signed_types,
       [&](auto type) { each_of<typename decltype(type)::Type>(type.name, orders, add); });
  each(unsigned_types,
       [&](auto type) { each_of<typename decltype(type)::Type>(type.name, unsigned_orders, add); });
  each(bit_types,
       [&](auto type) { each_of<typename decltype(type)::Type>(type.name, equalities, add); });
  each_of<double>("f64", float_orders, add);
  optional(".ftz", [&](auto ftz, std::string_view modifier) {
    each_of_f32<decltype(ftz)::value>(modifier, add);
  });
}

}  // namespace bankproof::ptx::lanes
