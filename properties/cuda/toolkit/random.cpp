// curand_kernel.h of bankproof gives the numbers of the toolkit's header, of which it has no code.
// Integers and uniform numbers are equal bit for bit. Normal numbers go through functions such as
// log, whose last bits differ from CUDA's, within CUDA's bounds.
#include <algorithm>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace bankproof::testing {
namespace {

constexpr std::size_t generators = 8;
constexpr std::size_t integers = 26;  // of a generator, as in kernels/random.cu
constexpr std::size_t floating = 12;

struct RandomNumbers {
  std::vector<std::uint64_t> exact;
  std::vector<float> floats;
  std::vector<double> doubles;
};

/// Seeds, subsequences and offsets, three numbers each. Most bits of the large ones are zero, which
/// makes the toolkit's jumps short.
std::vector<std::uint64_t> beginnings() {
  return {0, 0, 0, 1234,       1,          0,  5,     0,     1, 0xdeadbeefcafef00d,
          5, 7, 7, 1ULL << 50, 1ULL << 62, 99, 0x300, 0x8001};
}

RandomNumbers random_numbers(const Kernel& kernels) {
  Device device;
  const std::vector<std::uint64_t> given = beginnings();
  const std::size_t count = given.size() / 3 * generators;
  const auto exact = device.buffer<std::uint64_t>(integers * count);
  const auto floats = device.buffer<float>(floating * count);
  const auto doubles = device.buffer<double>(floating * count);
  for (const char* const name : {"xorwow", "philox", "mrg32k3a", "sobol32", "scrambled32",
                                 "sobol64", "scrambled64", "philox_by_fours"}) {
    require_no_fault(kernels.other(name).launch(
        device, {.block = {static_cast<std::uint32_t>(given.size() / 3), 1, 1}},
        device.buffer(given), exact, floats, doubles));
  }
  return {exact.values(), floats.values(), doubles.values()};
}

/// Whether the numbers differ by at most `units` in the last place.
template <class T>
bool are_near(T x, T y, T units) {
  const T unit = std::numeric_limits<T>::epsilon() * std::max(std::abs(x), std::abs(y));
  return std::abs(x - y) <= units * unit;
}

TEST(RandomNumbers, are_those_of_the_toolkit) {
  const std::optional<Kernel>& nvcc = toolkit_kernels("random", "nvcc");
  const std::optional<Kernel>& clang = toolkit_kernels("random", "clang");
  if (!nvcc || !clang) GTEST_SKIP() << "a compiler is missing";
  const RandomNumbers expected = random_numbers(*nvcc);
  const RandomNumbers found = random_numbers(*clang);
  const auto place = [](std::size_t k, std::size_t of_one) {
    return "beginning " + std::to_string(k / of_one / generators) + ", generator " +
           std::to_string(k / of_one % generators) + ", number " + std::to_string(k % of_one);
  };
  for (std::size_t k = 0; k < found.exact.size(); ++k) {
    ASSERT_EQ(found.exact[k], expected.exact[k]) << place(k, integers);
  }
  for (std::size_t k = 0; k < found.floats.size(); ++k) {
    ASSERT_TRUE(are_near(found.floats[k], expected.floats[k], 3.0F))
        << found.floats[k] << ' ' << expected.floats[k] << ' ' << place(k, floating);
    ASSERT_TRUE(are_near(found.doubles[k], expected.doubles[k], 4.0))
        << found.doubles[k] << ' ' << expected.doubles[k] << ' ' << place(k, floating);
  }
}

}  // namespace
}  // namespace bankproof::testing
