// Kernels that launch kernels: what runs, in which order, and which calls fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "device_support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string only_message(const Ran& ran) {
  if (ran.result.faults.all().size() != 1) return "no single fault";
  return ran.result.faults.all().begin()->second.message;
}

TEST(DeviceLaunches, a_child_has_its_own_shape_and_arguments) {
  const std::string body = one_thread + "add.u32 %r7, %r3, 3;\n" +
                           launches("fills", "%r7", {.grid = "2", .block = "40"}) +
                           launches("fills", "9", {.grid = "%r7", .block = "8"});
  const std::string fills = child("fills",
                                  "mov.u32 %r6, %nctaid.x;\nmad.lo.u32 %r6, %r6, 100, %r4;\n"
                                  "mad.lo.u32 %r6, %r6, 10, %r5;\nst.global.u32 [%rd2], %r6;\n");
  const Ran ran = run(parent(body, fills), 1, 64, 80);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t k = 0; k < 80; ++k) {
    EXPECT_EQ(ran.out[k], k < 24 ? (300 + 8) * 10 + 9 : (200 + 40) * 10 + 3) << k;
  }
  ASSERT_EQ(ran.result.grids.size(), 2U);
  EXPECT_EQ(ran.result.grids[1].grid[0], 3U);
  ASSERT_EQ(ran.result.children.size(), 1U);
  EXPECT_EQ(ran.result.children[0].launches, 2U);
  EXPECT_EQ(ran.result.children[0].kernel, "fills");
}

RC_GTEST_PROP(DeviceLaunches, the_default_stream_of_a_block_is_in_order, ()) {
  const auto numbers =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10)));
  const auto schedule = *rc::gen::inRange<std::uint64_t>(0, 3);
  std::string body = one_thread;
  std::uint32_t expected = 0;
  for (const int number : numbers) {
    body += launches("notes", std::to_string(number));
    expected = expected * 10 + static_cast<std::uint32_t>(number);
  }
  const Ran ran = run(parent(body, noting_child()), 1, 1, 1, with_schedule(schedule));
  RC_ASSERT(ran.faults.empty());
  RC_ASSERT(ran.out[0] == expected);
}

// Each grid of depth d writes its number of threads and launches two of depth d - 1.
TEST(DeviceLaunches, kernels_launch_themselves) {
  const std::string tree =
      child("tree",
            "atom.global.add.u32 %r6, [%rd1], 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra END;\n"
            "sub.u32 %r7, %r5, 1;\n" +
                launches("tree", "%r7") + launches("tree", "%r7") + "END:\n");
  const Ran ran = run(parent(launches("tree", "5"), tree), 1, 1, 1);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, ElementsAre(63U));
  EXPECT_EQ(ran.result.grids.size(), 63U);
}

TEST(DeviceLaunches, nest_up_to_24_deep) {
  const std::string deep = child(
      "deep", "atom.global.add.u32 %r6, [%rd1], 1;\n" + launches("deep", "%r5") +
                  "setp.eq.u32 %p1, %r30, 0;\n@%p1 bra END;\nst.global.u32 [%rd1+4], %r30;\n" +
                  "{ .param .b32 e;\ncall.uni (e), __cudaCDP2GetLastError, ();\n"
                  "ld.param.b32 %r6, [e]; }\nst.global.u32 [%rd1+8], %r6;\nEND:\n");
  const Ran ran = run(parent(launches("deep", "0"), deep), 1, 1, 3);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, ElementsAre(24U, 65U, 65U));
}

TEST(DeviceLaunches, that_are_pending_have_a_limit) {
  RunOptions options;
  options.most_pending = 3;
  std::string body = one_thread;
  for (int k = 0; k < 5; ++k) body += launches("adds", "1");
  const Ran ran =
      run(parent(body + "st.global.u32 [%rd1+4], %r30;\n", adding_child()), 1, 1, 2, options);
  EXPECT_THAT(ran.out, ElementsAre(3U, 69U));
  EXPECT_THAT(only_message(ran), HasSubstr("cudaLimitDevRuntimePendingLaunchCount: "
                                           "cudaErrorLaunchPendingCountExceeded"));
}

