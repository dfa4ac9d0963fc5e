// The bound of floating-point sums holds for every order of additions, and detects an omitted term.
#include "float_bounds.hpp"

#include "../../../oracles/matrix_product.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class FloatBounds : public ::testing::Test {
 public:
  /// The dot product in a random order, added by halves or one after the other, fused or not.
  static T dot(std::vector<T> a, std::vector<T> b, std::mt19937_64& random) {
    for (std::size_t i = a.size(); i > 1; --i) {
      const std::size_t other = random() % i;
      std::swap(a[i - 1], a[other]);
      std::swap(b[i - 1], b[other]);
    }
    const bool fused = random() % 2 == 0;
    const std::size_t pieces = 1 + random() % 8;
    T sum{};
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      T part{};
      for (std::size_t k = piece; k < a.size(); k += pieces) {
        part = fused ? std::fma(a[k], b[k], part) : part + a[k] * b[k];
      }
      sum += part;
    }
    return sum;
  }
};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FloatBounds, Floats);

TYPED_TEST(FloatBounds, hold_in_any_order_and_detect_an_omitted_term) {
  check([] {
    using T = TypeParam;
    const auto n = *rc::gen::inRange<std::size_t>(1, 500);
    auto a = rounded_numbers<T>(n);
    const auto b = rounded_numbers<T>(n);
    const Bounded<T> exact = oracle::matrix_product(bounded(a), bounded(b), 1, n, 1).front();
    std::mt19937_64 random(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    RC_ASSERT(exact.may_be(TestFixture::dot(a, b, random)));
    RC_ASSERT(!exact.may_be(std::numeric_limits<T>::quiet_NaN()));

    // Omits the largest term, which far exceeds the bound.
    std::size_t largest = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (std::abs(a[k] * b[k]) > std::abs(a[largest] * b[largest])) largest = k;
    }
    a[largest] = 0;
    RC_ASSERT(!exact.may_be(TestFixture::dot(a, b, random)));
  });
}

TYPED_TEST(FloatBounds, are_zero_where_nothing_is_rounded) {
  using T = TypeParam;
  const T third = T{1} / 3;
  const T next = std::nextafter(third, T{1});
  const T tiny = std::numeric_limits<T>::denorm_min();
  EXPECT_TRUE(Bounded<T>(third).may_be(third));
  EXPECT_FALSE(Bounded<T>(third).may_be(next));
  EXPECT_TRUE(Bounded<T>().may_be(0));
  EXPECT_FALSE(Bounded<T>().may_be(tiny));
  const Bounded<T> product = Bounded<T>(third) * Bounded<T>(third);
  EXPECT_TRUE(product.may_be(third * third));
  EXPECT_FALSE(product.may_be(third * next));
}

}  // namespace
}  // namespace bankproof::cuda::tests
