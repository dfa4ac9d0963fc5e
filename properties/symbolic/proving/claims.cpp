// Claims about small kernels: what is proved, what a planted bug refutes, and that no launch of a
// proved kernel has a fault on the machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "../../../testing/property.hpp"
#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

using Verdicts = std::map<Claim, Verdict>;

Verdicts verdicts_of(const Request& request) {
  Verdicts all;
  for (const Decision& one : prove(request).decisions) all[one.claim] = one.verdict;
  return all;
}

Request copy_request(const std::string& text) {
  Request request = request_for(text);
  request.where = {"arg2 <= 1 << 30", "gridDim.x <= 1 << 19"};
  request.buffers = {{"arg0", "f32:arg2"}, {"arg1", "f32:arg2"}};
  return request;
}

TEST(Claims, of_a_strided_copy_are_proved) {
  Request request = copy_request(strided_copy);
  request.where.emplace_back("blockDim.x % 32 == 0");
  EXPECT_EQ(verdicts_of(request), (Verdicts{{Claim::race, Verdict::proved},
                                            {Claim::blocks, Verdict::proved},
                                            {Claim::bounds, Verdict::proved},
                                            {Claim::coalesced, Verdict::proved},
                                            {Claim::overflow, Verdict::proved}}));
}

/// The line of the kernel with this instruction.
// Threads along an axis that the kernel does not read write the same.
TEST(Claims, are_about_all_axes_that_are_stated) {
  Request request = request_for(strided_copy);
  request.claims = {Claim::race, Claim::blocks};
  request.shape.block = {32, 8, 1};
  EXPECT_EQ(prove(request).decisions[0].verdict, Verdict::refuted);
  request.shape.block = {32, 1, 1};
  request.shape.grid = {4, 2, 1};
  EXPECT_EQ(prove(request).decisions[1].verdict, Verdict::refuted);
}

TEST(Claims, about_addresses_are_formulas) {
  Request request = request_for(reversal);
  request.shape.block = {64, 1, 1};
  const std::uint32_t written = line_with(reversal, "st.shared");
  const auto verdict = [&](const std::string& formulas, std::vector<StatedRange> ranges = {}) {
    request.addresses = {{written, "tile", formulas}};
    request.ranges = std::move(ranges);
    return verdicts_of(request).at(Claim::address);
  };
  EXPECT_EQ(verdict("threadIdx.x"), Verdict::proved);
  EXPECT_EQ(verdict("threadIdx.x ^ 1"), Verdict::refuted);
  EXPECT_EQ(verdict("threadIdx.x + 1"), Verdict::refuted);
  // Each formula has an access.
  EXPECT_EQ(verdict("threadIdx.x; threadIdx.x + 1"), Verdict::unknown);
  EXPECT_EQ(verdict("threadIdx.x + i", {{"i", 0, 0}}), Verdict::proved);
  EXPECT_EQ(verdict("threadIdx.x + i", {{"i", 0, 1}}), Verdict::unknown);
  request.addresses = {{line_with(reversal, "ld.shared"), "", "blockDim.x - 1 - threadIdx.x"}};
  request.ranges.clear();
  EXPECT_EQ(verdicts_of(request).at(Claim::address), Verdict::proved);
  request.addresses = {{1, "", "threadIdx.x"}};
  EXPECT_THROW(prove(request), PremiseError);
  request.addresses = {{written, "other", "threadIdx.x"}};
  EXPECT_THROW(prove(request), PremiseError);
  request.addresses = {{written, "tile", "threadIdx.x +"}};
  EXPECT_THROW(prove(request), PremiseError);
  request.addresses = {{written, "tile", "threadIdx.x"}};
  request.ranges = {{"blockDim_x", 0, 1}};
  EXPECT_THROW(prove(request), PremiseError);
}

TEST(Claims, of_a_reversal_in_shared_memory_are_proved) {
  Request request = request_for(reversal);
  request.where = {"blockDim.x <= 256"};
  request.claims = {Claim::race, Claim::barriers, Claim::bounds, Claim::banks};
  request.buffers = {{"arg0", "f32:blockDim.x"}};
  EXPECT_EQ(verdicts_of(request), (Verdicts{{Claim::race, Verdict::proved},
                                            {Claim::barriers, Verdict::proved},
                                            {Claim::bounds, Verdict::proved},
                                            {Claim::banks, Verdict::proved}}));
}

struct Bug {
  const char* kernel;
  const char* old;
  const char* bug;
  Claim refuted;
};

