// Sizes of launches: those for which a kernel is compiled, those that nobody states, and those that
// are guessed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "../../../symbolic/proving/guesses.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Stores to each element of an array, in strides of the grid, with indices of 64 bits.
constexpr const char* long_fill = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry _Z4fillPjm(.param .u64 out, .param .u64 n)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mov.u32 %r5, %nctaid.x;
mad.lo.s32 %r6, %r3, %r4, %r2;
cvt.u64.u32 %rd3, %r6;
mul.lo.s32 %r7, %r5, %r4;
cvt.u64.u32 %rd4, %r7;
setp.ge.u64 %p1, %rd3, %rd2;
@%p1 bra END;
LOOP:
shl.b64 %rd5, %rd3, 2;
add.s64 %rd6, %rd1, %rd5;
st.global.u32 [%rd6], %r2;
add.s64 %rd3, %rd3, %rd4;
setp.lt.u64 %p2, %rd3, %rd2;
@%p2 bra LOOP;
END:
ret;
}
)";

/// Stores to the elements of a matrix, one thread for each.
constexpr const char* matrix_fill = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 columns, .param .u32 rows)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [columns];
ld.param.u32 %r2, [rows];
mov.u32 %r3, %tid.x;
mov.u32 %r4, %ctaid.x;
mov.u32 %r5, %ntid.x;
mad.lo.s32 %r6, %r4, %r5, %r3;
mov.u32 %r7, %tid.y;
mov.u32 %r8, %ctaid.y;
mov.u32 %r9, %ntid.y;
mad.lo.s32 %r10, %r8, %r9, %r7;
setp.ge.s32 %p1, %r6, %r1;
setp.ge.s32 %p2, %r10, %r2;
or.pred %p3, %p1, %p2;
@%p3 bra END;
mad.lo.s32 %r11, %r10, %r1, %r6;
mul.wide.s32 %rd2, %r11, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r3;
END:
ret;
}
)";

Verdict first_verdict(const Request& request) { return prove(request).decisions.front().verdict; }

TEST(SizesOfLaunches, are_those_that_the_kernel_is_compiled_for) {
  const std::string begin = ".visible .entry reversal(.param .u64 out)\n";
  const auto compiled_for = [&](const std::string& directive) {
    Request request = request_for(planted(reversal, begin, begin + directive));
    request.claims = {Claim::bounds};
    request.buffers = {{"arg0", "u32:1024"}};
    return request;
  };
  EXPECT_EQ(first_verdict(compiled_for("")), Verdict::refuted);
  EXPECT_EQ(first_verdict(compiled_for(".maxntid 256, 1, 1\n")), Verdict::proved);
  EXPECT_EQ(first_verdict(compiled_for(".maxntid 257, 1, 1\n")), Verdict::refuted);
  EXPECT_EQ(first_verdict(compiled_for(".reqntid 256\n")), Verdict::proved);
  EXPECT_EQ(first_verdict(compiled_for(".reqntid 512\n")), Verdict::refuted);
  const KernelProof proof = prove(compiled_for(".maxntid 256, 1, 1\n"));
  EXPECT_THAT(proof.assumptions, Contains(HasSubstr("a block has at most 256 threads")));
}

TEST(SizesOfLaunches, are_not_others_than_the_kernel_is_compiled_for) {
  const std::string begin = ".visible .entry reversal(.param .u64 out)\n";
  for (const char* const directive : {".maxntid 32, 2, 1\n", ".reqntid 64\n"}) {
    Request request = request_for(planted(reversal, begin, begin + directive));
    request.shape.block = {128, 1, 1};
    EXPECT_THROW(prove(request), PremiseError) << directive;
    request.shape.block = {64, 1, 1};
    EXPECT_NO_THROW(prove(request)) << directive;
  }
}

TEST(SizesOfLaunches, are_not_bounded_by_each_other) {
  Request request = request_for(matrix_fill);
  request.claims = {Claim::race};
  request.where = {"arg1 == arg2"};
  const Decision decision = prove(request).decisions.front();
  EXPECT_EQ(decision.verdict, Verdict::proved);
  EXPECT_FALSE(decision.within.empty());
}

