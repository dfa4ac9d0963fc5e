// Checks that the sanitizers catch a mistake of each kind. Only builds with sanitizers run it.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

namespace bankproof::testing {
namespace {

TEST(SanitizerCanary, a_read_past_an_array_is_caught) {
  const std::vector<int> numbers(4);
  const int* const first = numbers.data();  // the vector's own assertion would fail first
  const volatile std::size_t past = numbers.size();
  EXPECT_DEATH(std::exit(first[past]), "heap-buffer-overflow");
}

TEST(SanitizerCanary, an_overflow_is_caught) {
  volatile int number = std::numeric_limits<int>::max();
  EXPECT_DEATH(number = number + 1, "signed integer overflow");
}

TEST(SanitizerCanary, a_misaligned_read_is_caught) {
  alignas(8) const std::array<std::byte, 16> bytes{};
  const volatile std::size_t odd = 1;
  const void* const place = bytes.data() + odd;
  EXPECT_DEATH(std::exit(*static_cast<const int*>(place)), "misaligned address");
}

}  // namespace
}  // namespace bankproof::testing
