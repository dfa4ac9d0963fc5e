// Tests functions of cuda/headers/parts, compiled for the host: the error function, the gamma
// function, related functions, and functions of a number's representation. They are compared with
// the C library, which computes with more digits. Their errors must be no larger than those that
// CUDA states for its own functions (CUDA C++ Programming Guide, "Mathematical Functions").
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "exactness.hpp"

#define BANKPROOF_DEVICE [[maybe_unused]] static inline
#include "../../../cuda/headers/parts/error_function.h"
#include "../../../cuda/headers/parts/gamma_function.h"
#include "../../../cuda/headers/parts/representation.h"

namespace bankproof::cuda {
namespace {

namespace parts = bankproof_parts;

constexpr long double half_root_of_pi = 0.886226925452758013649083741670572592L;

long double scaled_complement(long double x) { return std::exp(x * x) * std::erfc(x); }
long double normal(long double x) { return std::erfc(-x * std::sqrt(0.5L)) / 2; }

// Inverse functions: Newton steps start from the tested value and remove its error.
long double inverse_error(long double y) {
  long double x = parts::erfinv(static_cast<double>(y));
  for (int step = 0; step < 3; ++step) {
    const long double off = std::fabs(y) < 0.5L
                                ? std::erf(x) - y
                                : (y < 0 ? -1 : 1) * (1 - std::fabs(y) - std::erfc(std::fabs(x)));
    x -= off * half_root_of_pi * std::exp(x * x);
  }
  return x;
}
long double inverse_complement(long double y) {
  long double x = parts::erfcinv(static_cast<double>(y));
  for (int step = 0; step < 3; ++step) x += (std::erfc(x) - y) * half_root_of_pi * std::exp(x * x);
  return x;
}
long double inverse_normal(long double p) { return -std::sqrt(2.0L) * inverse_complement(2 * p); }

struct SpecialFunction {
  const char* name;
  double (*ours)(double);
  long double (*exact)(long double);
  double least, most;  ///< range of the arguments; with `powers`, range of k for arguments 2^k
  bool powers;
  double error;  ///< the largest error, in units in the last place
};

TEST(SpecialFunctions, are_as_exact_as_the_ones_of_cuda) {
  const auto erf = [](long double x) { return std::erf(x); };
  const auto erfc = [](long double x) { return std::erfc(x); };
  const auto tgamma = [](long double x) { return std::tgamma(x); };
  const auto lgamma = [](long double x) { return std::lgamma(x); };
  const SpecialFunction functions[] = {
      {"erf", parts::erf, erf, -7, 7, false, 1.5},
      {"erf", parts::erf, erf, -1074, 3, true, 1.5},
      {"erfc", parts::erfc, erfc, -6, 2, false, 5},
      {"erfc", parts::erfc, erfc, 0, 27, false, 5},
      {"erfcx", parts::erfcx, scaled_complement, -26, 24, false, 4},
      {"normcdf", parts::normcdf, normal, -37.5, 9, false, 5},
      {"erfinv", parts::erfinv, inverse_error, -1, 1, false, 3},
      {"erfinv", parts::erfinv, inverse_error, -1000, -1, true, 3},
      {"erfcinv", parts::erfcinv, inverse_complement, 0, 2, false, 4},
      {"erfcinv", parts::erfcinv, inverse_complement, -1000, 0, true, 4},
      {"normcdfinv", parts::normcdfinv, inverse_normal, 0, 1, false, 6},
      {"normcdfinv", parts::normcdfinv, inverse_normal, -1000, -1, true, 6},
      {"tgamma", parts::tgamma, tgamma, -170, 171.6, false, 3},
      {"tgamma", parts::tgamma, tgamma, -1020, 4, true, 3},
      {"lgamma", parts::lgamma, lgamma, 0, 30, false, 3},
      {"lgamma", parts::lgamma, lgamma, -1074, 1014, true, 3},
      {"lgamma", parts::lgamma, lgamma, -100, -11, false, 3},
  };
  std::mt19937_64 random(9);
  for (const SpecialFunction& f : functions) {
    std::uniform_real_distribution<double> draw(f.least, f.most);
    for (int i = 0; i < 3000; ++i) {
      double x = draw(random);
      if (f.powers) x = std::exp2(x);
      ASSERT_LE(error_of(f.ours(x), f.exact(static_cast<long double>(x))), f.error)
          << f.name << "(" << x << ")";
    }
  }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
const double numbers[] = {0.0,  -0.0,    1.0,     -1.0,   infinity, -infinity, std::nan(""), 2.0,
                          -2.0, 3.0,     -3.5,    0.5,    -0.5,     1e300,     -1e300,       5e-324,
                          26.0, -5e-324, -170.5,  -184.5, -185.5,   171.0,     172.0,        0x1p53,
                          28.0, -27.0,   -0x1p53, 6.28,   -40.0,    DBL_MAX,   -DBL_MAX,     20.0};

TEST(SpecialFunctions, have_the_special_cases_of_c) {
  for (const double x : numbers) {
#define LIKE(name) expect_like(parts::name(x), std::name(x), #name, x, 0, 1e-15)
    LIKE(erf);
    LIKE(erfc);
    LIKE(tgamma);
    LIKE(lgamma);
    LIKE(logb);
#undef LIKE
    if (x != 0.0 && !std::isnan(x)) {
      EXPECT_EQ(parts::ilogb(x), std::ilogb(x)) << x;
    }
  }
  EXPECT_EQ(parts::ilogb(0.0), std::numeric_limits<int>::min());
  EXPECT_EQ(parts::ilogb(std::nan("")), std::numeric_limits<int>::min());
}

TEST(SpecialFunctions, have_ends) {
  EXPECT_EQ(parts::erfcx(infinity), 0.0);
  EXPECT_EQ(parts::erfcx(-27.5), infinity);
  EXPECT_EQ(parts::normcdf(infinity), 1.0);
  EXPECT_EQ(parts::normcdf(-infinity), 0.0);
  EXPECT_EQ(parts::normcdf(0.0), 0.5);
  EXPECT_EQ(parts::erfinv(1.0), infinity);
  EXPECT_EQ(parts::erfinv(-1.0), -infinity);
  EXPECT_EQ(parts::erfcinv(0.0), infinity);
  EXPECT_EQ(parts::erfcinv(2.0), -infinity);
  EXPECT_EQ(parts::erfcinv(1.0), 0.0);
  EXPECT_EQ(parts::normcdfinv(0.0), -infinity);
  EXPECT_EQ(parts::normcdfinv(1.0), infinity);
  EXPECT_EQ(parts::normcdfinv(0.5), 0.0);
  for (const double no_number :
       {parts::erfinv(1.5), parts::erfcinv(-0.5), parts::normcdfinv(1.5), parts::erfcx(NAN),
        parts::normcdf(NAN), parts::erfinv(NAN), parts::erfcinv(NAN)}) {
    EXPECT_TRUE(std::isnan(no_number));
  }
}

/// Numbers of every size; y is often about as large as x, or a simple fraction of it.
TEST(SpecialFunctions, of_representation_are_exact) {
  std::mt19937_64 random(10);
  const auto same = [](auto ours, auto theirs) {
    return (std::isnan(ours) && std::isnan(theirs)) ||
           (ours == theirs && std::signbit(ours) == std::signbit(theirs));
  };
  for (int i = 0; i < 30000; ++i) {
    const double x = i < 32 ? numbers[i] : parts::of_bits(random());
    double y = parts::of_bits(random());
    if (i % 2 == 0)
      y = std::ldexp(x, -static_cast<int>(random() % 40)) *
          (1 + static_cast<double>(random() % 8) / 4);
    if (i % 7 == 0) y = numbers[random() % 32];
    int ours = 0;
    int theirs = 0;
    // In glibc 2.36 remainder() loses the sign of some zeros.
    const double rest = std::remquo(x, y, &theirs);
    ASSERT_TRUE(same(parts::remquo(x, y, &ours), rest)) << x << " " << y;
    ASSERT_TRUE(same(parts::remainder(x, y), rest)) << x << " " << y;
    if (std::isfinite(x) && y != 0.0 && !std::isnan(y)) {
      ASSERT_EQ(std::abs(ours), std::abs(theirs) % 8) << x << " " << y;
      ASSERT_EQ(ours < 0, ours != 0 && theirs < 0) << x << " " << y;
    }
    ASSERT_TRUE(same(parts::nextafter(x, y), std::nextafter(x, y))) << x << " " << y;
    const auto a = static_cast<float>(x);
    const auto b = static_cast<float>(y);
    ASSERT_TRUE(same(parts::nextafter(a, b), std::nextafter(a, b))) << a << " " << b;
    ASSERT_TRUE(same(parts::frexp(x, &ours), std::frexp(x, &theirs))) << x;
    if (std::isfinite(x)) {
      ASSERT_EQ(ours, theirs) << x;
    }
  }
}

}  // namespace
}  // namespace bankproof::cuda
