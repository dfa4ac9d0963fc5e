// Chooses the short ways of loads and stores.
#include "broadcasts.hpp"
#include "lane_rows.hpp"
#include "scattered_lanes.hpp"
#include "small_rows.hpp"

namespace bankproof::ptx {

void choose_short_ways(MemoryOperands& operands, Level level) {
  choose_lane_row(operands, level);
  operands.broadcast = broadcast_of(operands);
  operands.scattered = scattered_lanes_of(operands, level);
  if (operands.scattered == nullptr) operands.scattered = small_row_of(operands);
}

}  // namespace bankproof::ptx
