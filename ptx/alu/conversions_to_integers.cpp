// cvt from floating-point numbers to integers (PTX ISA, "cvt"). A number out of range gives the
// nearest number of the type, with or without .sat.
#include "convert.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// The integer for NaN: 0 if source and integer have less than 64 bits each; else the integer whose
/// only set bit is the highest bit.
template <class D, class S>
constexpr D of_nan() {
  constexpr bool wide = sizeof(S) == 8 || sizeof(D) == 8;
  return wide ? static_cast<D>(U64{1} << (8 * sizeof(D) - 1)) : D{0};
}

template <class D, class S, Integral how>
D converted(S a) {
  // The conversions of C++ below round towards zero.
  const double x = how == Integral::zero ? value_of(a) : integral<how>(value_of(a));
  if constexpr (sizeof(D) < 8) {
    constexpr auto low = static_cast<double>(std::numeric_limits<D>::min());
    constexpr auto high = static_cast<double>(std::numeric_limits<D>::max());
    // Goes through a wider signed type, for which the hardware has a conversion.
    using Middle = std::conditional_t<std::is_same_v<D, U32>, S64, S32>;
    const double at_least = x > low ? x : low;  // NaN becomes `low`
    const double inside = at_least < high ? at_least : high;
    const D result = static_cast<D>(static_cast<Middle>(inside));
    return is_number(x) ? result : of_nan<D, S>();
  } else {
    constexpr double beyond = std::is_signed_v<D> ? 0x1p63 : 0x1p64;
    constexpr double low = std::is_signed_v<D> ? -0x1p63 : 0.0;
    if (!is_number(x)) return of_nan<D, S>();
    if (x >= beyond) return std::numeric_limits<D>::max();
    if (x <= low) return std::numeric_limits<D>::min();
    return static_cast<D>(x);
  }
}

template <class D, class S, Integral how>
void add_conversion(Table& table, std::string_view rounding, std::string_view types) {
  const auto convert = [](S a) { return static_cast<LaneOf<D>>(converted<D, S, how>(a)); };
  for (const std::string_view sat : {"", ".sat"}) {
    const std::string opcode = joined("cvt", rounding, sat, types);
    if constexpr (sizeof(S) >= 4 && sizeof(D) == 4) {
      table.fast(opcode, convert);
    } else {
      table.add(opcode, convert);
    }
    if constexpr (std::is_same_v<S, float>) {
      table.add(joined("cvt", rounding, ".ftz", sat, types), [](float a) {
        return static_cast<LaneOf<D>>(converted<D, float, how>(flush<true>(a)));
      });
    }
  }
}

template <class S>
void add_from(Table& table, std::string_view name) {
  each(integral_roundings, [&](auto rounding) {
    each(all_integers, [&](auto to) {
      add_conversion<typename decltype(to)::Type, S, decltype(rounding)::value>(
          table, rounding.name, joined(".", to.name, ".", name));
    });
  });
}

}  // namespace

void add_conversions_to_integers(Table& table) {
  add_from<float>(table, "f32");
  add_from<double>(table, "f64");
  add_from<Half>(table, "f16");
  add_from<Brain>(table, "bf16");
}

}  // namespace bankproof::ptx::lanes