TEST(SizesOfLaunches, of_64_bits_that_nobody_bounds_are_no_larger_than_arrays) {
  Request request = request_for(long_fill);
  request.claims = {Claim::race};
  const KernelProof proof = prove(request);
  EXPECT_EQ(proof.decisions.front().verdict, Verdict::proved);
  EXPECT_THAT(proof.assumptions, Contains(HasSubstr("arg1 is at most 2^40")));
  request.claims = {Claim::blocks};
  EXPECT_EQ(first_verdict(request), Verdict::proved);
  request.where = {"arg1 < 1 << 30"};
  const KernelProof stated = prove(request);
  EXPECT_EQ(stated.decisions.front().verdict, Verdict::proved);
  EXPECT_THAT(stated.assumptions, ::testing::Not(Contains(HasSubstr("at most 2^40"))));
}

// A planted bug: each thread stores to the element behind its own, too.
TEST(SizesOfLaunches, are_bounded_without_hiding_races) {
  Request request =
      request_for(planted(long_fill, "st.global.u32 [%rd6], %r2;",
                          "st.global.u32 [%rd6], %r2;\nst.global.u32 [%rd6+4], %r3;"));
  request.claims = {Claim::race};
  EXPECT_EQ(first_verdict(request), Verdict::refuted);
}

// One line reads a word of a tile, whose index is within but nobody can say so, and writes far
// behind the begin of an array: no fault of the tile, and none of an array whose size nobody
// states.
TEST(SizesOfLaunches, that_nobody_states_refute_no_claim_about_another_array) {
  const std::string read = "ld.shared.u32 %r7, [%r6+-4];";
  const std::string index =
      "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\nmad.lo.s32 %r6, %r5, 4, %r3;\n";
  const auto with = [&](const std::string& write) {
    Request request =
        request_for(planted(reversal, read, index + "ld.shared.u32 %r7, [%r6]; " + write));
    request.claims = {Claim::bounds};
    request.shape.block = {32, 1, 1};
    return first_verdict(request);
  };
  EXPECT_EQ(with("st.global.u32 [%rd1+4194304], %r1;"), Verdict::unknown);
  EXPECT_EQ(with("ld.shared.u32 %r7, [%r4+4096];"), Verdict::refuted);
}

// The counter of 32 bits wraps around if n is near 2^31.
TEST(SizesOfLaunches, bound_the_counters_of_loops) {
  Request request = request_for(strided_copy);
  request.claims = {Claim::race, Claim::blocks};
  const KernelProof proof = prove(request);
  for (const Decision& one : proof.decisions) {
    EXPECT_EQ(one.verdict, Verdict::proved);
    // Where solvers are slow, it may be proved of sizes that are not negative alone.
    ASSERT_EQ(one.within.size(), 1U);
    EXPECT_EQ(one.within.begin()->first, "arg2");
    EXPECT_EQ(one.within.begin()->second.exponent, 30U);
  }
  // Planted bugs: the stride of a block, or of one thread; two elements in each iteration.
  for (const char* const stride : {"mov.u32 %r7, %r4;", "mov.u32 %r7, 1;"}) {
    Request other = request_for(planted(strided_copy, "mul.lo.s32 %r7, %r5, %r4;", stride));
    other.claims = {Claim::blocks};
    EXPECT_EQ(first_verdict(other), Verdict::refuted) << stride;
  }
  Request twice = request_for(planted(strided_copy, "st.global.u32 [%rd5], %r8;",
                                      "st.global.u32 [%rd5], %r8;\nst.global.u32 [%rd5+4], %r8;"));
  twice.claims = {Claim::race};
  EXPECT_EQ(first_verdict(twice), Verdict::refuted);
}

// The index of 32 bits wraps around for large matrices.
TEST(SizesOfLaunches, are_assumed_to_be_usual_ones_where_nothing_states_them) {
  Request request = request_for(matrix_fill);
  request.claims = {Claim::race, Claim::blocks, Claim::overflow};
  const KernelProof proof = prove(request);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(proof.decisions[k].verdict, Verdict::proved);
    EXPECT_EQ(proof.decisions[k].within,
              (SizeBounds{{"arg1", {.exponent = 15}}, {"arg2", {.exponent = 15}}}));
    EXPECT_TRUE(proof.decisions[k].findings.empty());
  }
  const std::string bounds = "'arg1 <= 1 << 15', 'arg2 <= 1 << 15'";
  EXPECT_THAT(proof.assumptions, Contains(HasSubstr("blocks: " + bounds)));
  // The claim `overflow` is about larger sizes.
  EXPECT_NE(proof.decisions[2].verdict, Verdict::proved);
  EXPECT_THAT(proof.decisions[2].findings.front().why, HasSubstr("it holds if " + bounds));
  request.where = {"arg1 <= 1 << 15", "arg2 <= 1 << 15"};
  for (const Decision& one : prove(request).decisions) {
    EXPECT_EQ(one.verdict, Verdict::proved);
    EXPECT_TRUE(one.within.empty());
  }
}

