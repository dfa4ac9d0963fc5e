// Measures the error of a function of doubles.
#pragma once

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>

namespace bankproof::cuda {

/// The error of the value, in units in the last place.
inline long double error_of(double value, long double expected) {
  const auto nearest = static_cast<double>(expected);
  if (nearest == value || (std::isnan(nearest) && std::isnan(value))) {
    return std::isfinite(value)
               ? std::fabs(expected - value) / (std::fabs(value) * 0x1p-52L + DBL_MIN)
               : 0;
  }
  if (!std::isfinite(nearest) || !std::isfinite(value)) return 1e9L;
  const double next = std::nextafter(std::fabs(nearest), std::numeric_limits<double>::infinity());
  return std::fabs(expected - value) / (next - std::fabs(nearest));
}

/// Expects the same number with the same sign, up to an error (by default one unit in the last
/// place), or expects both to be NaN.
inline void expect_like(double ours, double theirs, const char* name, double x, double y = 0,
                        double error = 3e-16) {
  EXPECT_TRUE((std::isnan(ours) && std::isnan(theirs)) ||
              (std::signbit(ours) == std::signbit(theirs) &&
               (ours == theirs || std::fabs(ours - theirs) <= error * std::fabs(theirs))))
      << name << "(" << x << ", " << y << ") is " << ours << ", not " << theirs;
}

}  // namespace bankproof::cuda