TEST(DeviceLaunches, of_wrong_shapes_fail_and_somebody_has_to_ask) {
  const std::string asks =
      "{ .param .b32 e;\ncall.uni (e), __cudaCDP2GetLastError, ();\nld.param.b32 %r6, [e]; }\n"
      "st.global.u32 [%rd1+4], %r6;\n";
  for (const Where& where : {Where{.grid = "0"}, Where{.block = "0"}, Where{.block = "1025"},
                             Where{.shared = "1000000"}}) {
    const std::string body = one_thread + launches("adds", "1", where);
    const Ran looks = run(parent(body + asks, adding_child()), 1, 1, 2);
    EXPECT_THAT(looks.faults, IsEmpty());
    EXPECT_THAT(looks.out, ElementsAre(0U, 9U));
    const Ran blind = run(parent(body, adding_child()), 1, 1, 2);
    EXPECT_THAT(blind.faults, ElementsAre(FaultKind::unchecked_error));
    EXPECT_THAT(only_message(blind), HasSubstr("cudaErrorInvalidConfiguration, and the thread has "
                                               "not asked for its last error"));
  }
  const Ran stream = run(
      parent(one_thread + launches("adds", "1", {.stream = "99"}) + asks, adding_child()), 1, 1, 2);
  EXPECT_THAT(stream.out, ElementsAre(0U, 400U));
}

TEST(DeviceLaunches, pass_no_pointers_to_memory_of_their_block) {
  const auto passes = [](const std::string& pointer) {
    return run(parent(one_thread + pointer + launches("adds", "1", {}, "%rd7"), adding_child()), 1,
               1, 2);
  };
  const Ran shared = passes("mov.u64 %rd7, common;\ncvta.shared.u64 %rd7, %rd7;\n");
  EXPECT_THAT(shared.faults, ElementsAre(FaultKind::out_of_bounds));
  EXPECT_EQ(only_message(shared),
            "passes the address of byte 0 of its shared memory as argument 0 of adds, and no child "
            "can access its parent's shared memory");
  const std::string local = child("hands", "mov.u64 %rd7, own;\ncvta.local.u64 %rd7, %rd7;\n" +
                                               launches("adds", "1", {}, "%rd7"));
  EXPECT_THAT(only_message(run(parent(launches("hands", "1"), adding_child() + local), 1, 1, 1)),
              HasSubstr("of its local memory"));
  EXPECT_THAT(passes("mov.u64 %rd7, %rd1;\n").faults, IsEmpty());
}

TEST(DeviceLaunches, of_an_address_that_is_no_kernels_fail) {
  std::string body = launches("adds", "1");
  body.replace(body.find("mov.u64 %rd8, adds"), 18, "mov.u64 %rd8, 1234");
  const Ran ran = run(parent(body + "st.global.u32 [%rd1+4], %r30;\n", adding_child()), 1, 1, 2);
  EXPECT_THAT(ran.out, ElementsAre(0U, 7U));
  EXPECT_THAT(only_message(ran), HasSubstr("address 1234 is that of no kernel"));
}

TEST(DeviceLaunches, a_fault_of_a_child_has_its_number) {
  const Ran ran = run(
      parent(one_thread + launches("adds", "1") + launches("far", "1", {.grid = "2", .block = "3"}),
             adding_child() + child("far", "st.global.u32 [%rd2+4096], %r5;\n")),
      1, 1, 1);
  ASSERT_EQ(ran.result.faults.all().size(), 1U);
  const Fault& fault = ran.result.faults.all().begin()->second;
  EXPECT_EQ(fault.kind, FaultKind::out_of_bounds);
  EXPECT_EQ(fault.count, 6U);
  EXPECT_EQ(fault.thread, (ThreadName{2, 0, 0}));
}

