// Closed forms are templates over the number type. With exact whole numbers, on which no code can
// branch, they give the same values as with machine words.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string_view>

#include "../../algorithms/contiguous_access.hpp"
#include "../../algorithms/convolution.hpp"
#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/matrix_product.hpp"
#include "../../algorithms/permutation/scheduled.hpp"
#include "../../algorithms/prefix_sums.hpp"
#include "../../algorithms/sum.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../algorithms/transpose.hpp"
#include "../../testing/abstract/integer.hpp"
#include "../../testing/abstract/undecided.hpp"
#include "../../testing/algorithms.hpp"

namespace bankproof::testing {
namespace {

bool is_same_bound(const BoundOf<Integer>& a, const Bound& b) {
  return a.factor.to_word() == b.factor && a.domain.holds() == b.domain &&
         (!b.domain || a.value() == b.value());
}
template <class A>
void bounds_agree(const Task& task, const TaskOf<Integer>& exact) {
  const auto upper = A::upper(task);
  const auto exact_upper = A::upper(exact);
  RC_ASSERT(upper.has_value() == exact_upper.has_value());
  if (upper) RC_ASSERT(is_same_bound(*exact_upper, *upper));
  const auto lower = A::lower(task);
  const auto exact_lower = A::lower(exact);
  RC_ASSERT(lower.size() == exact_lower.size());
  for (std::size_t k = 0; k < lower.size(); ++k) RC_ASSERT(is_same_bound(exact_lower[k], lower[k]));
}

/// Compares the cost and the bounds of a random task in both kinds of numbers, at sizes that no
/// test runs.
template <class A>
void agrees_with_exact_numbers() {
  const Task task = *any_task<A>(2);
  RC_LOG() << task;
  const TaskOf<Integer> exact = exactly(task);
  RC_ASSERT(to_words(A::cost(exact)) == A::cost(task));
  bounds_agree<A>(task, exact);
}

TEST(Numbers, that_depend_on_residues_are_added_up_as_others) {
  for (std::uint64_t m = 1; m <= 8; ++m) {
    for (std::uint64_t step = 0; step <= 9; ++step) {
      for (std::uint64_t count = 0; count <= 20; ++count) {
        const auto square = [&](std::uint64_t k) { return (k * step % m) * (k * step % m) + 1; };
        EXPECT_EQ(sum_over_residues(count, step, m, square), sum_over(count, square))
            << count << ", " << step << ", " << m;
      }
    }
  }
}

BANKPROOF_PROPERTY(Numbers, of_sums_are_exact, ()) { agrees_with_exact_numbers<Sum>(); }
BANKPROOF_PROPERTY(Numbers, of_prefix_sums_are_exact, ()) {
  agrees_with_exact_numbers<PrefixSums>();
}
BANKPROOF_PROPERTY(Numbers, of_convolutions_are_exact, ()) {
  agrees_with_exact_numbers<Convolution>();
}
BANKPROOF_PROPERTY(Numbers, of_image_convolutions_are_exact, ()) {
  agrees_with_exact_numbers<ImageConvolution>();
}
BANKPROOF_PROPERTY(Numbers, of_matrix_products_are_exact, ()) {
  agrees_with_exact_numbers<MatrixProduct>();
}
BANKPROOF_PROPERTY(Numbers, of_transposes_are_exact, ()) { agrees_with_exact_numbers<Transpose>(); }

BANKPROOF_PROPERTY(Numbers, of_global_costs_of_summed_area_tables_are_exact, ()) {
  const Task task = *any_task<SummedAreaTable>(2);
  RC_LOG() << task;
  const Cost<std::uint64_t> cost = SummedAreaTable::cost(task);
  const Cost<std::uint64_t> sums = SummedAreaTable::global_accesses(task);
  RC_ASSERT(sums.global.stages == cost.global.stages);
  RC_ASSERT(sums.global.requests == cost.global.requests);
  RC_ASSERT(sums.launches == cost.launches);
  const TaskOf<Integer> exact = exactly(task);
  RC_ASSERT(to_words(SummedAreaTable::global_accesses(exact)) == sums);
  RC_ASSERT(SummedAreaTable::global_cost(exact).to_word() ==
            global_access_cost(cost, task.machine));
  bounds_agree<SummedAreaTable>(task, exact);
  RC_ASSERT(is_same_bound(*SummedAreaTable::global_cost_upper(exact),
                          *SummedAreaTable::global_cost_upper(task)));
}

TEST(Numbers, that_decide_nothing_go_through_as_many_levels_of_summed_area_tables_as_asked_for) {
  for (const std::string_view variant : {"2R1W", "hybrid"}) {
    TaskOf<Undecided> task{variant, {}, {}};
    for (const SizeKey& key : SummedAreaTable::size_keys) task.sizes.add(key.name, Undecided());
    const auto sums = [&](std::uint64_t levels) {
      Undecided::sums = 0;
      SummedAreaTable::global_accesses(task, levels);
      return Undecided::sums;
    };
    EXPECT_GT(sums(1), sums(0));
    EXPECT_EQ(sums(2) - sums(1), sums(1) - sums(0));
  }
}

BANKPROOF_PROPERTY(Numbers, of_contiguous_accesses_are_exact, ()) {
  const ContiguousAccess c{any(0, 499), any(1, 499), any(1, 499), any(1, 499)};
  const ContiguousAccessOf<Integer> exact{Integer(c.n), Integer(c.p), Integer(c.w), Integer(c.l)};
  RC_ASSERT(contiguous_lockstep_time_on_dmm(exact).to_word() == contiguous_lockstep_time_on_dmm(c));
  RC_ASSERT(contiguous_lockstep_time_on_umm(exact).to_word() == contiguous_lockstep_time_on_umm(c));
  RC_ASSERT(contiguous_overlapped_time_on_dmm(exact).to_word() ==
            contiguous_overlapped_time_on_dmm(c));
  RC_ASSERT(contiguous_overlapped_time_on_umm(exact).to_word() ==
            contiguous_overlapped_time_on_umm(c));
}

BANKPROOF_PROPERTY(Numbers, of_scheduled_permutations_are_exact, ()) {
  const auto few = [] { return any(1, 8); };
  const std::uint64_t w = few();
  const Transposing matrix{w * few(), w * few(), w};
  const MachineParameters m{.w = w, .l = few(), .L = few(), .d = few(), .p = w * few()};
  const Task task{"", Sizes(), m};
  const TransposingOf<Integer> exact{Integer(matrix.rows), Integer(matrix.columns), Integer(w)};
  RC_ASSERT(to_words(permute_scheduled_cost(exactly(task).machine, exact)) ==
            permute_scheduled_cost(m, matrix));
}

TEST(Numbers, that_are_exact_cannot_be_branched_on_and_do_not_wrap) {
  static_assert(!std::is_convertible_v<Truth, bool> && !std::is_constructible_v<bool, Truth>);
  EXPECT_THROW(Integer(3) - Integer(5), std::underflow_error);
  EXPECT_THROW(Integer(3) / Integer(0), std::domain_error);
  EXPECT_THROW((Integer(1) + Integer(UINT64_MAX)).to_word(), std::overflow_error);
  EXPECT_EQ(smaller(Integer(3), Integer(5)).to_word(), 3U);
  EXPECT_EQ(minus_or_zero(Integer(3), Integer(5)).to_word(), 0U);
  EXPECT_EQ(ceil_div(Integer(7), Integer(3)).to_word(), 3U);
}

}  // namespace
}  // namespace bankproof::testing
