// What Coq has checked is what the program states today.
#include "../../../proofs/scripts/checked.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "../../../proofs/scripts/theorems.hpp"
#include "../../../proofs/theorems/catalog.hpp"
#include "../../../proofs/written/in_coq.hpp"

namespace bankproof::proofs {
namespace {

TEST(CheckedInCoq, is_what_the_templates_state) {
  std::map<std::string, const Theorem*> by_name;
  const std::vector<Theorem> all = catalog();
  for (const Theorem& theorem : all) by_name[coq_name(theorem.id)] = &theorem;
  for (const CheckedInCoq& one : all_checked_in_coq()) {
    const auto theorem = by_name.find(std::string(one.name));
    ASSERT_NE(theorem, by_name.end()) << one.name << " is no theorem";
    EXPECT_EQ(hash_of_statement(statement_in_coq(*theorem->second)), one.statement)
        << one.name << " states something else than what Coq has checked: see ci/coq_theorems.py";
  }
  EXPECT_GT(all_checked_in_coq().size(), all.size() / 2);
}

/// w·⌈n/w⌉ ≥ n + more.
Theorem enough(int more) {
  Theorem theorem;
  theorem.proof([more](Query& q) {
    const auto [n, w] = q.numbers({{"n", 0, 5}, {"w", 1, 2}});
    q.claim("enough", w * ceil_div(n, w) >= n + more);
  });
  return theorem;
}

// A planted bug: a goal that is changed by one.
TEST(CheckedInCoq, has_another_hash_if_a_goal_changes_by_one) {
  const auto hash = [](int more) { return hash_of_statement(statement_in_coq(enough(more))); };
  EXPECT_EQ(hash(0), hash(0));
  EXPECT_NE(hash(0), hash(1));
}

}  // namespace
}  // namespace bankproof::proofs
