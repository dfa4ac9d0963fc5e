// A clock that runs out while no processor works on a question is no answer.
#include "../../../symbolic/solving/busy.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace bankproof::symbolic {
namespace {

enum class Spent { asleep, at_work };

/// The limits that are asked for, by somebody who spends all of a limit and answers after `most`.
std::vector<unsigned> limits_asked(Spent spent, unsigned most) {
  std::vector<unsigned> limits;
  although_busy(
      Worker::this_thread, 20,
      [&](unsigned ms) {
        limits.push_back(ms);
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms + 1);
        if (spent == Spent::asleep) std::this_thread::sleep_until(end);
        const double before = work_of(Worker::this_thread).count();
        while (spent == Spent::at_work && work_of(Worker::this_thread).count() < before + ms) {
        }
        return ms > most;
      },
      [](bool has_answer) { return !has_answer; });
  return limits;
}

TEST(BusyMachines, give_more_time_until_there_is_an_answer) {
  EXPECT_EQ(limits_asked(Spent::asleep, 40), (std::vector<unsigned>{20, 40, 80}));
  EXPECT_EQ(limits_asked(Spent::asleep, 10), (std::vector<unsigned>{20}));
}

TEST(BusyMachines, give_no_more_time_than_is_used) {
  EXPECT_EQ(limits_asked(Spent::at_work, 40), (std::vector<unsigned>{20}));
}

TEST(BusyMachines, give_up_at_last) {
  EXPECT_EQ(limits_asked(Spent::asleep, 20 * 64).back(), 20 * 32U);
}

}  // namespace
}  // namespace bankproof::symbolic
