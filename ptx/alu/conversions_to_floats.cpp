// cvt from integers to floating-point numbers (PTX ISA, "cvt"). This file is compiled with
// -frounding-math, since the host rounds f32 and f64.
#include "convert.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class D, class S, int mode>
void add_to_float(Table& table, std::string_view name, std::string_view types) {
  const auto convert = [](LaneOf<S> a) { return static_cast<D>(static_cast<S>(a)); };
  const std::string opcode = joined("cvt", name, types);
  if constexpr (mode == FE_TONEAREST) {
    table.fast(opcode, convert);
  } else {
    table.rounded<mode>(opcode, convert);
  }
  table.add(joined("cvt", name, ".sat", types),
            [](LaneOf<S> a) { return static_cast<S>(a) > 0 ? D{1} : D{0}; });
}

template <class D, class S, int mode>
void add_to_half(Table& table, std::string_view name, std::string_view types) {
  table.add(joined("cvt", name, types),
            [](LaneOf<S> a) { return rounded<D, mode>(odd_value(static_cast<S>(a))); });
  table.add(joined("cvt", name, ".sat", types),
            [](LaneOf<S> a) { return rounded<D, mode>(static_cast<S>(a) > 0 ? 1.0 : 0.0); });
}

}  // namespace

void add_conversions_to_floats(Table& table) {
  each(float_roundings, [&](auto rounding) {
    constexpr int mode = decltype(rounding)::value;
    each(all_integers, [&](auto from) {
      using S = typename decltype(from)::Type;
      add_to_float<float, S, mode>(table, rounding.name, joined(".f32.", from.name));
      add_to_float<double, S, mode>(table, rounding.name, joined(".f64.", from.name));
      add_to_half<Half, S, mode>(table, rounding.name, joined(".f16.", from.name));
      add_to_half<Brain, S, mode>(table, rounding.name, joined(".bf16.", from.name));
    });
  });
}

}  // namespace bankproof::ptx::lanes