TEST(DeviceLaunches, a_trap_of_a_child_ends_the_launch) {
  const Ran ran = run(parent(one_thread + launches("stops", "1") + launches("adds", "1"),
                             adding_child() + child("stops", "trap;\n")),
                      1, 1, 1);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::trap));
  EXPECT_THAT(ran.out, ElementsAre(0U));
}

TEST(DeviceLaunches, children_count_for_the_limit_of_instructions) {
  RunOptions options;
  options.most_instructions = 20000;
  const std::string spins = child("spins", "LOOP:\nadd.u32 %r6, %r6, 1;\nbra LOOP;\n");
  EXPECT_THAT(run(parent(launches("spins", "1"), spins), 1, 1, 1, options).faults,
              ElementsAre(FaultKind::instruction_limit));
}

TEST(DeviceLaunches, a_child_has_shared_memory_of_its_own) {
  const std::string turns =
      child("turns",
            ".shared .align 4 .u32 mine[32];\nmul.wide.u32 %rd3, %r1, 4;\n"
            "mov.u64 %rd4, mine;\nadd.u64 %rd4, %rd4, %rd3;\nst.shared.u32 [%rd4], %r1;\n"
            "bar.sync 0;\nsub.u32 %r6, 31, %r1;\nmul.wide.u32 %rd3, %r6, 4;\n"
            "mov.u64 %rd4, mine;\nadd.u64 %rd4, %rd4, %rd3;\nld.shared.u32 %r6, [%rd4];\n"
            "st.global.u32 [%rd2], %r6;\n");
  const Ran ran = run(parent(one_thread + launches("turns", "1", {.block = "32"}), turns), 1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t k = 0; k < 32; ++k) EXPECT_EQ(ran.out[k], 31 - k);
}

// ---- Other functions of the device runtime

/// Calls a function whose arguments are these registers or numbers; the result goes to `to`.
std::string calls(const std::string& name, const std::vector<std::string>& arguments,
                  const std::string& to = "%r30") {
  const std::string type = to.starts_with("%rd") ? "b64" : "b32";
  std::string text = "{\n.param ." + type + " result;\n";
  std::string list;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string area = "a" + std::to_string(k);
    const std::string wide =
        arguments[k].starts_with("%r") && !arguments[k].starts_with("%rd") ? "b32" : "b64";
    text += ".param ." + wide + " " + area + ";\nst.param." + wide + " [" + area + "], " +
            arguments[k] + ";\n";
    list += (k == 0 ? "" : ", ") + area;
  }
  return text + "call (result), __cudaCDP2" + name + ", (" + list + ");\nld.param." + type + " " +
         to + ", [result];\n}\n";
}

const std::string more_declarations =
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBuffer(.param .b64 a, .param .b64 n);\n"
    ".extern .func (.param .b32 e) __cudaCDP2LaunchDevice(.param .b64 f, .param .b64 to, "
    ".param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s, .param .b64 st);\n"
    ".extern .func (.param .b32 e) __cudaCDP2Malloc(.param .b64 to, .param .b64 n);\n"
    ".extern .func (.param .b32 e) __cudaCDP2Free(.param .b64 at);\n"
    ".extern .func (.param .b32 e) __cudaCDP2GetDevice(.param .b64 to);\n";

Ran run_calls(const std::string& body, const RunOptions& options = {}) {
  return run(parent(body, more_declarations + adding_child()), 1, 1, 8, options);
}

