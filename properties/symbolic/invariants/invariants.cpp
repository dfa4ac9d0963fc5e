// Counters of loops: what induction shows of them, and that it shows no more than is true.
#include "../../../symbolic/invariants/invariants.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
    Formulas formulas(subject_, *request_.kernel, signature_of("copy", 3, ""));
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

}  // namespace
}  // namespace bankproof::symbolic