// Each kind of claim has bugs that it must find, and the machine must show.
TEST(ClaimCanary, planted_bugs_are_refuted) {
  const Bug bugs[] = {
      // Without its guard; one word too far; a stride that is too small.
      {strided_copy, "@%p1 bra END;", "", Claim::bounds},
      {strided_copy, "setp.lt.s32 %p2", "setp.le.s32 %p2", Claim::bounds},
      {strided_copy, "mul.lo.s32 %r7, %r5, %r4", "mov.u32 %r7, 1", Claim::blocks},
      {strided_copy, "mul.lo.s32 %r7, %r5, %r4", "mov.u32 %r7, 1", Claim::race},
      {strided_copy, "mul.wide.s32 %rd3, %r6, 4;", "mul.wide.s32 %rd3, %r6, 8;", Claim::coalesced},
      {strided_copy, "mul.wide.s32 %rd3, %r6, 4;",
       "shl.b32 %r8, %r6, 29; mul.wide.s32 %rd3, %r8, 4;", Claim::overflow},
      {reversal, "bar.sync 0;", "", Claim::race},
      {reversal, "bar.sync 0;", "setp.lt.u32 %p1, %r1, 7; @%p1 bar.sync 0; bar.sync 0;",
       Claim::barriers},
      {reversal, "[%r6+-4]", "[%r6]", Claim::bounds},
      {reversal, "tile[1024]", "tile[1020]", Claim::bounds},
      {reversal, "mad.lo.s32 %r4, %r1, 4, %r3", "mad.lo.s32 %r4, %r1, 8, %r3", Claim::banks},
      {reversal, "mad.lo.s32 %r8, %r2, 0, %r1", "mov.u32 %r8, 0", Claim::blocks}};
  for (const Bug& bug : bugs) {
    const bool of_copy = bug.kernel == strided_copy;
    std::string text = planted(bug.kernel, bug.old, bug.bug);
    if (!of_copy) text = planted(text, ".reg .b32 %r<9>;", ".reg .b32 %r<9>; .reg .pred %p<2>;");
    Request request = of_copy ? copy_request(text) : request_for(text);
    if (!of_copy) request.where = {"blockDim.x <= 256"};
    request.claims = {bug.refuted};
    EXPECT_EQ(verdicts_of(request), (Verdicts{{bug.refuted, Verdict::refuted}})) << bug.bug;
  }
}

/// In each iteration, the threads with a word that is not 0 come to a barrier.
constexpr const char* barriers_by_contents = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry step(.param .u64 in, .param .u32 n)
{
.reg .pred %p<4>;
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[4096];
ld.param.u64 %rd1, [in];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, tile;
mad.lo.s32 %r3, %r2, 4, %r3;
mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd3, %rd1, %rd2;
mov.u32 %r4, 0;
LOOP:
ld.global.u32 %r5, [%rd3];
setp.eq.s32 %p1, %r5, 0;
@%p1 bra NEXT;
bar.sync 0;
st.shared.u32 [%r3], %r4;
NEXT:
add.s64 %rd3, %rd3, 4096;
add.s32 %r4, %r4, 1;
setp.lt.s32 %p2, %r4, %r1;
@%p2 bra LOOP;
ret;
}
)";

TEST(Claims, about_barriers_leave_out_threads_that_have_ended) {
  const auto proof = [](const std::string& text) {
    Request request =
        request_for(planted(text, ".reg .b32 %r<9>;", ".reg .b32 %r<9>; .reg .pred %p<2>;"));
    request.where = {"blockDim.x <= 256"};
    request.claims = {Claim::barriers, Claim::race};
    return prove(request);
  };
  const std::string leave = "setp.ge.u32 %p1, %r1, 20; @%p1 bra END; ";
  const std::string last = "st.global.u32 [%rd3], %r7;";
  const std::string ended = planted(reversal, last, last + " END:");
  const KernelProof early =
      proof(planted(ended, "st.shared.u32 [%r4], %r1;", leave + "st.shared.u32 [%r4], %r1;"));
  for (const Decision& one : early.decisions) EXPECT_EQ(one.verdict, Verdict::proved);
  EXPECT_THAT(early.assumptions, ::testing::Contains(::testing::HasSubstr(
                                     "a barrier does not wait for threads that have ended")));
  EXPECT_THAT(proof(reversal).assumptions,
              ::testing::Not(::testing::Contains(::testing::HasSubstr("have ended"))));
  // Planted bugs: what leaves the barrier out goes on behind it, or comes to another one.
  for (const std::string& behind : {std::string("sub.s32 %r5, %r2, %r1;"), last}) {
    EXPECT_EQ(proof(planted(planted(reversal, behind, "END: " + behind), "bar.sync 0;",
                            leave + "bar.sync 0;"))
                  .decisions.front()
                  .verdict,
              Verdict::refuted);
  }
  // A thread that leaves out the barrier of one iteration has not ended.
  for (const char* const value : {"ld.global.u32 %r5, [%rd3];", "mov.u32 %r5, %clock;"}) {
    Request request =
        request_for(planted(barriers_by_contents, "ld.global.u32 %r5, [%rd3];", value));
    request.claims = {Claim::barriers};
    EXPECT_NE(prove(request).decisions.front().verdict, Verdict::proved) << value;
  }
}

