// See xorwow.hpp.
#include "xorwow.hpp"

namespace bankproof::cuda::random {
namespace {

using Bits = std::array<std::uint32_t, 5>;
constexpr std::size_t bits = 160;
constexpr std::size_t sequences = 4096;
constexpr unsigned between = 67;  // the logarithm of the distance of two sequences
constexpr std::uint32_t weyl_step = 362437;

void step(Bits& x) {
  const std::uint32_t t = x[0] ^ (x[0] >> 2U);
  for (std::size_t k = 0; k + 1 < x.size(); ++k) x[k] = x[k + 1];
  x[4] = (x[4] ^ (x[4] << 4U)) ^ (t ^ (t << 1U));
}

/// A linear map of 160 bits: the images of the single bits.
class Map {
 public:
  static Map of_one_step() {
    Map map;
    for (std::size_t k = 0; k < bits; ++k) {
      map.images_[k][k / 32] = std::uint32_t{1} << (k % 32);
      step(map.images_[k]);
    }
    return map;
  }
  Bits operator()(const Bits& x) const {
    Bits sum{};
    for (std::size_t k = 0; k < bits; ++k) {
      if ((x[k / 32] >> (k % 32) & 1U) == 0) continue;
      for (std::size_t w = 0; w < sum.size(); ++w) sum[w] ^= images_[k][w];
    }
    return sum;
  }
  Map squared() const {
    Map map;
    for (std::size_t k = 0; k < bits; ++k) map.images_[k] = (*this)(images_[k]);
    return map;
  }

 private:
  std::array<Bits, bits> images_{};
};

/// Where the sequence of a seed begins.
XorwowState begin_of(std::uint64_t seed) {
  const auto low = static_cast<std::uint32_t>(seed) ^ 0xaad26b49U;
  const auto high = static_cast<std::uint32_t>(seed >> 32U) ^ 0xf7dcefddU;
  const std::uint32_t a = 1099087573U * low;
  const std::uint32_t b = 2591861531U * high;
  return {{123456789U + a, 362436069U ^ a, 521288629U + b, 88675123U ^ b, 5783321U + a},
          6615241U + a + b};
}

}  // namespace

std::uint32_t XorwowState::next() {
  step(x);
  weyl += weyl_step;
  return x[4] + weyl;
}

Xorwow::Xorwow(std::uint64_t seed) {
  Map jump = Map::of_one_step();
  for (unsigned k = 0; k < between; ++k) jump = jump.squared();
  XorwowState state = begin_of(seed);
  sequences_.reserve(sequences);
  for (std::size_t k = 0; k < sequences; ++k) {
    sequences_.push_back(state);
    state.x = jump(state.x);  // 2^67 steps do not change the Weyl sequence
  }
}

std::uint32_t Xorwow::next() {
  const std::uint32_t result = sequences_[place_].next();
  place_ = (place_ + 1) % sequences_.size();
  return result;
}

void Xorwow::skip(std::uint64_t count) {
  for (; count > 0 && place_ != 0; --count) next();
  const std::uint64_t rounds = count / sequences;
  Map power = Map::of_one_step();
  for (std::uint64_t rest = rounds; rest > 0; rest /= 2) {
    if (rest % 2 == 1) {
      for (XorwowState& state : sequences_) state.x = power(state.x);
    }
    power = power.squared();
  }
  for (XorwowState& state : sequences_)
    state.weyl += weyl_step * static_cast<std::uint32_t>(rounds);
  for (std::uint64_t k = rounds * sequences; k < count; ++k) next();
}

}  // namespace bankproof::cuda::random
