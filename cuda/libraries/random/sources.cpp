// See sources.hpp.
#include "sources.hpp"

#include <array>
#include <random>

#include "xorwow.hpp"

namespace bankproof::cuda::random {

void Source::skip(std::uint64_t count) {
  for (std::uint64_t k = 0; k < count; ++k) next();
}

namespace {

/// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel Random Numbers: As Easy as 1, 2,
/// 3" (2011): ten rounds on a counter. The seed is the key.
class Philox : public Source {
 public:
  explicit Philox(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t next() override {
    if (place_ % 4 == 0) words_ = words_of(place_ / 4);
    return words_[place_++ % 4];
  }
  void skip(std::uint64_t count) override {
    place_ += count;
    if (place_ % 4 != 0) words_ = words_of(place_ / 4);
  }

 private:
  using Words = std::array<std::uint32_t, 4>;

  Words words_of(std::uint64_t counter) const {
    Words c{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32U), 0, 0};
    auto low = static_cast<std::uint32_t>(seed_);
    auto high = static_cast<std::uint32_t>(seed_ >> 32U);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t first = std::uint64_t{0xD2511F53U} * c[0];
      const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * c[2];
      c = {static_cast<std::uint32_t>(second >> 32U) ^ c[1] ^ low,
           static_cast<std::uint32_t>(second),
           static_cast<std::uint32_t>(first >> 32U) ^ c[3] ^ high,
           static_cast<std::uint32_t>(first)};
      low += 0x9E3779B9U;
      high += 0xBB67AE85U;
    }
    return c;
  }

  std::uint64_t seed_;
  std::uint64_t place_ = 0;
  Words words_{};
};

/// P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number
/// Generators" (1999). Its numbers from 1 to the first modulus are spread over 32 bits.
class Mrg32k3a : public Source {
 public:
  explicit Mrg32k3a(std::uint64_t seed) {
    std::mt19937_64 begin(seed);
    for (auto& word : first_) word = begin() % (modulus_1 - 1) + 1;
    for (auto& word : second_) word = begin() % (modulus_2 - 1) + 1;
  }
  std::uint32_t next() override {
    const std::uint64_t a =
        (1403580 * first_[1] + (modulus_1 - 810728) * first_[0] % modulus_1) % modulus_1;
    const std::uint64_t b =
        (527612 * second_[2] + (modulus_2 - 1370589) * second_[0] % modulus_2) % modulus_2;
    first_ = {first_[1], first_[2], a};
    second_ = {second_[1], second_[2], b};
    const std::uint64_t z = (a + modulus_1 - b % modulus_1) % modulus_1;
    return static_cast<std::uint32_t>((z << 32U) / modulus_1);
  }

 private:
  static constexpr std::uint64_t modulus_1 = 4294967087;
  static constexpr std::uint64_t modulus_2 = 4294944443;
  std::array<std::uint64_t, 3> first_{};
  std::array<std::uint64_t, 3> second_{};
};

/// M. Matsumoto, T. Nishimura, "Mersenne Twister" (1998).
class Twister : public Source {
 public:
  explicit Twister(std::uint64_t seed) : random_(static_cast<std::uint32_t>(seed ^ seed >> 32U)) {}
  std::uint32_t next() override { return static_cast<std::uint32_t>(random_()); }

 private:
  std::mt19937 random_;
};

}  // namespace

std::unique_ptr<Source> source_of(curandRngType_t type, std::uint64_t seed) {
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
      return std::make_unique<Xorwow>(seed);
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return std::make_unique<Mrg32k3a>(seed);
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return std::make_unique<Philox>(seed);
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_MTGP32:
      return std::make_unique<Twister>(seed);
    default:
      return nullptr;
  }
}

}  // namespace bankproof::cuda::random
