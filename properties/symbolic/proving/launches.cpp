// Blocks and grids that no device has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

using ::testing::HasSubstr;

TEST(StatedLaunches, are_those_that_a_device_can_have) {
  using Axes = std::array<std::optional<std::uint32_t>, 3>;
  const auto refusal = [](const Axes& block, const Axes& grid) {
    Request request = request_for(reversal);
    request.shape.block = block;
    request.shape.grid = grid;
    try {
      prove(request);
    } catch (const PremiseError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal({2048}, {}), HasSubstr("1 to 1024 threads along x, not 2048"));
  EXPECT_THAT(refusal({1, 1, 65}, {}), HasSubstr("1 to 64 threads along z, not 65"));
  EXPECT_THAT(refusal({64, 32, 1}, {}), HasSubstr("at most 1024 threads, not 2048"));
  EXPECT_THAT(refusal({}, {1, 70000}), HasSubstr("1 to 65535 blocks along y, not 70000"));
  EXPECT_EQ(refusal({256}, {1, 65535}), "");
}

}  // namespace
}  // namespace bankproof::symbolic
