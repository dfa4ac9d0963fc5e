// Tiles in shared memory in diagonal arrangement (row A12), for every width.
#include "../../../algorithms/layout.hpp"
#include "../lists.hpp"
#include "pairs.hpp"
#include "replay.hpp"

namespace bankproof::proofs {
namespace {

const auto in_diagonals = [](const auto& i, const auto& j, const auto& w) {
  return diagonal(i, j, w);
};

std::uint64_t place_in_diagonals(std::uint64_t i, std::uint64_t j, const Values& values) {
  return diagonal(i, j, values.at("w"));
}

Theorem diagonal_rows() {
  return Theorem{.id = "A12.rows",
                 .source = "THS lemma 6.1.1",
                 .statement = "in diagonal arrangement the words of a row are in different banks",
                 .domain = "all w"}
      .proof([](Query& q) {
        const TwoWords words = words_of_row(q, in_diagonals);
        q.claim("different banks", words.in_different_banks());
      })
      .false_twin([](Query& q) {
        // The layout uses twice the number of a column.
        const auto twice = [](const IntTerm& i, const IntTerm& j, const IntTerm& w) {
          return diagonal(i, j + j, w);
        };
        q.claim("different banks", words_of_row(q, twice).in_different_banks());
      })
      .replay(replay_row(place_in_diagonals));
}

Theorem diagonal_columns() {
  return Theorem{
      .id = "A12.columns",
      .source = "THS lemma 6.1.1",
      .statement = "in diagonal arrangement the words of a column are in different banks",
      .domain = "all w"}
      .proof([](Query& q) {
        const TwoWords words = words_of_column(q, in_diagonals);
        q.compare_multiples(words.w, words.one / words.w, words.i);
        q.compare_multiples(words.w, words.other / words.w, words.other_i);
        q.claim("different banks", words.in_different_banks());
      })
      .false_twin([](Query& q) {
        // The layout uses twice the number of a row.
        const auto twice = [](const IntTerm& i, const IntTerm& j, const IntTerm& w) {
          return diagonal(i + i, j, w);
        };
        q.claim("different banks", words_of_column(q, twice).in_different_banks());
      })
      .replay(replay_column(place_in_diagonals));
}

Theorem diagonal_injection() {
  return Theorem{.id = "A12.injection",
                 .source = "THS lemma 6.1.1",
                 .statement =
                     "diagonal arrangement keeps different words of a w × w tile in different "
                     "places of the tile",
                 .domain = "all w"}
      .proof([](Query& q) {
        const IntTerm w = width(q);
        const TwoWords words = words_of_tile(q, w, w, {.j = 3, .other_i = 1}, in_diagonals);
        q.multiply_by({w});
        q.compare_multiples(w, words.one / w, words.i);
        q.compare_multiples(w, words.other / w, words.other_i);
        q.claim("in the tile", words.one < w * w);
        q.claim("row by row", words.one / w == words.i && words.other / w == words.other_i);
        q.claim("different places", words.one != words.other);
      })
      .false_twin([](Query& q) {
        // One column more.
        const IntTerm w = width(q);
        const TwoWords words = words_of_tile(q, w, w + 1, {.j = 4, .other_i = 0}, in_diagonals);
        q.claim("different places", words.one != words.other);
      });
}

/// The column of the word at `place` in a tile, if `more` is 0. The row of this word is ⌊place/w⌋.
IntTerm column_at(const IntTerm& place, const IntTerm& more, const IntTerm& w) {
  return (place % w + w + more - place / w) % w;
}

Theorem diagonal_surjection() {
  return Theorem{.id = "A12.surjection",
                 .source = "THS lemma 6.1.1",
                 .statement = "in diagonal arrangement each place of a w × w tile has a word",
                 .domain = "all w"}
      .proof([](Query& q) {
        const IntTerm w = width(q);
        const IntTerm place = below(q, "place", w * w, 6);
        const IntTerm i = place / w;
        const IntTerm j = column_at(place, 0, w);
        q.compare_multiples(w, i, w);
        q.compare_multiples(w, i, 0);
        q.claim("of the tile", i >= 0 && i < w && j >= 0 && j < w);
        const IntTerm turns = (place % w + w - i) / w;
        q.compare_multiples(w, (i + j) / w, 1 - turns);
        q.claim("its place", diagonal(i, j, w) == place);
      })
      .false_twin([](Query& q) {
        // One column to the right.
        const IntTerm w = width(q);
        const IntTerm place = below(q, "place", w * w, 6);
        const IntTerm j = column_at(place, 1, w);
        q.claim("its place", diagonal(place / w, j, w) == place);
      });
}

}  // namespace

std::vector<Theorem> theorems_on_tiles() {
  return {diagonal_rows(), diagonal_columns(), diagonal_injection(), diagonal_surjection()};
}

}  // namespace bankproof::proofs
