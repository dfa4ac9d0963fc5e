// Launches that would never return or go too far, and their messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../kernel_run.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// %r1 is the thread in its block, %r2 the block.
std::string limited_kernel(const std::string& body, const std::string& items = {}) {
  return ".version 8.3\n.target sm_90\n.address_size 64\n" + items +
         ".visible .entry k()\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n" +
         body + "\n}\n";
}

struct Told {
  std::vector<FaultKind> kinds;
  std::vector<std::string> messages;
  std::vector<std::uint32_t> lines;  // of the PTX
  std::uint64_t instructions = 0;
};

Told limited_run(const std::string& text, std::uint32_t blocks, std::uint32_t threads,
                 const RunOptions& options) {
  KernelRun limited_run(text, "k");
  limited_run.launch({blocks, 1, 1}, {threads, 1, 1}, options);
  Told told{limited_run.faults(), {}, {}, limited_run.result().thread_instructions};
  for (const auto& [key, fault] : limited_run.result().faults.all()) {
    told.messages.push_back(fault.message);
    told.lines.push_back(limited_run.program().sites[fault.site].place.line);
  }
  return told;
}

RunOptions at_most(std::uint64_t instructions, std::uint32_t workers = 1) {
  RunOptions options;
  options.most_instructions = instructions;
  options.threads = workers;
  return options;
}

// Counts without end: no state repeats for 2^32 turns.
constexpr const char* endless = "LOOP:\nadd.u32 %r5, %r5, 1;\nbra LOOP;";

TEST(InstructionLimit, ends_a_loop_that_never_ends_at_its_line) {
  const Told told = limited_run(limited_kernel(endless), 3, 64, at_most(100000));
  EXPECT_THAT(told.kinds, ElementsAre(FaultKind::instruction_limit));
  EXPECT_THAT(told.lines, ElementsAre(11U));
  EXPECT_THAT(told.messages, ElementsAre(StartsWith("still runs after 100000 instructions")));
  EXPECT_GT(told.instructions, 100000U);
  EXPECT_LT(told.instructions, 120000U);
}

TEST(InstructionLimit, is_one_for_all_workers) {
  // 10 blocks of 32 threads execute 2 + 300 + 1 instructions each.
  const std::string loop =
      "mov.u32 %r5, 0;\nLOOP: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 99;\n@%p1 bra "
      "LOOP;\nret;";
  const std::uint64_t all = limited_run(limited_kernel(loop), 10, 32, {}).instructions;
  for (const std::uint32_t workers : {1U, 4U}) {
    EXPECT_THAT(limited_run(limited_kernel(loop), 10, 32, at_most(all, workers)).kinds, IsEmpty());
    EXPECT_THAT(limited_run(limited_kernel(loop), 10, 32, at_most(all - 1, workers)).kinds,
                ElementsAre(FaultKind::instruction_limit));
    EXPECT_EQ(limited_run(limited_kernel(endless), 5, 96, at_most(100000, workers)).instructions,
              limited_run(limited_kernel(endless), 5, 96, at_most(100000)).instructions);
  }
}

// Long blocks, so that other workers take some of them: no single worker is over the limit.
TEST(InstructionLimit, counts_the_instructions_of_all_workers_together) {
  const std::string text = limited_kernel(
      "mov.u32 %r5, 0;\nLOOP: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 3000;\n@%p1 bra LOOP;\n"
      "ret;");
  const std::uint64_t all = limited_run(text, 64, 32, {}).instructions;
  for (int k = 0; k < 3; ++k) {
    EXPECT_THAT(limited_run(text, 64, 32, at_most(all, 4)).kinds, IsEmpty());
    EXPECT_THAT(limited_run(text, 64, 32, at_most(all - 1, 4)).kinds,
                ElementsAre(FaultKind::instruction_limit));
  }
}

