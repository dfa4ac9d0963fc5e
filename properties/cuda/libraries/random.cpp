// cuRAND's numbers: sequences against plain generators, and distributions by their moments.
#include <curand.h>
#include <gtest/gtest.h>

#include <cmath>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

class Generator {
 public:
  explicit Generator(curandRngType_t type, bool of_host = false) {
    EXPECT_EQ((of_host ? curandCreateGeneratorHost : curandCreateGenerator)(&generator_, type), 0);
  }
  ~Generator() { EXPECT_EQ(curandDestroyGenerator(generator_), CURAND_STATUS_SUCCESS); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  operator curandGenerator_t() const { return generator_; }  // NOLINT(google-explicit-constructor)

 private:
  curandGenerator_t generator_ = nullptr;
};

std::vector<unsigned> bits_of(curandGenerator_t generator, std::size_t count) {
  DeviceArray<unsigned> bits(count);
  EXPECT_EQ(curandGenerate(generator, bits.data(), count), CURAND_STATUS_SUCCESS);
  return bits.values();
}

TEST(Random, xorwow_is_marsaglias_sequence_of_which_every_4096th_result_is) {
  const Generator generator(CURAND_RNG_PSEUDO_XORWOW);
  EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 1234), CURAND_STATUS_SUCCESS);
  const auto bits = bits_of(generator, 3 * 4096);
  // The paper's generator with five words and a counter.
  const unsigned s0 = 1234U ^ 0xaad26b49U;
  const unsigned s1 = 0xf7dcefddU;
  const unsigned t0 = 1099087573U * s0;
  const unsigned t1 = 2591861531U * s1;
  unsigned x = 123456789U + t0;
  unsigned y = 362436069U ^ t0;
  unsigned z = 521288629U + t1;
  unsigned w = 88675123U ^ t1;
  unsigned v = 5783321U + t0;
  unsigned d = 6615241U + t0 + t1;
  for (std::size_t k = 0; k < 3; ++k) {
    const unsigned t = x ^ (x >> 2U);
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4U)) ^ (t ^ (t << 1U));
    d += 362437;
    EXPECT_EQ(bits[k * 4096], d + v);
  }
  EXPECT_NE(bits[1], bits[0]);
}

