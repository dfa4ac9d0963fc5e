// Every arithmetic row computes what the PTX ISA says, on all active lanes and on no other lane.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "../../../testing/property.hpp"
#include "judge.hpp"

namespace bankproof::ptx {
namespace {

std::vector<Level> levels() {
  std::vector<Level> all{Level::portable};
  if (best_level() != Level::portable) all.push_back(best_level());
  return all;
}

std::string base_of(const Row& row) { return row.opcode.substr(0, row.opcode.find('.')); }

/// The rows of all levels, by the part of their opcode before the first dot.
const std::map<std::string, std::vector<const Row*>>& families() {
  static const std::map<std::string, std::vector<const Row*>> found = [] {
    std::map<std::string, std::vector<const Row*>> all;
    for (const Level level : levels()) {
      for (const Row& row : rows(level)) all[base_of(row)].push_back(&row);
    }
    return all;
  }();
  return found;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, members] : families()) all.push_back(name);
  return all;
}

class Rows : public ::testing::TestWithParam<std::string> {};

TEST_P(Rows, compute_what_the_isa_says) {
  const auto& members = families().at(GetParam());
  // In a family of more than a thousand rows, each row is tested with fewer cases.
  const int fraction = static_cast<int>(1 + members.size() / 1000);
  testing::check_property(
      [&] {
        const Draw draw = any_draw();
        const bool aliased = *rc::gen::arbitrary<bool>();
        for (const Row* row : members) {
          const std::string wrong = mistake(*row, draw, aliased);
          if (!wrong.empty()) RC_FAIL(wrong);
        }
      },
      GetParam(), fraction);
}

INSTANTIATE_TEST_SUITE_P(All, Rows, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(RowTable, has_an_oracle_for_every_row) {
  for (const Row& row : rows()) {
    Case a{Spelling(row.opcode), std::vector<Bits>(row.sources.size(), 0), row.destinations.size()};
    EXPECT_NO_THROW({
      if (!expected(a)) is_within_bound(a, 0);
    }) << row.opcode;
  }
}

TEST(RowTable, names_each_form_once) {
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const Row& row : rows()) {
    EXPECT_TRUE(seen.emplace(row.opcode, row.destinations.size()).second) << row.opcode;
    const std::size_t written = row.destinations.size() - (row.carry_out ? 1 : 0);
    EXPECT_EQ(find_row(row.opcode, written), &row) << row.opcode;
  }
}

TEST(RowTable, has_the_same_rows_for_every_processor) {
  const auto signature = [](Level level) {
    std::set<std::tuple<std::string, std::vector<LaneType>, std::vector<LaneType>, bool, bool>> all;
    for (const Row& row : rows(level)) {
      all.emplace(row.opcode, row.destinations, row.sources, row.carry_in, row.carry_out);
    }
    return all;
  };
  for (const Level level : levels()) EXPECT_EQ(signature(level), signature(Level::portable));
}

TEST(RowTable, finds_forms_by_the_number_of_destinations) {
  ASSERT_NE(find_row("setp.lt.s32"), nullptr);
  EXPECT_EQ(find_row("setp.lt.s32")->destinations.size(), 1U);
  EXPECT_EQ(find_row("setp.lt.s32", 2)->destinations.size(), 2U);
  EXPECT_EQ(find_row("setp.lt.s32", 3), nullptr);
  EXPECT_EQ(find_row("add.cc.u32", 1)->destinations.size(), 2U);
  EXPECT_TRUE(find_row("add.cc.u32")->carry_out);
  EXPECT_TRUE(find_row("madc.hi.cc.u64")->carry_in);
  EXPECT_EQ(find_row("add.s31"), nullptr);
  EXPECT_EQ(find_row(""), nullptr);
}