TEST(InstructionLimit, ends_calls_that_branch_out_for_ever) {
  // Each call makes two calls, down to a depth of 200.
  const std::string tree = limited_kernel(
      "{ .param .b32 a; st.param.b32 [a], 200; call.uni tree, (a); }\nret;",
      ".func tree(.param .b32 depth)\n{ .reg .pred %p<2>; .reg .b32 %r<3>;\n"
      "ld.param.b32 %r1, [depth];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\n"
      "sub.u32 %r1, %r1, 1;\n"
      "{ .param .b32 a; st.param.b32 [a], %r1; call.uni tree, (a); }\n"
      "{ .param .b32 a; st.param.b32 [a], %r1; call.uni tree, (a); }\nEND: ret; }\n");
  EXPECT_THAT(limited_run(tree, 1, 32, at_most(1000000)).kinds,
              ElementsAre(FaultKind::instruction_limit));
}

TEST(Calls, that_nest_too_deep_say_how_deep) {
  const auto recursion = [](const std::string& locals) {
    return limited_kernel("call.uni deep, ();\nret;", ".func deep()\n{ .reg .b64 %rd<3>;\n" +
                                                          locals + "call.uni deep, ();\nret; }\n");
  };
  EXPECT_THAT(limited_run(recursion(""), 1, 32, {}).messages,
              ElementsAre("this call nests 1024 deep, and the machine's calls at most 1023"));
  EXPECT_THAT(limited_run(recursion(".local .b8 x[1000];\nmov.u64 %rd1, x;\n"), 1, 32, {}).messages,
              ElementsAre("this call nests 10 deep and needs more local memory than the machine "
                          "gives a recursion: 9216 bytes a thread"));
}

TEST(Barriers, have_numbers_below_16) {
  EXPECT_THAT(limited_run(limited_kernel("bar.sync 15;\nret;"), 1, 64, {}).kinds, IsEmpty());
  for (const char* const body : {"bar.sync 16;\nret;", "mov.u32 %r3, 16;\nbar.sync %r3;\nret;",
                                 "bar.arrive 16, 64;\nret;"}) {
    const Told told = limited_run(limited_kernel(body), 1, 64, {});
    EXPECT_THAT(told.kinds, ElementsAre(FaultKind::trap)) << body;
    EXPECT_THAT(told.messages,
                ElementsAre("there is no barrier 16: a block has those from 0 to 15"));
  }
}

TEST(WarpNumbers, forget_what_warps_did_when_they_begin_anew) {
  KernelRun run(
      ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
      ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [a];\n"
      "ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+4], %r1;\nret;\n}\n",
      "k");
  const std::uint32_t a = run.buffer(std::vector<std::uint32_t>{1, 2});
  EXPECT_TRUE(run.launch({1, 1, 1}, {1, 1, 1}).faults.all().empty());
  const auto records = [&](std::size_t word) {
    return records_of(run.memory()[a].records(), word, ShadowWord::first_of(1));
  };
  EXPECT_NE(records(0).read.bits(), 0U);
  EXPECT_NE(records(1).write.bits(), 0U);
  EXPECT_EQ(run.memory().take_warps(most_warps - 2), 2U);  // no more numbers are free
  EXPECT_NE(records(0).read.bits(), 0U);
  EXPECT_EQ(run.memory().take_warps(1), 1U);
  EXPECT_EQ(records(0).read.bits(), 0U);
  EXPECT_EQ(records(1).write.bits(), 0U);
}

TEST(Deadlocks, say_which_blocks_have_not_started) {
  // Each block waits for a word that the last block writes.
  const std::string waiting = limited_kernel(
      "setp.eq.u32 %p1, %r2, 9;\n@%p1 bra LAST;\n"
      "LOOP: ld.volatile.global.u32 %r5, [flag];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra LOOP;\nret;\n"
      "LAST: st.volatile.global.u32 [flag], 1;\nret;",
      ".global .u32 flag;\n");
  RunOptions options;
  options.resident = 4;
  EXPECT_THAT(limited_run(waiting, 10, 32, options).messages,
              ElementsAre("waits in a loop that no thread can end any more; 6 blocks have not "
                          "started, since no more than 4 are resident at a time (--resident)"));
  options.resident = 10;
  EXPECT_THAT(limited_run(waiting, 10, 32, options).kinds, IsEmpty());
  // Unstarted blocks do not matter to blocks that wait for no other block.
  const Told alone = limited_run(limited_kernel("LOOP: bra LOOP;"), 10, 32, options);
  EXPECT_THAT(alone.kinds, ElementsAre(FaultKind::deadlock));
  EXPECT_THAT(alone.messages, ElementsAre(::testing::Not(HasSubstr("not started"))));
}

