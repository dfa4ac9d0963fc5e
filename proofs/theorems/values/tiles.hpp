// The elements of matrices in the tiles of their blocks, and the words of shared memory that hold
// them.
#pragma once

#include <utility>

#include "../../../algorithms/layout.hpp"
#include "../../builder/query.hpp"

namespace bankproof::proofs {

/// The block whose m × m tile contains element (y, x) of a matrix with `columns` columns, and the
/// element's place in the tile.
struct TileOf {
  IntTerm y;
  IntTerm x;
  IntTerm m;
  IntTerm across;
  IntTerm block;
  CornerOf<IntTerm> corner;
  IntTerm i;
  IntTerm j;

  TileOf(IntTerm row, IntTerm column, const IntTerm& columns, IntTerm side)
      : y(std::move(row)),
        x(std::move(column)),
        m(std::move(side)),
        across(ceil_div(columns, m)),
        block(row_major(y / m, x / m, across)),
        corner(block, columns, m),
        i(y % m),
        j(x % m) {}

  /// Proves the block and the place in its tile, for x among the columns.
  void prove_place(Query& q) const {
    q.compare_multiples(m, x / m, across);
    q.claim("a tile of the row", x / m < across);
    q.compare_multiples(across, block / across, y / m);
    q.compare_multiples(m, block % across, x / m);
    q.compare_multiples(m, block / across, y / m);
    q.claim("its tile", block / across == y / m && block % across == x / m);
    q.claim("its place in the tile", corner.top + i == y && corner.left + j == x);
  }
};

/// Words of shared memory that are loaded from a window: element (i, j) goes to row_major(i, j,
/// pitch).
class Loaded {
 public:
  Loaded(Query& q, const std::string& name, IntTerm pitch)
      : q_(q), word_(q.function(name)), pitch_(std::move(pitch)) {}
  /// Loads element (i, j).
  template <class Window>
  void load(const Window& window, const IntTerm& i, const IntTerm& j) const {
    q_.assume(word_(row_major(i, j, pitch_)) == window.word(i, j));
  }
  /// The value loaded to the word at (i, j).
  IntTerm at(const IntTerm& i, const IntTerm& j) const { return word_(row_major(i, j, pitch_)); }
  /// Proves that no other element was loaded to this word.
  void prove_alone(const IntTerm& i, const IntTerm& j) const {
    const Query::Scope scope(q_);
    const IntTerm row = q_.fresh("row");
    const IntTerm column = q_.fresh("column");
    q_.assume(column < pitch_);
    q_.compare_multiples(pitch_, row, i);
    q_.claim("no other element is there",
             implies(row_major(row, column, pitch_) == row_major(i, j, pitch_),
                     row == i && column == j));
  }

 private:
  Query& q_;
  Function word_;
  IntTerm pitch_;
};

}  // namespace bankproof::proofs
