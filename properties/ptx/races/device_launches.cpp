// Which accesses of kernels and of their children are ordered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../exec/device_support.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string write_first = "st.global.u32 [%rd1], 5;\n";
const std::string read_first = "ld.global.u32 %r9, [%rd1];\n";
const std::string meeting = "bar.sync 0;\n";

Ran run_parent(const std::string& body, std::uint32_t blocks = 1, std::uint32_t threads = 1,
               const std::string& more = {}) {
  return run(parent(body, adding_child() + noting_child() + more), blocks, threads, 16);
}

bool races(const Ran& ran) {
  for (const FaultKind kind : ran.faults) {
    if (kind == FaultKind::race) return true;
  }
  return false;
}

TEST(DeviceLaunchRaces, a_child_sees_what_its_thread_wrote_before_the_launch) {
  const Ran ran = run_parent(write_first + launches("adds", "1"));
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 6U);
}

TEST(DeviceLaunchRaces, a_parent_does_not_see_what_its_child_wrote) {
  const Ran reads = run_parent(launches("adds", "1") + read_first);
  EXPECT_TRUE(races(reads));
  const Fault& fault = reads.result.faults.all().begin()->second;
  EXPECT_EQ(fault.thread.launch, 1U);
  EXPECT_THAT(fault.message, HasSubstr("is not ordered with a read by block 0, thread 0 of k"));
  EXPECT_TRUE(races(run_parent(launches("adds", "1") + write_first)));
  // A barrier or a fence of the parent does not wait for children.
  EXPECT_TRUE(races(run_parent(launches("adds", "1") + meeting + read_first)));
  EXPECT_TRUE(races(run_parent(launches("adds", "1") + "fence.sc.gpu;\n" + read_first)));
  EXPECT_FALSE(races(run_parent(read_first + launches("adds", "1"))));
}

TEST(DeviceLaunchRaces, a_child_sees_other_threads_of_the_block_only_behind_a_barrier) {
  const std::string skip = "setp.ne.u32 %p2, %r1, 40;\n@%p2 bra SKIP;\n" + write_first + "SKIP:\n";
  EXPECT_FALSE(races(run_parent(skip + meeting + one_thread + launches("adds", "1"), 1, 64)));
  EXPECT_TRUE(races(run_parent(skip + one_thread + launches("adds", "1"), 1, 64)));
  // The other lanes of the warp that launches are other threads, too.
  const std::string lane = "setp.ne.u32 %p2, %r1, 3;\n@%p2 bra SKIP;\n" + write_first + "SKIP:\n";
  EXPECT_TRUE(races(run_parent(lane + one_thread + launches("adds", "1"), 1, 32)));
  EXPECT_FALSE(
      races(run_parent(lane + "bar.warp.sync -1;\n" + one_thread + launches("adds", "1"), 1, 32)));
}

TEST(DeviceLaunchRaces, children_of_two_blocks_are_not_ordered) {
  EXPECT_TRUE(races(run_parent(one_thread + launches("adds", "1"), 2)));
  EXPECT_FALSE(
      races(run_parent(one_thread + "mul.wide.u32 %rd7, %r3, 4;\nadd.u64 %rd7, %rd7, %rd1;\n" +
                           launches("adds", "1", {}, "%rd7"),
                       2)));
}

TEST(DeviceLaunchRaces, two_threads_of_a_block_share_its_default_stream) {
  const Ran ran = run_parent(launches("adds", "1"), 1, 40);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 40U);
  // The default stream of each thread, as of programs with --default-stream per-thread.
  EXPECT_TRUE(races(run_parent(launches("adds", "1", {.stream = "2"}), 1, 40)));
}

