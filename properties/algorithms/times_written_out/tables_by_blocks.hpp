// Writes out the rounds of each block of 2R1W and hybrid, for matrices of any shape. This goes
// block by block because the blocks of a launch do different work (THS 6.3 to 6.5).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "times.hpp"

namespace bankproof::written_out {

/// The stages of a round on the global or the shared memory; without stages, no thread takes part.
struct Round {
  Number global = 0;
  Number shared = 0;
};
using Block = std::vector<Round>;

/// The elements from column rows[i].first to rows[i].second − 1 of each row i. Beside them are
/// zeros, which no thread accesses.
struct Elements {
  Number columns;
  std::vector<std::pair<Number, Number>> rows;

  static Elements all(Number rows, Number columns) {
    return {columns, std::vector(rows, std::pair(Number{0}, columns))};
  }
};

/// The tiles on diagonals lo … hi − 1 of a matrix of tiles. Two passes process these tiles.
struct Tiles {
  Number down;
  Number across;
  Number lo;
  Number hi;

  bool has(Number y, Number x) const { return y < down && x < across && lo <= y + x && y + x < hi; }
};
/// The smallest range of rows and columns of tiles that contains these tiles, extended by one row
/// above and one column to the left if the matrix has them.
struct Box {
  Number top;
  Number left;
  Number bottom = 0;  ///< the first row below
  Number right = 0;

  explicit Box(const Tiles& tiles) : top(tiles.down), left(tiles.across) {
    for (Number y = 0; y < tiles.down; ++y) {
      for (Number x = 0; x < tiles.across; ++x) {
        if (!tiles.has(y, x)) continue;
        top = std::min(top, y);
        left = std::min(left, x);
        bottom = std::max(bottom, y + 1);
        right = std::max(right, x + 1);
      }
    }
    top -= top > 0 ? 1 : 0;
    left -= left > 0 ? 1 : 0;
  }
};

/// Blocks of w·rows threads, where `rows` divides w; each DMM runs one block at a time.
class Launches {
 public:
  Launches(Number w, Number rows, Number d, Number l, Number L)
      : w_(w), rows_(rows), d_(d), l_(l), L_(L) {}

  MachineParameters machine() const {
    return {.w = w_, .l = l_, .L = L_, .d = d_, .p = w_ * rows_};
  }
  Number time() const { return time_; }
  /// The number of times that the sums of tiles did not fit in a tile.
  Number recursions() const { return recursions_; }
  Number tiles(Number elements) const { return ceil(elements, w_); }

  /// One pass on the diagonals of tiles begin … end − 1.
  void one_pass(const Elements& matrix, Number begin, Number end) {
    const Number down = tiles(matrix.rows.size());
    const Number across = tiles(matrix.columns);
    for (Number k = begin; k < end; ++k) {
      std::vector<Block> blocks;
      for (Number y = 0; y < down; ++y) {
        if (y > k || k - y >= across) continue;
        const Number x = k - y;
        Block& block = blocks.emplace_back();
        copy(block, matrix, y, x, true);
        const Number above = y > 0 ? size(matrix.columns, x) : 0;
        add_edge(block, (y - 1) * matrix.columns + x * w_, above, x > 0);
        const Number left = x > 0 ? size(matrix.rows.size(), y) : 0;
        add_edge(block, (x - 1) * matrix.rows.size() + y * w_, left, y > 0);
        in_tile(block, 3, y > 0 && x > 0);  // adds the corner itself
        sum_tile(block);
        leave_edges(block, matrix, y, x, true);
        copy(block, matrix, y, x, false);
      }
      launch(blocks);
    }
  }

  /// Two passes on the tiles of diagonals lo … hi − 1. The tiles of earlier diagonals are finished.
  void two_passes(const Elements& matrix, Number lo, Number hi) {
    if (lo == hi) return;
    const Tiles part{tiles(matrix.rows.size()), tiles(matrix.columns), lo, hi};
    const Box box(part);
    std::vector<Block> blocks = sums_of_tiles(matrix, part, box);
    for (Number y = box.top; y < box.bottom; ++y) {
      for (Number x = box.left; x < box.right; ++x) {
        if (y + x < lo && y + x + 2 >= lo) blocks.push_back(take_edges(matrix, part, box, y, x));
      }
    }
    launch(blocks);
    rest_of_two_passes(matrix, part);
  }

 private:
  /// A row of `elements` elements is cut into tiles; the number of elements in tile k.
  Number size(Number elements, Number k) const { return std::min(w_, elements - k * w_); }

  /// The stages of an access in which thread `thread` and those after it access `count` consecutive
  /// words: each warp and each group begins a new stage.
  Number pieces(Number address, Number count, Number thread) const {
    Number pieces = 0;
    for (Number k = 0; k < count; ++k) {
      pieces += k == 0 || (thread + k) % w_ == 0 || (address + k) % w_ == 0 ? 1U : 0U;
    }
    return pieces;
  }
  void words(Block& block, Number address, Number count, Number thread = 0) const {
    block.push_back({.global = pieces(address, count, thread)});
  }
  static void word(Block& block, bool present) { block.push_back({.global = present ? 1U : 0U}); }
  /// Adds rounds of one warp in shared memory.
  static void in_tile(Block& block, Number rounds, bool present = true) {
    for (Number k = 0; k < rounds; ++k) block.push_back({.shared = present ? 1U : 0U});
  }