TEST(DeviceLaunches, a_kernel_is_launched_by_the_earlier_functions_too) {
  const Ran ran = run_calls(
      calls("GetParameterBuffer", {"8", "12"}, "%rd7") +
      "st.u64 [%rd7], %rd1;\nst.u32 [%rd7+8], 6;\n"
      "{\n.param .b64 f; .param .b64 to; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];\n"
      ".param .b32 s; .param .b64 st; .param .b32 e;\nmov.u64 %rd8, adds;\n"
      "st.param.b64 [f], %rd8;\nst.param.b64 [to], %rd7;\nst.param.b32 [g], 1;\n"
      "st.param.b32 [g+4], 1;\nst.param.b32 [g+8], 1;\nst.param.b32 [b], 1;\n"
      "st.param.b32 [b+4], 1;\nst.param.b32 [b+8], 1;\nst.param.b32 [s], 0;\n"
      "st.param.b64 [st], 0;\ncall (e), __cudaCDP2LaunchDevice, (f, to, g, b, s, st);\n"
      "ld.param.b32 %r30, [e];\n}\nst.global.u32 [%rd1+4], %r30;\n");
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 6U);
  EXPECT_EQ(ran.out[1], 0U);
}

TEST(DeviceLaunches, a_thread_has_four_parameter_buffers) {
  std::string body;
  for (int k = 0; k < 5; ++k) body += calls("GetParameterBuffer", {"8", "12"}, "%rd7");
  const Ran ran = run_calls(body + "st.global.u64 [%rd1], %rd7;\n");
  EXPECT_EQ(ran.out[0], 0U);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::unchecked_error));
}

TEST(DeviceLaunches, memory_of_the_device_runtime_is_that_of_malloc) {
  const std::string gets = calls("Malloc", {"%rd1", "16"}) + "ld.global.u64 %rd7, [%rd1];\n";
  EXPECT_THAT(run_calls(gets + "st.u32 [%rd7+12], 1;\n" + calls("Free", {"%rd7"})).faults,
              IsEmpty());
  EXPECT_THAT(run_calls(gets + "st.u32 [%rd7+16], 1;\n").faults,
              ElementsAre(FaultKind::out_of_bounds));
  EXPECT_THAT(run_calls(gets + calls("Free", {"%rd7"}) + calls("Free", {"%rd7"})).faults,
              ElementsAre(FaultKind::double_free));
  const std::string store = "st.global.u32 [%rd1+8], %r30;\n";
  EXPECT_EQ(run_calls(calls("Malloc", {"%rd1", "0"}) + store).out[2], 2U);
  EXPECT_EQ(run_calls(calls("Malloc", {"0", "16"}) + store).out[2], 1U);
  EXPECT_EQ(run_calls(calls("Free", {"12345"}) + store).out[2], 1U);
}

TEST(DeviceLaunches, results_are_stored_as_by_the_kernel) {
  RunOptions options;
  options.device = 3;
  EXPECT_EQ(run_calls(calls("GetDevice", {"%rd1"}), options).out[0], 3U);
  EXPECT_THAT(run_calls("add.u64 %rd7, %rd1, 32;\n" + calls("GetDevice", {"%rd7"})).faults,
              ElementsAre(FaultKind::out_of_bounds));
  EXPECT_THAT(run_calls("add.u64 %rd7, %rd1, 2;\n" + calls("GetDevice", {"%rd7"})).faults,
              ElementsAre(FaultKind::misaligned));
}

TEST(DeviceLaunches, functions_that_the_machine_lacks_are_named) {
  const std::string text = parent(
      "{ .param .b64 to; .param .b32 n; .param .b32 e;\nst.param.b64 [to], %rd1;\n"
      "st.param.b32 [n], 0;\ncall.uni (e), __cudaCDP2DeviceGetLimit, (to, n); }\n",
      ".extern .func (.param .b32 e) __cudaCDP2DeviceGetLimit(.param .b64 to, .param .b32 n);\n");
  try {
    run(text, 1, 1);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cudaDeviceGetLimit in a kernel: the machine does not "
                                        "have this function of CUDA's device runtime"));
  }
}

}  // namespace
}  // namespace bankproof::ptx
