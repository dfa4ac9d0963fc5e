// malloc() and free() in kernels: every allocation is judged like a buffer of the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string allocates(const std::string& to, const std::string& bytes) {
  return "{ .param .b64 a; .param .b64 r;\nst.param.b64 [a], " + bytes +
         ";\ncall.uni (r), malloc, (a);\nld.param.b64 " + to + ", [r]; }\n";
}
std::string frees(const std::string& pointer) {
  return "{ .param .b64 a;\nst.param.b64 [a], " + pointer + ";\ncall.uni free, (a); }\n";
}

std::string heap_kernel(const std::string& body) {
  return kernel(body + "ret;",
                ".extern .func (.param .b64 result) malloc(.param .b64 size);\n"
                ".extern .func free(.param .b64 pointer);\n"
                ".shared .align 8 .u64 common;\n");
}

// Thread 0 allocates these bytes, and all threads of the block have the pointer in %rd3.
std::string shared_allocation(const std::string& bytes) {
  return "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra WAIT;\n" + allocates("%rd3", bytes) +
         "st.shared.u64 [common], %rd3;\nWAIT:\nbar.sync 0;\nld.shared.u64 %rd3, [common];\n";
}

struct HeapFault {
  FaultKind kind;
  std::string message;
  bool has_other;
};

std::vector<HeapFault> heap_faults(const Ran& ran) {
  std::vector<HeapFault> all;
  for (const auto& [key, fault] : ran.result.faults.all()) {
    all.push_back({fault.kind, fault.message, fault.other_site != no_site});
  }
  return all;
}

// The only fault of one thread with this code.
HeapFault fault_of(const std::string& body) {
  const std::vector<HeapFault> all = heap_faults(run(heap_kernel(body), 1, 1));
  if (all.size() == 1) return all.front();
  ADD_FAILURE() << all.size() << " faults";
  return {};
}

TEST(Heap, gives_each_thread_memory_of_its_own) {
  const Ran ran = run(heap_kernel(allocates("%rd3", "8") +
                                  "st.u32 [%rd3+4], %r2;\nld.u32 %r5, [%rd3+4];\n"
                                  "st.global.u32 [%rd2], %r5;\n" +
                                  frees("%rd3")),
                      3, 40);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t k = 0; k < 120; ++k) EXPECT_EQ(ran.out[k], k);
}

TEST(Heap, bounds_are_those_of_the_allocation) {
  // Another allocation on each side: no access is taken for one of its own.
  const std::string three =
      allocates("%rd4", "10") + allocates("%rd3", "10") + allocates("%rd5", "10");
  const std::string access = "mov.u32 %r9, 0;\n";
  EXPECT_THAT(
      fault_of(three + access + "st.u8 [%rd3+10], %r9;\n").message,
      HasSubstr("store of 1 bytes, 1 bytes behind the end of 'heap allocation 1' (10 bytes)"));
  EXPECT_THAT(fault_of(three + access + "st.u8 [%rd3+-1], %r9;\n").message,
              HasSubstr("1 bytes before the beginning of 'heap allocation 1'"));
  EXPECT_THAT(fault_of(three + access + "st.u32 [%rd3+8], %r9;\n").kind, FaultKind::out_of_bounds);
  EXPECT_THAT(fault_of(three + access + "st.u32 [%rd3+1024], %r9;\n").message,
              HasSubstr("1018 bytes behind the end of 'heap allocation 1'"));
  EXPECT_THAT(heap_faults(run(heap_kernel(three + access + "st.u8 [%rd3+9], %r9;\n"), 1, 1)),
              IsEmpty());
}

RC_GTEST_PROP(Heap, a_byte_is_in_an_allocation_or_out_of_bounds, ()) {
  const auto bytes = *rc::gen::inRange(1, 200);
  const auto offset = *rc::gen::inRange(-50, 300);
  const Ran ran =
      run(heap_kernel(allocates("%rd3", std::to_string(bytes)) + "mov.u32 %r9, 0;\nst.u8 [%rd3+" +
                      std::to_string(offset) + "], %r9;\n"),
          1, 1);
  RC_ASSERT(ran.faults.empty() == (offset >= 0 && offset < bytes));
}

TEST(Heap, memory_begins_undefined) {
  EXPECT_EQ(fault_of(allocates("%rd3", "8") + "ld.u32 %r5, [%rd3];\nst.u32 [%rd3], %r5;\n").kind,
            FaultKind::uninitialized);
}

