// Formulas say what the template computes: the closed forms of all algorithms, evaluated as
// formulas, are what the templates return when they run on machine words.
#include "../../../proofs/written/written.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../../algorithms/catalog/catalog.hpp"
#include "../../../proofs/written/costs.hpp"
#include "../../../proofs/written/evaluate.hpp"
#include "../../../proofs/written/in_coq.hpp"
#include "../../../proofs/written/tasks.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../../testing/tasks.hpp"

namespace bankproof::proofs {
namespace {

template <class N>
std::vector<N> numbers_in(const Cost<N>& cost) {
  std::vector<N> all{cost.overlap, cost.launches};
  for (const Rounds<N>* const one : {&cost.global, &cost.shared, &cost.constant}) {
    all.insert(all.end(), {one->stages, one->rounds, one->requests});
  }
  return all;
}

/// The values of the names in formulas about the task.
NamedNumbers named_numbers_of(const Task& task) {
  const auto numbers = numbers_of(task);
  return {numbers.begin(), numbers.end()};
}

/// The formulas of the cost, and of the time that follows from it.
template <class A>
void says_what_it_computes(const Task& task, const NamedNumbers& numbers) {
  const TaskOf<Written> written = written_task<A>(task.variant, task.machine.machine);
  const auto cost = A::cost(task);
  const auto formulas = A::cost(written);
  std::vector<std::uint64_t> values = numbers_in(cost);
  std::vector<Written> all = numbers_in(formulas);
  values.push_back(lockstep_time(cost, task.machine));
  all.push_back(lockstep_time(formulas, written.machine));
  RC_LOG() << task << '\n';
  for (std::size_t k = 0; k < all.size(); ++k) {
    RC_ASSERT(value_of(*all[k].node(), numbers) == static_cast<WrittenNumber>(values[k]));
  }
}

TEST(Written, costs_say_what_the_template_computes) {
  int checked = 0;
  for_each_algorithm([&]<class A>(A) {
    if constexpr (HasWrittenCost<A>) {
      ++checked;
      testing::check_property(
          [] {
            const Task task = *testing::any_task<A>();
            says_what_it_computes<A>(task, named_numbers_of(task));
          },
          std::string(A::name), 5);
    }
  });
  EXPECT_GE(checked, 6);
}

TEST(Canary, a_formula_about_one_item_more_is_caught) {
  EXPECT_TRUE(testing::caught([] {
    const Task task = *testing::any_task<Sum>();
    NamedNumbers numbers = named_numbers_of(task);
    ++numbers.at("size n");
    says_what_it_computes<Sum>(task, numbers);
  }));
}

const Written n = Written::name("n");
const Written w = Written::name("w");

WrittenNumber value(const Written& formula, const NamedNumbers& numbers) {
  return value_of(*formula.node(), numbers);
}

TEST(Written, quotients_are_rounded_down_and_up) {
  for (int a = -7; a <= 7; ++a) {
    const NamedNumbers numbers{{"n", a}, {"w", 3}};
    EXPECT_EQ(static_cast<int>(value(n / w * w + n % w, numbers)), a);
    EXPECT_TRUE(value(n % w, numbers) >= 0 && value(n % w, numbers) < 3);
    EXPECT_EQ(value(ceil_div(n, w), numbers), value((n + w - 1) / w, numbers));
  }
  EXPECT_THROW(value(n / w, {{"n", 1}, {"w", 0}}), std::domain_error);
  EXPECT_THROW(value(n, {}), std::out_of_range);
}

TEST(Written, is_printed_as_a_term_of_coq) {
  EXPECT_EQ(in_coq(ceil_div(n, w) + 1), "((ceiling n w) + 1)");
  EXPECT_EQ(in_coq(select(n < w && n == 0, n, -3)),
            "(if ((negb (w <=? n)) && (n =? 0)) then n else (-3))");
  EXPECT_EQ(in_coq(sum_over(n, [](const Written& k) { return k * w; })),
            "(sum_over n (fun k'1 => (k'1 * w)))");
  EXPECT_EQ(coq_name("p/w"), "p_w");
  EXPECT_EQ(coq_name("2v"), "n_2v");
}

// A part that occurs twice in a formula is defined once, inside of the sums on whose places it
// depends.
TEST(Written, defines_once_what_it_has_twice) {
  const Written tile = n / w;
  EXPECT_EQ(in_coq(tile * tile), "(let v'1 := (n / w) in\n(v'1 * v'1))");
  EXPECT_EQ(in_coq(sum_over(n,
                            [&](const Written& k) {
                              const Written square = k * k;
                              return square + square + tile * tile;
                            })),
            "(let v'1 := (n / w) in\n(sum_over n (fun k'2 => (let v'3 := (k'2 * k'2) in\n"
            "((v'3 + v'3) + (v'1 * v'1))))))");
  EXPECT_EQ(in_coq((n + w) * (n + w)), "(let v'1 := (n + w) in\n(v'1 * v'1))");
}

TEST(Written, costs_have_definitions_and_examples) {
  const CostsInCoq costs = costs_in_coq();
  EXPECT_GE(costs.definitions, 36U);
  EXPECT_EQ(costs.examples, 2 * costs.definitions);
  EXPECT_THAT(costs.text, ::testing::HasSubstr("\nDefinition sum_pairwise_dmm := fun size_n "));
}

}  // namespace
}  // namespace bankproof::proofs
