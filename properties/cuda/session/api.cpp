// The C++ API: buffers, launches and reports, with the matchers of testing/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "../../../cuda/session/kernel.hpp"
#include "../../../testing/matchers/kernel_matchers.hpp"

namespace bankproof {

namespace {

using bankproof::testing::CoalescedWithin;
using bankproof::testing::ConflictFree;
using bankproof::testing::ExcessWavefronts;
using bankproof::testing::RaceFree;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;

// column(out, stride): thread i writes i to shared word stride · i, reads that word, and stores it
// to out[i]. all(out): every thread writes its number to out[0].
constexpr const char* kernels = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry column(.param .u64 out, .param .u32 stride)
{
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[8192];
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [stride];
mov.u32 %r2, %tid.x;
mov.u32 %r3, tile;
mul.lo.u32 %r4, %r2, %r1;
shl.b32 %r5, %r4, 2;
add.u32 %r6, %r3, %r5;
st.shared.u32 [%r6], %r2;
bar.sync 0;
ld.shared.u32 %r7, [%r6];
mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r7;
ret;
}
.visible .entry all(.param .u64 out)
{
.reg .b32 %r<3>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
st.global.u32 [%rd1], %r1;
ret;
}
)";

class KernelApi : public ::testing::Test {
 public:
  ~KernelApi() override {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 protected:
  KernelApi()
      : path_(std::filesystem::temp_directory_path() /
              ("bankproof-api-" + std::to_string(getpid()) + ".ptx")) {
    std::ofstream(path_) << kernels;
  }
  std::string file() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST_F(KernelApi, runs_kernels_and_reports_each_launch) {
  Device device;
  auto out = device.buffer<std::uint32_t>(64);
  const Kernel column(file(), "column");
  const KernelReport narrow =
      column.launch(device, {.grid = {1, 1, 1}, .block = {64, 1, 1}}, out, 1U);
  EXPECT_THAT(narrow, ConflictFree());
  EXPECT_THAT(narrow, CoalescedWithin(1.0));
  EXPECT_THAT(narrow, RaceFree());
  EXPECT_GT(narrow.time, 0U);
  std::vector<std::uint32_t> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0U);
  EXPECT_EQ(out.values(), numbers);
  const KernelReport wide =
      column.launch(device, {.grid = {1, 1, 1}, .block = {64, 1, 1}}, out, 32U);
  EXPECT_THAT(wide, Not(ConflictFree()));
  EXPECT_THAT(wide, ExcessWavefronts(2 * 2 * 31));
  EXPECT_EQ(device.report().launches, 2U);
  EXPECT_THAT(device.report(), ExcessWavefronts(Le(124)));
}

TEST_F(KernelApi, finds_faults_by_line) {
  Device device("sm_90");
  auto out = device.buffer<std::uint32_t>(std::vector<std::uint32_t>{7}, "result");
  const KernelReport report =
      Kernel(file(), "column").other("all").launch(device, {.block = {64, 1, 1}}, out);
  EXPECT_THAT(report, Not(RaceFree()));
  auto missing = device.buffer<std::uint32_t>(8, "short one");
  const KernelReport outside =
      Kernel(file(), "column").launch(device, {.block = {32, 1, 1}}, missing, 1U);
  ASSERT_EQ(outside.faults.size(), 1U);
  EXPECT_EQ(outside.faults[0].kind, ptx::FaultKind::out_of_bounds);
  EXPECT_EQ(outside.faults[0].count, 24U);
  EXPECT_THAT(outside.faults[0].message, HasSubstr("short one"));
}

TEST_F(KernelApi, takes_what_the_host_writes) {
  Device device;
  auto out = device.buffer<std::uint32_t>(64);
  out.set(std::vector<std::uint32_t>(64, 9));
  EXPECT_EQ(out.values(), std::vector<std::uint32_t>(64, 9));
  Kernel(file(), "column").launch(device, {.block = {32, 1, 1}}, out.address(32), 1U);
  EXPECT_EQ(out.values()[31], 9U);
  EXPECT_EQ(out.values()[63], 31U);
  EXPECT_THROW(out.set({1, 2}), std::invalid_argument);
}

TEST_F(KernelApi, ends_launches_that_execute_too_much) {
  Device device({.max_instructions = 100});
  auto out = device.buffer<std::uint32_t>(64);
  const KernelReport report =
      Kernel(file(), "column").launch(device, {.block = {64, 1, 1}}, out, 1U);
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ(report.faults[0].kind, ptx::FaultKind::instruction_limit);
}

TEST_F(KernelApi, throws_what_is_wrong) {
  Device device;
  auto out = device.buffer<std::uint32_t>(64);
  EXPECT_THROW(Kernel(file(), "colum").launch(device, {}, out, 1U), ptx::KernelNameError);
  EXPECT_THROW(Kernel(file()).launch(device, {}, out, 1U), ptx::KernelNameError);
  EXPECT_THROW(Kernel(file(), "column").launch(device, {}, out), cuda::ArgumentError);
  EXPECT_THROW(Kernel(file(), "column").launch(device, {}, out, 1.0), cuda::ArgumentError);
  EXPECT_THROW(Kernel(file(), "column").launch(device, {.block = {2048, 1, 1}}, out, 1U),
               cuda::ArgumentError);
  EXPECT_THROW(device.buffer<int>(0), cuda::ArgumentError);
  EXPECT_THROW(Kernel("no such.ptx"), cuda::CompileError);
  EXPECT_THROW(Device("sm_12"), std::exception);
}

}  // namespace

}  // namespace bankproof