/// Opcodes that nvcc and clang write: the plainest and the longest opcode of each family.
TEST(RowTable, has_what_compilers_write) {
  for (const char* opcode : {"add.s32",
                             "add.s64",
                             "add.u64",
                             "add.f32",
                             "add.rn.f32",
                             "add.ftz.f32",
                             "add.sat.f32",
                             "add.rn.ftz.sat.f32",
                             "add.rz.f64",
                             "add.f16",
                             "add.rn.f16x2",
                             "add.bf16",
                             "add.s16x2",
                             "add.rn.ftz.sat.f16x2",
                             "sub.rm.ftz.f32",
                             "mul.rp.f64",
                             "mul.lo.s32",
                             "mul.hi.u64",
                             "mul.wide.s16",
                             "mul.wide.u32",
                             "mul24.lo.u32",
                             "mad.f32",
                             "mad.lo.s32",
                             "mad.wide.u32",
                             "mad.hi.s64",
                             "mad.lo.cc.u32",
                             "madc.hi.u32",
                             "fma.rn.f32",
                             "fma.rn.ftz.sat.f32",
                             "fma.rm.f64",
                             "fma.rn.f16",
                             "fma.rn.bf16x2",
                             "fma.rn.relu.bf16",
                             "div.rn.f32",
                             "div.full.f32",
                             "div.full.ftz.f32",
                             "div.approx.ftz.f32",
                             "div.s64",
                             "rem.u16",
                             "abs.f32",
                             "abs.ftz.f32",
                             "abs.s64",
                             "neg.f16x2",
                             "neg.s32",
                             "min.f32",
                             "max.ftz.f32",
                             "max.NaN.f32",
                             "min.NaN.xorsign.abs.f32",
                             "min.f64",
                             "min.NaN.bf16x2",
                             "max.u32",
                             "min.relu.s32",
                             "min.s16x2",
                             "sad.u32",
                             "vabsdiff4.u32.u32.u32",
                             "vabsdiff2.u32.u32.u32.add",
                             "popc.b32",
                             "popc.b64",
                             "clz.b64",
                             "bfind.u32",
                             "bfind.shiftamt.s64",
                             "fns.b32",
                             "brev.b32",
                             "bfe.u32",
                             "bfe.s64",
                             "bfi.b32",
                             "bfi.b64",
                             "bmsk.clamp.b32",
                             "szext.wrap.s32",
                             "dp4a.u32.s32",
                             "dp2a.lo.s32.u32",
                             "prmt.b32",
                             "prmt.b32.f4e",
                             "lop3.b32",
                             "lop3.or.b32",
                             "shf.l.wrap.b32",
                             "shf.r.clamp.b32",
                             "shl.b32",
                             "shl.b64",
                             "shr.s32",
                             "shr.u64",
                             "shr.b16",
                             "and.b32",
                             "or.pred",
                             "xor.b64",
                             "not.pred",
                             "not.b16",
                             "cnot.b32",
                             "setp.eq.s32",
                             "setp.ne.b64",
                             "setp.lo.u32",
                             "setp.lt.and.s32",
                             "setp.gtu.ftz.f32",
                             "setp.nan.f64",
                             "setp.eq.f16x2",
                             "setp.geu.or.ftz.f16",
                             "setp.neu.bf16",
                             "set.eq.f16x2.f16x2",
                             "set.gtu.u32.f32",
                             "set.le.xor.f32.s32",
                             "selp.b32",
                             "selp.f64",
                             "selp.b16",
                             "selp.u64",
                             "slct.s32.f32",
                             "mov.pred",
                             "mov.b32",
                             "mov.f64",
                             "mov.b16",
                             "mov.b128",
                             "cvt.u32.u64",
                             "cvt.s64.s32",
                             "cvt.u32.u8",
                             "cvt.s8.s32",
                             "cvt.sat.u8.s32",
                             "cvt.rn.f32.s32",
                             "cvt.rp.f64.u64",
                             "cvt.rn.f16.u16",
                             "cvt.rzi.s32.f32",
                             "cvt.rzi.ftz.u64.f32",
                             "cvt.rni.s64.f64",
                             "cvt.f64.f32",
                             "cvt.rn.f32.f64",
                             "cvt.f32.f16",
                             "cvt.rn.f16.f32",
                             "cvt.rn.bf16.f32",
                             "cvt.rn.f16x2.f32",
                             "cvt.rn.bf16x2.f32",
                             "cvt.rz.relu.bf16x2.f32",
                             "cvt.rmi.f32.f32",
                             "cvt.rpi.ftz.f32.f32",
                             "cvt.sat.f32.f32",
                             "cvt.rna.tf32.f32",
                             "cvt.f32.bf16",
                             "cvt.pack.sat.s16.s32",
                             "cvt.pack.sat.u8.s32.b32",
                             "rcp.rn.f32",
                             "rcp.approx.f32",
                             "rcp.rn.f64",
                             "rcp.approx.ftz.f64",
                             "sqrt.rn.f32",
                             "sqrt.approx.ftz.f32",
                             "sqrt.rn.f64",
                             "rsqrt.approx.f32",
                             "rsqrt.approx.f64",
                             "rsqrt.approx.ftz.f64",
                             "ex2.approx.f32",
                             "ex2.approx.ftz.f32",
                             "ex2.approx.f16x2",
                             "ex2.approx.ftz.bf16",
                             "lg2.approx.f32",
                             "sin.approx.f32",
                             "cos.approx.ftz.f32",
                             "tanh.approx.f32",
                             "tanh.approx.bf16x2",
                             "copysign.f64",
                             "testp.subnormal.f32",
                             "addc.cc.u64",
                             "subc.s32",
                             "sub.cc.u32",
                             "pack.b64.b32",
                             "unpack.b32.b16",
                             "pack.b128.b64"}) {
    EXPECT_NE(find_row(opcode), nullptr) << opcode;
  }
}

}  // namespace
}  // namespace bankproof::ptx
