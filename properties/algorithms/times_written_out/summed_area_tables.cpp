// Summed area tables (THS 6), written out.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../testing/property.hpp"
#include "times.hpp"

namespace bankproof::written_out {
namespace {

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables, ()) {
  const Number w = any(1, 5);
  const Number d = any(1, 3);
  const Number p = w * any(1, 3);
  const Number side = d * p * any(1, 2);
  const Number L = any(1, 30);
  const Number turns = side / (d * p);  // blocks that a DMM runs one after another
  // Down the columns accesses are coalesced; along the rows, each row lies in its own group. The
  // program reads all elements, and writes all except the first of each column or row.
  const auto sums = [&](Number stages) { return turns * (2 * side - 1) * round(stages, L); };
  RC_ASSERT(machine_time<SummedAreaTable>("2R2W", {.w = w, .L = L, .d = d, .p = p},
                                          {{"rows", side}, {"columns", side}}) ==
            sums(d * p / w) + sums(d * p));
}

/// A square of tiles × tiles tiles, and blocks of w·rows threads, where `rows` divides w; each DMM
/// runs one block at a time.
struct Tables {
  Number w;
  Number rows;
  Number d;
  Number tiles;
  Number l;
  Number L;

  Number side() const { return w * tiles; }
  MachineParameters machine() const { return {.w = w, .l = l, .L = L, .d = d, .p = w * rows}; }
  Time time(std::string_view variant) const {
    return machine_time<SummedAreaTable>(variant, machine(),
                                         {{"rows", side()}, {"columns", side()}});
  }
  /// The time to copy a tile from global memory or back, on `blocks` DMMs.
  Number tile(Number blocks) const { return w / rows * (round(blocks * rows, L) + round(rows, l)); }
  /// The time of an access to shared memory in which w threads of a block each access a word.
  Number row() const { return l; }
  /// The time of such an access to global memory, made by `blocks` blocks.
  Number words(Number blocks) const { return round(blocks, L); }
  /// The time to compute a tile's table: the block reads and writes all words, first down the
  /// columns, then along the rows.
  Number sum_tile() const { return 4 * w * row(); }

  /// The time to read the edge above a tile, or left of it, and the corner before the edge.
  Number edge(Number with_edge, Number with_corner) const {
    if (with_edge == 0) return 0;
    return words(with_edge) + row() + words(with_corner) + row() + 4 * row();
  }
  /// The time of one pass, diagonal after diagonal of tiles.
  Number one_pass() const {
    Number time = 0;
    for (Number k = 0; k < 2 * tiles - 1; ++k) {
      std::vector<Tile> diagonal;
      for (Number y = 0; y < tiles; ++y) {
        if (y <= k && k - y < tiles) diagonal.push_back({y, k - y});
      }
      time += in_turn(diagonal, [&](const Neighbors& have) {
        Number turn = tile(have.all) + edge(have.above, have.corner) + edge(have.left, have.corner);
        turn += have.corner > 0 ? 3 * row() : 0;
        turn += sum_tile();
        for (const Number next : {have.below, have.right}) {
          turn += next > 0 ? row() + words(next) : 0;  // the tile's own edges
        }
        return turn + tile(have.all);
      });
    }
    return time;
  }

  /// The time of two passes with at most 2 × 2 tiles: the sums of tiles are one word; the sums of
  /// columns and of rows are a row each. Requires more DMMs than blocks for these rows.
  Number two_passes() const {
    std::vector<Tile> all;
    for (Number y = 0; y < tiles; ++y) {
      for (Number x = 0; x < tiles; ++x) all.push_back({y, x});
    }
    Number time = in_turn(all, [&](const Neighbors& have) {
      Number turn = tile(have.all);
      turn +=
          w * row() + row() +
          words(have.below);  // sums down the columns, a copy for the tile's sum, and their write
      turn += w * row() + words(have.right);
      for (Number left = w; left > 1; left = ceil(left, 2)) turn += 3 * row();
      return turn + (have.beyond > 0 ? row() + words(have.beyond) : 0);
    });
    if (tiles == 2) {
      // The blocks read the rows of sums, which are already final, and the one word of tile sums,
      // which stands in a tile of zeros.
      time += round(2 * side() / w + 1, L) + w / rows * round(rows, l);
      time += sum_tile() + w / rows * round(rows, l) + round(1, L);
    }
    return time + in_turn(all, [&](const Neighbors& have) {
             Number turn = 2 * tile(have.all) + sum_tile();
             for (const Number carried : {have.above, have.left, have.corner}) {
               turn += carried > 0 ? words(carried) + 2 * row() : 0;
             }
             return turn;
           });
  }

 private:
  struct Tile {
    Number y;
    Number x;
  };
  /// Counts of the tiles that blocks process at the same time: all, and those with a given
  /// neighbor.
  struct Neighbors {
    Number all = 0;
    Number above = 0;
    Number left = 0;
    Number corner = 0;  ///< above and to the left
    Number below = 0;
    Number right = 0;
    Number beyond = 0;  ///< below and to the right
  };
  /// Adds the time of each group of d tiles.
  template <class Of>
  Number in_turn(const std::vector<Tile>& of_launch, Of of) const {
    Number time = 0;
    for (Number begin = 0; begin < of_launch.size(); begin += d) {
      Neighbors have;
      for (Number k = begin; k < std::min<Number>(begin + d, of_launch.size()); ++k) {
        const auto [y, x] = of_launch[k];
        have.all += 1;
        have.above += y > 0 ? 1 : 0;
        have.left += x > 0 ? 1 : 0;
        have.corner += y > 0 && x > 0 ? 1 : 0;
        have.below += y + 1 < tiles ? 1 : 0;
        have.right += x + 1 < tiles ? 1 : 0;
        have.beyond += y + 1 < tiles && x + 1 < tiles ? 1 : 0;
      }
      time += of(have);
    }
    return time;
  }
};

Tables any_tables() {
  const Number rows = any(1, 2);
  const Number d = any(1, 4);
  return {rows * any(1, 3), rows, d, any(1, 5), any(1, 9), any(1, 30)};
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables_with_transposes, ()) {
  Tables tables = any_tables();
  tables.tiles *= tables.d * tables.rows;  // enough blocks of columns, and tiles, for all DMMs
  const Number side = tables.side();
  const Number down = tables.tiles / (tables.d * tables.rows) * (2 * side - 1) *
                      round(tables.d * tables.rows, tables.L);
  const Number transpose = tables.tiles * tables.tiles / tables.d * 2 * tables.tile(tables.d);
  RC_ASSERT(tables.time("4R4W") == 2 * (down + transpose));
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables_in_one_pass, ()) {
  const Tables tables = any_tables();
  RC_ASSERT(tables.time("1R1W") == tables.one_pass());
}

BANKPROOF_PROPERTY(TimesWrittenOut, of_summed_area_tables_in_two_passes, ()) {
  Tables tables = any_tables();
  tables.tiles = any(1, 2);
  tables.d = any(tables.tiles == 1 ? 1 : 5, 12);
  RC_ASSERT(tables.two_passes() == tables.time("2R1W"));
}

}  // namespace
}  // namespace bankproof::written_out
