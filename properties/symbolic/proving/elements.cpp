// Conditions on the elements of arrays, and arrays that no thread writes: all threads load the same
// from them.
#include "../../../symbolic/premises/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "../../../proofs/formulas/parser.hpp"
#include "../../../symbolic/replay/elements.hpp"
#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// scatter(const int* p, int* out, int n): out[p[i]] = i for i < n.
constexpr const char* scatter = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry _Z7scatterPKiPii(.param .u64 p, .param .u64 out, .param .u32 n)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [p];
ld.param.u64 %rd2, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mad.lo.s32 %r5, %r3, %r4, %r2;
setp.ge.s32 %p1, %r5, %r1;
@%p1 bra END;
mul.wide.s32 %rd3, %r5, 4;
add.s64 %rd4, %rd1, %rd3;
ld.global.u32 %r6, [%rd4];
mul.wide.s32 %rd5, %r6, 4;
add.s64 %rd6, %rd2, %rd5;
st.global.u32 [%rd6], %r5;
END:
ret;
}
)";

/// fill(const int* begins, int* out): out[k] = row for begins[row] <= k < begins[row + 1], each row
/// by a block, which reads its end in each iteration.
constexpr const char* fill = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry _Z4fillPKiPi(.param .u64 begins, .param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [begins];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mul.wide.u32 %rd3, %r2, 4;
add.s64 %rd4, %rd1, %rd3;
ld.global.u32 %r4, [%rd4];
add.s32 %r5, %r4, %r1;
LOOP:
ld.global.u32 %r6, [%rd4+4];
setp.ge.s32 %p1, %r5, %r6;
@%p1 bra END;
mul.wide.s32 %rd5, %r5, 4;
add.s64 %rd6, %rd2, %rd5;
st.global.u32 [%rd6], %r2;
add.s32 %r5, %r5, %r3;
bra LOOP;
END:
ret;
}
)";

std::map<Claim, Verdict> stated_verdicts(
    const std::string& text, std::vector<Claim> claims, std::vector<std::string> where,
    std::vector<std::pair<std::string, std::string>> buffers = {}) {
  Request request = request_for(text);
  request.claims = std::move(claims);
  request.shape.block = {64, 1, 1};
  request.where = std::move(where);
  request.buffers = std::move(buffers);
  std::map<Claim, Verdict> found;
  for (const Decision& one : prove(request).decisions) found[one.claim] = one.verdict;
  return found;
}

const std::string no_two_are_the_same = "i == j || arg0[i] != arg0[j]";
const std::string are_in_order = "i > j || arg0[i] <= arg0[j]";

TEST(Elements, that_differ_are_places_of_one_thread) {
  const std::vector<Claim> races{Claim::race, Claim::blocks};
  for (const auto& [claim, verdict] : stated_verdicts(scatter, races, {no_two_are_the_same})) {
    EXPECT_EQ(verdict, Verdict::proved) << name_of(claim);
  }
  // An involution has no two elements that are the same.
  EXPECT_EQ(stated_verdicts(scatter, {Claim::blocks},
                            {"arg0[arg0[i]] == i", "0 <= arg0[i]", "arg0[i] < arg2"},
                            {{"arg0", "arg2"}})[Claim::blocks],
            Verdict::proved);
  for (const char* const weaker :
       {"arg0[i] >= 0", "i == j || arg0[i] == arg0[j]", "arg0[i] != arg0[i + 1] || i == 5"}) {
    for (const auto& [claim, verdict] : stated_verdicts(scatter, races, {weaker})) {
      EXPECT_NE(verdict, Verdict::proved) << weaker << ": " << name_of(claim);
    }
  }
}

TEST(Elements, are_stated_of_those_that_are_there) {
  const std::vector<std::string> are_indices{"0 <= arg0[i]", "arg0[i] < arg2"};
  const auto bounds = [&](const std::string& text, std::vector<std::string> where) {
    return stated_verdicts(text, {Claim::bounds}, std::move(where),
                           {{"arg0", "arg2"}, {"arg1", "arg2"}})[Claim::bounds];
  };
  EXPECT_EQ(bounds(scatter, are_indices), Verdict::proved);
  EXPECT_EQ(bounds(scatter, {"0 <= arg0[i]", "arg0[i] <= arg2"}), Verdict::refuted);
  // The element behind the last one is any number, and threads without the guard read it.
  EXPECT_NE(bounds(planted(scatter, "[%rd4];", "[%rd4+4];"), are_indices), Verdict::proved);
  EXPECT_NE(bounds(planted(scatter, "@%p1 bra END;", ""), are_indices), Verdict::proved);
}

