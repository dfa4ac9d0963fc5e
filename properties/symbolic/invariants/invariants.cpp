// Counters of loops: what induction shows of them, and that it shows no more than is true.
#include "../../../symbolic/invariants/invariants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "../../../symbolic/premises/formula.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"
#include "../proving/kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// The strided copy, with the invariants that follow from these conditions.
class Copy {
 public:
  explicit Copy(const std::vector<std::string>& conditions)
      : request_(request_for(strided_copy)),
        execution_(pool_, request_.file->module, *request_.kernel),
        subject_{pool_, execution_} {
    Formulas formulas(subject_, values_of(*request_.kernel, signature_of("copy", 3, "")));
    for (const std::string& one : conditions) {
      subject_.premises.push_back(formulas.condition(one));
    }
    excluded_ = add_invariants(subject_);
  }

  std::vector<Term> invariants() const {
    std::vector<Term> all;
    for (const Fact& fact : execution_.trace().facts) {
      if (fact.kind == Fact::Kind::invariant) all.push_back(fact.term);
    }
    return all;
  }
  const Pool& pool() const { return pool_; }
  std::size_t questions() const { return excluded_.size(); }

 private:
  Request request_;
  Pool pool_;
  Execution execution_;
  Subject subject_;
  std::vector<Excluded> excluded_;
};

BANKPROOF_PROPERTY(Invariants, hold_in_each_iteration, ()) {
  static const Copy copy({"arg2 <= 1 << 30", "gridDim.x <= 1 << 19"});
  const std::vector<Term> invariants = copy.invariants();
  RC_ASSERT(!invariants.empty());
  RC_ASSERT(copy.questions() > 0);
  const auto n = *rc::gen::inRange<std::uint64_t>(1, (1U << 30U) + 1U);
  const auto threads = *rc::gen::inRange<std::uint64_t>(1, 1025);
  const auto blocks = *rc::gen::inRange<std::uint64_t>(1, 1U << 19U);
  const auto first = *rc::gen::inRange<std::uint64_t>(0, std::min(n, threads * blocks));
  // An iteration that this thread comes to.
  const auto k = *rc::gen::inRange<std::uint64_t>(0, (n - 1 - first) / (threads * blocks) + 1);
  const std::map<std::string, std::uint64_t> at = {{"tid.x", first % threads},
                                                   {"ntid.x", threads},
                                                   {"ctaid.x", first / threads},
                                                   {"nctaid.x", blocks},
                                                   {"parameter 2", n},
                                                   {"k0", k},
                                                   {"last k0", k}};
  Values values(copy.pool(), [&](Term unknown) { return at.at(copy.pool().name(unknown)); });
  for (const Term invariant : invariants) RC_ASSERT(values(invariant) == 1);
}

// A canary: without a bound, the counter of 32 bits wraps around, and nothing may be shown of it.
TEST(Invariants, are_not_shown_of_counters_that_wrap_around) {
  EXPECT_TRUE(Copy({}).invariants().empty());
  EXPECT_FALSE(Copy({"arg2 <= 1 << 30"}).invariants().empty());
}

/// Each thread stores to the elements of its row, until its counter is their number.
constexpr const char* fill_rows = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 columns)
{
.reg .pred %p<4>;
.reg .b32 %r<9>;
.reg .b64 %rd<6>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [columns];
mov.u32 %r2, %tid.x;
mul.lo.s32 %r3, %r2, %r1;
mul.wide.s32 %rd2, %r3, 4;
add.s64 %rd3, %rd1, %rd2;
mov.u32 %r4, 0;
setp.lt.s32 %p1, %r1, 1;
@%p1 bra END;
LOOP:
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r2;
add.s32 %r4, %r4, 1;
setp.ne.s32 %p2, %r4, %r1;
@%p2 bra LOOP;
END:
ret;
}
)";

Verdict race_of(const std::string& text, std::array<std::uint32_t, 3> block = {}) {
  Request request = request_for(text);
  if (block[0] != 0) request.shape.block = {block[0], block[1], block[2]};
  request.claims = {Claim::race};
  request.where = {"arg1 <= 1 << 15"};
  return prove(request).decisions.front().verdict;
}

TEST(Invariants, end_loops_that_go_on_while_a_counter_is_not_its_end) {
  EXPECT_EQ(race_of(fill_rows), Verdict::proved);
  // From the end down to 0.
  const std::string down = planted(
      planted(planted(planted(fill_rows, "mov.u32 %r4, 0;", "mov.u32 %r4, %r1;"),
                      "add.s32 %r4, %r4, 1;", ""),
              "mul.wide.u32 %rd4, %r4, 4;", "add.s32 %r4, %r4, -1; mul.wide.u32 %rd4, %r4, 4;"),
      "setp.ne.s32 %p2, %r4, %r1;", "setp.ne.s32 %p2, %r4, 0;");
  EXPECT_EQ(race_of(down), Verdict::proved);
}

// Canaries: a counter that passes its end goes on, into the rows of other threads.
TEST(Invariants, end_no_loop_whose_counter_may_pass_its_end) {
  EXPECT_NE(race_of(planted(fill_rows, "add.s32 %r4, %r4, 1;", "add.s32 %r4, %r4, 2;")),
            Verdict::proved);
  EXPECT_EQ(race_of(fill_rows, {32, 1, 1}), Verdict::proved);
  EXPECT_NE(race_of(planted(fill_rows, "@%p1 bra END;", ""), {32, 1, 1}), Verdict::proved);
  // The loop compares another number in each iteration.
  EXPECT_NE(race_of(planted(fill_rows, "setp.ne.s32 %p2, %r4, %r1;",
                            "mov.u32 %r5, %clock; min.u32 %r5, %r5, 8; "
                            "setp.ne.s32 %p2, %r5, %r1;")),
            Verdict::proved);
}

}  // namespace
}  // namespace bankproof::symbolic