// A column below the diagonal, one thread for each row.
TEST(SizesOfLaunches, are_assumed_not_to_be_negative_if_that_is_needed) {
  const std::string column = planted(
      planted(planted(matrix_fill, "setp.ge.s32 %p1, %r6, %r1;",
                      "sub.s32 %r9, %r1, %r2; sub.s32 %r9, %r9, 1; setp.ge.s32 %p1, %r6, %r9;"),
              "or.pred %p3, %p1, %p2;", "setp.ne.s32 %p2, %r10, 0; or.pred %p3, %p1, %p2;"),
      "mad.lo.s32 %r11, %r10, %r1, %r6;",
      "add.s32 %r11, %r6, %r2; add.s32 %r11, %r11, 1; mad.lo.s32 %r11, %r11, %r1, %r2;");
  Request request = request_for(column);
  request.claims = {Claim::race};
  const Decision decision = prove(request).decisions.front();
  EXPECT_EQ(decision.verdict, Verdict::proved);
  EXPECT_THAT(as_conditions(decision.within), HasSubstr("'0 <= arg2', 'arg2 <= 1 << "));
  // A planted bug: all rows are the first one.
  Request racing = request_for(planted(column, "add.s32 %r11, %r6, %r2;", "mov.u32 %r11, %r2;"));
  racing.claims = {Claim::race};
  EXPECT_EQ(first_verdict(racing), Verdict::refuted);
}

// Planted bugs: neighbors share an element, or two rows do, whatever the sizes are.
/// Each thread writes four words, in columns of a matrix: 4 * (ctaid.x * ntid.x + tid.x) of row
/// ctaid.y.
constexpr const char* packets = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 columns)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
ld.param.s32 %r1, [columns];
mov.u32 %r3, %tid.x;
mov.u32 %r4, %ctaid.x;
mov.u32 %r5, %ntid.x;
mad.lo.s32 %r6, %r4, %r5, %r3;
shl.b32 %r7, %r6, 2;
setp.ge.s32 %p1, %r7, %r1;
@%p1 bra END;
mov.u32 %r8, %ctaid.y;
cvt.u64.u32 %rd2, %r8;
cvt.s64.s32 %rd3, %r1;
mul.lo.s64 %rd4, %rd2, %rd3;
cvt.s64.s32 %rd5, %r7;
add.s64 %rd6, %rd4, %rd5;
shl.b64 %rd7, %rd6, 2;
add.s64 %rd8, %rd1, %rd7;
st.global.v4.u32 [%rd8], {%r3, %r3, %r3, %r3};
END:
ret;
}
)";

TEST(SizesOfLaunches, bound_the_grid_where_a_thread_has_several_elements) {
  Request request = request_for(packets);
  request.claims = {Claim::blocks};
  request.shape.block = {256, 1, 1};
  request.where = {"arg1 >= 4", "arg1 <= 1 << 16", "arg1 % 4 == 0"};
  const Decision found = prove(request).decisions.front();
  EXPECT_EQ(found.verdict, Verdict::proved);
  EXPECT_THAT(as_conditions(found.within), HasSubstr("gridDim.x <= 1 << 20"));
  // Blocks overlap in any grid.
  request = request_for(planted(packets, "mad.lo.s32 %r6, %r4, %r5", "mad.lo.s32 %r6, %r4, 255"));
  request.claims = {Claim::blocks};
  request.shape.block = {256, 1, 1};
  EXPECT_NE(prove(request).decisions.front().verdict, Verdict::proved);
}

/// All threads write one word; then each has what its neighbor in the warp has, and writes there.
constexpr const char* neighbors = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry _Z1fPjj(.param .u64 out, .param .u32 n)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %rd<9>;
.shared .align 4 .b8 tile[4];
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
st.shared.u32 [tile], %r2;
bar.sync 0;
shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;
setp.ge.u32 %p1, %r2, %r1;
@%p1 bra END;
add.s32 %r4, %r3, %r2;
mul.wide.s32 %rd2, %r4, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r2;
END:
ret;
}
)";