TEST(Heap, an_access_after_free_names_where_it_was_freed) {
  const std::string use = allocates("%rd3", "8") + frees("%rd3");
  for (const char* const access :
       {"ld.u32 %r5, [%rd3];\n", "mov.u32 %r9, 0;\nst.u32 [%rd3], %r9;\n",
        "atom.add.u32 %r5, [%rd3], 1;\n"}) {
    const HeapFault fault = fault_of(use + access);
    EXPECT_EQ(fault.kind, FaultKind::out_of_bounds) << access;
    EXPECT_THAT(fault.message, HasSubstr("'heap allocation 0, freed'")) << access;
    EXPECT_TRUE(fault.has_other) << access;
  }
}

TEST(Heap, a_second_free_names_the_first) {
  const HeapFault fault = fault_of(allocates("%rd3", "8") + frees("%rd3") + frees("%rd3"));
  EXPECT_EQ(fault.kind, FaultKind::double_free);
  EXPECT_EQ(fault.message, "free of 'heap allocation 0, freed'");
  EXPECT_TRUE(fault.has_other);
}

TEST(Heap, frees_only_what_it_gave) {
  const std::string allocation = allocates("%rd3", "64");
  for (const char* const pointer :
       {"add.s64 %rd3, %rd3, 16;\n", "mov.u64 %rd3, %rd1;\n", "mov.u64 %rd3, 12345;\n",
        "mov.u64 %rd3, common;\ncvta.shared.u64 %rd3, %rd3;\n", "mov.u64 %rd3, -1;\n",
        "shl.b64 %rd3, %rd3, 1;\n"}) {
    EXPECT_EQ(fault_of(allocation + pointer + frees("%rd3")).kind, FaultKind::trap) << pointer;
  }
  const Ran null = run(heap_kernel("mov.u64 %rd3, 0;\n" + frees("%rd3")), 1, 1);
  EXPECT_THAT(null.faults, IsEmpty());
}

// Stores whether each pointer is null: a word for each call.
std::string tells_null(int word) {
  return "setp.eq.u64 %p2, %rd3, 0;\nselp.u32 %r5, 1, 0, %p2;\nst.global.u32 [%rd1+" +
         std::to_string(4 * word) + "], %r5;\n";
}

TEST(Heap, gives_null_for_nothing_and_when_it_is_full) {
  const std::string all = std::to_string(Heap::usual_bytes);
  const Ran ran = run(
      heap_kernel(allocates("%rd3", "0") + tells_null(0) +
                  allocates("%rd3", std::to_string(Heap::usual_bytes + 1)) + tells_null(1) +
                  allocates("%rd3", all) + tells_null(2) + "mov.u64 %rd4, %rd3;\n" +
                  allocates("%rd3", "1") + tells_null(3) + frees("%rd4") + allocates("%rd3", "1") +
                  tells_null(4) + allocates("%rd3", "-1") + tells_null(5)),
      1, 1, 6);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, ElementsAre(1U, 1U, 0U, 1U, 0U, 1U));
}

