// Transposes (THS 5.3) and offline permutations (THS 4.1, 5.2 and 5.5), written out.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "../../../algorithms/permutation/offline.hpp"
#include "../../../algorithms/transpose.hpp"
#include "../../../testing/property.hpp"
#include "times.hpp"

namespace bankproof::written_out {
namespace {

BANKPROOF_PROPERTY(TimesWrittenOut, of_transposes_of_resident_tiles, ()) {
  const Number w = any(1, 6);
  const Number d = any(1, 4);
  const Number down = any(1, 4);
  const Number across = any(1, 4);
  const Number tiles = ceil(down * across, d);  // of the DMM with the most tiles
  const Number n = down * across * w * w;
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  const auto time = [&](std::string_view variant) {
    return machine_time<Transpose>(variant, {.w = w, .l = l, .L = L, .d = d, .p = w * w * tiles},
                                   {{"rows", down * w}, {"columns", across * w}});
  };
  RC_ASSERT(time("diagonal") == 2 * round(n / w, L) + 2 * round(tiles * w, l));
  // The column of a tile lies in one bank.
  RC_ASSERT(time("row-major") ==
            2 * round(n / w, L) + round(tiles * w, l) + round(tiles * w * w, l));
  // Each written word lies in its own group.
  RC_ASSERT(time("direct") == round(n / w, L) + round(n, L));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_transposes_tile_after_tile, ()) {
  // Tiles of w rows with threads for `rows` rows; each DMM runs one tile at a time.
  const Number rows = any(1, 3);
  const Number w = rows * any(1, 3);
  const Number d = any(1, 4);
  const Number down = any(1, 3);
  const Number across = d * any(1, 2);
  const Number turns = down * across / d * (w / rows);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  const auto time = [&](std::string_view variant) {
    return machine_time<Transpose>(variant, {.w = w, .l = l, .L = L, .d = d, .p = w * rows},
                                   {{"rows", down * w}, {"columns", across * w}});
  };
  const Number coalesced = round(d * rows, L);
  RC_ASSERT(time("diagonal") == turns * 2 * (coalesced + round(rows, l)));
  RC_ASSERT(time("row-major") == turns * (2 * coalesced + round(rows, l) + round(rows * w, l)));
  RC_ASSERT(time("direct") == turns * (coalesced + round(d * rows * w, L)));
}

/// The time for this permutation of n numbers.
Time permutation_time(std::string_view variant, const MachineParameters& machine,
                      std::vector<std::uint32_t> permutation) {
  Task task = testing::task_of<OfflinePermutation>(variant, machine, {{"n", permutation.size()}});
  task.permutation = std::move(permutation);
  return machine_time<OfflinePermutation>(task);
}
std::vector<std::uint32_t> identity(Number n) {
  std::vector<std::uint32_t> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0U);
  return permutation;
}
/// The transpose of side × side elements.
std::vector<std::uint32_t> transposition(Number side) {
  std::vector<std::uint32_t> permutation;
  for (Number i = 0; i < side * side; ++i) {
    permutation.push_back(static_cast<std::uint32_t>(i % side * side + i / side));
  }
  return permutation;
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_permutations, ()) {
  const Number w = any(1, 5);
  const Number side = w * any(1, 3);
  const Number n = side * side;
  const MachineParameters machine{
      .machine = *rc::gen::element(MachineKind::dmm, MachineKind::umm, MachineKind::hmm),
      .w = w,
      .l = any(1, 9),
      .L = any(1, 30),
      .d = *rc::gen::element(Number{1}, side / w),
      .p = side};
  const bool is_hmm = machine.machine == MachineKind::hmm;
  const Number threads = is_hmm ? machine.d * side : side;
  const Number latency = is_hmm ? machine.L : machine.l;
  // All threads take turns; if the threads do not divide n, the last turn has fewer threads.
  Number coalesced = 0;
  Number casual = 0;  // each thread's word is in the same bank, or in its own group
  for (Number first = 0; first < n; first += threads) {
    const Number count = std::min(threads, n - first);
    coalesced += round(count / w, latency);
    casual += round(count, latency);
  }
  for (const char* variant : {"D-designated", "S-designated"}) {
    RC_ASSERT(permutation_time(variant, machine, identity(n)) == 3 * coalesced);
    RC_ASSERT(permutation_time(variant, machine, transposition(side)) == 2 * coalesced + casual);
  }
  if (machine.machine == MachineKind::dmm) {
    for (const auto& permutation : {identity(n), transposition(side)}) {
      RC_ASSERT(permutation_time("conflict-free", machine, permutation) == 4 * coalesced);
    }
  }
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_scheduled_permutations, ()) {
  const Number w = any(1, 4);
  const Number side = w * any(1, 4);
  const Number n = side * side;
  const Number d = any(1, 4);
  const Number l = any(1, 9);
  const Number L = any(1, 30);
  // All rows and all tiles are resident.
  const Number rows = ceil(side, d);
  const Number tiles = ceil(n / w / w, d);
  const MachineParameters machine{
      .w = w, .l = l, .L = L, .d = d, .p = std::max(rows * side, tiles * w * w)};
  // THS 5.5: three permutations of rows, each accessing a and b, s and d, and α and β twice; and
  // two transposes.
  const Number by_rows = 4 * round(n / w, L) + 4 * round(rows * side / w, l);
  const Number transpose = 2 * round(n / w, L) + 2 * round(tiles * w, l);
  for (const auto& permutation : {identity(n), transposition(side)}) {
    RC_ASSERT(permutation_time("scheduled", machine, permutation) == 3 * by_rows + 2 * transpose);
  }
}

}  // namespace
}  // namespace bankproof::written_out
