// Bankproof's operations on the parts of words give the results of the toolkit's.
#include "support.hpp"

namespace bankproof::testing {
namespace {

/// Numbers whose parts are any, equal to those of the number before, or extremes.
std::vector<std::uint32_t> word_operands() {
  std::vector<std::uint32_t> all;
  std::uint32_t state = 1;
  for (int k = 0; k < 400; ++k) {
    state = state * 1664525U + 1013904223U;
    std::uint32_t number = state;
    if (k % 5 == 1) number = all.back() ^ (state & 0x00ff0000U);
    if (k % 5 == 2) number = state & 0x80808080U;
    if (k % 5 == 3) number = 0x7f7fff80U ^ (state & 0x80008000U);
    all.push_back(number);
  }
  return all;
}

std::vector<std::uint32_t> word_results(const Kernel& kernels) {
  Device device;
  const std::vector<std::uint32_t> given = word_operands();
  const auto count = static_cast<std::uint32_t>(given.size());
  const auto out = device.buffer<std::uint32_t>(std::size_t{128} * count);
  require_no_fault(kernels.launch(device,
                                  {.grid = {(count + 127) / 128, 1, 1}, .block = {128, 1, 1}},
                                  device.buffer(given), out, static_cast<int>(count)));
  const auto values = out.values();
  return {values.begin(), values.end()};
}

TEST(Words, give_the_results_of_the_toolkit) {
  const std::optional<Kernel>& nvcc = toolkit_kernels("words", "nvcc");
  const std::optional<Kernel>& clang = toolkit_kernels("words", "clang");
  if (!nvcc || !clang) GTEST_SKIP() << "a compiler is missing";
  const std::vector<std::uint32_t> expected = word_results(*nvcc);
  const std::vector<std::uint32_t> found = word_results(*clang);
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k], expected[k]) << "operation " << k % 128 << " of number " << k / 128;
  }
}

}  // namespace
}  // namespace bankproof::testing