// Nothing is known of elements that nobody loads, such as those of an array of none.
TEST(Elements, are_stated_of_those_that_threads_load) {
  const std::string always = planted(planted(scatter, "END:", "st.global.u32 [%rd6], %r5;\nEND:"),
                                     "@%p1 bra END;", "mov.u64 %rd6, %rd2; @%p1 bra WRITE;");
  const std::string all = planted(always, "st.global.u32 [%rd6], %r5;\nst", "WRITE:\nst");
  const std::vector<std::string> conditions{no_two_are_the_same, "0 <= arg0[i]", "arg0[i] < arg2"};
  for (const auto& [claim, verdict] :
       stated_verdicts(all, {Claim::race, Claim::blocks}, conditions)) {
    EXPECT_NE(verdict, Verdict::proved) << name_of(claim);
  }
}

TEST(Elements, at_one_place_are_the_same_in_each_iteration_and_for_all_threads) {
  EXPECT_EQ(stated_verdicts(fill, {Claim::race}, {})[Claim::race], Verdict::proved);
  const std::string least = "0 <= arg0[i]";
  const std::string most = "arg0[i] <= 1 << 20";
  EXPECT_EQ(stated_verdicts(fill, {Claim::blocks}, {are_in_order, least, most})[Claim::blocks],
            Verdict::proved);
  EXPECT_NE(stated_verdicts(fill, {Claim::blocks}, {least, most})[Claim::blocks], Verdict::proved);
  // Each thread reads another begin; or what others may write meanwhile.
  for (const char* const bug :
       {"ld.global.u32 %r4, [%rd5];", "ld.volatile.global.u32 %r4, [%rd4];"}) {
    std::string text = planted(fill, "ld.global.u32 %r4, [%rd4];", bug);
    text =
        planted(text, "mul.wide.u32 %rd3", "mad.wide.u32 %rd5, %r1, 4, %rd1;\nmul.wide.u32 %rd3");
    EXPECT_NE(stated_verdicts(text, {Claim::race}, {})[Claim::race], Verdict::proved) << bug;
  }
  // A thread writes to the array.
  const std::string written = planted(fill, "st.global.u32 [%rd6], %r2;",
                                      "st.global.u32 [%rd6], %r2; "
                                      "st.global.u32 [%rd4+400], 1;");
  EXPECT_NE(stated_verdicts(written, {Claim::race}, {})[Claim::race], Verdict::proved);
}

TEST(Elements, of_arrays_that_are_written_or_that_contradict_each_other_are_refused) {
  const std::string written =
      planted(scatter, "st.global.u32 [%rd6]", "st.global.u32 [%rd4], 1;\nst.global.u32 [%rd6]");
  const std::string anywhere = planted(scatter, "st.global.u32 [%rd6]",
                                       "ld.global.u64 %rd7, [%rd2];\nst.global.u32 [%rd7], 1;\n"
                                       "st.global.u32 [%rd6]");
  for (const std::string& text : {written, anywhere}) {
    EXPECT_THROW(stated_verdicts(text, {Claim::blocks}, {no_two_are_the_same}), PremiseError);
  }
  for (const std::vector<std::string>& where : std::vector<std::vector<std::string>>{
           {"arg0[i] < 0", "arg0[i] > 0"},
           {"arg0[i] < arg0[j]"},
           // Seven elements, five numbers.
           {no_two_are_the_same, "0 <= arg0[i]", "arg0[i] < 5", "arg2 == 7"}}) {
    EXPECT_THROW(stated_verdicts(scatter, {Claim::blocks}, where, {{"arg0", "arg2"}}),
                 PremiseError);
  }
  // One element more than there are numbers: all are looked at where there may be few.
  const std::vector<std::string> numbers = {no_two_are_the_same, "0 <= arg0[i]", "arg0[i] < arg2",
                                            "arg2 <= 6"};
  EXPECT_THROW(stated_verdicts(scatter, {Claim::blocks}, numbers, {{"arg0", "arg2 + 1"}}),
               PremiseError);
  EXPECT_EQ(stated_verdicts(scatter, {Claim::blocks}, numbers, {{"arg0", "arg2"}})[Claim::blocks],
            Verdict::proved);
  EXPECT_NO_THROW(stated_verdicts(scatter, {Claim::blocks},
                                  {no_two_are_the_same, "0 <= arg0[i]", "arg0[i] < 7", "arg2 == 7"},
                                  {{"arg0", "arg2"}}));
}