TEST(Random, philox_has_the_published_numbers) {
  // Random123's known answer for the counter 0 and the key 0.
  const Generator generator(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  EXPECT_EQ(bits_of(generator, 4),
            (std::vector<unsigned>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

constexpr auto pseudo = {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A,
                         CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937,
                         CURAND_RNG_PSEUDO_PHILOX4_32_10};

TEST(Random, offsets_and_calls_continue_the_sequence) {
  for (const auto type : pseudo) {
    const Generator whole(type);
    const Generator parts(type);
    const Generator skipped(type);
    const auto bits = bits_of(whole, 9000);
    auto first = bits_of(parts, 4097);
    const auto rest = bits_of(parts, 9000 - 4097);
    first.insert(first.end(), rest.begin(), rest.end());
    EXPECT_EQ(first, bits);
    EXPECT_EQ(curandSetGeneratorOffset(skipped, 8500), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(bits_of(skipped, 500), std::vector<unsigned>(bits.begin() + 8500, bits.end()));
    EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(parts, 7), CURAND_STATUS_SUCCESS);
    EXPECT_NE(bits_of(parts, 4), bits_of(whole, 4));
  }
}

struct Moments {
  double mean = 0;
  double variance = 0;
};
template <class T>
Moments moments_of(const std::vector<T>& numbers) {
  Moments of;
  for (const T one : numbers) of.mean += double(one) / double(numbers.size());
  for (const T one : numbers) {
    of.variance += (double(one) - of.mean) * (double(one) - of.mean) / double(numbers.size());
  }
  return of;
}

TEST(Random, distributions_have_their_moments) {
  constexpr std::size_t count = 20000;
  for (const auto type : pseudo) {
    const Generator generator(type);
    DeviceArray<float> floats(count);
    DeviceArray<double> doubles(count);
    DeviceArray<unsigned> numbers(count);
    EXPECT_EQ(curandGenerateUniform(generator, floats.data(), count), 0);
    for (const float one : floats.values()) EXPECT_TRUE(one > 0 && one <= 1);
    EXPECT_NEAR(moments_of(floats.values()).mean, 0.5, 0.01);
    EXPECT_NEAR(moments_of(floats.values()).variance, 1.0 / 12, 0.005);
    EXPECT_EQ(curandGenerateUniformDouble(generator, doubles.data(), count), 0);
    for (const double one : doubles.values()) EXPECT_TRUE(one > 0 && one <= 1);
    EXPECT_NEAR(moments_of(doubles.values()).mean, 0.5, 0.01);
    EXPECT_EQ(curandGenerateNormal(generator, floats.data(), count, 3, 2), 0);
    EXPECT_NEAR(moments_of(floats.values()).mean, 3, 0.06);
    EXPECT_NEAR(moments_of(floats.values()).variance, 4, 0.2);
    EXPECT_EQ(curandGenerateLogNormalDouble(generator, doubles.data(), count, 0, 0.5), 0);
    EXPECT_NEAR(moments_of(doubles.values()).mean, std::exp(0.125), 0.02);
    EXPECT_EQ(curandGeneratePoisson(generator, numbers.data(), count, 6), 0);
    EXPECT_NEAR(moments_of(numbers.values()).mean, 6, 0.1);
    EXPECT_NEAR(moments_of(numbers.values()).variance, 6, 0.3);
  }
}

TEST(Random, sobol_fills_each_dimension_evenly) {
  const Generator generator(CURAND_RNG_QUASI_SOBOL32);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(generator, 10), CURAND_STATUS_SUCCESS);
  DeviceArray<unsigned> bits(10 * 256);
  EXPECT_EQ(curandGenerate(generator, bits.data(), bits.size()), CURAND_STATUS_SUCCESS);
  const auto values = bits.values();
  EXPECT_EQ(values[0], 0U);
  EXPECT_EQ(values[1], 0x80000000U);
  for (std::size_t d = 0; d < 10; ++d) {
    std::vector<int> hits(256);
    for (std::size_t k = 0; k < 256; ++k) ++hits[values[d * 256 + k] >> 24U];
    EXPECT_EQ(hits, std::vector<int>(256, 1));
  }
  DeviceArray<float> normal(10 * 255);
  EXPECT_EQ(curandGenerateNormal(generator, normal.data(), 2550, 1, 1), CURAND_STATUS_SUCCESS);
  EXPECT_NEAR(moments_of(normal.values()).mean, 1, 0.05);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(generator, 11), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandGenerate(generator, bits.data(), 11), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
}

TEST(Random, writes_memory_of_the_host_or_of_the_device) {
  take_findings();
  const Generator of_host(CURAND_RNG_PSEUDO_DEFAULT, true);
  const Generator of_device(CURAND_RNG_PSEUDO_DEFAULT);
  std::vector<unsigned> mine(10);
  EXPECT_EQ(curandGenerate(of_host, mine.data(), 10), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(mine, bits_of(of_device, 10));
  DeviceArray<float> numbers(10);
  EXPECT_EQ(curandGenerateUniform(of_device, numbers.data(), 12), CURAND_STATUS_LAUNCH_FAILURE);
  EXPECT_EQ(curandGenerateUniform(of_host, numbers.data(), 10), CURAND_STATUS_LAUNCH_FAILURE);
  EXPECT_EQ(take_kinds(),
            (std::vector{ptx::FaultKind::out_of_bounds, ptx::FaultKind::invalid_copy}));
  EXPECT_EQ(curandGenerateNormal(of_device, numbers.data(), 9, 0, 1),
            CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(curandGeneratePoisson(of_device, mine.data(), 9, -1), CURAND_STATUS_OUT_OF_RANGE);
  curandGenerator_t none = nullptr;
  EXPECT_EQ(curandCreateGenerator(&none, CURAND_RNG_TEST), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandGenerate(nullptr, mine.data(), 1), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(nullptr, 1), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_TRUE(take_findings().empty());
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