  /// Copies a tile to shared memory or back. In shared memory this accesses all words of the tile;
  /// in global memory, only the words that belong to the matrix.
  void copy(Block& block, const Elements& matrix, Number y, Number x, bool to_tile) const {
    for (Number first = 0; first < w_; first += rows_) {
      Round global;
      for (Number i = y * w_ + first; i < y * w_ + first + rows_; ++i) {
        if (i >= matrix.rows.size()) continue;
        const Number begin = std::max(matrix.rows[i].first, x * w_);
        const Number end = std::min(matrix.rows[i].second, (x + 1) * w_);
        if (begin < end) {
          global.global += pieces(i * matrix.columns + begin, end - begin, begin - x * w_);
        }
      }
      if (to_tile) block.push_back(global);
      block.push_back({.shared = rows_});
      if (!to_tile) block.push_back(global);
    }
  }
  /// Reads and writes all words of a tile, first down the columns, then along the rows.
  void sum_tile(Block& block) const { in_tile(block, 4 * w_); }

  /// Adds to a tile the edge above it or to its left; the added values are differences of
  /// neighboring words, and the first difference uses the corner before the edge.
  void add_edge(Block& block, Number address, Number count, bool with_corner) const {
    words(block, address, count);
    in_tile(block, 1, count > 0);
    word(block, count > 0 && with_corner);
    in_tile(block, 1, count > 0);
    in_tile(block, 4, count > 0);
  }
  /// Writes a tile's bottom row and rightmost column if there are tiles beside them.
  void leave_edges(Block& block, const Elements& matrix, Number y, Number x, bool wanted) const {
    const Number rows = matrix.rows.size();
    const bool below = wanted && y + 1 < tiles(rows);
    in_tile(block, 1, below);
    words(block, y * matrix.columns + x * w_, below ? size(matrix.columns, x) : 0);
    const bool right = wanted && x + 1 < tiles(matrix.columns);
    in_tile(block, 1, right);
    words(block, x * rows + y * w_, right ? size(rows, y) : 0);
  }

  Number width(const Elements& matrix, const Box& box) const {
    return std::min(box.right * w_, matrix.columns) - box.left * w_;
  }
  Number height(const Elements& matrix, const Box& box) const {
    return std::min<Number>(box.bottom * w_, matrix.rows.size()) - box.top * w_;
  }

  /// The first step of two passes, for the tiles of a part.
  std::vector<Block> sums_of_tiles(const Elements& matrix, const Tiles& part,
                                   const Box& box) const {
    std::vector<Block> blocks;
    for (Number y = box.top; y < box.bottom; ++y) {
      for (Number x = box.left; x < box.right; ++x) {
        if (!part.has(y, x)) continue;
        Block& block = blocks.emplace_back();
        copy(block, matrix, y, x, true);
        in_tile(block, w_ + 1);  // sums of columns, kept for the tile's sum
        words(block, (y - box.top) * width(matrix, box) + (x - box.left) * w_,
              part.has(y + 1, x) ? size(matrix.columns, x) : 0);
        in_tile(block, w_);  // sums of rows
        words(block, (x - box.left) * height(matrix, box) + (y - box.top) * w_,
              part.has(y, x + 1) ? size(matrix.rows.size(), y) : 0);
        for (Number left = w_; left > 1; left = ceil(left, 2)) in_tile(block, 3);
        in_tile(block, 1, part.has(y + 1, x + 1));
        word(block, part.has(y + 1, x + 1));
      }
    }
    return blocks;
  }

  /// The first step of two passes, for a finished tile before a part: takes sums as differences of
  /// the table along the tile's edges, and between its corners.
  Block take_edges(const Elements& matrix, const Tiles& part, const Box& box, Number y,
                   Number x) const {
    Block block;
    const auto take = [&](Number from, bool has_before, Number to, Number count) {
      const Number without = has_before ? 0 : 1;
      words(block, from, count);
      words(block, from + without - 1, count > without ? count - without : 0, without);
      words(block, to, count);
    };
    const Number rows = matrix.rows.size();
    take(y * matrix.columns + x * w_, x > 0,
         (y - box.top) * width(matrix, box) + (x - box.left) * w_,
         part.has(y + 1, x) ? size(matrix.columns, x) : 0);
    take(x * rows + y * w_, y > 0, (x - box.left) * height(matrix, box) + (y - box.top) * w_,
         part.has(y, x + 1) ? size(rows, y) : 0);
    const bool beyond = part.has(y + 1, x + 1);
    const bool nearest = y + x + 1 == part.lo;
    word(block, beyond);
    word(block, beyond && nearest && y > 0);
    word(block, beyond && nearest && x > 0);
    word(block, beyond);
    return block;
  }

