// Rows with planted bugs. The oracle must notice each bug; otherwise it would not notice the same
// bug in the table.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "../../../ptx/alu/execute.hpp"
#include "judge.hpp"

namespace bankproof::ptx {
namespace {

/// Operands drawn without RapidCheck, so nothing shrinks them. They are varied enough that every
/// bug below shows.
Draw draw_of(std::uint64_t seed) {
  Words words(seed);
  Draw draw;
  for (Lanes& lanes : draw.sources) {
    for (Bits& lane : lanes) lane = operand(static_cast<unsigned>(words.below(10)), words());
  }
  draw.active = static_cast<LaneMask>(words());
  return draw;
}

bool is_caught(const Row& row) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    if (!mistake(row, draw_of(seed), false).empty()) return true;
  }
  return false;
}

/// The row of `opcode` with the step of the row of `step`, as a planted bug.
Row misnamed(const char* opcode, const char* step, std::size_t destinations = 0) {
  const Row* right = find_row(opcode, destinations);
  const Row* wrong = find_row(step, destinations);
  if (right == nullptr || wrong == nullptr) throw std::invalid_argument(opcode);
  Row row = *right;
  row.step = wrong->step;
  return row;
}

TEST(RowCanaries, instructions_that_resemble_each_other_are_distinguished) {
  const std::pair<const char*, const char*> pairs[] = {
      {"add.rn.f32", "add.rz.f32"},
      {"add.f32", "add.ftz.f32"},
      {"add.sat.f32", "add.f32"},
      {"add.rm.f64", "add.rz.f64"},
      {"fma.rn.f64", "fma.rp.f64"},
      {"div.rn.f32", "div.rz.f32"},
      {"sqrt.rn.f64", "sqrt.rm.f64"},
      {"rcp.rp.f32", "rcp.rn.f32"},
      {"min.f32", "min.NaN.f32"},
      {"max.f32", "max.xorsign.abs.f32"},
      {"min.f64", "max.f64"},
      {"add.f16", "add.bf16"},
      {"fma.rn.f16x2", "fma.rn.relu.f16x2"},
      {"setp.lt.f32", "setp.ltu.f32"},
      {"setp.ne.f64", "setp.neu.f64"},
      {"setp.lt.s32", "setp.lt.u32"},
      {"setp.lt.and.s32", "setp.lt.or.s32"},
      {"set.eq.u32.f32", "set.eq.f32.f32"},
      {"shr.s32", "shr.u32"},
      {"shf.l.wrap.b32", "shf.l.clamp.b32"},
      {"bfe.s32", "bfe.u32"},
      {"bfind.u32", "bfind.shiftamt.u32"},
      {"mul.hi.s32", "mul.hi.u32"},
      {"mul.lo.u64", "mul.hi.u64"},
      {"div.s16", "div.u16"},
      {"sad.s32", "sad.u32"},
      {"dp2a.lo.u32.u32", "dp2a.hi.u32.u32"},
      {"prmt.b32.ecl", "prmt.b32.ecr"},
      {"addc.cc.u32", "subc.cc.u32"},
      {"selp.b32", "slct.b32.s32"},
      {"cvt.rni.s32.f32", "cvt.rzi.s32.f32"},
      {"cvt.rzi.s32.f32", "cvt.rzi.u32.f32"},
      {"cvt.rn.f32.u64", "cvt.rz.f32.u64"},
      {"cvt.rn.f16.f32", "cvt.rz.f16.f32"},
      {"cvt.rn.f16.f32", "cvt.rn.bf16.f32"},
      {"cvt.sat.u8.s32", "cvt.u8.s32"},
      {"cvt.rmi.f32.f32", "cvt.rpi.f32.f32"},
      {"sin.approx.f32", "cos.approx.f32"},
      {"ex2.approx.f32", "ex2.approx.ftz.f32"},
      {"rcp.approx.f32", "rsqrt.approx.f32"},
      {"tanh.approx.f16", "ex2.approx.f16"},
      {"div.approx.f32", "div.full.f32"},
  };
  for (const auto& [opcode, step] : pairs) {
    EXPECT_FALSE(is_caught(*find_row(opcode))) << opcode;
    EXPECT_TRUE(is_caught(misnamed(opcode, step))) << opcode << " by " << step;
  }
  EXPECT_TRUE(is_caught(misnamed("setp.lt.s32", "setp.ge.s32", 2)));
}

/// The row of `opcode` with a lambda as its step, as a planted bug.
template <class F>
Row planted(const char* opcode, F) {
  Row row = *find_row(opcode);
  row.step = &lanes::portable_step<F>;
  return row;
}

TEST(RowCanaries, rounding_twice_is_noticed) {
  EXPECT_TRUE(is_caught(planted("fma.rn.f32", [](float a, float b, float c) {
    volatile float product = a * b;
    return product + c;
  })));
  EXPECT_TRUE(is_caught(planted("fma.rn.f32", [](float a, float b, float c) {
    const double sum = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
    return std::isnan(sum) ? std::bit_cast<float>(0x7fffffffU) : static_cast<float>(sum);
  })));
}

TEST(RowCanaries, another_nan_is_noticed) {
  EXPECT_TRUE(is_caught(planted("add.f32", [](float a, float b) { return a + b; })));
}

TEST(RowCanaries, a_shift_that_wraps_is_noticed) {
  EXPECT_TRUE(is_caught(
      planted("shl.b32", [](std::uint32_t a, std::uint32_t b) { return a << (b & 31U); })));
}

TEST(RowCanaries, an_approximation_that_is_too_coarse_is_noticed) {
  EXPECT_TRUE(is_caught(planted("rsqrt.approx.f32", [](float a) {
    const float exact = 1 / std::sqrt(a);
    return exact != exact ? std::bit_cast<float>(0x7fffffffU) : exact * 1.000001F;
  })));
}

const Op* ignores_the_mask(WarpState& warp, const Op* op) {
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    warp.lanes<std::uint32_t>(op->d[0])[lane] = ~warp.lanes<std::uint32_t>(op->s[0])[lane];
  }
  return op + 1;
}

TEST(RowCanaries, writing_an_inactive_lane_is_noticed) {
  Row row = *find_row("not.b32");
  EXPECT_FALSE(is_caught(row));
  row.step = ignores_the_mask;
  EXPECT_TRUE(is_caught(row));
}

TEST(RowCanaries, an_opcode_that_the_oracle_does_not_know_is_an_error) {
  for (const char* opcode : {"add.odd.s32", "add.rx.f32", "cvt.rn.f32", "prmt.b32.f5e",
                             "ex2.approx.odd.f32", "setp.lx.s32", "frob.b32", "shf.l.b32"}) {
    Case a{Spelling(opcode), std::vector<Bits>(4, 0), 1};
    EXPECT_ANY_THROW({
      if (!expected(a)) is_within_bound(a, 0);
    }) << opcode;
  }
}

}  // namespace
}  // namespace bankproof::ptx