TEST(DeviceLaunchRaces, a_child_of_many_threads_writes_what_a_parent_of_many_read) {
  const std::string writes = child("writes", "st.global.u32 [%rd2], %r5;\n");
  const std::string reads = "ld.global.u32 %r9, [%rd2];\n";
  const std::string launch = one_thread + launches("writes", "4", {.grid = "2", .block = "64"});
  const auto run_many = [&](const std::string& body) { return run(parent(body, writes), 1, 128); };
  EXPECT_FALSE(races(run_many(reads + meeting + launch)));
  EXPECT_TRUE(races(run_many(reads + launch)));
}

TEST(DeviceLaunchRaces, blocks_of_one_child_race_with_each_other) {
  EXPECT_TRUE(races(run_parent(launches("adds", "1", {.grid = "2"}))));
}

TEST(DeviceLaunchRaces, a_grandchild_sees_what_its_grandparent_wrote) {
  const std::string middle = child("middle", launches("adds", "%r5"));
  const Ran ran = run_parent(write_first + launches("middle", "2"), 1, 1, middle);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 7U);
  EXPECT_TRUE(races(run_parent(launches("middle", "2") + write_first, 1, 1, middle)));
}

TEST(DeviceLaunchRaces, the_next_child_of_a_stream_sees_grandchildren) {
  const std::string middle = child("middle", launches("adds", "%r5"));
  EXPECT_FALSE(races(run_parent(launches("middle", "2") + launches("adds", "1"), 1, 1, middle)));
  EXPECT_TRUE(races(
      run_parent(launches("middle", "2") + launches("adds", "1", {.stream = "4"}), 1, 1, middle)));
}

// ---- Streams and events

std::string makes(const std::string& what, int handle, int flags) {
  return "{ .param .b64 to; .param .b32 n; .param .b32 e;\nmov.u64 %rd7, handles;\n"
         "add.u64 %rd7, %rd7, " +
         std::to_string(8 * handle) + ";\nst.param.b64 [to], %rd7;\nst.param.b32 [n], " +
         std::to_string(flags) + ";\ncall.uni (e), __cudaCDP2" + what +
         "CreateWithFlags, (to, n);\nld.param.b32 %r30, [e]; }\n";
}
std::string with_handle(int handle, const std::string& body) {
  return "mov.u64 %rd6, handles;\nld.global.u64 %rd6, [%rd6+" + std::to_string(8 * handle) +
         "];\n" + body;
}
std::string in_stream(int handle, const std::string& number) {
  return with_handle(handle, launches("notes", number, {.stream = "%rd6"}));
}
std::string records(int event, int stream) {
  return with_handle(event, "mov.u64 %rd5, %rd6;\n") +
         with_handle(stream,
                     "{ .param .b64 a; .param .b64 b; .param .b32 e;\n"
                     "st.param.b64 [a], %rd5;\nst.param.b64 [b], %rd6;\n"
                     "call.uni (e), __cudaCDP2EventRecord, (a, b);\n"
                     "ld.param.b32 %r30, [e]; }\n");
}
std::string waits(int stream, int event) {
  return with_handle(event, "mov.u64 %rd5, %rd6;\n") +
         with_handle(stream,
                     "{ .param .b64 a; .param .b64 b; .param .b32 n; .param .b32 e;\n"
                     "st.param.b64 [a], %rd6;\nst.param.b64 [b], %rd5;\n"
                     "st.param.b32 [n], 0;\n"
                     "call.uni (e), __cudaCDP2StreamWaitEvent, (a, b, n);\n"
                     "ld.param.b32 %r30, [e]; }\n");
}
const std::string two_streams = makes("Stream", 0, 1) + makes("Stream", 1, 1);
const std::string one_event = makes("Event", 2, 2);

