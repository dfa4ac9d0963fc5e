// Each row of arithmetic that is compiled computes the same bits as its step, for all lanes that
// take part, and writes no others.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>

#include "../../../testing/property.hpp"
#include "compiled_row.hpp"
#include "compiler.hpp"

namespace bankproof::ptx {
namespace {

class CompiledRow : public WithCompiler {
 protected:
  bool is_compiled(const Row& row) const {
    RowFunction function(row, 0, true, false, false,
                         0x96);  // lop3 is compiled for a constant table
    const compiled::Function described = function.described();
    if (row.opcode == "lop3.b32") return true;
    return compiler_->knows(described.blocks->instructions[0]);
  }
  /// Whether the processor rounds fma once; without, it stays a call.
  bool has_fma() const { return is_compiled(*find_row("fma.rn.f32")); }
};

TEST_F(CompiledRow, computes_what_the_step_does) {
  Operands operands(rc::detail::configuration().testParams.seed);
  CompiledRows rows_of(*compiler_);
  for (const Row& row : rows()) {
    if (is_compiled(row)) rows_of.add(row, operands);
  }
  ASSERT_EQ(rows_of.compile(), "");
  bankproof::testing::check_property([&] {
    const std::string differs = rows_of.difference(*rc::gen::arbitrary<std::uint64_t>());
    if (!differs.empty()) RC_FAIL(differs);
  });
}

TEST_F(CompiledRow, is_one_that_programs_use) {
  if (has_fma()) {
    for (const char* const opcode : {"fma.rn.f32", "fma.rn.f64", "cvt.rzi.s32.f32"}) {
      EXPECT_TRUE(is_compiled(*find_row(opcode))) << opcode;
    }
  }
  for (const char* const opcode :
       {"add.s32",     "add.s64",  "mad.lo.s32",  "mul.wide.u32",    "shl.b32",      "shr.u32",
        "and.b32",     "xor.b64",  "setp.ne.s32", "setp.lt.and.u32", "setp.gtu.f32", "selp.b32",
        "mov.u32",     "mov.f32",  "add.f32",     "mul.f32",         "add.f64",      "div.rn.f32",
        "sqrt.rn.f32", "min.f32",  "max.s32",     "cvt.rn.f32.u32",  "cvt.u32.u64",  "cvt.s64.s32",
        "bfe.u32",     "popc.b32", "and.pred",    "lop3.b32",        "neg.f32"}) {
    const Row* const row = find_row(opcode);
    ASSERT_NE(row, nullptr) << opcode;
    EXPECT_TRUE(is_compiled(*row)) << opcode;
  }
  EXPECT_FALSE(is_compiled(*find_row("ex2.approx.f32")));
  EXPECT_FALSE(is_compiled(*find_row("add.rz.f32")));
}

/// Whether 200 draws show the mistake in these rows.
bool is_found(const compiled::Compiler& compiler, compiled::Mistake mistake,
              std::initializer_list<const char*> opcodes) {
  Operands operands(1);
  CompiledRows rows_of(compiler);
  for (const char* const opcode : opcodes) {
    for (int k = 0; k < 8; ++k) rows_of.add(*find_row(opcode), operands);
  }
  EXPECT_EQ(rows_of.compile(mistake), "");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    if (!rows_of.difference(seed).empty()) return true;
  }
  return false;
}

TEST_F(CompiledRow, that_rounds_otherwise_is_found) {
  using compiled::Mistake;
  EXPECT_FALSE(is_found(*compiler_, Mistake::none, {"fma.rn.f32", "add.s32"}));
  if (has_fma()) {
    EXPECT_TRUE(is_found(*compiler_, Mistake::rounds_twice, {"fma.rn.f32"}));
    EXPECT_TRUE(is_found(*compiler_, Mistake::rounds_twice, {"fma.rn.f64"}));
  }
  EXPECT_TRUE(is_found(*compiler_, Mistake::passes_nan_on, {"add.f32"}));
  EXPECT_TRUE(is_found(*compiler_, Mistake::forgets_mask, {"add.s32"}));
  EXPECT_TRUE(is_found(*compiler_, Mistake::counts_no_lanes, {"add.s32"}));
}

}  // namespace
}  // namespace bankproof::ptx
