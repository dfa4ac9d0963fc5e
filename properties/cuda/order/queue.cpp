// Late executions respect the graph's order, do what is waited for, and are different executions.
#include "../../../cuda/order/queue.hpp"

#include <algorithm>
#include <stdexcept>

#include "../../../testing/property.hpp"
#include "late_execution.hpp"

namespace bankproof::cuda::tests {
namespace {

BANKPROOF_PROPERTY(LateExecutions, respect_the_order_and_find_the_same_races,
                   (const Program& program, std::uint64_t schedule)) {
  executions_respect_the_order<PendingOperations>(program, schedule);
}

BANKPROOF_PROPERTY(LateExecutions, are_the_same_for_the_same_schedule,
                   (const Program& program, std::uint64_t schedule)) {
  using Execution = LateExecution<PendingOperations, AccessHistory>;
  RC_ASSERT(Execution(schedule).run(program) == Execution(schedule).run(program));
}

BANKPROOF_PROPERTY(LateExecutions, are_in_the_program_s_order_with_schedule_0,
                   (const Program& program)) {
  const auto executed = LateExecution<PendingOperations, AccessHistory>(0).run(program);
  RC_ASSERT(std::is_sorted(executed.begin(), executed.end()));
}

/// Two operations of one stream and one of another, in the order of a schedule.
std::vector<int> three(std::uint64_t schedule) {
  Order order;
  const Stream s = order.create(first_device, StreamKind::blocking, main_thread);
  const Stream t = order.create(first_device, StreamKind::blocking, main_thread);
  PendingOperations pending(schedule);
  std::vector<int> done;
  pending.add(order.begin(s, main_thread), [&] { done.push_back(1); });
  pending.add(order.begin(s, main_thread), [&] { done.push_back(2); });
  pending.add(order.begin(t, main_thread), [&] { done.push_back(3); });
  pending.run_all();
  return done;
}

TEST(Schedules, are_all_executions_that_the_order_allows) {
  std::set<std::vector<int>> seen;
  for (std::uint64_t schedule = 0; schedule < 100; ++schedule) seen.insert(three(schedule));
  EXPECT_EQ(seen, (std::set<std::vector<int>>{{1, 2, 3}, {1, 3, 2}, {3, 1, 2}}));
}

// Another thread goes on while an action has given the lock away; the test has no threads.
TEST(Actions, that_have_not_ended_are_waited_for) {
  for (std::uint64_t schedule = 0; schedule < 20; ++schedule) {
    Order order;
    const Stream s = order.create(first_device, StreamKind::blocking, main_thread);
    const Stream t = order.create(first_device, StreamKind::blocking, main_thread);
    PendingOperations pending(schedule);
    std::vector<int> done;
    std::size_t left = 0;
    pending.add(order.begin(s, main_thread), [&] {
      pending.add(order.begin(s, main_thread), [&] { done.push_back(2); });
      pending.add(order.begin(t, main_thread), [&] { done.push_back(3); });
      left = pending.size();
      done.push_back(1);
    });
    order.synchronize(main_thread, s);
    order.synchronize(main_thread, t);
    pending.run_until(order.known(main_thread));
    pending.run_all();
    EXPECT_LT(std::find(done.begin(), done.end(), 1), std::find(done.begin(), done.end(), 2));
    EXPECT_EQ(done.size(), 3U);
    EXPECT_EQ(left, schedule == 0 ? 2U : 3U);
    if (schedule == 0) {
      EXPECT_EQ(done, (std::vector<int>{3, 1, 2}));
    }
  }
}

TEST(Actions, of_other_threads_are_waited_for) {
  Order order;
  const Stream s = order.create(first_device, StreamKind::blocking, main_thread);
  PendingOperations pending(0);
  int waits = 0;
  pending.set_wait([&] {
    ++waits;
    throw std::runtime_error("it never ends");
  });
  pending.add(order.begin(s, main_thread), [&] {
    order.synchronize(main_thread, s);
    EXPECT_THROW(pending.run_until(order.known(main_thread)), std::runtime_error);
  });
  EXPECT_EQ(waits, 1);
  pending.run_until(order.known(main_thread));
  EXPECT_EQ(waits, 1);
}

TEST(Schedules, leave_undone_what_nobody_waits_for) {
  Order order;
  const Stream s = order.create(first_device, StreamKind::blocking, main_thread);
  const Stream t = order.create(first_device, StreamKind::blocking, main_thread);
  std::set<std::size_t> left;
  for (std::uint64_t schedule = 1; schedule < 50; ++schedule) {
    PendingOperations pending(schedule);
    pending.add(order.begin(s, main_thread), [] {});
    pending.add(order.begin(t, main_thread), [] {});
    order.synchronize(main_thread, s);
    pending.run_until(order.known(main_thread));
    left.insert(pending.size());
  }
  EXPECT_EQ(left, (std::set<std::size_t>{0, 1}));
}

TEST(Schedules, of_long_programs_are_fast) {
  Order order;
  PendingOperations pending(7);
  std::vector<Stream> streams;
  streams.reserve(16);
  for (int k = 0; k < 16; ++k)
    streams.push_back(order.create(first_device, StreamKind::blocking, main_thread));
  std::size_t done = 0;
  for (std::size_t k = 0; k < 100'000; ++k) {
    const Stream s = streams[k % streams.size()];
    pending.add(order.begin(s, main_thread), [&] { ++done; });
    if (k % 10 != 0) continue;
    order.synchronize(main_thread, s);
    pending.run_until(order.known(main_thread));
  }
  pending.set_schedule(0);
  EXPECT_EQ(done, 100'000U);
}

}  // namespace
}  // namespace bankproof::cuda::tests
