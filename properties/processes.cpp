// Tests of child processes: their input, their output, and how they end.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../processes/process.hpp"

namespace bankproof {
namespace {

constexpr std::chrono::seconds long_enough{60};

TEST(Processes, are_handed_a_text_and_read_line_by_line) {
  Process cat({"cat"}, "one\ntwo\n\nthree");
  EXPECT_EQ(cat.line(long_enough), "one");
  EXPECT_EQ(cat.line(long_enough), "two");
  EXPECT_EQ(cat.line(long_enough), "");
  EXPECT_EQ(cat.line(long_enough), "three");
  EXPECT_EQ(cat.line(long_enough), std::nullopt);
  EXPECT_FALSE(cat.is_late());
  EXPECT_EQ(cat.wait(), "");
}

TEST(Processes, leave_what_was_not_read_to_the_rest) {
  const std::string text = std::string(1 << 20, 'x') + "\n";
  Process cat({"cat"}, "first\n" + text);
  EXPECT_EQ(cat.line(long_enough), "first");
  EXPECT_EQ(cat.rest(), text);
  EXPECT_EQ(cat.rest(), "");
}

TEST(Processes, that_say_nothing_are_late) {
  Process sleep({"sleep", "60"}, "");
  EXPECT_EQ(sleep.line(std::chrono::seconds(0)), std::nullopt);
  EXPECT_TRUE(sleep.is_late());
  EXPECT_EQ(sleep.wait(), "signal 9");
}

TEST(Processes, are_run_to_their_end) {
  const Ran both = run_to_end({"sh", "-c", "cat; echo out; echo error >&2; exit 3"});
  EXPECT_EQ(both.start_error, 0);
  EXPECT_EQ(both.output, "out\nerror\n");
  EXPECT_EQ(both.problem, "exit code 3");
  EXPECT_EQ(run_to_end({"sh", "-c", "kill -9 $$"}).problem, "signal 9");
  EXPECT_EQ(run_to_end({"true"}).problem, "");
  EXPECT_EQ(run_to_end({"/no such program"}).start_error, ENOENT);
  EXPECT_EQ(run_to_end({"echo", "$HOME", "a b"}).output, "$HOME a b\n");
}

TEST(Processes, live_on_when_the_thread_that_started_them_has_ended) {
  std::unique_ptr<Process> process;
  std::thread([&] {
    process =
        std::make_unique<Process>(std::vector<std::string>{"sh", "-c", "sleep 0.2; echo here"}, "");
  }).join();
  EXPECT_EQ(process->line(long_enough), "here");
  EXPECT_EQ(process->wait(), "");
}

TEST(Processes, are_handed_their_text_by_programs_without_standard_descriptors) {
  constexpr std::array<int, 3> standard{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  for (const std::size_t closed : {1U, 2U, 3U}) {
    std::array<int, 3> kept{};
    for (std::size_t k = 0; k < closed; ++k) {
      kept.at(k) = fcntl(standard.at(k), F_DUPFD_CLOEXEC, 10);
      close(standard.at(k));
    }
    std::string output;
    std::string error;
    {
      Process cat({"sh", "-c", "cat; echo error >&2"}, "text\n");
      output = cat.rest();
      Process none({"/no such program"}, "");
      error = std::to_string(none.start_error());
    }
    for (std::size_t k = 0; k < closed; ++k) {
      dup2(kept.at(k), standard.at(k));
      close(kept.at(k));
    }
    EXPECT_EQ(output, "text\nerror\n") << closed;
    EXPECT_EQ(error, std::to_string(ENOENT)) << closed;
  }
}

// Signals arrive while the parent waits to learn whether the program started.
TEST(Processes, tell_why_they_could_not_be_started_whatever_signals_come) {
  struct sigaction before {};
  struct sigaction nothing {};
  nothing.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGALRM, &nothing, &before), 0);
  itimerval often{{0, 200}, {0, 200}};
  ASSERT_EQ(setitimer(ITIMER_REAL, &often, nullptr), 0);
  int told = 0;
  for (int k = 0; k < 100; ++k) {
    told += Process({"/no such program"}, "").start_error() == ENOENT ? 1 : 0;
  }
  often = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(told, 100);
}

/// Whether the process has ended: it no longer exists, or its new parent has not reaped it yet.
bool has_ended(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return !(status >> number >> name >> state) || state == "Z";
}

TEST(ProcessesDeathTest, end_with_the_program_that_started_them) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto started = std::chrono::steady_clock::now();
  std::string pid;
  const auto start_and_end = [] {
    Process process({"sh", "-c", "echo $$; exec sleep 40"}, "");
    std::cerr << process.line(long_enough).value_or("");
    _exit(0);  // without running the destructor
  };
  EXPECT_EXIT(start_and_end(), ::testing::ExitedWithCode(0),
              ::testing::ResultOf([&](const std::string& told) { return pid = told; },
                                  ::testing::MatchesRegex("[0-9]+")));
  ASSERT_FALSE(pid.empty());
  while (!has_ended(pid)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(30));
}

}  // namespace
}  // namespace bankproof