TEST(Launches, are_no_larger_than_those_of_any_chip) {
  struct Case {
    LaunchShape shape;
    const char* told;
  };
  constexpr std::uint32_t most = 0xFFFFFFFF;
  for (const auto& [shape, told] : std::vector<Case>{
           {{{1, 0, 1}, {32, 1, 1}, 0}, "1x0x1 blocks of 32x1x1 threads are an empty launch"},
           {{{1, 1, 1}, {32, 1, 0}, 0}, "1x1x1 blocks of 32x1x0 threads are an empty launch"},
           {{{1, 65536, 1}, {32, 1, 1}, 0}, "a grid of 1x65536x1 blocks; CUDA has at most "},
           {{{1, 1, 65536}, {32, 1, 1}, 0}, "a grid of 1x1x65536 blocks; CUDA has at most "},
           {{{most, most, most}, {32, 1, 1}, 0}, "a grid of 4294967295x"},
           {{{1, 1, 1}, {1025, 1, 1}, 0}, "a block of 1025x1x1 threads; CUDA has at most 1024"},
           {{{1, 1, 1}, {1, 1, 65}, 0}, "a block of 1x1x65 threads; CUDA has at most 1024, and 64"},
           {{{1, 1, 1}, {1U << 22U, 1U << 21U, 1U << 21U}, 0}, "a block of 4194304x"},
           {{{1, 1, 1}, {32, 1, 1}, 232449}, "232449 bytes of shared memory; no chip has more"},
           {{{0x7fffffff, 1, 1}, {1, 1, 1}, 0}, "the machine runs at most "}}) {
    KernelRun limited_run(limited_kernel("ret;"), "k");
    try {
      limited_run.launch(shape.grid, shape.block, {}, shape.dynamic_shared_bytes);
      ADD_FAILURE() << told;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), StartsWith(told));
    }
  }
  KernelRun widest(limited_kernel("ret;"), "k");
  EXPECT_NO_THROW(widest.launch({1, 65535, 1}, {32, 1, 1}, {}, 232448));
  KernelRun both(limited_kernel("mov.u32 %r3, own;\nret;", ".shared .b8 own[232000];\n"), "k");
  EXPECT_NO_THROW(both.launch({1, 1, 1}, {32, 1, 1}, {}, 448));
  EXPECT_THROW(both.launch({1, 1, 1}, {32, 1, 1}, {}, 449), std::invalid_argument);
}

// 512 KiB per thread, and blocks that wait for one another.
TEST(Launches, do_not_ask_for_more_local_memory_than_there_is) {
  const std::string text = limited_kernel(
      ".reg .b64 %rd<2>;\n.local .b8 x[524288];\nmov.u64 %rd1, x;\n"
      "atom.global.add.u32 %r5, [flag], 1;\nret;",
      ".global .u32 flag;\n");
  KernelRun limited_run(text, "k");
  RunOptions options;
  options.resident = 1U << 20U;
  try {
    limited_run.launch({1U << 15U, 1, 1}, {1024, 1, 1}, options);
    ADD_FAILURE() << "it is taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), StartsWith("local memory and registers of 32768 blocks at a time "
                                         "need 1677"));
    EXPECT_THAT(error.what(), HasSubstr("let fewer run (--resident)"));
  }
  options.resident = 2;
  EXPECT_NO_THROW(limited_run.launch({4, 1, 1}, {32, 1, 1}, options));
}

TEST(Launches, have_the_block_that_a_kernel_requires) {
  const std::string text =
      ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k()\n.reqntid 64, 2\n{\n"
      "ret;\n}\n";
  KernelRun limited_run(text, "k");
  EXPECT_NO_THROW(limited_run.launch({1, 1, 1}, {64, 2, 1}));
  EXPECT_THROW(limited_run.launch({1, 1, 1}, {64, 1, 1}), std::invalid_argument);
  EXPECT_THROW(limited_run.launch({1, 1, 1}, {32, 2, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::ptx