std::vector<NamedValue> values() {
  const Request request = request_for(scatter);
  return values_of(*request.kernel, signature_of(request.kernel->name, 3, ""));
}

TEST(ElementConditions, have_variables_and_elements) {
  const auto condition = element_condition("arg0[arg0[i] ] + arg2 < arg0[1 + j]", values());
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->variables.size(), 2U);
  ASSERT_EQ(condition->uses.size(), 3U);
  EXPECT_EQ(condition->uses[0].plain->plus, 0);
  EXPECT_FALSE(condition->uses[1].plain);
  EXPECT_EQ(condition->uses[2].plain->variable, 1U);
  EXPECT_EQ(condition->uses[2].plain->plus, 1);
  EXPECT_FALSE(element_condition("arg2 < 7", values()));
  struct Wrong {
    const char* text;
    const char* says;
  };
  for (const Wrong& wrong :
       {Wrong{"arg0[i < 3", "expected ']'"}, Wrong{"arg0[2 * i] < 3", "has to be the subscript"},
        Wrong{"arg0[i] < m", "unknown name 'm'"}, Wrong{"arg0[] < 3", "expected a number"},
        Wrong{"arg0[threadIdx.x] < 3", "unknown name 'threadIdx.x'"}}) {
    try {
      element_condition(wrong.text, values());
      ADD_FAILURE() << wrong.text;
    } catch (const formulas::ParseError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(wrong.says));
      EXPECT_EQ(error.text(), wrong.text);
    }
  }
}

TEST(ElementConditions, are_tried_for_all_elements_of_a_launch) {
  using Kind = Contents::Kind;
  const auto holds_for = [&](const std::string& text, Contents contents, std::uint32_t n) {
    Launch launch;
    launch.parameters = {std::vector<std::byte>(8),
                         std::vector<std::byte>(8),
                         {std::byte(n), std::byte{0}, std::byte{0}, std::byte{0}}};
    launch.buffers[0] = {{.bytes = 4ULL * n, .offset = 0}};
    launch.block = {8, 1, 1};
    launch.grid = {3, 1, 1};
    return holds(*element_condition(text, values()), launch, contents);
  };
  const Contents same{Kind::same, 5};
  EXPECT_TRUE(holds_for(no_two_are_the_same, {Kind::counting}, 20));
  EXPECT_FALSE(holds_for(no_two_are_the_same, {Kind::zeros}, 20));
  EXPECT_TRUE(holds_for(no_two_are_the_same, {Kind::zeros}, 1));
  EXPECT_TRUE(holds_for("arg0[i] + 1 == arg0[i + 1]", {Kind::counting}, 20));
  EXPECT_TRUE(holds_for("arg0[i - 3] + 3 == arg0[i]", {Kind::counting}, 20));
  EXPECT_FALSE(holds_for("arg0[i] == arg0[i + 1]", {Kind::counting}, 20));
  EXPECT_TRUE(holds_for("arg0[arg0[i]] == i", {Kind::counting}, 20));
  EXPECT_FALSE(holds_for("arg0[arg0[i]] == i", {Kind::zeros}, 20));
  // A condition says nothing of elements behind the end of an array: here of element 5 of five.
  EXPECT_TRUE(holds_for("arg0[arg0[i]] == 0", same, 5));
  EXPECT_FALSE(holds_for("arg0[arg0[i]] == 0", same, 6));
  EXPECT_TRUE(holds_for("arg0[i] < arg2 && arg0[i] <= blockDim.x * gridDim.x", same, 6));
  EXPECT_FALSE(holds_for("arg0[i] < blockDim.x - gridDim.x", same, 6));
  // A division by 0 has no value, unless the left side decides.
  EXPECT_FALSE(holds_for("7 / arg0[i] <= 7", {Kind::counting}, 20));
  EXPECT_TRUE(holds_for("arg0[i] == 0 || 7 / arg0[i] <= 7", {Kind::counting}, 20));
  // An array that the kernel does not access has no elements in a launch.
  EXPECT_TRUE(holds_for("arg1[i] < 0", same, 6));
  // Numbers have signs.
  EXPECT_FALSE(holds_for("arg0[i] >= 0", {Kind::random}, 20));
}

}  // namespace
}  // namespace bankproof::symbolic