TEST(DeviceLaunchRaces, two_streams_are_not_ordered_unless_an_event_does) {
  EXPECT_FALSE(races(run_parent(two_streams + in_stream(0, "1") + in_stream(0, "2"))));
  EXPECT_TRUE(races(run_parent(two_streams + in_stream(0, "1") + in_stream(1, "2"))));
  EXPECT_TRUE(races(run_parent(two_streams + in_stream(0, "1") + launches("notes", "2"))));
  const std::string orders = one_event + in_stream(0, "1") + records(2, 0) + waits(1, 2);
  const Ran ran = run_parent(two_streams + orders + in_stream(1, "2"));
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 12U);
  // The event was recorded too early.
  EXPECT_TRUE(races(run_parent(two_streams + one_event + records(2, 0) + in_stream(0, "1") +
                               waits(1, 2) + in_stream(1, "2"))));
}

TEST(DeviceLaunchRaces, wrong_handles_and_flags_are_errors) {
  const std::string store = "st.global.u32 [%rd1], %r30;\n";
  EXPECT_EQ(run_parent(makes("Stream", 0, 0) + store).out[0], 1U);
  EXPECT_EQ(run_parent(makes("Event", 0, 0) + store).out[0], 1U);
  EXPECT_EQ(run_parent(two_streams + records(0, 1) + store).out[0], 400U);
  EXPECT_EQ(run_parent(two_streams + one_event + records(2, 1) + store).out[0], 0U);
}

TEST(DeviceLaunchRaces, a_stream_is_of_the_grid) {
  // Another grid does not have the handle.
  const std::string child_in_stream =
      child("uses", launches("adds", "1", {.stream = "16"}) + "st.global.u32 [%rd1+4], %r30;\n");
  const Ran ran = run_parent(two_streams + launches("uses", "1"), 1, 1, child_in_stream);
  EXPECT_EQ(ran.out[1], 400U);
}

RC_GTEST_PROP(DeviceLaunchRaces, only_launches_of_one_stream_are_ordered, ()) {
  const auto streams =
      *rc::gen::resize(8, rc::gen::container<std::vector<int>>(rc::gen::element(0, 1, 2)));
  const auto schedule = *rc::gen::inRange<std::uint64_t>(0, 3);
  std::string body = two_streams;
  bool one = true;
  std::uint32_t expected = 0;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    const std::string number = std::to_string(k % 10);
    body += streams[k] == 2 ? launches("notes", number) : in_stream(streams[k], number);
    one = one && streams[k] == streams[0];
    expected = expected * 10 + static_cast<std::uint32_t>(k % 10);
  }
  const Ran ran = run(parent(body, noting_child()), 1, 1, 1, with_schedule(schedule));
  RC_ASSERT(races(ran) == !one);
  if (one) RC_ASSERT(ran.out[0] == expected);
}

// ---- The tail, and launches that follow nothing

TEST(DeviceLaunchRaces, the_tail_sees_everything) {
  // Children of two blocks, of two streams, and accesses of the parent after all launches.
  const std::string middle = child("middle", launches("adds", "%r5"));
  const std::string apart =
      "mul.wide.u32 %rd7, %r2, 4;\nadd.u64 %rd7, %rd7, %rd1;\n"
      "add.u64 %rd7, %rd7, 4;\n";
  const std::string sums =
      child("sums",
            "ld.global.u32 %r6, [%rd1];\nld.global.u32 %r7, [%rd1+4];\nadd.u32 %r6, %r6, %r7;\n"
            "ld.global.u32 %r7, [%rd1+8];\nadd.u32 %r6, %r6, %r7;\nst.global.u32 [%rd1], %r6;\n");
  const std::string first_block = "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra END;\n";
  const auto body = [&](const std::string& stream) {
    return apart + launches("middle", "3", {}, "%rd7") + first_block +
           launches("sums", "0", {.stream = stream}) + write_first;
  };
  const Ran ran = run_parent(body("3"), 2, 1, middle + sums);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 11U);
  EXPECT_TRUE(races(run_parent(body("0"), 2, 1, middle + sums)));
}

TEST(DeviceLaunchRaces, launches_of_the_tail_are_in_order) {
  const Ran ran = run_parent(launches("notes", "3", {.stream = "3"}) + launches("notes", "1") +
                             launches("notes", "4", {.stream = "3"}) + launches("notes", "2"));
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 1234U);
}