TEST(Claims, without_what_they_need_are_not_proved) {
  Request request = request_for(strided_copy);
  request.claims = {Claim::bounds};
  EXPECT_EQ(verdicts_of(request), (Verdicts{{Claim::bounds, Verdict::unknown}}));
  request.claims = {Claim::banks};  // it has no shared memory
  EXPECT_EQ(verdicts_of(request), (Verdicts{{Claim::banks, Verdict::nothing}}));
}

// Claims that look proved although a premise of the proof does not hold.
TEST(ClaimCanary, nothing_follows_from_what_does_not_hold) {
  const auto verdict = [](const std::string& text, Claim claim,
                          std::optional<std::uint32_t> most = {}) {
    Request request = request_for(text);
    request.where = {"blockDim.x <= 256"};
    request.claims = {claim};
    request.most_wavefronts = most;
    return verdicts_of(request).at(claim);
  };
  // A barrier that only some threads reach separates nothing.
  const std::string some =
      planted(planted(reversal, "bar.sync 0;", "setp.lt.u32 %p1, %r1, 7; @%p1 bar.sync 0;"),
              ".reg .b32 %r<9>;", ".reg .b32 %r<9>; .reg .pred %p<2>;");
  EXPECT_NE(verdict(some, Claim::race), Verdict::proved);
  // No thread comes to an access.
  Request nobody = copy_request(strided_copy);
  nobody.where.emplace_back("arg2 == 0");
  EXPECT_EQ(verdicts_of(nobody).at(Claim::race), Verdict::unknown);
  // A counter that wraps around, in a launch that is too large for the machine.
  Request large = request_for(strided_copy);
  large.claims = {Claim::overflow};
  EXPECT_EQ(verdicts_of(large).at(Claim::overflow), Verdict::unknown);
  // Blocks whose warps do not begin at a sector; and one sector more than needed.
  Request odd = copy_request(strided_copy);
  odd.claims = {Claim::coalesced};
  EXPECT_EQ(verdicts_of(odd).at(Claim::coalesced), Verdict::refuted);
  odd.shape.block = {33, 1, 1};
  EXPECT_EQ(verdicts_of(odd).at(Claim::coalesced), Verdict::refuted);
  odd.most_sectors = 1;
  EXPECT_EQ(verdicts_of(odd).at(Claim::coalesced), Verdict::proved);
  // Pairs of words take two wavefronts at least.
  std::string pairs = planted(reversal, "tile[1024]", "tile[2048]");
  pairs = planted(pairs, "mad.lo.s32 %r4, %r1, 4, %r3", "mad.lo.s32 %r4, %r1, 8, %r3");
  pairs = planted(pairs, "st.shared.u32 [%r4], %r1;", "st.shared.v2.u32 [%r4], {%r1, %r1};");
  EXPECT_EQ(verdict(pairs, Claim::banks), Verdict::proved);
  EXPECT_EQ(verdict(pairs, Claim::banks, 1), Verdict::unknown);
  // A generic store to shared memory has banks as any other.
  std::string generic =
      planted(reversal, "st.shared.u32 [%r4], %r1;", "cvt.u64.u32 %rd4, %r4; st.u32 [%rd4], %r1;");
  generic = planted(generic, "mad.lo.s32 %r4, %r1, 4, %r3", "mad.lo.s32 %r4, %r1, 8, %r3");
  EXPECT_NE(verdict(generic, Claim::banks), Verdict::proved);
  // Two names of dynamic shared memory are one array.
  std::string dynamic = planted(reversal, ".visible .entry",
                                ".extern .shared .align 4 .b8 a[];\n.extern .shared .align 4 .b8 "
                                "b[];\n.visible .entry");
  dynamic = planted(dynamic, "mov.u32 %r3, tile;", "mov.u32 %r3, a;");
  dynamic = planted(dynamic, "bar.sync 0;", "mov.u32 %r3, b;");
  EXPECT_NE(verdict(dynamic, Claim::race), Verdict::proved);
}

