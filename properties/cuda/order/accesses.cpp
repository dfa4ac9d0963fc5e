// The conflicts of random programs are the races of brute force, and the history of a long program
// stays small.
#include "../../../cuda/order/accesses.hpp"

#include "../../../testing/property.hpp"
#include "laws.hpp"

namespace bankproof::cuda::tests {
namespace {

AccessKind kind_of(std::uint64_t number) { return static_cast<AccessKind>(number); }

BANKPROOF_PROPERTY(Accesses, conflict_where_brute_force_finds_races, (const Program& program)) {
  conflicts_are_those_of_brute_force<AccessHistory>(program);
}

TEST(Accesses, tell_which_access_they_race_with_and_where) {
  Order order;
  const Stream s = order.create(first_device, StreamKind::non_blocking, main_thread);
  AccessHistory history;
  EXPECT_TRUE(history.add(order.begin(s, main_thread), 0, 64, AccessKind::write, 7).empty());
  const Operation late = order.begin(s, main_thread);
  const Operation look = order.host_operation(main_thread);
  const auto conflicts = history.add(look, 32, 96, AccessKind::read, 8);
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts.front().earlier.place, 7U);
  EXPECT_EQ(conflicts.front().earlier.kind, AccessKind::write);
  EXPECT_EQ(conflicts.front().begin, 32U);
  EXPECT_EQ(conflicts.front().end, 64U);
  EXPECT_TRUE(history.add(look, 5, 5, AccessKind::write, 9).empty());
  EXPECT_EQ(history.free(late, 0, 96).size(), 1U);
  EXPECT_EQ(history.size(), 0U);
}

/// Accesses of 4096 places in turn by operations of one stream, without any waiting.
TEST(Accesses, of_a_long_stream_take_little_memory) {
  Order order;
  const Stream s = order.create(first_device, StreamKind::blocking, main_thread);
  AccessHistory history;
  std::size_t most = 0;
  for (std::uint64_t k = 0; k < 100'000; ++k) {
    const Operation operation = order.begin(s, main_thread);
    const std::uint64_t begin = k * 2654435761 % 4096;
    ASSERT_TRUE(history.add(operation, begin, begin + 1 + k % 64, kind_of(k % 3), k).empty());
    ASSERT_TRUE(history.add(operation, 8192, 8192 + 4096, kind_of(k % 2), k).empty());
    if (k % 1000 == 0) most = std::max(most, history.size());
  }
  // An access of each kind to each byte, at most.
  EXPECT_LE(most, 3 * (4096U + 64U) + 2U);
  order.synchronize(main_thread, s);
  history.forget(order.known_to_all());
  EXPECT_EQ(history.size(), 0U);
}

/// One buffer, as most programs use it: each operation covers the one before.
TEST(Accesses, of_whole_buffers_are_one_interval) {
  Order order;
  const Stream s = order.create(first_device, StreamKind::blocking, main_thread);
  AccessHistory history;
  for (std::uint64_t k = 0; k < 100'000; ++k) {
    ASSERT_TRUE(history.add(order.begin(s, main_thread), 0, 1 << 20, kind_of(k % 2), k).empty());
    ASSERT_LE(history.size(), 2U);
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
