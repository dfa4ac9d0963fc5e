// Arithmetic of f32 and f64 rounded towards zero, down and up (PTX ISA, "Floating Point
// Instructions"), by the rounding modes of the host. This file is compiled with -frounding-math.
#include <cmath>

#include "flush.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <int mode, bool ftz, bool sat>
void add_directed_sums(Table& table, std::string_view modifiers) {
  table.rounded<mode>(joined("add", modifiers, ".f32"), [](float a, float b) {
    return finished<ftz, sat>(flush<ftz>(a) + flush<ftz>(b));
  });
  table.rounded<mode>(joined("sub", modifiers, ".f32"), [](float a, float b) {
    return finished<ftz, sat>(flush<ftz>(a) - flush<ftz>(b));
  });
  table.rounded<mode>(joined("mul", modifiers, ".f32"), [](float a, float b) {
    return finished<ftz, sat>(flush<ftz>(a) * flush<ftz>(b));
  });
  for (const std::string_view name : {"fma", "mad"}) {
    table.rounded<mode>(joined(name, modifiers, ".f32"), [](float a, float b, float c) {
      return finished<ftz, sat>(std::fma(flush<ftz>(a), flush<ftz>(b), flush<ftz>(c)));
    });
  }
}

template <int mode, bool ftz>
void add_directed_quotients(Table& table, std::string_view modifiers) {
  table.rounded<mode>(joined("div", modifiers, ".f32"), [](float a, float b) {
    return finished<ftz, false>(flush<ftz>(a) / flush<ftz>(b));
  });
  table.rounded<mode>(joined("rcp", modifiers, ".f32"),
                      [](float a) { return finished<ftz, false>(1.0F / flush<ftz>(a)); });
  table.rounded<mode>(joined("sqrt", modifiers, ".f32"),
                      [](float a) { return finished<ftz, false>(std::sqrt(flush<ftz>(a))); });
}

template <int mode>
void add_directed_doubles(Table& table, std::string_view modifier) {
  table.rounded<mode>(joined("add", modifier, ".f64"),
                      [](double a, double b) { return canonical(a + b); });
  table.rounded<mode>(joined("sub", modifier, ".f64"),
                      [](double a, double b) { return canonical(a - b); });
  table.rounded<mode>(joined("mul", modifier, ".f64"),
                      [](double a, double b) { return canonical(a * b); });
  for (const std::string_view name : {"fma", "mad"}) {
    table.rounded<mode>(joined(name, modifier, ".f64"),
                        [](double a, double b, double c) { return canonical(std::fma(a, b, c)); });
  }
  table.rounded<mode>(joined("div", modifier, ".f64"),
                      [](double a, double b) { return canonical(a / b); });
  table.rounded<mode>(joined("rcp", modifier, ".f64"), [](double a) { return canonical(1.0 / a); });
  table.rounded<mode>(joined("sqrt", modifier, ".f64"),
                      [](double a) { return canonical(std::sqrt(a)); });
}

}  // namespace

void add_directed(Table& table) {
  each(directed_modes, [&](auto rounding) {
    constexpr int mode = decltype(rounding)::value;
    optional(".ftz", [&](auto ftz, std::string_view first) {
      optional(".sat", [&](auto sat, std::string_view second) {
        add_directed_sums<mode, decltype(ftz)::value, decltype(sat)::value>(
            table, joined(rounding.name, first, second));
      });
      add_directed_quotients<mode, decltype(ftz)::value>(table, joined(rounding.name, first));
    });
    add_directed_doubles<mode>(table, rounding.name);
  });
}

}  // namespace bankproof::ptx::lanes
