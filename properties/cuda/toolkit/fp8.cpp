// cuda_fp8.h of bankproof gives the results of the toolkit's header, of which it has no code.
#include <cmath>
#include <limits>

#include "support.hpp"

namespace bankproof::testing {
namespace {

class Fp8 : public ToolkitTest {
 protected:
  Fp8() : ToolkitTest("fp8") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, Fp8, ::testing::Values("clang"));

/// Numbers at which results change, and their neighbors; infinity and NaN.
std::vector<float> numbers() {
  std::vector<float> all = {0.0F, -0.0F, std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()};
  for (int exponent = -19; exponent <= 17; ++exponent) {
    for (int sixteenth = 16; sixteenth < 32; ++sixteenth) {
      const float x = std::ldexp(static_cast<float>(sixteenth), exponent - 4);
      for (const float near : {x, std::nextafter(x, 0.0F), std::nextafter(x, HUGE_VALF)}) {
        all.push_back(near);
        all.push_back(-near);
      }
    }
  }
  return all;
}

std::vector<std::uint32_t> run(const Kernel& kernels, bool narrows) {
  Device device;
  const std::vector<float> given = numbers();
  const auto count = static_cast<std::uint32_t>(given.size());
  const auto out = device.buffer<std::uint32_t>(narrows ? std::size_t{16} * count : 64 * 256);
  if (narrows) {
    require_no_fault(kernels.other("to_fp8").launch(
        device, {.grid = {(count + 127) / 128, 1, 1}, .block = {128, 1, 1}}, device.buffer(given),
        out, static_cast<int>(count)));
  } else {
    require_no_fault(kernels.other("from_fp8").launch(device, {.block = {256, 1, 1}}, out));
  }
  const auto values = out.values();
  return {values.begin(), values.end()};
}

TEST_P(Fp8, gives_the_results_of_the_toolkit) {
  const std::optional<Kernel>& nvcc = toolkit_kernels("fp8", "nvcc");
  if (!nvcc) GTEST_SKIP() << "there is no nvcc";
  for (const bool narrows : {true, false}) {
    const std::vector<std::uint32_t> expected = run(*nvcc, narrows);
    const std::vector<std::uint32_t> found = run(kernels(), narrows);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_EQ(found[k], expected[k]) << (narrows ? "to " : "from ") << k;
    }
  }
}

}  // namespace
}  // namespace bankproof::testing