  /// Sums down the columns, p columns in each block. The block reads all elements, and writes those
  /// that have an element above them.
  void sums_down(std::vector<Block>& blocks, const Elements& sums) const {
    const Number p = w_ * rows_;
    for (Number first = 0; first < sums.columns; first += p) {
      Block& block = blocks.emplace_back();
      const auto access = [&](Number i, Number begin) {
        const Number from = std::max(begin, first);
        const Number to = std::min(sums.rows[i].second, first + p);
        words(block, i * sums.columns + from, from < to ? to - from : 0, from - first);
      };
      for (Number i = 0; i < sums.rows.size(); ++i) {
        access(i, sums.rows[i].first);
        if (i > 0) access(i, sums.rows[i - 1].first);
      }
    }
  }

  /// The second and the third step of two passes.
  void rest_of_two_passes(const Elements& matrix, const Tiles& part) {
    const Box box(part);
    const Number down = box.bottom - box.top;
    const Number across = box.right - box.left;
    // A matrix of sums has `rows` rows for `count` tiles each, with `step` words for each tile. Row
    // k contains the words of those tiles for which is(k, tile) holds: other tiles need these sums.
    const auto elements = [](Number rows, Number count, Number step, Number columns, auto is) {
      Elements sums{columns, {}};
      for (Number k = 0; k < rows; ++k) {
        Number begin = 0;
        while (begin < count && !is(k, begin)) ++begin;
        Number end = begin;
        while (end < count && is(k, end)) ++end;
        sums.rows.emplace_back(std::min(begin * step, columns), std::min(end * step, columns));
      }
      return sums;
    };
    const auto in_box = [&](Number y, Number x) { return part.has(box.top + y, box.left + x); };
    std::vector<Block> blocks;
    if (down > 1) {
      sums_down(blocks, elements(down - 1, across, w_, width(matrix, box),
                                 [&](Number y, Number x) { return in_box(y + 1, x); }));
    }
    if (across > 1) {
      sums_down(blocks, elements(across - 1, down, w_, height(matrix, box),
                                 [&](Number x, Number y) { return in_box(y, x + 1); }));
    }
    if (down > 1 && across > 1) {
      const Elements corners = elements(down - 1, across - 1, 1, across - 1,
                                        [&](Number y, Number x) { return in_box(y + 1, x + 1); });
      if (down - 1 <= w_ && across - 1 <= w_) {
        Block& block = blocks.emplace_back();
        copy(block, corners, 0, 0, true);
        sum_tile(block);
        copy(block, corners, 0, 0, false);
        launch(blocks);
      } else {
        ++recursions_;
        const Number y = tiles(down - 1);
        const Number x = tiles(across - 1);
        const Tiles all{y, x, 0, y + x - 1};
        for (const Block& block : sums_of_tiles(corners, all, Box(all))) blocks.push_back(block);
        launch(blocks);
        rest_of_two_passes(corners, all);
      }
    } else {
      launch(blocks);
    }
    launch(finished_tiles(matrix, part, box));
  }

  /// The third step of two passes, which finishes the tiles.
  std::vector<Block> finished_tiles(const Elements& matrix, const Tiles& part,
                                    const Box& box) const {
    std::vector<Block> blocks;
    for (Number y = box.top; y < box.bottom; ++y) {
      for (Number x = box.left; x < box.right; ++x) {
        if (!part.has(y, x)) continue;
        Block& block = blocks.emplace_back();
        copy(block, matrix, y, x, true);
        const bool above = y > box.top;
        const bool left = x > box.left;
        words(block, (y - box.top - 1) * width(matrix, box) + (x - box.left) * w_,
              above ? size(matrix.columns, x) : 0);
        in_tile(block, 2, above);
        words(block, (x - box.left - 1) * height(matrix, box) + (y - box.top) * w_,
              left ? size(matrix.rows.size(), y) : 0);
        in_tile(block, 2, left);
        word(block, above && left);
        in_tile(block, 2, above && left);
        sum_tile(block);
        if (part.hi < part.down + part.across - 1) {
          leave_edges(block, matrix, y, x, y + x + 2 >= part.hi);
        }
        copy(block, matrix, y, x, false);
      }
    }
    return blocks;
  }

  /// DMM k runs blocks k, k + d, … one after another.
  void launch(const std::vector<Block>& blocks) {
    std::vector<Block> of_dmm(d_);
    for (Number k = 0; k < blocks.size(); ++k) {
      Block& all = of_dmm[k % d_];
      all.insert(all.end(), blocks[k].begin(), blocks[k].end());
    }
    for (Number r = 0;; ++r) {
      Round at_a_time;
      bool over = true;
      for (const Block& rounds : of_dmm) {
        if (r >= rounds.size()) continue;
        over = false;
        at_a_time.global += rounds[r].global;
        at_a_time.shared = std::max(at_a_time.shared, rounds[r].shared);
      }
      if (over) return;
      time_ += std::max(round(at_a_time.global, L_), round(at_a_time.shared, l_));
    }
  }

  Number w_;
  Number rows_;
  Number d_;
  Number l_;
  Number L_;
  Number time_ = 0;
  Number recursions_ = 0;
};

}  // namespace bankproof::written_out