TEST(SizesOfLaunches, are_those_of_buffers_even_if_no_statement_is_about_them) {
  Request request = request_for(neighbors);
  request.claims = {Claim::race};
  request.buffers = {{"arg0", "arg1"}};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::refuted);
}

TEST(SizesOfLaunches, that_are_too_small_show_no_overflow) {
  Request request = request_for(neighbors);
  request.claims = {Claim::overflow};
  request.shape.block = {64, 1, 1};
  request.buffers = {{"arg0", "arg1"}};
  request.where = {"arg1 <= 32"};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::unknown);
}

TEST(SizesOfLaunches, are_not_assumed_to_hide_races) {
  for (const auto& [index, other] :
       {std::pair("%r10, %r1, %r6;", "%r10, %r1, %r4;"), {"%r10, %r1, %r6;", "%r6, %r1, %r6;"}}) {
    Request racing = request_for(planted(matrix_fill, index, other));
    racing.claims = {Claim::race};
    const Decision refuted = prove(racing).decisions.front();
    EXPECT_EQ(refuted.verdict, Verdict::refuted);
    for (const Finding& one : refuted.findings) {
      EXPECT_EQ(one.verdict, Verdict::refuted);
      EXPECT_TRUE(one.within.empty());
    }
  }
}

TEST(SizesOfLaunches, are_not_assumed_to_be_those_of_which_the_kernel_does_nothing) {
  Request request = request_for(planted(matrix_fill, "or.pred %p3, %p1, %p2;",
                                        "or.pred %p3, %p1, %p2;\n"
                                        "setp.lt.s32 %p1, %r1, 100000;\n"
                                        "or.pred %p3, %p3, %p1;"));
  request.claims = {Claim::race};
  EXPECT_NE(first_verdict(request), Verdict::proved);
}

// Two numbers with a product that is large enough, and a thread that is at it.
TEST(GuessedSizes, fulfill_all_statements) {
  const Request request = request_for(long_fill);
  Pool pool;
  Execution execution(pool, request.file->module, *request.kernel);
  Subject subject{pool, execution};
  Inputs& inputs = subject.inputs();
  const Term n = inputs.parameter(1, 0, 8);
  const Term blocks = *inputs.special("%nctaid.x");
  const Term thread = *inputs.special("%tid.x");
  const Term whole = pool.multiply(n, pool.zero_extended(blocks, 64));
  const std::vector<Term> statements{
      pool.below(pool.constant(90, 64), whole, false),
      pool.equal(pool.zero_extended(thread, 64), pool.subtract(whole, n)),
      pool.equal(pool.remainder(n, pool.constant(3, 64), false), pool.constant(1, 64))};
  const auto model = guessed(subject, {inputs.parameter(0, 0, 8)}, statements);
  ASSERT_TRUE(model);
  Values values(pool, [&](Term unknown) {
    const auto found = model->find(unknown);
    return found == model->end() ? 0 : found->second;
  });
  for (const Term statement : statements) EXPECT_EQ(values(statement), 1U);
  // One that is wanted is preferred, and the first one is better than none.
  std::vector<Model> offered;
  const auto wanted = [&](std::size_t count) {
    return [&offered, count](const Model& one) {
      offered.push_back(one);
      return offered.size() == count;
    };
  };
  const std::vector<Term> often{pool.below(pool.constant(90, 64), whole, false)};
  const auto second = guessed(subject, {inputs.parameter(0, 0, 8)}, often, 12, wanted(2));
  ASSERT_EQ(offered.size(), 2U);
  EXPECT_NE(offered[0], offered[1]);
  EXPECT_EQ(second, offered[1]);
  const auto first = guessed(subject, {inputs.parameter(0, 0, 8)}, often, 12, wanted(99));
  EXPECT_GT(offered.size(), 3U);
  EXPECT_EQ(first, offered[2]);
  // Nothing is found where nothing is.
  EXPECT_FALSE(guessed(subject, {},
                       {pool.below(whole, n, false), pool.equal(blocks, pool.constant(1, 32))}));
}

}  // namespace
}  // namespace bankproof::symbolic
