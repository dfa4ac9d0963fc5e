// The table to which the files of this folder add rows. A name and a lambda make one row; loops
// over types and modifiers make families of rows.
#pragma once

#include <cfenv>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "execute.hpp"
#include "row.hpp"

namespace bankproof::ptx::lanes {

/// A type of PTX and its name; families loop over `Tag` values.
template <class T>
struct Tag {
  using Type = T;
  std::string_view name;
};

/// The number of bits of a register of type T.
template <class T>
inline constexpr U32 width = 8 * sizeof(T);

inline constexpr std::tuple unsigned_types{Tag<U16>{"u16"}, Tag<U32>{"u32"}, Tag<U64>{"u64"}};
inline constexpr std::tuple signed_types{Tag<S16>{"s16"}, Tag<S32>{"s32"}, Tag<S64>{"s64"}};
inline constexpr std::tuple integer_types = std::tuple_cat(unsigned_types, signed_types);
inline constexpr std::tuple bit_types{Tag<U16>{"b16"}, Tag<U32>{"b32"}, Tag<U64>{"b64"}};

/// Calls f with each element in turn.
template <class Tuple, class F>
void each(const Tuple& tuple, F f) {
  std::apply([&f](const auto&... element) { (f(element), ...); }, tuple);
}

/// Calls f(std::bool_constant, text) twice: without the modifier, where the text is empty, and with
/// it.
template <class F>
void optional(std::string_view modifier, F f) {
  f(std::false_type{}, std::string_view{});
  f(std::true_type{}, modifier);
}

/// A rounding mode with its modifier.
template <int mode>
struct Rounding : std::integral_constant<int, mode> {
  std::string_view name;
};
template <int mode>
constexpr Rounding<mode> rounding(std::string_view name) {
  Rounding<mode> result;
  result.name = name;
  return result;
}
inline constexpr std::tuple directed_modes{
    rounding<FE_TOWARDZERO>(".rz"), rounding<FE_DOWNWARD>(".rm"), rounding<FE_UPWARD>(".rp")};

// Out of line, since every row calls them.
std::string joined_parts(std::initializer_list<std::string_view> parts);

template <class... Part>
std::string joined(const Part&... parts) {
  return joined_parts({std::string_view(parts)...});
}

class Table {
 public:
  explicit Table(Level level) : level_(level) {}
  Level level() const { return level_; }

  /// A row with a portable step only.
  template <class F>
  Row& add(std::string opcode, F) {
    return put<F>(std::move(opcode), &portable_step<F>);
  }

  /// A row that programs use often. Its step for Level::avx2 computes `Fast`.
  template <class F, class Fast>
  Row& fast(std::string opcode, F, Fast) {
#if BANKPROOF_PTX_AVX2
    static_assert(
        std::is_same_v<typename SignatureOf<F>::Sources, typename SignatureOf<Fast>::Sources>);
    if (level_ == Level::avx2) return put<F>(std::move(opcode), &avx2_step<Fast>);
#endif
    return put<F>(std::move(opcode), &portable_step<F>);
  }
  template <class F>
  Row& fast(std::string opcode, F row) {
    return fast(std::move(opcode), row, row);
  }

  /// A row as fast() adds it, for a function of three floats. Its portable step tries the `Hasty`
  /// functions first (hasty_step).
  template <class F, class Fast, class... Hasty>
  Row& hasty(std::string opcode, F row, Fast fast_row, Hasty...) {
    Row& added = fast(std::move(opcode), row, fast_row);
    if (added.step == &portable_step<F>) added.step = &hasty_step<F, Hasty...>;
    return added;
  }

  /// A row whose last source is nearly always a constant. For a constant, the row computes
  /// F(constant), a function of the other sources; else `General`.
  template <class F, class General>
  Row& by_constant(std::string opcode, General) {
#if BANKPROOF_PTX_AVX2
    if (level_ == Level::avx2) {
      return put<General>(std::move(opcode), &avx2_constant_step<F, General>);
    }
#endif
    return put<General>(std::move(opcode), &constant_step<F, General>);
  }

  /// A row computed in a rounding mode of the host.
  template <int mode, class F>
  Row& rounded(std::string opcode, F) {
#if BANKPROOF_PTX_AVX2
    if (level_ == Level::avx2) {
      return put<F>(std::move(opcode), &rounded_step<&avx2_step<F>, mode>);
    }
#endif
    return put<F>(std::move(opcode), &rounded_step<&step_out_of_line<F>, mode>);
  }

  /// A row with the given step and the operand types of F.
  template <class F>
  Row& put(std::string opcode, Step step) {
    return put(std::move(opcode), step, types<typename SignatureOf<F>::Destinations>,
               types<typename SignatureOf<F>::Sources>);
  }
  Row& put(std::string opcode, Step step, std::span<const LaneType> destinations,
           std::span<const LaneType> sources);

  std::vector<Row> take() {
    return {std::make_move_iterator(rows_.begin()), std::make_move_iterator(rows_.end())};
  }

 private:
  Level level_;
  std::deque<Row> rows_;  // the rows that the functions above return stay where they are
};

// The families, one for each file.
void add_moves(Table& table);
void add_integers(Table& table);
void add_products(Table& table);
void add_carries(Table& table);
void add_bits(Table& table);
void add_shifts(Table& table);
void add_bytes(Table& table);
void add_comparisons(Table& table);
void add_sets(Table& table);
void add_floats(Table& table);
void add_directed(Table& table);
void add_extremes(Table& table);
void add_approximations(Table& table);
void add_halves(Table& table);
void add_half_comparisons(Table& table);
void add_integer_conversions(Table& table);
void add_conversions_to_floats(Table& table);
void add_conversions_to_integers(Table& table);
void add_float_conversions(Table& table);
void add_packed_conversions(Table& table);
void add_fp8_conversions(Table& table);

}  // namespace bankproof::ptx::lanes
