// Functions of doubles, compiled for the device, where the compiler fuses products and sums: they
// are as exact as CUDA says (Programming Guide, "Mathematical Functions"). CUDA bounds the distance
// of a result from the rounded value, in units in the last place; the bound for the distance from
// the exact value is half a unit more.
#include <array>
#include <cmath>
#include <random>

#include "../compile/exactness.hpp"
#include "support.hpp"

namespace bankproof::testing {
namespace {

class DeviceMathematics : public ToolkitTest {
 protected:
  DeviceMathematics() : ToolkitTest("mathematics") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, DeviceMathematics, toolkit_compilers());

struct Function {
  const char* name;
  long double (*exact)(long double);
  double error;
};
using Functions = std::array<Function, 12>;

#define FUNCTION(name, error)                                \
  Function {                                                 \
    #name, [](long double x) { return std::name(x); }, error \
  }

void check(const Kernel& kernel, const std::vector<double>& arguments, const Functions& functions) {
  Device device;
  const auto count = static_cast<std::uint32_t>(arguments.size());
  const auto out = device.buffer<double>(functions.size() * arguments.size());
  require_no_fault(kernel.launch(device,
                                 {.grid = {(count + 127) / 128, 1, 1}, .block = {128, 1, 1}},
                                 device.buffer(arguments), out, static_cast<int>(count)));
  const std::vector<double> results = out.values();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const auto x = static_cast<long double>(arguments[i]);
      ASSERT_LE(cuda::error_of(results[functions.size() * i + k], functions[k].exact(x)),
                functions[k].error + 0.5)
          << functions[k].name << "(" << arguments[i] << ")";
    }
  }
}

TEST_P(DeviceMathematics, of_all_numbers_is_as_exact_as_cuda_says) {
  const Functions functions = {FUNCTION(exp, 1),
                               FUNCTION(exp2, 1),
                               {"exp10", [](long double x) { return std::pow(10.0L, x); }, 1},
                               FUNCTION(expm1, 1),
                               FUNCTION(sin, 2),
                               FUNCTION(cos, 2),
                               FUNCTION(tan, 2),
                               FUNCTION(atan, 2),
                               FUNCTION(asinh, 3),
                               FUNCTION(cbrt, 1),
                               FUNCTION(erf, 2),
                               FUNCTION(erfc, 5)};
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> large(-800, 800);
  std::uniform_real_distribution<double> small(-3, 3);
  std::uniform_real_distribution<double> exponent(-40, 30);
  std::vector<double> arguments = {0.0,          -0.0,  HUGE_VAL, -HUGE_VAL,
                                   std::nan(""), 1e300, -1e300,   5e-324};
  for (int i = 0; i < 400; ++i) {
    arguments.push_back(large(random));
    arguments.push_back(small(random));
    arguments.push_back(std::exp2(exponent(random)) * (i % 2 == 0 ? 1 : -1));
  }
  check(kernels().other("of_all"), arguments, functions);
}

TEST_P(DeviceMathematics, of_parts_of_one_is_as_exact_as_cuda_says) {
  const Functions functions = {
      FUNCTION(asin, 2),
      FUNCTION(acos, 2),
      FUNCTION(atanh, 2),
      FUNCTION(log, 1),
      FUNCTION(log2, 1),
      FUNCTION(log10, 1),
      FUNCTION(log1p, 1),
      {"tgamma",
       [](long double x) {
         return std::tgamma(static_cast<long double>(170 * static_cast<double>(x)));
       },
       10},
      {"lgamma",
       [](long double x) {
         return std::lgamma(static_cast<long double>(3 * static_cast<double>(x)));
       },
       4},
      {"acosh",
       [](long double x) {
         return std::acosh(static_cast<long double>(1 + static_cast<double>(x)));
       },
       3},
      FUNCTION(sinh, 2),
      FUNCTION(tanh, 2)};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> any(0, 1);
  std::uniform_real_distribution<double> exponent(-50, 0);
  std::vector<double> arguments = {1.0, 0x1p-1022, 0.5};
  for (int i = 0; i < 400; ++i) {
    arguments.push_back(any(random));
    arguments.push_back(std::exp2(exponent(random)));
    arguments.push_back(1 - std::exp2(exponent(random)));
  }
  check(kernels().other("of_parts"), arguments, functions);
}

// CUDA gives both an error of 0, so subnormal results are rounded once.
TEST_P(DeviceMathematics, multiplies_by_powers_of_two_with_one_rounding) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> significand(1, 2);
  std::vector<double> arguments = {0.0, -0.0, HUGE_VAL, 5e-324, 0x1.478c8b5b08f50p-128};
  std::vector<int> exponents = {-3, 3, -9999, 1074, -901};
  for (int i = 0; i < 2000; ++i) {
    const int exponent = static_cast<int>(random() % 2098) - 1074;
    const int result = static_cast<int>(random() % 80) - 1100;  // mostly subnormal
    arguments.push_back(std::ldexp(significand(random), exponent));
    exponents.push_back(i % 4 == 0 ? static_cast<int>(random() % 5000) - 2500 : result - exponent);
  }
  Device device;
  const auto count = static_cast<std::uint32_t>(arguments.size());
  const auto out = device.buffer<double>(2 * arguments.size());
  require_no_fault(kernels()
                       .other("of_powers")
                       .launch(device, {.grid = {(count + 127) / 128, 1, 1}, .block = {128, 1, 1}},
                               device.buffer(arguments), device.buffer(exponents), out,
                               static_cast<int>(count)));
  const std::vector<double> results = out.values();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const double exact = std::ldexp(arguments[i], exponents[i]);
    ASSERT_EQ(results[2 * i], exact) << arguments[i] << " * 2^" << exponents[i];
    ASSERT_EQ(results[2 * i + 1], exact);
  }
}

}  // namespace
}  // namespace bankproof::testing
