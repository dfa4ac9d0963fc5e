// Launches that repeat are not executed, and nobody can tell but by the report. The main test runs
// random programs of the host on two sessions, of which one executes every launch.
#include "../../../cuda/session/repeats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "../../../cuda/session/session.hpp"
#include "../../../ptx/report/stored.hpp"
#include "../../../ptx/syntax/parser.hpp"

namespace bankproof::cuda {
namespace {

using ::testing::ElementsAre;

// Each kernel has two buffers of 64 words, and 64 threads: %rd3 and %rd4 are the thread's words,
// %r1 is the thread.
std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 in, .param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<12>;\n"
         ".reg .b64 %rd<12>;\n.local .align 8 .b8 box[16];\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd3, %rd1, %rd5;\n"
         "add.s64 %rd4, %rd2, %rd5;\n" +
         body + "ret;\n}\n";
}

std::string module_text() {
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".const .align 4 .u32 factor = 3;\n.global .align 4 .u32 offset = 5;\n"
         ".global .align 1 .b8 format[4] = {37, 117, 10, 0};\n"
         ".extern .func (.param .b32 result) vprintf (.param .b64 f, .param .b64 a);\n" +
         kernel("add_one",
                "ld.global.u32 %r2, [%rd3];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd4], %r2;\n") +
         kernel("read_half",
                "setp.ge.u32 %p1, %r1, 32;\n@%p1 ret;\n"
                "ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd4], %r2;\n") +
         kernel("gather",
                "ld.global.u32 %r2, [%rd3];\nand.b32 %r2, %r2, 63;\nmul.wide.u32 %rd6, %r2, 4;\n"
                "add.s64 %rd6, %rd1, %rd6;\nld.global.u32 %r3, [%rd6];\n"
                "st.global.u32 [%rd4], %r3;\n") +
         kernel("in_place",
                "ld.global.u32 %r2, [%rd4];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd4], %r2;\n") +
         kernel("variables",
                "ld.const.u32 %r2, [factor];\nld.global.u32 %r3, [offset];\n"
                "mad.lo.u32 %r2, %r2, %r1, %r3;\nst.global.u32 [%rd4], %r2;\n") +
         // Races if two warps load the same number.
         kernel("scatter",
                "ld.global.u32 %r2, [%rd3];\nand.b32 %r2, %r2, 63;\nmul.wide.u32 %rd6, %r2, 4;\n"
                "add.s64 %rd6, %rd2, %rd6;\nst.global.u32 [%rd6], %r1;\n") +
         // Two threads write one word.
         kernel("collide",
                "shr.u32 %r3, %r1, 1;\nmul.wide.u32 %rd6, %r3, 4;\nadd.s64 %rd6, %rd2, %rd6;\n"
                "ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd6], %r2;\n") +
         kernel("count", "atom.global.add.u32 %r2, [%rd2], 1;\n") +
         kernel("clock", "mov.u32 %r2, %clock;\nst.global.u32 [%rd4], %r2;\n") +
         kernel("print",
                "setp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\nld.global.u32 %r2, [%rd3];\n"
                "st.local.u32 [box], %r2;\nmov.u64 %rd6, box;\ncvta.local.u64 %rd6, %rd6;\n"
                "mov.u64 %rd7, format;\ncvta.global.u64 %rd7, %rd7;\n{\n"
                ".param .b64 p0;\nst.param.b64 [p0], %rd7;\n.param .b64 p1;\n"
                "st.param.b64 [p1], %rd6;\n.param .b32 r0;\n"
                "call.uni (r0), vprintf, (p0, p1);\n}\n");
}

constexpr std::array kernel_names = {"add_one", "read_half", "gather", "in_place", "variables",
                                     "collide", "scatter",   "count",  "clock",    "print"};
constexpr std::uint64_t bytes_of_buffer = 256;

std::vector<std::byte> words(std::uint32_t first) {
  std::vector<std::uint32_t> values(bytes_of_buffer / 4);
  for (std::uint32_t& value : values) value = first++;
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

struct Host {
  explicit Host(bool every_launch = false)
      : session({.threads = 1, .every_launch = every_launch}),
        file(std::make_shared<const KernelFile>(
            KernelFile{ptx::parse(module_text(), "repeats.ptx"), ""})) {}

  LaunchOutcome launch(const std::string& kernel, std::uint32_t in, std::uint32_t out) {
    std::vector<ArgumentBytes> arguments;
    for (const std::uint32_t buffer : {in, out}) {
      const std::uint64_t address = Session::address(buffer);
      const auto bytes = std::as_bytes(std::span(&address, 1));
      arguments.push_back({{bytes.begin(), bytes.end()}, "a buffer"});
    }
    return session.run(file, kernel, {{1, 1, 1}, {64, 1, 1}, 0}, arguments);
  }
  std::vector<std::byte> bytes(std::uint32_t buffer) const {
    const auto all = session.data(buffer);
    return {all.begin(), all.end()};
  }

  Session session;
  SharedKernelFile file;
};

/// A host with buffers `in` and `out` after launches of which the third would repeat the second.
struct Warm : Host {
  explicit Warm(const std::string& kernel = "add_one") {
    in = session.add_buffer("in", words(0));
    out = session.add_buffer("out", bytes_of_buffer);
    launch(kernel, in, out);
    launch(kernel, in, out);
  }
  std::uint32_t in = 0;
  std::uint32_t out = 0;
};

TEST(Repeats, are_not_executed_from_the_third_launch_on) {
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", words(7));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  std::vector<bool> repeated;
  for (int k = 0; k < 5; ++k) repeated.push_back(host.launch("add_one", in, out).is_repeated);
  EXPECT_THAT(repeated, ElementsAre(false, false, true, true, true));
  EXPECT_EQ(host.bytes(out), words(8));
  const ptx::KernelReport report = host.session.report();
  EXPECT_EQ(report.launches, 5U);
  ASSERT_EQ(report.taken.size(), 2U);
  EXPECT_EQ(report.taken[0].kernel, "add_one");
  EXPECT_EQ(report.taken[0].from, 0U);
  EXPECT_FALSE(report.taken[0].executed);
  EXPECT_EQ(report.taken[0].count(), 3U);
  EXPECT_EQ(report.taken[0].launches.size(), 1U);
  EXPECT_TRUE(report.taken[1].executed);
}

TEST(Repeats, are_executed_after_one_byte_of_the_input_has_changed) {
  Warm host;
  const std::byte changed{77};
  host.session.write(host.in, 255, {&changed, 1});
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  EXPECT_EQ(host.bytes(host.out)[255], changed);
}

TEST(Repeats, are_executed_after_one_byte_of_the_output_has_changed) {
  Warm host;
  const std::byte changed{77};
  host.session.write(host.out, 3, {&changed, 1});
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  EXPECT_EQ(host.bytes(host.out), words(1));
}

TEST(Repeats, stay_repeats_after_a_write_of_equal_bytes) {
  Warm host;
  host.session.write(host.in, 0, words(0));
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
  const std::uint32_t equal = host.session.add_buffer("equal", words(0));
  host.session.copy(host.in, 0, equal, 0, bytes_of_buffer);
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
}

TEST(Repeats, are_executed_after_the_input_is_undefined_again) {
  Warm host;
  host.session.undefine(host.in, 8, 4);
  const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(outcome.is_repeated);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, are_executed_after_the_input_is_freed) {
  Warm host;
  host.session.release(host.in);
  host.session.add_buffer("a smaller one", words(0).size() / 2);
  const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(outcome.is_repeated);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, are_executed_while_the_host_may_write_at_any_time) {
  Warm host;
  const std::span<std::byte> kept = host.session.data(host.in);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  kept[0] = std::byte{200};
  host.launch("add_one", host.in, host.out);
  EXPECT_EQ(host.bytes(host.out)[0], std::byte{201});
}

TEST(Repeats, ignore_changes_of_what_they_do_not_touch) {
  Warm host;
  const std::uint32_t other = host.session.add_buffer("other", words(0));
  host.session.data(other)[0] = std::byte{1};
  const std::byte changed{77};
  host.session.write(other, 9, {&changed, 1});
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
  host.session.release(other);
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
}

TEST(Repeats, may_be_of_kernels_that_alternate) {
  Host host;
  std::vector<std::uint32_t> buffers{host.session.add_buffer("0", words(0))};
  for (int k = 1; k < 3; ++k) buffers.push_back(host.session.add_buffer("more", bytes_of_buffer));
  int repeated = 0;
  for (int round = 0; round < 5; ++round) {
    for (std::size_t k = 0; k < 2; ++k) {
      repeated += host.launch("add_one", buffers[k], buffers[k + 1]).is_repeated;
    }
  }
  EXPECT_EQ(repeated, 6);
}

TEST(Repeats, are_never_of_kernels_that_read_the_clock_or_work_in_place) {
  for (const std::string name : {"clock", "in_place", "count"}) {
    Host host;
    const std::uint32_t out = host.session.add_buffer("out", words(0));
    for (int k = 0; k < 9; ++k) EXPECT_FALSE(host.launch(name, out, out).is_repeated) << name;
  }
}

TEST(Repeats, on_other_values_are_not_judged_again_if_the_kernel_is_oblivious) {
  Host host;
  const std::uint32_t out = host.session.add_buffer("out", words(0));
  std::vector<bool> known;
  for (int k = 0; k < 4; ++k) known.push_back(host.launch("in_place", out, out).is_known);
  EXPECT_THAT(known, ElementsAre(false, true, true, true));
  EXPECT_EQ(host.bytes(out), words(4));
  const ptx::KernelReport report = host.session.report();
  ASSERT_EQ(report.taken.size(), 1U);
  EXPECT_TRUE(report.taken[0].executed);
  EXPECT_EQ(report.taken[0].from, 0U);
  EXPECT_EQ(report.taken[0].count(), 3U);
  EXPECT_EQ(report.totals.accesses, 16U);
}

TEST(Repeats, on_other_values_are_judged_again_if_the_kernel_is_not_oblivious) {
  Warm host("gather");
  host.session.write(host.in, 0, words(9));
  EXPECT_FALSE(host.launch("gather", host.in, host.out).is_known);
  // Thread 0 now reads word 60.
  const std::uint32_t index = 60;
  host.session.write(host.in, 0, std::as_bytes(std::span(&index, 1)));
  host.session.undefine(host.in, 240, 4);
  EXPECT_FALSE(host.launch("gather", host.in, host.out).is_clean);
}

TEST(Repeats, on_other_values_may_race_if_the_kernel_is_not_oblivious) {
  Warm host("scatter");
  const std::uint32_t zero = 0;
  host.session.write(host.in, 252, std::as_bytes(std::span(&zero, 1)));
  const LaunchOutcome outcome = host.launch("scatter", host.in, host.out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, on_other_values_may_collide) {
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", std::vector<std::byte>(bytes_of_buffer));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  EXPECT_TRUE(host.launch("collide", in, out).is_clean);
  host.session.write(in, 0, std::vector<std::byte>(bytes_of_buffer, std::byte{1}));
  EXPECT_TRUE(host.launch("collide", in, out).is_known);
  host.session.write(in, 0, words(1));
  const LaunchOutcome outcome = host.launch("collide", in, out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, on_other_values_are_judged_again_after_memory_is_undefined_or_freed) {
  const std::byte changed{77};
  Warm host;
  host.session.write(host.in, 0, {&changed, 1});
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_known);
  host.session.undefine(host.in, 8, 4);
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_clean);
  Warm other;
  other.session.release(other.in);
  other.session.add_buffer("a smaller one", 128);
  EXPECT_FALSE(other.launch("add_one", other.in, other.out).is_clean);
}

// A copy of undefined bytes makes bytes undefined, too.
TEST(Repeats, on_other_values_are_judged_again_after_a_copy_of_undefined_bytes) {
  Warm host;
  const std::uint32_t undefined = host.session.add_buffer("undefined", 4);
  host.session.copy(host.in, 8, undefined, 0, 4);
  const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, print_again) {
  Warm host("print");
  const LaunchOutcome again = host.launch("print", host.in, host.out);
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.printed, "0\n");
  EXPECT_EQ(host.session.report().printed, "0\n0\n0\n");
  // printf may have read any string.
  const std::uint32_t other = host.session.add_buffer("other", words(0));
  host.session.write(other, 0, words(1));
  EXPECT_FALSE(host.launch("print", host.in, host.out).is_repeated);
}

TEST(Repeats, tell_what_they_touched_or_are_executed) {
  Warm host;
  host.session.keep_touched(true);
  const LaunchOutcome judged = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(judged.is_repeated || judged.is_known);
  const TouchedBuffers executed = host.session.touched_by_last_launch();
  EXPECT_EQ(executed.size(), 2U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
    EXPECT_EQ(host.session.touched_by_last_launch(), executed);
  }
}

TEST(Repeats, are_executed_if_every_launch_is) {
  Host host(true);
  const std::uint32_t in = host.session.add_buffer("in", words(7));
  for (int k = 0; k < 5; ++k) EXPECT_FALSE(host.launch("add_one", in, in).is_repeated);
  EXPECT_TRUE(host.session.report().taken.empty());
}

std::string report_without_taken(const Session& session) {
  ptx::KernelReport report = session.report();
  report.taken.clear();
  return ptx::stored(report);
}

// One step of a random program of the host, on both sessions.
struct Both {
  template <class F>
  auto on_both(const F& f) {
    f(every);
    return f(some);
  }
  void step() {
    const auto pick = [this] { return *rc::gen::elementOf(live); };
    const std::uint64_t offset = *rc::gen::inRange<std::uint64_t>(0, bytes_of_buffer);
    const auto value = static_cast<std::byte>(*rc::gen::inRange(0, 4));
    const std::uint32_t a = pick();
    const std::uint32_t b = pick();
    switch (*rc::gen::weightedElement<int>(
        {{40, 0}, {4, 1}, {3, 2}, {2, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}})) {
      case 0: {
        const std::string name = *rc::gen::elementOf(kernel_names);
        for (int k = *rc::gen::inRange(1, 4); k > 0; --k) {
          const LaunchOutcome expected = every.launch(name, a, b);
          const LaunchOutcome found = some.launch(name, a, b);
          repeated += found.is_repeated;
          known += found.is_known;
          RC_ASSERT(found.printed == expected.printed);
          RC_ASSERT(found.time == expected.time);
          RC_ASSERT(found.is_clean == expected.is_clean);
        }
        break;
      }
      case 1:
        on_both([&](Host& host) { host.session.write(a, offset, {&value, 1}); });
        break;
      case 2:
        on_both([&](Host& host) { host.session.copy(a, 0, b, 0, bytes_of_buffer); });
        break;
      case 3:
        on_both([&](Host& host) { host.session.define(a); });
        break;
      case 4:
        on_both([&](Host& host) {
          host.session.undefine(a, offset, std::min<std::uint64_t>(4, bytes_of_buffer - offset));
        });
        break;
      case 5:
        if (live.size() > 1) {
          on_both([&](Host& host) { host.session.release(a); });
          std::erase(live, a);
        }
        live.push_back(
            on_both([](Host& host) { return host.session.add_buffer("new", words(1)); }));
        break;
      case 6:
        on_both([&](Host& host) {
          const std::uint32_t variable = static_cast<std::uint32_t>(value);
          host.session.set_symbol(host.file, offset % 2 == 0 ? "factor" : "offset",
                                  std::as_bytes(std::span(&variable, 1)));
        });
        break;
      default:
        on_both([&](Host& host) { host.session.data(a)[offset] = value; });
        break;
    }
    for (const std::uint32_t buffer : live) RC_ASSERT(some.bytes(buffer) == every.bytes(buffer));
  }

  Host every{true};
  Host some;
  std::vector<std::uint32_t> live{0, 1, 2};
  int repeated = 0;
  int known = 0;
};

RC_GTEST_PROP(Repeats, change_nothing_but_the_time_that_a_program_takes, ()) {
  Both both;
  both.on_both([](Host& host) {
    host.session.add_buffer("in", words(0));
    host.session.add_buffer("out", bytes_of_buffer);
    host.session.add_buffer("more", words(4));
  });
  for (int k = *rc::gen::inRange(0, 60); k > 0; --k) both.step();
  RC_ASSERT(report_without_taken(both.some.session) == report_without_taken(both.every.session));
  RC_TAG(both.repeated == 0 ? "none repeated" : "some repeated");
  RC_TAG(both.known == 0 ? "none known" : "some known");
}

}  // namespace
}  // namespace bankproof::cuda