TEST(DeviceLaunchRaces, the_work_after_a_grid_sees_its_tail) {
  const std::string tails = child("tails", launches("notes", "1", {.stream = "3"}));
  const Ran ran = run_parent(launches("tails", "0") + launches("notes", "2"), 1, 1, tails);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 12U);
}

TEST(DeviceLaunchRaces, what_is_fired_and_forgotten_follows_its_launch_alone) {
  const Where forgets{.stream = "4"};
  EXPECT_FALSE(races(run_parent(write_first + launches("notes", "1", forgets))));
  EXPECT_TRUE(races(run_parent(launches("notes", "1", forgets) + launches("notes", "2", forgets))));
  EXPECT_TRUE(races(run_parent(launches("notes", "1") + launches("notes", "2", forgets))));
  EXPECT_FALSE(
      races(run_parent(launches("notes", "1", forgets) + launches("notes", "2", {.stream = "3"}))));
}

// ---- Clocks of grids

RC_GTEST_PROP(DeviceLaunchRaces, a_clock_of_grids_knows_all_of_their_warps, ()) {
  struct Range {
    WarpNumber first;
    WarpNumber end;
    Epoch epoch;
  };
  const auto ranges = *rc::gen::container<std::vector<Range>>(rc::gen::apply(
      [](WarpNumber first, WarpNumber count, Epoch epoch) {
        return Range{first, first + count, epoch};
      },
      rc::gen::inRange<WarpNumber>(1, 60), rc::gen::inRange<WarpNumber>(0, 40),
      rc::gen::inRange<Epoch>(0, 3)));
  Clock clock;
  std::vector<Epoch> known(100);
  for (const Range& range : ranges) {
    LaneEpochs epochs;
    epochs.fill(range.epoch);
    // A range, or a part of what one warp did.
    const bool whole = range.epoch == 0;
    const WarpNumber end = whole ? range.end : range.first + 1;
    const Clock more = whole ? Clock::of_warps(range.first, range.end) : Clock(range.first, epochs);
    clock = range.first % 2 == 0 ? clock.joined(more) : more.joined(clock);
    for (WarpNumber warp = range.first; warp < end; ++warp) {
      known[warp] = std::max(known[warp], whole ? latest_epoch : range.epoch);
    }
  }
  for (WarpNumber warp = 0; warp < known.size(); ++warp) {
    RC_ASSERT(clock.of(warp, warp % warp_lanes) == known[warp]);
  }
}

// ---- Other launches

TEST(DeviceLaunchRaces, the_next_launch_of_the_host_sees_all) {
  KernelRun twice(parent(launches("adds", "1"), adding_child()), "k");
  const std::uint32_t out = twice.buffer(std::vector<std::uint32_t>(1));
  for (int k = 0; k < 3; ++k) {
    twice.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(twice.faults(), IsEmpty());
  }
  EXPECT_THAT(twice.data<std::uint32_t>(out), ElementsAre(3U));
}

TEST(DeviceLaunchRaces, atomic_operations_of_two_children_do_not_race) {
  const std::string counts = child("counts", "atom.global.add.u32 %r6, [%rd1], 1;\n");
  const Ran ran =
      run_parent(one_thread + launches("counts", "1", {.grid = "3", .block = "40"}), 4, 32, counts);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 480U);
}

// An atomic operation with the scope of the block does not reach block 0 of another grid.
TEST(DeviceLaunchRaces, block_0_of_a_child_is_another_block) {
  const std::string counts = child("counts", "atom.cta.global.add.u32 %r6, [%rd1], 1;\n");
  EXPECT_TRUE(races(run_parent(launches("counts", "1") + launches("counts", "1", {.stream = "4"}),
                               1, 1, counts)));
}

}  // namespace
}  // namespace bankproof::ptx
