// mbarriers in shared memory: their counts against a plain model, and the order that they
// establish.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../../testing/property.hpp"
#include "../kernel_run.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// %rd1 is the address of the buffer, %r1 the thread in its block, %rd2 the address of its word;
// `bar` is an mbarrier, and `tile` has 1 KiB of shared memory.
std::string mbarrier_kernel(const std::string& body) {
  return ".version 8.3\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 out)\n{\n"
         ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
         ".shared .align 8 .b64 bar;\n.shared .align 16 .b8 tile[1024];\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n" +
         body + "\nret;\n}\n";
}

/// The state of a barrier: the number of arrivals that this phase still needs, the number that each
/// later phase needs, and the number of finished phases.
struct Model {
  unsigned waits_for;
  unsigned each;
  unsigned phases = 0;

  void arrive(unsigned arrivals) {
    waits_for -= arrivals;
    if (waits_for > 0) return;
    waits_for = each;
    ++phases;
  }
};

// In each move the thread arrives with a count, arrives and drops that count from later phases, or
// does not arrive. After each move the test compares three values: whether the phase of the last
// arrival is over, whether an even phase is over, and the pending count that the last arrival
// found.
BANKPROOF_PROPERTY(Mbarriers, count_as_a_plain_model_does, (const std::vector<char>& moves)) {
  constexpr unsigned count = 5;
  Model model{count, count};
  Model seen = model;  // the state that the last arrival found
  std::string body =
      "mbarrier.init.shared.b64 [bar], 5;\nmbarrier.arrive.shared.b64 %rd3, [bar];\n";
  model.arrive(1);
  std::vector<std::uint32_t> expected;
  for (const char move : moves) {
    const auto number = static_cast<unsigned char>(move);
    const unsigned arrivals = 1 + number / 4 % model.waits_for;
    const std::string operands = "%rd3, [bar], " + std::to_string(arrivals) + ";\n";
    if (number % 4 == 0 && model.each > arrivals) {
      body += "mbarrier.arrive_drop.release.cta.shared::cta.b64 " + operands;
      seen = model;
      model.each -= arrivals;
      model.arrive(arrivals);
    } else if (number % 4 == 1 && arrivals < model.waits_for) {
      body += "mbarrier.arrive.noComplete.shared.b64 " + operands;
      seen = model;
      model.arrive(arrivals);
    } else if (number % 4 == 2) {
      body += "mbarrier.arrive.b64 %rd3, [%rd4], " + std::to_string(arrivals) + ";\n";
      seen = model;
      model.arrive(arrivals);
    }
    const std::string at = "[%rd1+" + std::to_string(4 * expected.size());
    body +=
        "mbarrier.test_wait.acquire.cta.shared::cta.b64 %p1, [bar], %rd3;\n"
        "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n"
        "selp.u32 %r5, 1, 0, %p1;\n@%p2 add.u32 %r5, %r5, 2;\n"
        "mbarrier.pending_count.b64 %r6, %rd3;\nshl.b32 %r6, %r6, 2;\n"
        "add.u32 %r5, %r5, %r6;\nst.global.u32 " +
        at + "], %r5;\n";
    expected.push_back((model.phases != seen.phases ? 1U : 0U) + (model.phases % 2 != 0 ? 2U : 0U) +
                       4 * seen.waits_for);
  }
  KernelRun run(mbarrier_kernel("mov.u64 %rd4, bar;\ncvta.shared.u64 %rd4, %rd4;\n" + body), "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(expected.size() + 1));
  run.launch({1, 1, 1}, {1, 1, 1});
  RC_ASSERT(run.faults().empty());
  expected.push_back(0);
  RC_ASSERT(run.data<std::uint32_t>(out) == expected);
}

// Each thread writes its word, arrives, and reads the word of the thread whose number differs by
// half a block.
std::string exchange(const std::string& wait) {
  return mbarrier_kernel(
      "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra READY;\nmbarrier.init.shared.b64 [bar], 64;\n"
      "READY: bar.sync 0;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, tile;\nadd.u32 %r4, %r3, %r2;\n"
      "st.shared.u32 [%r4], %r1;\nmbarrier.arrive.shared.b64 %rd3, [bar];\n" +
      wait +
      "xor.b32 %r5, %r2, 128;\nadd.u32 %r5, %r3, %r5;\nld.shared.u32 %r6, [%r5];\n"
      "st.global.u32 [%rd2], %r6;");
}

std::vector<FaultKind> faults_of(const std::string& text, std::uint32_t threads) {
  KernelRun run(text, "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(64));
  run.launch({1, 1, 1}, {threads, 1, 1});
  const auto got = run.data<std::uint32_t>(out);
  for (std::uint32_t t = 0; t < 64 && run.faults().empty(); ++t) EXPECT_EQ(got[t], t ^ 32U);
  return run.faults();
}

TEST(Mbarriers, order_what_comes_before_an_arrival_before_what_follows_the_test) {
  EXPECT_THAT(faults_of(exchange("WAIT: mbarrier.test_wait.shared.b64 %p2, [bar], %rd3;\n"
                                 "@!%p2 bra WAIT;\n"),
                        64),
              IsEmpty());
  EXPECT_THAT(faults_of(exchange("WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0, 100;\n"
                                 "@!%p2 bra WAIT;\n"),
                        64),
              IsEmpty());
  EXPECT_THAT(faults_of(exchange(""), 64), Contains(FaultKind::race));
  EXPECT_THAT(faults_of(exchange("WAIT: mbarrier.test_wait.relaxed.cta.shared.b64 %p2, [bar], "
                                 "%rd3;\n@!%p2 bra WAIT;\n"),
                        64),
              Contains(FaultKind::race));
}

// A test of the previous phase succeeds at once, and a failed test does not wait; neither orders
// anything. The second warp reads what the first warp wrote before it arrived, but one arrival is
// missing.
TEST(Mbarriers, order_nothing_by_tests_of_another_phase_or_that_fail) {
  for (const char* const test :
       {"WAIT: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;\n@!%p2 bra WAIT;\n",
        "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n",
        "mbarrier.test_wait.shared.b64 %p2, [bar], %rd3;\n"}) {
    std::string text = exchange(std::string(test) + "setp.lt.u32 %p3, %r1, 32;\n@%p3 ret;\n");
    text.replace(text.find("[bar], 64;"), 10, "[bar], 65;");
    EXPECT_THAT(faults_of(text, 64), Each(FaultKind::race)) << test;
    EXPECT_THAT(faults_of(text, 64), Not(IsEmpty())) << test;
  }
}

TEST(Mbarriers, deadlock_if_too_few_arrive) {
  EXPECT_THAT(faults_of(exchange("WAIT: mbarrier.test_wait.shared.b64 %p2, [bar], %rd3;\n"
                                 "@!%p2 bra WAIT;\n"),
                        63),
              Each(FaultKind::deadlock));
}

TEST(Mbarriers, have_to_be_initialized) {
  EXPECT_THAT(faults_of(mbarrier_kernel("mbarrier.arrive.shared.b64 %rd3, [bar];"), 1),
              Contains(FaultKind::uninitialized));
}

// The addresses of the copy have 32 and 64 bits. Without .noinc the instruction adds one to the
// pending count for the arrival that it makes.
TEST(Mbarriers, are_arrived_at_by_copies) {
  KernelRun run(mbarrier_kernel("mbarrier.init.shared.b64 [bar], 2;\nmov.u32 %r2, tile;\n"
                                "cp.async.ca.shared.global [%r2+4], [%rd1], 4;\n"
                                "cp.async.mbarrier.arrive.shared.b64 [bar];\n"
                                "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n"
                                "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n"
                                "selp.u32 %r3, 1, 0, %p1;\nst.global.u32 [%rd1+4], %r3;\n"
                                "mbarrier.arrive.shared.b64 _, [bar];\n"
                                "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n"
                                "selp.u32 %r3, 1, 0, %p1;\nst.global.u32 [%rd1+8], %r3;\n"
                                "ld.shared.u32 %r4, [tile+4];\nst.global.u32 [%rd1+12], %r4;\n"
                                "mbarrier.inval.shared.b64 [bar];"),
                "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>{77, 9, 9, 9});
  run.launch({1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(run.faults(), IsEmpty());
  EXPECT_THAT(run.data<std::uint32_t>(out), ::testing::ElementsAre(77U, 0U, 1U, 77U));
}

TEST(Mbarriers, that_count_bytes_are_refused) {
  for (const char* const instruction :
       {"mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], 16;",
        "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 16;",
        "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 16;",
        "mbarrier.test_wait.release.cta.shared.b64 %p1, [bar], %rd3;"}) {
    const Module module = parse(mbarrier_kernel(instruction), "k.ptx");
    try {
      decode(module, "k");
      ADD_FAILURE() << instruction;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), StartsWith("unsupported: mbarrier."));
    }
  }
}

}  // namespace
}  // namespace bankproof::ptx
