// Chooses between table, closed form and schedule, and verifies the result; see made_plan.hpp.
#include "made_plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "../../algorithms/permutation/plan.hpp"
#include "../../algorithms/permutation/verify.hpp"
#include "../../algorithms/permutation/verify_schedule.hpp"
#include "../support/memory.hpp"
#include "digest.hpp"

namespace bankproof::cli {
namespace {

/// The values of an affine map; lanes beyond its domain are idle.
template <class Index>
std::vector<Index> values_of(const AffineMap& map, std::uint64_t lanes) {
  std::vector<Index> values(lanes, idle<Index>);
  for (std::uint64_t j = 0; j < std::uint64_t{1} << map.bits; ++j) {
    values[j] = static_cast<Index>(map(j));
  }
  return values;
}

/// Makes a plan of one pass. `Index` can number all lanes, with one value to spare for idle lanes.
template <class Index>
void plan_one_pass(std::span<const Index> permutation, MadePlan& plan, const Report& report) {
  const std::uint64_t lanes = lanes_of_plan(plan.n, plan.width);
  std::vector<Index> s;
  std::vector<Index> d;
  if (plan.affine) {
    report("writing out the closed form");
    s = values_of<Index>(plan.affine->s, lanes);
    d = values_of<Index>(plan.affine->d, lanes);
  } else {
    report("planning");
    BankPlan<Index> made = plan_banks(permutation, plan.width);
    s = std::move(made.s);
    d = std::move(made.d);
  }
  report("verifying");
  const auto defect =
      verify_plan(permutation, std::span<const Index>(s), std::span<const Index>(d), plan.width);
  if (defect) throw std::logic_error("the plan is not right: " + describe(*defect));
  plan.passes.push_back({1, lanes, std::move(s), std::move(d)});
}

template <class Cell, class Index>
void plan_three_passes(std::span<const Index> permutation, MadePlan& plan, const Report& report) {
  report("scheduling");
  Schedule<Cell> made = schedule<Cell>(permutation, plan.shape, plan.width);
  report("verifying");
  std::array<PassToVerify<Cell>, 3> passes;
  for (std::size_t k = 0; k < 3; ++k) passes[k] = {made.passes[k].s, made.passes[k].d};
  const auto defect =
      verify_schedule(permutation, plan.shape.rows, plan.shape.columns, plan.width, passes);
  if (defect) throw std::logic_error("the schedule is not right: " + describe(*defect));
  for (RowPlans<Cell>& pass : made.passes) {
    plan.passes.push_back({pass.rows, pass.lanes(), std::move(pass.s), std::move(pass.d)});
  }
}

template <class Index>
void make(std::span<const Index> permutation, MadePlan& plan, bool global, const Report& report) {
  report("looking for a closed form");
  plan.form = affine_form(permutation);
  if (global) {
    plan.kind = MadePlan::Kind::scheduled;
    plan.shape = shape_for(plan.n, plan.width);
    const std::uint64_t longest = std::max(plan.shape.rows, plan.shape.columns);
    if (longest <= std::numeric_limits<std::int16_t>::max()) {
      return plan_three_passes<std::uint16_t>(permutation, plan, report);
    }
    return plan_three_passes<std::uint32_t>(permutation, plan, report);
  }
  if (plan.form.map && std::has_single_bit(plan.width)) {
    plan.kind = MadePlan::Kind::affine;
    plan.affine = plan_affine(*plan.form.map, plan.width);
  }
  plan_one_pass(permutation, plan, report);
}

/// Whether an Index can number all lanes, or all positions of the matrix, with one value to spare.
template <class Index>
bool fits_in(std::uint64_t n, Width width, bool global) {
  const MatrixShape shape = shape_for(n, width);
  const std::uint64_t places = global ? shape.rows * shape.columns : lanes_of_plan(n, width);
  return places < std::numeric_limits<Index>::max();
}

}  // namespace

std::string_view name_of(MadePlan::Kind kind) {
  if (kind == MadePlan::Kind::banks) return "banks";
  return kind == MadePlan::Kind::affine ? "affine" : "scheduled";
}

void require_plan_memory(const PermutationArgument& permutation, Width width, bool global) {
  std::visit(
      [&]<class Index>(const std::vector<Index>& values) {
        const bool fits = fits_in<Index>(values.size(), width, global);
        const std::uint64_t index_bytes = fits ? sizeof(Index) : sizeof(std::uint64_t);
        const std::uint64_t copy_bytes = fits ? 0 : index_bytes;
        // For each element, a schedule keeps S and D of three passes with two bytes for each
        // number, an index for the position, and an edge of a graph.
        const std::uint64_t plan_bytes = global ? 12 + 2 * index_bytes : 2 * index_bytes;
        require_memory(permutation.name, values.size(), sizeof(Index) + copy_bytes + plan_bytes);
      },
      permutation.values);
}

MadePlan make_plan(const PermutationArgument& permutation, Width width, bool global,
                   const Report& report) {
  MadePlan plan;
  plan.permutation = permutation.name;
  plan.n = permutation.size();
  plan.width = width;
  report("computing the SHA-256");
  plan.sha256 = digest_of(permutation.values);
  std::visit(
      [&]<class Index>(const std::vector<Index>& values) {
        if (fits_in<Index>(plan.n, width, global))
          return make(std::span<const Index>(values), plan, global, report);
        const std::vector<std::uint64_t> wide(values.begin(), values.end());
        make(std::span<const std::uint64_t>(wide), plan, global, report);
      },
      permutation.values);
  return plan;
}

}  // namespace bankproof::cli
