// Index computations of transposes.
#include "../../../algorithms/transpose.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

void transposed(Query& q, More more) {
  const WordMatrix a(q, more);
  const Threads threads(q);
  limit_matrix(q, threads.w, threads.w, 0);
  const TransposingOf<Word> matrix{a.rows, a.columns, threads.w};
  matrix.shared_words();
  const auto [top, left] = corner_of_block(q, a.rows, a.columns, threads.w);
  const auto [i, j] = Swept(q, threads.w, threads.w, threads);
  in_rows(q, i, threads.w, threads.w);
  in_rows(q, j, threads.w, threads.w);
  diagonal(i, j, threads.w);
  diagonal(j, i, threads.w);
  row_major(i, j, threads.w);
  row_major(j, i, threads.w);
  word_of_window(q, {a.rows, a.columns, top, left}, i, j);
  // The word of this element in the transposed matrix.
  in_rows(q, left + j, a.columns, a.rows);
  row_major(left + j, top + i, a.rows);
}

}  // namespace

std::vector<Theorem> words_of_transposes() {
  return {no_overflow("H3.words", "a transpose",
                      "matrices and tiles of fewer than 2^32 words; sides, p and w ≤ 2^30",
                      transposed)};
}

}  // namespace bankproof::proofs