TEST(Heap, a_byte_takes_sixteen) {
  KernelRun kernel_run(
      heap_kernel(allocates("%rd3", "1") + tells_null(0) + allocates("%rd3", "17") + tells_null(1) +
                  allocates("%rd3", "1") + tells_null(2)),
      "k");
  const std::uint32_t out = kernel_run.buffer(std::vector<std::uint32_t>(3));
  kernel_run.memory().heap().most_bytes = 48;
  kernel_run.launch({1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(kernel_run.data<std::uint32_t>(out), ElementsAre(0U, 0U, 1U));
}

TEST(Heap, threads_that_share_an_allocation_may_race) {
  const std::string write = "st.u32 [%rd3], %r1;\n";
  EXPECT_THAT(run(heap_kernel(shared_allocation("4") + write), 1, 64).faults,
              Contains(FaultKind::race));
  const std::string apart = "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd3, %rd3, %rd4;\n" + write;
  const Ran ran = run(heap_kernel(shared_allocation("256") + apart + "bar.sync 0;\n" +
                                  "ld.shared.u64 %rd3, [common];\nld.u32 %r5, [%rd3+4];\n"),
                      1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  const Ran early = run(heap_kernel(shared_allocation("256") + apart +
                                    "ld.shared.u64 %rd3, [common];\nld.u32 %r5, [%rd3+252];\n"),
                        1, 64);
  EXPECT_THAT(early.faults, Contains(FaultKind::race));
}

TEST(Heap, free_races_with_accesses_that_nothing_orders) {
  const auto uses = [](const std::string& between) {
    return heap_kernel(shared_allocation("256") +
                       "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd3, %rd4;\n"
                       "st.u32 [%rd4], %r1;\n" +
                       between + "setp.ne.u32 %p1, %r1, 63;\n@%p1 bra END;\n" + frees("%rd3") +
                       "END:\n");
  };
  EXPECT_THAT(run(uses("bar.sync 0;\n"), 1, 64).faults, IsEmpty());
  const Ran ran = run(uses(""), 1, 64);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::race));
  EXPECT_THAT(heap_faults(ran).front().message,
              HasSubstr("free at byte 0 of 'heap allocation 0' is not ordered with a write by"));
}

// Other launches on the same memory.
LaunchResult launch_on(GlobalMemory& memory, const Program& program, std::uint32_t out,
                       std::uint32_t threads, const RunOptions& options = {}) {
  const std::uint64_t address = buffer_address(out);
  return launch(program, {{2, 1, 1}, {threads, 1, 1}, 0}, std::as_bytes(std::span(&address, 1)),
                memory, options);
}

TEST(Heap, allocations_live_until_they_are_freed) {
  GlobalMemory memory;
  const std::uint32_t out = memory.add_buffer("out", 4096, true);
  const std::string one = "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra END;\n";
  const std::string load = one + "ld.global.u64 %rd3, [%rd1];\n";
  const auto program = [](const std::string& body) {
    return decode(parse(heap_kernel(body + "END:\n"), "k.ptx"), "k");
  };
  const Program makes = program(one + allocates("%rd3", "4") + "st.u32 [%rd3], 7;\n" +
                                "st.global.u64 [%rd1], %rd3;\n");
  const Program looks = program(load + "ld.u32 %r5, [%rd3];\nst.global.u32 [%rd1+8], %r5;\n");
  const Program ends = program(load + frees("%rd3"));
  EXPECT_TRUE(launch_on(memory, makes, out, 32).faults.empty());
  EXPECT_TRUE(launch_on(memory, looks, out, 32).faults.empty());
  EXPECT_EQ(memory.data(out)[8], std::byte{7});
  EXPECT_TRUE(launch_on(memory, ends, out, 32).faults.empty());
  for (const std::uint32_t threads : {1U, 4U}) {
    RunOptions options;
    options.threads = threads;
    const LaunchResult after = launch_on(memory, looks, out, 32, options);
    ASSERT_EQ(after.faults.all().size(), 1U);
    EXPECT_EQ(after.faults.all().begin()->second.kind, FaultKind::out_of_bounds);
    EXPECT_EQ(after.faults.all().begin()->second.other_site, no_site);
  }
  const LaunchResult again = launch_on(memory, ends, out, 32);
  ASSERT_EQ(again.faults.all().size(), 1U);
  EXPECT_EQ(again.faults.all().begin()->second.kind, FaultKind::double_free);
}

// A race makes the launch run again, with exact records; what the first run allocated and freed is
// undone.
TEST(Heap, a_launch_that_runs_again_allocates_and_frees_once) {
  GlobalMemory memory;
  const std::uint32_t out = memory.add_buffer("out", 1 << 14, true);
  const auto program = [](const std::string& body) {
    return decode(parse(heap_kernel(body), "k.ptx"), "k");
  };
  const std::string place = "mul.wide.u32 %rd4, %r2, 8;\nadd.s64 %rd4, %rd1, %rd4;\n";
  const std::string races = "st.global.u32 [%rd1+8192], %r2;\n";
  const Program makes = program(allocates("%rd3", "16") + place + "st.global.u64 [%rd4], %rd3;\n" +
                                "st.u32 [%rd3], %r2;\n" + races);
  const Program ends = program(place + "ld.global.u64 %rd3, [%rd4];\n" + frees("%rd3") + races);
  const auto kinds = [](const LaunchResult& result) {
    std::vector<FaultKind> all;
    for (const auto& [key, fault] : result.faults.all()) all.push_back(fault.kind);
    return all;
  };
  EXPECT_THAT(kinds(launch_on(memory, makes, out, 64)), Contains(FaultKind::race));
  EXPECT_EQ(memory.heap().end(), Heap::first + 128);
  EXPECT_THAT(kinds(launch_on(memory, ends, out, 64)), Not(Contains(FaultKind::double_free)));
  memory.keep();
  EXPECT_THAT(memory.live(), ElementsAre(out));
}

// A race at memory of the heap is judged in a second run, which allocates it again.
TEST(Heap, suspected_words_of_the_heap_are_judged_exactly) {
  const auto kernel_with = [](const std::string& order) {
    // Each warp's first thread adds to a word that all share, then thread 0 reads it.
    return heap_kernel(shared_allocation("8") +
                       "setp.ne.u32 %p1, %r1, 0;\n@!%p1 st.u32 [%rd3], 0;\nbar.sync 0;\n"
                       "atom.add.u32 %r5, [%rd3], 1;\n" +
                       order + "@!%p1 ld.u32 %r6, [%rd3];\n@!%p1 st.global.u32 [%rd1], %r6;\n");
  };
  const Ran ordered = run(kernel_with("bar.sync 0;\n"), 1, 96);
  EXPECT_THAT(ordered.faults, IsEmpty());
  EXPECT_EQ(ordered.out[0], 96U);
  EXPECT_THAT(run(kernel_with(""), 1, 96).faults, Each(FaultKind::race));
}

TEST(Heap, addresses_do_not_depend_on_the_number_of_workers) {
  const std::string text = heap_kernel(allocates("%rd3", "16") +
                                       "shr.u64 %rd4, %rd3, 36;\ncvt.u32.u64 %r5, %rd4;\n"
                                       "st.global.u32 [%rd2], %r5;\n");
  const Ran one = run(text, 20, 64);
  const Ran four = run(text, 20, 64, 0, with_threads(4));
  EXPECT_EQ(one.out, four.out);
  EXPECT_THAT(four.faults, IsEmpty());
}

// An object of the heap knows its virtual functions, of which the kernel that calls them sees none.
TEST(Heap, objects_keep_addresses_of_functions_for_other_kernels) {
  const std::string text =
      ".version 8.3\n.target sm_90\n.address_size 64\n"
      ".func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
      "ld.param.b32 %r1, [x];\nadd.u32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n"
      ".func (.param .b32 r) thrice(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
      "ld.param.b32 %r1, [x];\nmul.lo.u32 %r2, %r1, 3;\nst.param.b32 [r], %r2;\nret;\n}\n"
      ".global .align 8 .u64 table[1] = {twice};\n"
      ".visible .entry make(.param .u64 out)\n{\n.reg .b64 %rd<5>;\nld.param.u64 %rd1, [out];\n"
      "ld.global.u64 %rd2, [table];\nst.global.u64 [%rd1], %rd2;\nmov.u64 %rd3, thrice;\n"
      "st.global.u64 [%rd1+8], %rd3;\nret;\n}\n"
      ".visible .entry use(.param .u64 out)\n{\n.reg .b64 %rd<5>;\n.reg .b32 %r<9>;\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 8;\n"
      "add.s64 %rd1, %rd1, %rd3;\nld.global.u64 %rd2, [%rd1];\n"
      "{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], 21;\n"
      "shape: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "call (b), %rd2, (a), shape;\nld.param.b32 %r2, [b]; }\nst.global.u32 [%rd1], %r2;\n"
      "ret;\n}\n";
  const Module module = parse(text, "k.ptx");
  GlobalMemory memory;
  const std::uint32_t out = memory.add_buffer("out", 16, true);
  const std::uint64_t address = buffer_address(out);
  for (const auto& [name, threads] : {std::pair("make", 1U), std::pair("use", 2U)}) {
    const LaunchResult result = launch(decode(module, name), {{1, 1, 1}, {threads, 1, 1}, 0},
                                       std::as_bytes(std::span(&address, 1)), memory, {});
    EXPECT_TRUE(result.faults.empty()) << name;
  }
  EXPECT_EQ(memory.data(out)[0], std::byte{42});
  EXPECT_EQ(memory.data(out)[8], std::byte{63});
}

TEST(Heap, operators_are_functions_of_the_heap) {
  for (const char* const name : {"_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t"}) {
    const std::string of = name;
    const Ran ran = run(kernel("{ .param .b64 a; .param .b64 b; .param .b64 r;\n"
                               "st.param.b64 [a], 4;\nst.param.b64 [b], 0;\ncall.uni (r), " +
                                   of +
                                   ", (a, b);\nld.param.b64 %rd3, [r]; }\nst.u32 [%rd3], 5;\n"
                                   "ld.u32 %r5, [%rd3];\nst.global.u32 [%rd1], %r5;\nret;",
                               ".extern .func (.param .b64 result) " + of +
                                   "(.param .b64 size, .param .b64 more);\n"),
                        1, 1);
    EXPECT_THAT(ran.faults, IsEmpty()) << name;
    EXPECT_THAT(ran.out, ElementsAre(5U)) << name;
  }
}

}  // namespace
}  // namespace bankproof::ptx
