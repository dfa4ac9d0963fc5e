// Compiles cuda/headers/parts/words.h for the host, and compares its operations on words with the
// same operations on arrays of the words' parts.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "../../../testing/property.hpp"

#define BANKPROOF_DEVICE [[maybe_unused]] static inline
#include "../../../cuda/headers/parts/words.h"

namespace bankproof::cuda {
namespace {

using Word = unsigned int (*)(unsigned int, unsigned int);

/// Fails where a part of the result differs from the function's value for the parts.
template <class Part, class Function>
void require_parts(Word word, std::uint32_t x, std::uint32_t y, const Function& function) {
  std::array<Part, 4 / sizeof(Part)> a{};
  std::array<Part, 4 / sizeof(Part)> b{};
  std::memcpy(a.data(), &x, sizeof x);
  std::memcpy(b.data(), &y, sizeof y);
  const std::uint32_t result = word(x, y);
  for (std::size_t k = 0; k < a.size(); ++k) {
    Part part = 0;
    std::memcpy(&part, reinterpret_cast<const char*>(&result) + k * sizeof part, sizeof part);
    RC_ASSERT(part ==
              static_cast<Part>(function(static_cast<long>(a[k]), static_cast<long>(b[k]))));
  }
}

BANKPROOF_PROPERTY(Words, are_of_their_parts, (std::uint32_t x, std::uint32_t y)) {
#define SIGNED(name, function)                                \
  require_parts<std::int16_t>(__v##name##s2, x, y, function); \
  require_parts<std::int8_t>(__v##name##s4, x, y, function);
#define UNSIGNED(name, sign, function)                              \
  require_parts<std::uint16_t>(__v##name##sign##2, x, y, function); \
  require_parts<std::uint8_t>(__v##name##sign##4, x, y, function);
#define BOTH(name, function) SIGNED(name, function) UNSIGNED(name, u, function)
  UNSIGNED(add, , std::plus<>())
  UNSIGNED(sub, , std::minus<>())
  UNSIGNED(cmpeq, , [](long a, long b) { return a == b ? -1 : 0; })
  UNSIGNED(cmpne, , [](long a, long b) { return a != b ? -1 : 0; })
  BOTH(min, [](long a, long b) { return std::min(a, b); })
  BOTH(max, [](long a, long b) { return std::max(a, b); })
  BOTH(absdiff, [](long a, long b) { return std::abs(a - b); })
  BOTH(avg, [](long a, long b) { return std::lround(static_cast<double>(a + b) / 2); })
  BOTH(cmplt, [](long a, long b) { return a < b ? -1 : 0; })
  BOTH(cmple, [](long a, long b) { return a <= b ? -1 : 0; })
  BOTH(cmpgt, [](long a, long b) { return a > b ? -1 : 0; })
  BOTH(cmpge, [](long a, long b) { return a >= b ? -1 : 0; })
}

}  // namespace
}  // namespace bankproof::cuda
