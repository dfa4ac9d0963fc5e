// cvt between floating-point formats (PTX ISA, "cvt"). Directed rounding to f32 uses the rounding
// modes of the host through Table::rounded.
#include "convert.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// Converts x to D. D is the source's format, or a format that holds every value of the source.
template <class D, bool ftz, bool sat>
D finish_wide(double x) {
  if constexpr (std::is_same_v<D, double>) return sat ? saturated<true>(x) : canonical(x);
  if constexpr (std::is_same_v<D, float>) return finished<ftz, sat>(static_cast<float>(x));
  if constexpr (std::is_same_v<D, Half> || std::is_same_v<D, Brain>) {
    return narrowed<D>(saturated<sat>(x));
  }
}

template <bool ftz, class S>
double value_of_source(S a) {
  if constexpr (std::is_same_v<S, float>)
    return static_cast<double>(flush<ftz>(a));
  else
    return value_of(a);
}

/// Calls f with and without .sat and, if an operand is f32, with and without .ftz.
template <bool with_ftz, class F>
void with_modifiers(F f) {
  optional(".sat", [&](auto sat, std::string_view second) {
    f(std::false_type{}, sat, second);
    if constexpr (with_ftz) f(std::true_type{}, sat, joined(".ftz", second));
  });
}

template <class D, class S>
inline constexpr bool has_f32 = std::disjunction_v<std::is_same<D, float>, std::is_same<S, float>>;

template <class D, class S>
void add_exact(Table& table, std::string_view types) {
  with_modifiers<has_f32<D, S>>([&](auto ftz, auto sat, std::string_view modifiers) {
    table.add(joined("cvt", modifiers, types), [](S a) {
      constexpr bool flushes = decltype(ftz)::value;
      return finish_wide<D, flushes, decltype(sat)::value>(value_of_source<flushes>(a));
    });
  });
}

/// Rounds to integers of the same format.
template <class T>
void add_integral(Table& table, std::string_view types) {
  each(integral_roundings, [&](auto rounding) {
    with_modifiers<has_f32<T, T>>([&](auto ftz, auto sat, std::string_view modifiers) {
      table.add(joined("cvt", rounding.name, modifiers, types), [](T a) {
        constexpr bool flushes = decltype(ftz)::value;
        return finish_wide<T, flushes, decltype(sat)::value>(
            integral<decltype(rounding)::value>(value_of_source<flushes>(a)));
      });
    });
  });
}

/// Converts to a format with fewer values, in every rounding mode.
template <class D, class S>
void add_rounded(Table& table, std::string_view types) {
  each(float_roundings, [&](auto rounding) {
    constexpr int mode = decltype(rounding)::value;
    with_modifiers<has_f32<D, S>>([&](auto ftz, auto sat, std::string_view modifiers) {
      const std::string opcode = joined("cvt", rounding.name, modifiers, types);
      const auto convert = [](S a) {
        constexpr bool flushes = decltype(ftz)::value;
        const double x = saturated<decltype(sat)::value>(value_of_source<flushes>(a));
        if constexpr (std::is_same_v<D, float>) {
          return finished<flushes, decltype(sat)::value>(static_cast<float>(x));
        } else if constexpr (decltype(rounding)::value == FE_TONEAREST) {
          return narrowed<D>(x);
        } else {
          return rounded<D, decltype(rounding)::value>(x);
        }
      };
      if constexpr (std::is_same_v<D, float> && mode != FE_TONEAREST) {
        table.rounded<mode>(opcode, convert);
      } else {
        table.add(opcode, convert);
      }
    });
  });
}

}  // namespace

void add_float_conversions(Table& table) {
  add_exact<float, float>(table, ".f32.f32");
  add_exact<double, double>(table, ".f64.f64");
  add_exact<Half, Half>(table, ".f16.f16");
  add_exact<Brain, Brain>(table, ".bf16.bf16");
  add_exact<double, float>(table, ".f64.f32");
  add_exact<float, Half>(table, ".f32.f16");
  add_exact<float, Brain>(table, ".f32.bf16");
  add_exact<double, Half>(table, ".f64.f16");
  add_exact<double, Brain>(table, ".f64.bf16");
  add_integral<float>(table, ".f32.f32");
  add_integral<double>(table, ".f64.f64");
  add_integral<Half>(table, ".f16.f16");
  add_integral<Brain>(table, ".bf16.bf16");
  add_rounded<float, double>(table, ".f32.f64");
  add_rounded<Half, float>(table, ".f16.f32");
  add_rounded<Half, double>(table, ".f16.f64");
  add_rounded<Half, Brain>(table, ".f16.bf16");
  add_rounded<Brain, float>(table, ".bf16.f32");
  add_rounded<Brain, double>(table, ".bf16.f64");
  add_rounded<Brain, Half>(table, ".bf16.f16");
}

}  // namespace bankproof::ptx::lanes
