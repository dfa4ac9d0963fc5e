// Index computations of matrix products.
#include "../../../algorithms/matrix_product.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

void words_on_one_memory(Query& q, More more) {
  const WordMatrix c(q, more);
  const Word inner = side(q, "inner", 1);
  limit_matrix(q, c.rows, inner, 0);
  limit_matrix(q, inner, c.columns, 0);
  const auto [i, j] = Swept(q, c.rows, c.columns, Threads(q));
  const Word k = index(q, "k", inner);
  in_rows(q, i, c.rows, inner);
  row_major(i, k, inner);
  in_rows(q, k, inner, c.columns);
  row_major(k, j, c.columns);
  in_rows(q, i, c.rows, c.columns);
  row_major(i, j, c.columns);
}

void words_by_tiles(Query& q, More more) {
  const WordMatrix c(q, more);
  const Word inner = side(q, "inner", 1);
  limit_matrix(q, c.rows, inner, 0);
  limit_matrix(q, inner, c.columns, 0);
  const Word m = side(q, "m", 1);
  limit_matrix(q, m, m, 0);
  const auto [top, left] = corner_of_block(q, c.rows, c.columns, m);
  const auto [i, j] = Swept(q, m, m, Threads(q));
  in_rows(q, i, m, m);
  row_major(i, j, m);
  const Word term = index(q, "term", m);
  in_rows(q, term, m, m);
  row_major(i, term, m);
  row_major(term, j, m);
  const Word k = index(q, "k", inner);
  k + m;  // the next k, before the loop ends
  word_of_window(q, {c.rows, inner, top, k}, i, j);
  word_of_window(q, {inner, c.columns, k, left}, i, j);
  word_of_window(q, {c.rows, c.columns, top, left}, i, j);
}

}  // namespace

std::vector<Theorem> words_of_matrix_products() {
  return {
      no_overflow("X1.words", "MUL-DMM", "matrices of fewer than 2^32 words; sides, p and w ≤ 2^30",
                  words_on_one_memory),
      no_overflow("X2.words", "MUL-HMM",
                  "matrices and tiles of fewer than 2^32 words; sides, p and w ≤ 2^30",
                  words_by_tiles)};
}

}  // namespace bankproof::proofs
