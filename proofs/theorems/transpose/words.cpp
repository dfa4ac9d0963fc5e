// Index computations on matrices: products and transposes.
#include "../words.hpp"

#include "../../../algorithms/matrix_product.hpp"
#include "../../../algorithms/transpose.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

Theorem product_on_one_memory() {
  return no_overflow({.id = "X1.words",
                      .statement = "no index of MUL-DMM overflows a word of 32 bits",
                      .domain = "matrices of fewer than 2^32 words; sides, p and w ≤ 2^30",
                      .compute = [](Query& q, More more) {
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
                      }});
}

Theorem product_by_tiles() {
  return no_overflow(
      {.id = "X2.words",
       .statement = "no index of MUL-HMM overflows a word of 32 bits",
       .domain = "matrices and tiles of fewer than 2^32 words; sides, p and w ≤ 2^30",
       .compute = [](Query& q, More more) {
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
       }});
}

Theorem transposed() {
  return no_overflow(
      {.id = "H3.words",
       .statement = "no index of a transpose overflows a word of 32 bits",
       .domain = "matrices and tiles of fewer than 2^32 words; sides, p and w ≤ 2^30",
       .compute = [](Query& q, More more) {
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
         // The same element of the other matrix.
         in_rows(q, left + j, a.columns, a.rows);
         row_major(left + j, top + i, a.rows);
       }});
}

}  // namespace

std::vector<Theorem> words_of_matrices() {
  return {product_on_one_memory(), product_by_tiles(), transposed()};
}

}  // namespace bankproof::proofs
