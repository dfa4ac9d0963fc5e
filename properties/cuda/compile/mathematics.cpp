// Compiles the functions of cuda/headers/parts for the host, and compares them with the C library,
// which computes with more digits. The functions keep the error that their comment states, and
// treat special cases as C does.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

#include "exactness.hpp"

#define BANKPROOF_DEVICE [[maybe_unused]] static inline
#include "../../../cuda/headers/parts/functions.h"

namespace bankproof::cuda {
namespace {

namespace parts = bankproof_parts;

struct Function {
  const char* name;
  double (*ours)(double);
  long double (*exact)(long double);
  double least, most;  ///< range of the arguments; with `powers`, range of k for arguments ±2^k
  bool powers;
  double error;  ///< the largest error, in units in the last place
};

#define FUNCTION(name, least, most, powers, error)                                              \
  {                                                                                             \
    #name, [](double x) { return parts::name(x); }, [](long double x) { return std::name(x); }, \
        least, most, powers, error                                                              \
  }

TEST(Mathematics, is_as_exact_as_it_says) {
  const Function functions[] = {
      FUNCTION(exp, -745, 709.7, false, 0.75),
      FUNCTION(exp, -60, 4, true, 0.75),
      FUNCTION(exp2, -1074, 1023.9, false, 0.75),
      {"exp10", parts::exp10, [](long double x) { return std::pow(10.0L, x); }, -480, 308, false,
       1.0},
      FUNCTION(expm1, -1, 1, false, 1.0),
      FUNCTION(expm1, -50, 709, false, 1.0),
      FUNCTION(log, 0, 3, false, 0.7),
      FUNCTION(log, -1074, 1023, true, 0.7),
      FUNCTION(log2, 0, 3, false, 0.7),
      FUNCTION(log10, 0, 30, false, 0.7),
      FUNCTION(log1p, -1, 1, false, 0.7),
      FUNCTION(sin, -4, 4, false, 0.75),
      FUNCTION(sin, -60, 60, true, 0.75),
      FUNCTION(cos, -4, 4, false, 0.75),
      FUNCTION(cos, -60, 60, true, 0.75),
      FUNCTION(tan, -60, 60, true, 2),
      FUNCTION(atan, -60, 60, true, 2),
      FUNCTION(asin, -1, 1, false, 2),
      FUNCTION(acos, -1, 1, false, 2),
      FUNCTION(sinh, -5, 5, false, 2),
      FUNCTION(cosh, -5, 5, false, 2),
      FUNCTION(tanh, -5, 5, false, 2),
      FUNCTION(asinh, -60, 60, true, 2),
      FUNCTION(acosh, 1, 30, false, 2),
      FUNCTION(atanh, -1, 1, false, 2),
      FUNCTION(cbrt, -1074, 1023, true, 2),
  };
  std::mt19937_64 random(6);
  for (const Function& f : functions) {
    std::uniform_real_distribution<double> draw(f.least, f.most);
    for (int i = 0; i < 3000; ++i) {
      double x = draw(random);
      if (f.powers) x = (i % 2 == 0 ? 1.0 : -1.0) * std::exp2(x);
      ASSERT_LE(error_of(f.ours(x), f.exact(static_cast<long double>(x))), f.error)
          << f.name << "(" << x << ")";
    }
  }
}

TEST(Mathematics, of_two_arguments_is_as_exact_as_it_says) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-20, 20);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp2(exponent(random));
    const double y = (i % 2 == 0 ? 1.0 : -1.0) * std::exp2(exponent(random));
    const double z = (i % 4 < 2 ? -1.0 : 1.0) * x;
    const long double long_y = y;
    ASSERT_LE(error_of(parts::atan2(y, z), std::atan2(long_y, static_cast<long double>(z))), 2);
    ASSERT_LE(error_of(parts::hypot(y, z), std::hypot(long_y, static_cast<long double>(z))), 2);
    const double small = y / 1024;
    if (std::fabs(small * std::log(x)) > 700) continue;
    ASSERT_LE(error_of(parts::pow(x, small),
                       std::pow(static_cast<long double>(x), static_cast<long double>(small))),
              0.8)
        << x << " " << small;
  }
}

TEST(Mathematics, has_remainders_without_error) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 2000; ++i) {
    const double x = parts::of_bits(random()), y = parts::of_bits(random());
    const double ours = parts::fmod(x, y), exact = std::fmod(x, y);
    ASSERT_TRUE(ours == exact || (std::isnan(ours) && std::isnan(exact))) << x << " " << y;
  }
}

TEST(Mathematics, has_the_special_cases_of_c) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double numbers[] = {0.0,    -0.0,   1.0,     -1.0,   infinity, -infinity, std::nan(""),
                            2.0,    -2.0,   3.0,     -3.0,   0.5,      -0.5,      1e300,
                            -1e300, 5e-324, -5e-324, 0x1p53, -0x1p53,  DBL_MAX};
  for (const double x : numbers) {
#define LIKE(name) expect_like(parts::name(x), std::name(x), #name, x)
    LIKE(exp);
    LIKE(exp2);
    expect_like(parts::exp10(x), static_cast<double>(std::pow(10.0L, static_cast<long double>(x))),
                "exp10", x);
    LIKE(expm1);
    LIKE(log);
    LIKE(log2);
    LIKE(log10);
    LIKE(log1p);
    LIKE(sin);
    LIKE(cos);
    LIKE(tan);
    LIKE(asin);
    LIKE(acos);
    LIKE(atan);
    LIKE(sinh);
    LIKE(cosh);
    LIKE(tanh);
    LIKE(asinh);
    LIKE(acosh);
    LIKE(atanh);
    LIKE(cbrt);
    for (const double y : numbers) {
#define LIKE2(name) expect_like(parts::name(x, y), std::name(x, y), #name, x, y)
      LIKE2(pow);
      LIKE2(atan2);
      LIKE2(hypot);
      LIKE2(fmod);
    }
  }
}

}  // namespace
}  // namespace bankproof::cuda
