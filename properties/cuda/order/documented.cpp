// What CUDA's documentation says about the order, in small programs; and that clocks stay small.
#include <gtest/gtest.h>

#include <vector>

#include "../../../cuda/order/order.hpp"
#include "player.hpp"

namespace bankproof::cuda::tests {
namespace {

constexpr Host other_host{1};
constexpr Event event{5};
constexpr auto blocking = StreamKind::blocking;
constexpr auto non_blocking = StreamKind::non_blocking;

bool knows(const Operation& second, const Operation& first) {
  return second.happens_after(first.name);
}

TEST(LegacyStream, waits_for_blocking_streams_and_they_for_it) {
  Order order;
  const Stream s = order.create(first_device, blocking, main_thread);
  const Stream apart = order.create(first_device, non_blocking, main_thread);
  const Stream elsewhere = order.create(Device{1}, blocking, main_thread);
  const Operation free = order.begin(apart, main_thread);
  const Operation far = order.begin(elsewhere, main_thread);
  const Operation first = order.begin(s, main_thread);
  const Operation second = order.begin(order.legacy(first_device), main_thread);
  const Operation third = order.begin(s, main_thread);
  EXPECT_TRUE(knows(second, first));
  EXPECT_TRUE(knows(third, second));
  EXPECT_FALSE(knows(second, free));
  EXPECT_FALSE(knows(second, far));
  EXPECT_FALSE(knows(order.begin(apart, main_thread), second));
  EXPECT_FALSE(knows(order.begin(elsewhere, main_thread), second));
}

TEST(PerThreadStreams, are_blocking_streams_of_their_own) {
  Order order;
  const Operation one = order.begin(order.per_thread(main_thread, first_device), main_thread);
  const Operation two = order.begin(order.per_thread(other_host, first_device), other_host);
  EXPECT_FALSE(knows(two, one));
  const Operation both = order.begin(order.legacy(first_device), main_thread);
  EXPECT_TRUE(knows(both, one) && knows(both, two));
  EXPECT_TRUE(knows(order.begin(order.per_thread(other_host, first_device), other_host), both));
}

TEST(Events, order_what_was_recorded_when_they_were_waited_for) {
  Order order;
  const Stream from = order.create(first_device, non_blocking, main_thread);
  const Stream to = order.create(first_device, non_blocking, main_thread);
  order.wait(to, event, main_thread);  // never recorded
  const Operation first = order.begin(from, main_thread);
  EXPECT_FALSE(knows(order.begin(to, main_thread), first));
  order.record(event, from, main_thread);
  order.wait(to, event, main_thread);
  const Operation second = order.begin(from, main_thread);
  order.record(event, from, main_thread);
  const Operation waited = order.begin(to, main_thread);
  EXPECT_TRUE(knows(waited, first));
  EXPECT_FALSE(knows(waited, second));
  order.synchronize(main_thread, event);
  EXPECT_TRUE(knows(order.host_operation(main_thread), second));
  EXPECT_FALSE(knows(order.host_operation(main_thread), waited));
}

TEST(Destruction, of_a_stream_does_not_wait_but_the_device_does) {
  Order order;
  const Stream s = order.create(first_device, blocking, main_thread);
  const Operation last = order.begin(s, main_thread);
  order.destroy(s);
  EXPECT_FALSE(knows(order.host_operation(main_thread), last));
  EXPECT_TRUE(knows(order.begin(order.legacy(first_device), main_thread), last));
  order.synchronize_device(main_thread, first_device);
  EXPECT_TRUE(knows(order.host_operation(main_thread), last));
}

TEST(Threads, begin_with_what_all_others_know_and_learn_what_is_passed) {
  Order order;
  const Operation first = order.host_operation(main_thread);
  EXPECT_TRUE(knows(order.host_operation(other_host), first));
  const Operation second = order.host_operation(main_thread);
  EXPECT_FALSE(knows(order.host_operation(other_host), second));
  order.passed(main_thread, other_host);
  EXPECT_TRUE(knows(order.host_operation(other_host), second));
}

TEST(Graphs, have_branches_that_only_their_edges_order) {
  Order order;
  const Stream s = order.create(first_device, non_blocking, main_thread);
  const Operation earlier = order.begin(s, main_thread);
  const Operation root = order.begin_after(s, main_thread, {});
  const std::vector after_root{root};
  const Operation left = order.begin_after(s, main_thread, after_root);
  const Operation right = order.begin_after(s, main_thread, after_root);
  const Operation island = order.begin_after(s, main_thread, {});
  order.join(s, std::vector{root, left, right, island});
  const Operation later = order.begin(s, main_thread);
  EXPECT_TRUE(knows(island, earlier));
  EXPECT_TRUE(knows(left, root) && knows(right, root));
  EXPECT_FALSE(knows(left, right) || knows(right, left) || knows(island, root));
  EXPECT_TRUE(knows(later, left) && knows(later, right) && knows(later, island));
}

// Otherwise the clocks of a long program would grow without end.
TEST(Timelines, are_used_again) {
  Order order;
  for (int k = 0; k < 1000; ++k) {
    const Stream s = order.create(first_device, blocking, main_thread);
    const Operation left = order.begin_after(s, main_thread, {});
    const Operation right = order.begin_after(s, main_thread, {});
    order.join(s, std::vector{left, right});
    EXPECT_FALSE(knows(right, left));
    order.synchronize(main_thread, s);
    order.destroy(s);
    order.passed(main_thread, other_host);
    order.host_operation(other_host);
    order.passed(other_host, main_thread);
    order.ended(other_host);
  }
  EXPECT_LE(order.timelines(), 8U);
}

TEST(Clocks, know_what_they_met_and_joined) {
  Clock one;
  one.add({0, 3});
  one.add({2, 5});
  Clock two = one;
  two.add({2, 6});
  two.add({7, 1});
  EXPECT_FALSE(one.knows({2, 6}));
  Clock both = one;
  both.join(two);
  EXPECT_TRUE(both.knows({0, 3}) && both.knows({2, 6}) && both.knows({7, 1}));
  both.meet(one);
  EXPECT_TRUE(both.knows({0, 3}) && both.knows({2, 5}));
  EXPECT_FALSE(both.knows({2, 6}) || both.knows({7, 1}));
  both.meet({});
  EXPECT_FALSE(both.knows({0, 1}));
  EXPECT_TRUE(both.knows({9, 0}));
}

}  // namespace
}  // namespace bankproof::cuda::tests
