// Reports that programs store, and what launches tell about the bytes that they touched.
#include "../../../ptx/report/stored.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "../../../cuda/session/session.hpp"
#include "../../../ptx/syntax/parser.hpp"

namespace bankproof::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// some(in, out, count): each thread reads a word of `in` and writes the low half of the word of
// `out`; thread 0 adds 1 to the count. No thread waits for the store to `tile` of another thread.
constexpr const char* text = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry some(.param .u64 in, .param .u64 out, .param .u64 count)
{
.reg .pred %p<2>;
.reg .b16 %h<2>;
.reg .b32 %r<8>;
.reg .b64 %rd<8>;
.shared .align 4 .b8 tile[256];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u64 %rd3, [count];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd4, %r1, 4;
add.s64 %rd5, %rd1, %rd4;
add.s64 %rd6, %rd2, %rd4;
ld.global.u32 %r2, [%rd5];
cvt.u16.u32 %h1, %r2;
st.global.u16 [%rd6], %h1;
xor.b32 %r3, %r1, 32;
shl.b32 %r4, %r1, 2;
shl.b32 %r5, %r3, 2;
mov.u32 %r6, tile;
add.u32 %r4, %r4, %r6;
add.u32 %r5, %r5, %r6;
st.shared.u32 [%r4], %r2;
ld.shared.u32 %r7, [%r5];
setp.ne.u32 %p1, %r1, 0;
@%p1 ret;
atom.global.add.u32 %r2, [%rd3], 1;
ret;
}
)";

struct SomeLaunch {
  SomeLaunch() {
    in = session.add_buffer("in", std::vector<std::byte>(256));
    out = session.add_buffer("out", 256);
    count = session.add_buffer("count", std::vector<std::byte>(4));
    const auto file =
        std::make_shared<const KernelFile>(KernelFile{ptx::parse(text, "some.ptx"), ""});
    std::vector<ArgumentBytes> arguments;
    for (const std::uint32_t buffer : {in, out, count}) {
      const std::uint64_t address = Session::address(buffer);
      const auto* const first = reinterpret_cast<const std::byte*>(&address);
      arguments.push_back({{first, first + sizeof address}, "u64"});
    }
    report = session.launch(file, "some", {{1, 1, 1}, {64, 1, 1}, 0}, arguments);
  }

  Session session;
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  std::uint32_t count = 0;
  ptx::KernelReport report;
};

TEST(Touched, are_the_bytes_of_the_latest_launch) {
  SomeLaunch run;
  const auto touched = run.session.touched_by_last_launch();
  EXPECT_EQ(touched.size(), 3U);
  EXPECT_THAT(touched.at(run.in), ElementsAre(ptx::Touched{0, 256, ptx::Use::read}));
  ASSERT_EQ(touched.at(run.out).size(), 64U);
  EXPECT_EQ(touched.at(run.out)[1], (ptx::Touched{4, 6, ptx::Use::write}));
  EXPECT_THAT(touched.at(run.count), ElementsAre(ptx::Touched{0, 4, ptx::Use::atomic}));
}

TEST(StoredReports, are_read_as_they_were) {
  const SomeLaunch run;
  ASSERT_FALSE(run.report.faults.empty());
  ASSERT_FALSE(run.report.lines.empty());
  const std::string once = ptx::stored(run.report);
  const ptx::KernelReport again = ptx::read_stored(once);
  EXPECT_EQ(ptx::stored(again), once);
  EXPECT_EQ(again.kernel, run.report.kernel);
  EXPECT_EQ(again.launches, 1U);
  EXPECT_EQ(again.totals.accesses, run.report.totals.accesses);
  EXPECT_EQ(again.lines.size(), run.report.lines.size());
  EXPECT_EQ(again.faults[0].message, run.report.faults[0].message);
  EXPECT_EQ(again.totals.worst_global.has_value(), run.report.totals.worst_global.has_value());
  const ptx::FaultReport fault = ptx::read_stored_fault(ptx::stored(run.report.faults[0]));
  EXPECT_EQ(ptx::stored(fault), ptx::stored(run.report.faults[0]));
}

TEST(StoredReports, of_two_processes_add_up) {
  const SomeLaunch run;
  ptx::KernelReport both;
  ptx::join(both, run.report);
  EXPECT_EQ(ptx::stored(both), ptx::stored([&] {
              ptx::KernelReport same = run.report;
              same.printed.clear();
              same.buffers.clear();
              return same;
            }()));
  ptx::join(both, run.report);
  EXPECT_EQ(both.launches, 2U);
  EXPECT_EQ(both.totals.accesses, 2 * run.report.totals.accesses);
  EXPECT_EQ(both.lines.size(), run.report.lines.size());
  EXPECT_EQ(both.lines[0].visits, 2 * run.report.lines[0].visits);
  EXPECT_EQ(both.faults.size(), run.report.faults.size());
  EXPECT_EQ(both.faults[0].count, 2 * run.report.faults[0].count);
}

TEST(StoredReports, that_are_none_are_errors) {
  for (const char* const wrong : {"", "{", "[]", "{\"kernel\": 1}", "{\"kind\": \"nothing\"}"}) {
    EXPECT_THROW(ptx::read_stored(wrong), ptx::StoredReportError) << wrong;
    EXPECT_THROW(ptx::read_stored_fault(wrong), ptx::StoredReportError) << wrong;
  }
}

}  // namespace
}  // namespace bankproof::cuda
