// Index computations of summed area tables: in global memory, and in the places where tiles have
// their edges and sums.
#include <utility>

#include "../../../algorithms/summed_area_table/hybrid.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

constexpr const char* domain = "tables of at most 2^32 words; sides and p ≤ 2^30";

constexpr const char* tiled =
    "tables of at most 2^32 words and tiles of fewer; sides, p and w ≤ 2^30";

/// A table of at most 2^32 words, or in a false twin one row more.
struct Table {
  Word rows;
  Word columns;

  Table(Query& q, More more)
      : rows(side(q, "rows", 65536 + more)), columns(side(q, "columns", 65536)) {
    limit_matrix(q, rows, columns, 1 + 65536 * more);
  }
  SummingOf<Word> summing() const { return {rows, columns}; }
};

void table_down_and_along(Query& q, More more) {
  const Table table(q, more);
  const SummingOf<Word> matrix = table.summing();
  const Word p = side(q, "p", 1);
  const auto visit = [&](const Word& i, const Word& j) {
    in_rows(q, i, table.rows, table.columns);
    matrix.begin(i);
    matrix.end(i);
    row_major(i, j, table.columns);
  };
  visit(index(q, "i", table.rows, 65535 + more),
        own_item(q, table.columns, p, {.of = "_of_columns"}));
  visit(own_item(q, table.rows, p, {.block = 65535 + more, .of = "_of_rows"}),
        index(q, "j", table.columns));
}

void words_by_diagonals(Query& q, More more) {
  const Table table(q, more);
  const Word k = index(q, "k", table.rows + table.columns - 1, 65536 + more);
  const auto diagonal = DiagonalOf<Word>::of(k, table.rows, table.columns);
  const Word t = own_item(q, diagonal.count, side(q, "p", 1), {.block = 65534});
  const Word i = diagonal.row + t;
  const Word j = k - i;
  in_rows(q, i, table.rows, table.columns);
  q.compare_multiples(table.columns.value(), i.value(), 1);
  const Word place = row_major(i, j, table.columns);
  // An element that has neighbors on the left and above reads these neighbors.
  WordChecks& checks = q.word_checks();
  checks.part([&] {
    guard(j > 0);
    place - 1;
  });
  guard(i > 0);
  place - table.columns;
  guard(j > 0);
  place - table.columns - 1;
}

/// A tile of a table, and its words.
struct WordTile {
  TilingOf<Word> tiling;
  Word y;
  Word x;

  /// Tile (y, x), which must be a tile of the tiling.
  WordTile(Query& q, const TilingOf<Word>& of, Word row, Word column)
      : tiling(of), y(std::move(row)), x(std::move(column)) {
    const Word& w = tiling.w;
    in_rows(q, y, tiling.down(), w);
    in_rows(q, x, tiling.across(), w);
    q.compare_multiples(y.value(), 1, w.value());
    q.compare_multiples(x.value(), 1, w.value());
    for (const Word& k : {y, minus_or_zero(y, Word(1))}) {
      in_rows(q, k, tiling.matrix.rows, tiling.matrix.columns);
    }
    for (const Word& k : {x, minus_or_zero(x, Word(1))}) {
      in_rows(q, k, tiling.matrix.columns, tiling.matrix.rows);
    }
  }
};

TilingOf<Word> tiling_of(Query& q, const Table& table) {
  const Word w = side(q, "w", 1);
  limit_matrix(q, w, w, 0);
  return {table.summing(), w};
}

/// Computes the words that a tile copies, and the words of the edges that it reads and leaves.
void edges_of(Query& q, const WordTile& tile) {
  const TilingOf<Word>& tiling = tile.tiling;
  q.word_checks().part([&] {
    const Threads threads(q, tiling.w);
    const auto [i, j] = Swept(q, tiling.w, tiling.w, threads);
    in_rows(q, i, tiling.w, tiling.w);
    bankproof::diagonal(i, j, tiling.w);
    item_of_thread(q, tiling.w, threads.p);
  });
  const auto window = tiling.window(tile.y, tile.x);
  const Word i = index(q, "i", tiling.w);
  const Word j = index(q, "j", tiling.w);
  in_rows(q, i, tiling.w, tiling.w);
  bankproof::diagonal(i, j, tiling.w);
  const EdgePlacesOf<Word> at(tiling, tile.y, tile.x);
  guard(i < at.rows && j < at.columns);
  in_rows(q, window.top + i, tiling.matrix.rows, tiling.matrix.columns);
  window.word(i, j);
  at.own_bottom + j;
  at.own_right + i;
  at.above_row + j;
  at.left_row + i;
}

