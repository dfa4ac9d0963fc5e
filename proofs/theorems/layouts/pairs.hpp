// Two words of a tile, for statements about layouts.
#pragma once

#include "../../builder/parameters.hpp"

namespace bankproof::proofs {

/// Two different words of a tile, and the places where an arrangement puts them.
struct TwoWords {
  IntTerm w;
  IntTerm i;        ///< row of the first word
  IntTerm other_i;  ///< row of the second word
  IntTerm one;      ///< place of the first word
  IntTerm other;

  Truth in_different_banks() const { return one % w != other % w; }
};

/// The words (i, j) and (i, other_j) of a w × w tile. place(i, j, w) is the place of word (i, j).
template <class Place>
TwoWords words_of_row(Query& q, Place place) {
  const IntTerm w = width(q);
  const IntTerm i = below(q, "i", w, 1);
  const IntTerm j = below(q, "j", w, 0);
  const IntTerm other = below(q, "other_j", w, 2);
  q.assume(j != other);
  return {w, i, i, place(i, j, w), place(i, other, w)};
}

/// The words (i, j) and (other_i, j) of a w × w tile.
template <class Place>
TwoWords words_of_column(Query& q, Place place) {
  const IntTerm w = width(q);
  const IntTerm j = below(q, "j", w, 1);
  const IntTerm i = below(q, "i", w, 0);
  const IntTerm other = below(q, "other_i", w, 2);
  q.assume(i != other);
  return {w, i, other, place(i, j, w), place(other, j, w)};
}

/// An example for words_of_tile(): the column of the first word, and the row of the second.
struct TileExample {
  std::uint64_t j;
  std::uint64_t other_i;
};

/// The words (i, j) and (other_i, other_j) of a tile with w rows and `columns` columns.
template <class Place>
TwoWords words_of_tile(Query& q, const IntTerm& w, const IntTerm& columns, TileExample example,
                       Place place) {
  const IntTerm i = below(q, "i", w, 0);
  const IntTerm j = below(q, "j", columns, example.j);
  const IntTerm k = below(q, "other_i", w, example.other_i);
  const IntTerm m = below(q, "other_j", columns, 0);
  q.assume(i != k || j != m);
  return {w, i, k, place(i, j, w), place(k, m, w)};
}

}  // namespace bankproof::proofs