TEST(Claims, of_buffers_and_shared_memory_that_no_launch_has_are_refused) {
  for (const auto& [size, more] : {std::pair("0:arg2", 0U), {"f32:4", 1U}, {"f32:arg2", 2U}}) {
    Request request = request_for(strided_copy);
    request.buffers = {{"arg0", size}};
    if (more == 1) request.buffers.emplace_back("arg0", "f32:arg2");
    if (more == 2) request.shared = "1 << 30";
    EXPECT_THROW(prove(request), PremiseError) << size;
  }
}

TEST(Claims, with_premises_that_contradict_each_other_are_refused) {
  Request request = copy_request(strided_copy);
  request.where.emplace_back("arg2 > 1 << 30");
  EXPECT_THROW(prove(request), PremiseError);
  request.where = {"arg2 <"};
  EXPECT_THROW(prove(request), PremiseError);
  request.where = {"m < 5"};
  EXPECT_THROW(prove(request), PremiseError);
}

template <class T>
cuda::ArgumentBytes argument(const T& value) {
  cuda::ArgumentBytes made{std::vector<std::byte>(sizeof(T)), "?"};
  std::memcpy(made.bytes.data(), &value, sizeof(T));
  return made;
}

BANKPROOF_PROPERTY(Claims, that_are_proved_hold_on_the_machine, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(0, 300);
  const auto blocks = *rc::gen::inRange<std::uint32_t>(1, 5);
  const auto threads = *rc::gen::inRange<std::uint32_t>(1, 257);
  cuda::Session session;
  const auto launch = [&](const char* text, const std::vector<cuda::ArgumentBytes>& arguments,
                          std::uint32_t grid) {
    ptx::LaunchShape shape;
    shape.grid = {grid, 1, 1};
    shape.block = {threads, 1, 1};
    return session.launch(request_for(text).file, "", shape, arguments);
  };
  // A buffer has a byte at least.
  const auto buffer = [&](std::uint64_t words) {
    return argument(cuda::Session::address(
        session.add_buffer("b", std::vector<std::byte>(std::max<std::uint64_t>(4 * words, 1)))));
  };
  const auto copied = launch(strided_copy, {buffer(n), buffer(n), argument(n)}, blocks);
  RC_ASSERT(copied.faults.empty());
  const auto reversed = launch(reversal, {buffer(threads)}, 1);
  RC_ASSERT(reversed.faults.empty());
  RC_ASSERT(reversed.totals.wavefronts == reversed.totals.ideal_wavefronts);
}

/// Block r writes row r of a matrix, in strides of the block. The column wraps around if there are
/// nearly 2^31 of them.
constexpr const char* rows_of_blocks = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 rows, .param .u32 columns)
{
.reg .pred %p<3>;
.reg .b32 %r<8>;
.reg .b64 %rd<8>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [columns];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
setp.ge.s32 %p1, %r2, %r1;
@%p1 bra END;
cvt.u64.u32 %rd2, %r3;
cvt.s64.s32 %rd3, %r1;
mul.lo.s64 %rd4, %rd2, %rd3;
COLUMN:
cvt.u64.u32 %rd5, %r2;
add.s64 %rd6, %rd4, %rd5;
shl.b64 %rd6, %rd6, 2;
add.s64 %rd7, %rd1, %rd6;
st.global.u32 [%rd7], %r2;
add.s32 %r2, %r2, %r4;
setp.lt.s32 %p2, %r2, %r1;
@%p2 bra COLUMN;
END:
ret;
}
)";

// A block too many writes just behind the matrix, which is no wrapping around.
TEST(Claims, about_overflows_are_not_refuted_by_an_access_behind_the_array) {
  Request request = request_for(rows_of_blocks);
  request.shape.block = {256, 1, 1};
  request.buffers = {{"arg0", "u32:arg1*arg2"}};
  request.claims = {Claim::overflow, Claim::bounds};
  for (const Decision& decision : prove(request).decisions) {
    EXPECT_EQ(decision.verdict == Verdict::refuted, decision.claim == Claim::bounds);
  }
}

}  // namespace
}  // namespace bankproof::symbolic