void words_of_one_pass(Query& q, More more) {
  const Table table(q, more);
  const TilingOf<Word> tiling = tiling_of(q, table);
  const Word k = index(q, "k", tiling.diagonals(), 65535 + more);
  const auto diagonal = DiagonalOf<Word>::of(k, tiling.down(), tiling.across());
  const Word y = diagonal.row + index(q, "block", diagonal.count, 65535);
  edges_of(q, WordTile(q, tiling, y, k - y));
}

/// Computes the words of tile (y, x) of a part, the places where the tile leaves its sums, and the
/// places from which it takes sums.
void sums_of(Query& q, const PartOf<Word>& part, std::uint64_t row) {
  const auto& [matrix, w] = part.tiling;
  const Word y = index(q, "y", part.down, row);
  const Word x = index(q, "x", part.across);
  in_rows(q, part.top, part.tiling.down(), w);
  in_rows(q, part.left, part.tiling.across(), w);
  edges_of(q, WordTile(q, part.tiling, part.top + y, part.left + x));
  // The part's height and width are at most those of the table.
  const auto fits = [&](const Word& before, const Word& tiles, const Word& all, const Word& k) {
    in_rows(q, before + tiles, all + 1, w);
    in_rows(q, tiles, all + 1, w);
    in_rows(q, k, tiles, w);
  };
  fits(part.top, part.down, part.tiling.down(), y);
  fits(part.left, part.across, part.tiling.across(), x);
  const auto row_of_sums = [&](const Word& k, const Word& length, const Word& rows,
                               const Word& columns) {
    in_rows(q, k, rows, columns);
    q.compare_multiples((k + 1).value(), length.value(), columns.value());
    q.compare_multiples(length.value(), k.value(), 0);
  };
  for (const Word& k : {y, minus_or_zero(y, Word(1))}) {
    row_of_sums(k, part.width(), matrix.rows, matrix.columns);
    row_of_sums(k, part.across, matrix.rows, matrix.columns);
  }
  for (const Word& k : {x, minus_or_zero(x, Word(1))}) {
    row_of_sums(k, part.height(), matrix.columns, matrix.rows);
  }
  const SumPlacesOf<Word> to(part, y, x);
  const CarryPlaceOf<Word> from = carry_of_sums(part, y, x);
  // The tile decides which of these words exist.
  const Word k = index(q, "k", w);
  const auto words = [&](const Word& first, const Word& count) {
    WordChecks::record(implies(k < count, first.value() + k.value() < Word::end));
  };
  words(to.in_columns, to.columns);
  words(to.in_rows, to.rows);
  words(from.above, from.columns);
  words(from.left, from.rows);
  // The corner of a tile before a triangle, and the corners above it and to its left.
  const EdgePlacesOf<Word> at = part.edges(y, x);
  in_rows(q, part.left + x + 1, part.tiling.across(), w);
  const IntTerm corner = at.own_bottom.value() + w.value() - 1;
  const Truth wanted = to.tiles == 1;
  WordChecks::record(implies(wanted, corner < Word::end));
  WordChecks::record(implies(wanted && at.above, matrix.columns.value() <= corner));
  WordChecks::record(implies(wanted && at.left, 1 <= at.own_bottom.value()));
}

void words_of_two_passes(Query& q, More more) {
  const Table table(q, more);
  sums_of(q, PartOf<Word>(tiling_of(q, table)), 65535 + more);
}

void triangles(Query& q, More more) {
  const Table table(q, more);
  const TilingOf<Word> tiling = tiling_of(q, table);
  const Word from = index(q, "from", tiling.diagonals());
  const Word to = index(q, "to", tiling.diagonals() + 1, 131071 + more);
  guard(from < to);
  sums_of(q, PartOf<Word>(tiling, from, to), 65535 + more);
}

}  // namespace

std::vector<Theorem> words_of_tables() {
  return {no_overflow("A2.words", "the sums down and along of 2R2W", domain, table_down_and_along),
          no_overflow("A5.words", "4R1W", domain, words_by_diagonals),
          no_overflow("A6.words", "1R1W", tiled, words_of_one_pass),
          no_overflow("A4.words", "2R1W", tiled, words_of_two_passes),
          no_overflow("A7.words", "the triangles of (1+r)R1W, of any diagonals of tiles,", tiled,
                      triangles)};
}

}  // namespace bankproof::proofs
