// Tests a look-back over more tiles than a warp reads at once. A kernel looks back that far only
// while many blocks run at the same time.
#include "look_back.hpp"

#include "../../../cuda/kernels/support/elements.hpp"
#include "../../../oracles/sums.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceLookBack : public ::testing::Test {};
using LookBackElements = ::testing::Types<std::int32_t, std::int64_t, float, AffineMap>;
TYPED_TEST_SUITE(DeviceLookBack, LookBackElements);

TYPED_TEST(DeviceLookBack, is_the_sum_of_all_tiles_whatever_they_have_published) {
  check([] {
    using T = TypeParam;
    const auto tiles = *rc::gen::inRange<std::size_t>(1, 200);
    const auto sums = numbers<T>(tiles);
    const auto prefixes = converted<T>(oracle::prefix_sums(converted<Word<T>>(sums)));
    // The first tiles, and perhaps a few later tiles, are INCLUSIVE.
    auto is_inclusive = *rc::gen::container<std::vector<std::uint8_t>>(
        tiles, rc::gen::weightedElement<std::uint8_t>({{20, 0}, {1, 1}}));
    const auto known = *rc::gen::inRange<std::size_t>(1, tiles + 1);
    std::fill_n(is_inclusive.begin(), known, std::uint8_t{1});
    RC_ASSERT(sum_by_look_back<T>(sums, prefixes, is_inclusive) == prefixes.back());
  });
}

}  // namespace
}  // namespace bankproof::cuda::tests
