// Summed area tables, written out: 2R1W and hybrid, where the blocks of a launch do different work
// (THS 6.3 to 6.5), and 4R1W, diagonal by diagonal (THS 6.4).
#include "tables_by_blocks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string_view>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::written_out {
namespace {

Launches any_launches() {
  const Number rows = any(1, 2);
  return {rows * any(1, 2), rows, any(1, 5), any(1, 9), any(1, 30)};
}

Time time_of(std::string_view variant, const MachineParameters& machine, Number rows,
             Number columns, Number t = 0) {
  return machine_time<SummedAreaTable>(variant, machine,
                                       {{"rows", rows}, {"columns", columns}, {"t", t}});
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables_with_recursion, ()) {
  Launches launches = any_launches();
  const MachineParameters machine = launches.machine();
  // More than w + 1 tiles down or across, often both.
  const Number rows = any(machine.w * (machine.w + 1) + 1, 45);
  const Number columns = any(machine.w + 1, 45);
  const Number diagonals = launches.tiles(rows) + launches.tiles(columns) - 1;
  launches.two_passes(Elements::all(rows, columns), 0, diagonals);
  RC_ASSERT(launches.recursions() > 0);
  RC_ASSERT(launches.time() == time_of("2R1W", machine, rows, columns));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables_in_triangles_and_one_pass, ()) {
  Launches launches = any_launches();
  const MachineParameters machine = launches.machine();
  const Number rows = any(1, 40);
  const Number columns = any(1, 40);
  const Number diagonals = launches.tiles(rows) + launches.tiles(columns) - 1;
  const Number t = any(0, diagonals / 2);
  const Elements matrix = Elements::all(rows, columns);
  launches.two_passes(matrix, 0, t);
  launches.one_pass(matrix, t, diagonals - t);
  launches.two_passes(matrix, diagonals - t, diagonals);
  RC_ASSERT(launches.time() == time_of("hybrid", machine, rows, columns, t));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables_diagonal_by_diagonal, ()) {
  const Number w = any(1, 5);
  const Number d = any(1, 3);
  const Number p = any(1, 9);
  const Number L = any(1, 30);
  const Number rows = any(1, 20);
  const Number columns = any(w + 1, 20);  // each thread has its own group
  Number time = 0;
  for (Number k = 0; k < rows + columns - 1; ++k) {
    const Number first = k < columns ? 0 : k - columns + 1;
    const Number end = std::min(k + 1, rows);
    for (Number begin = first; begin < end; begin += d * p) {
      Number all = 0;
      Number not_leftmost = 0;
      Number not_topmost = 0;
      Number neither = 0;
      for (Number i = begin; i < std::min(begin + d * p, end); ++i) {
        all += 1;
        not_leftmost += i < k ? 1 : 0;
        not_topmost += i > 0 ? 1 : 0;
        neither += i < k && i > 0 ? 1 : 0;
      }
      // The accesses are to the element, three words of the table, and the result.
      for (const Number threads : {all, not_leftmost, not_topmost, neither, all}) {
        time += round(threads, L);
      }
    }
  }
  RC_ASSERT(time == time_of("4R1W", {.w = w, .L = L, .d = d, .p = p}, rows, columns));
}

}  // namespace
}  // namespace bankproof::written_out
