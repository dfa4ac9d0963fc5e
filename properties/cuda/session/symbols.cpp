// Tests the variables of a kernel's file: the host sets and reads them, they keep their values from
// launch to launch, and each file has its own variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "../../../cuda/session/kernel.hpp"

namespace bankproof {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// first(out): out[0] = table[1]++, in the variable of the namespace. second(out): out[0] = factor ·
// 2, where factor is in constant memory after another variable; out[1] = the first word at
// `pointer`.
constexpr const char* kernels_with_symbols = R"(.version 7.8
.target sm_80
.address_size 64
.visible .global .align 4 .u32 _ZN2ns5tableE[3] = {10, 20, 30};
.const .align 4 .u32 _ZL6unused[5];
.const .align 4 .u32 _ZL6factor = 7;
.global .align 4 .u32 target = 5;
.visible .global .align 8 .u64 pointer = generic(target);
.global .align 1 .b8 $str[3] = {37, 100, 0};
.visible .entry first(.param .u64 out)
{
.reg .b32 %r<5>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [out];
ld.global.u32 %r1, [_ZN2ns5tableE+4];
st.global.u32 [%rd1], %r1;
add.u32 %r2, %r1, 1;
st.global.u32 [_ZN2ns5tableE+4], %r2;
ret;
}
.visible .entry second(.param .u64 out)
{
.reg .b32 %r<5>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [out];
ld.const.u32 %r4, [_ZL6unused];
ld.const.u32 %r1, [_ZL6factor];
add.u32 %r1, %r1, %r1;
st.global.u32 [%rd1], %r1;
ld.global.u64 %rd2, [pointer];
ld.global.u32 %r2, [%rd2];
st.global.u32 [%rd1+4], %r2;
ret;
}
)";

class Symbols : public ::testing::Test {
 public:
  ~Symbols() override {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 protected:
  Symbols()
      : path_(std::filesystem::temp_directory_path() /
              ("bankproof-symbols-" + std::to_string(getpid()) + ".ptx")) {
    std::ofstream(path_) << kernels_with_symbols;
  }
  std::string file() const { return path_.string(); }

  Device device_;
  Buffer<std::uint32_t> out_ = device_.buffer<std::uint32_t>(2);

 private:
  std::filesystem::path path_;
};

TEST_F(Symbols, hold_what_the_file_says_until_they_are_set) {
  const Kernel first(file(), "first");
  auto table = first.symbol<std::uint32_t>(device_, "ns::table");
  EXPECT_EQ(table.size(), 3U);
  EXPECT_THAT(table.values(), ElementsAre(10U, 20U, 30U));
  first.launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[0], 20U);
  EXPECT_THAT(table.values(), ElementsAre(10U, 21U, 30U));
  table.set({1, 2, 3});
  first.launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[0], 2U);
  EXPECT_THAT(first.symbol<std::uint32_t>(device_, "table").values(), ElementsAre(1U, 3U, 3U));
}

TEST_F(Symbols, in_constant_memory_are_set_for_kernels_that_lay_it_out_otherwise) {
  const Kernel second(file(), "second");
  auto factor = second.symbol<std::int32_t>(device_, "factor");
  EXPECT_THAT(factor.values(), ElementsAre(7));
  second.launch(device_, {}, out_);
  EXPECT_THAT(out_.values(), ElementsAre(14U, 5U));
  factor.set({-1});
  second.launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[0], 0xFFFFFFFEU);
  EXPECT_THAT(factor.values(), ElementsAre(-1));
}

TEST_F(Symbols, may_point_to_other_ones) {
  const Kernel second(file(), "second");
  // The test reads `pointer` before any launch: its target already has an address.
  const std::uint64_t address = second.symbol<std::uint64_t>(device_, "pointer").values()[0];
  second.symbol<std::uint32_t>(device_, "target").set({99});
  second.launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[1], 99U);
  auto other = device_.buffer<std::uint32_t>(std::vector<std::uint32_t>{123});
  second.symbol<std::uint64_t>(device_, "pointer").set({other.address()});
  second.launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[1], 123U);
  EXPECT_NE(address, other.address());
}

TEST_F(Symbols, belong_to_their_file) {
  // Loads the same text twice, so all names in the two files are the same.
  const Kernel one(file(), "first");
  const Kernel two(file(), "first");
  one.symbol<std::uint32_t>(device_, "table").set({1, 2, 3});
  two.launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[0], 20U);
  one.other("first").launch(device_, {}, out_);
  EXPECT_EQ(out_.values()[0], 2U);
  EXPECT_THAT(two.symbol<std::uint32_t>(device_, "table").values(), ElementsAre(10U, 21U, 30U));
}

TEST_F(Symbols, that_are_wrong_are_reported) {
  const Kernel first(file(), "first");
  const auto message = [&](const std::string& name) {
    try {
      first.symbol<std::uint32_t>(device_, name);
    } catch (const ptx::KernelNameError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(message("tabel"), HasSubstr("no variable 'tabel' in "));
  EXPECT_THAT(message("tabel"),
              HasSubstr("; did you mean 'table'? There are: 'ns::table', 'unused', 'factor', "
                        "'target', 'pointer'"));
  EXPECT_THROW(first.symbol<std::uint64_t>(device_, "table"), cuda::ArgumentError);
  EXPECT_THROW(first.symbol<std::uint32_t>(device_, "table").set({1, 2}), cuda::ArgumentError);
}

}  // namespace

}  // namespace bankproof
