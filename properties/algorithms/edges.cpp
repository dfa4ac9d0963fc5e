// The times in times_written_out/ hold for whole tiles and blocks. These tests are about other
// sizes: a tile at the edge must not cost more than a whole tile. So a task takes no more rounds
// and no more requests than the same task with its sizes rounded up. (The task may take more
// stages: rows whose length is no multiple of w start mid-group.)
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/matrix_product.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../algorithms/transpose.hpp"
#include "../../testing/property.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof {
namespace {

using testing::Number;

/// The cost of a random task on an HMM, and of the same task with some sizes rounded up to a
/// multiple of side(task).
struct Costs {
  Cost<Number> cost;
  Cost<Number> of_whole;
};
template <class A, class Side>
Costs any_costs(const std::vector<std::string_view>& sizes, Side side) {
  const auto on_hmm = [](const testing::TestedVariant& tested) {
    return tested.machine == MachineKind::hmm;
  };
  const Task task = *testing::any_task<A>(
      *rc::gen::suchThat(rc::gen::elementOf(testing::tested_variants<A>()), on_hmm));
  Task whole = task;
  for (const std::string_view size : sizes) {
    whole.sizes.set(size, rounded_up(task.sizes[size], side(task)));
  }
  RC_LOG() << task << ", and " << whole;
  return {A::cost(task), A::cost(whole)};
}

void makes_no_more_requests(const Costs& costs) {
  const auto& [cost, of_whole] = costs;
  RC_ASSERT(cost.global.requests <= of_whole.global.requests);
  RC_ASSERT(cost.shared.requests <= of_whole.shared.requests);
  RC_ASSERT(cost.constant.requests <= of_whole.constant.requests);
  RC_ASSERT(cost.launches <= of_whole.launches);
}
void makes_no_more_rounds(const Costs& costs) {
  const auto& [cost, of_whole] = costs;
  RC_ASSERT(cost.global.rounds <= of_whole.global.rounds);
  RC_ASSERT(cost.shared.rounds <= of_whole.shared.rounds);
  RC_ASSERT(cost.constant.rounds <= of_whole.constant.rounds);
}
void is_no_more(const Costs& costs) {
  makes_no_more_requests(costs);
  makes_no_more_rounds(costs);
}

Number width(const Task& task) { return task.machine.w; }

BANKPROOF_PROPERTY(Edges, of_matrix_products_cost_no_more_than_whole_tiles, ()) {
  is_no_more(any_costs<MatrixProduct>({"rows", "inner", "columns"},
                                      [](const Task& task) { return task.sizes["m"]; }));
}
BANKPROOF_PROPERTY(Edges, of_image_convolutions_cost_no_more_than_whole_tiles, ()) {
  is_no_more(any_costs<ImageConvolution>({"rows", "columns"}, width));
}
BANKPROOF_PROPERTY(Edges, of_transposes_cost_no_more_than_whole_tiles, ()) {
  is_no_more(any_costs<Transpose>({"rows", "columns"}, width));
}
BANKPROOF_PROPERTY(Edges, of_summed_area_tables_cost_no_more_than_whole_tiles, ()) {
  // Whole tiles may take more rounds or fewer, because the blocks of a launch do different work.
  makes_no_more_requests(any_costs<SummedAreaTable>({"rows", "columns"}, width));
}
BANKPROOF_PROPERTY(Edges, of_convolutions_with_ghost_cells_cost_no_more_than_whole_tiles, ()) {
  is_no_more(any_costs<TiledConvolution>({"rows", "columns"},
                                         [](const Task& task) { return task.sizes["t"]; }));
}

}  // namespace
}  // namespace bankproof
