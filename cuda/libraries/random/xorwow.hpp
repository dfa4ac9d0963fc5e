// XORWOW: G. Marsaglia, "Xorshift RNGs" (2003), a shift register of 160 bits and a Weyl sequence.
//
// cuRAND's result n is number n / 4096 of the sequence that begins (n mod 4096) · 2^67 numbers into
// the generator's (cuRAND guide, "Order"). A step of the register is linear, so that 2^67 steps are
// a matrix of bits, squared 67 times.
#pragma once

#include <array>
#include <vector>

#include "sources.hpp"

namespace bankproof::cuda::random {

struct XorwowState {
  std::array<std::uint32_t, 5> x{};
  std::uint32_t weyl = 0;

  std::uint32_t next();
};

class Xorwow : public Source {
 public:
  explicit Xorwow(std::uint64_t seed);
  std::uint32_t next() override;
  void skip(std::uint64_t count) override;

 private:
  std::vector<XorwowState> sequences_;
  std::size_t place_ = 0;  // whose number is next
};

}  // namespace bankproof::cuda::random
