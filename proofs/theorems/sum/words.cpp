// Index computations on vectors: sums, prefix sums and permutations.
#include "../../../algorithms/permutation/scheduled.hpp"
#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

/// A level of the pairwise sum of at most n numbers, and a pair that the level adds.
void level_of_sum(Query& q, const Word& n, const Word& p, std::uint64_t example) {
  const Word left = size(q, "left", example);
  limit(q, left.value() - n.value(), 0);
  const Word distance = index(q, "distance", left, example / 2);
  const Word pairs = pairs_of_level(left, distance);
  item_of_thread(q, pairs, p, {.of = "_of_level"}) + distance;
}

void words_of_pairwise_sum(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 1 + more);
  limit(q, n.value(), Word::end - 1 + more);
  const Word p = size(q, "p", 1);
  limit(q, p.value(), Word::end - 1);
  level_of_sum(q, n, p, Word::end - 1 + more);
}

void columns_of_launch(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 2 + 2 * more);
  const Blocks blocks(q, n, more, 2 - more);
  item_of_launch(q, n, blocks);
  // The sums of a block's threads, in its shared memory.
  level_of_sum(q, smaller(n, blocks.p), blocks.p, 2 - more);
}

void simple_prefix_sums(Query& q, More more) {
  const Word n = size(q, "n", Word::end / 2 + more);
  const Word p = size(q, "p", 1);
  limit(q, n.value(), Word::end / 2 + more);
  limit(q, p.value(), Word::end / 2);
  const Word distance = index(q, "distance", n, more == 0 ? Word::end / 4 : Word::end / 2);
  q.assume(distance >= 1);
  2 * distance;  // the next distance; the loop ends if it is not below n
  const Word thread = index(q, "thread", p);
  const Word i = in_turns(q, n - distance, p, thread) + distance;
  guard(i < n);
  i - distance;
}

void optimal_prefix_sums(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 1 + more);
  limit(q, n.value(), Word::end - 1 + more);
  const Word p = size(q, "p", 1);
  limit(q, p.value(), Word::end - 1);
  const PairOf<Word> pair{item_of_thread(q, n / 2, p, {.turn = Word::end / 2 - 2 + more})};
  pair.first();
  pair.other();
  pair.next();
}

void planned_permutation(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 32 + more);
  const Word lanes = PermutingRowsOf<Word>{1, n, size(q, "w", 32)}.lanes();
  item_of_launch(q, lanes, Blocks(q, lanes, more));
}

void scheduled_permutation(Query& q, More more) {
  const Word rows = size(q, "rows", 65535 + more);
  const Word columns = size(q, "columns", 65537 - more);
  const Word w = size(q, "w", 1);
  limit(q, columns.value() + w.value(), Word::end / 2);
  const PermutingRowsOf<Word> matrix{rows, columns, w};
  matrix.shared_words();
  const Word lanes = matrix.lanes();
  limit_matrix(q, rows, lanes, more);
  const Word p = size(q, "p", 1);
  limit(q, p.value(), Word::end - 1);
  limit(q, w.value() - p.value(), 0);
  const Word row = index(q, "row", rows, 65534 + more);
  in_rows(q, row, rows, columns);
  in_rows(q, row, rows, lanes);
  q.compare_multiples(row.value(), columns.value(), lanes.value());
  const Word threads = matrix.threads(p);
  in_rows(q, p / w, 1, w);
  const std::uint64_t last = 65536 - more;
  matrix.word(row, item_of_thread(q, columns, threads, {.turn = last, .of = "_of_columns"}));
  const Word lane =
      matrix.lane(row, item_of_thread(q, lanes, threads, {.turn = last, .of = "_of_lanes"}));
  lane + 1;  // where the lanes end
}

}  // namespace

std::vector<Theorem> words_of_vectors() {
  return {no_overflow("S2.words", "the pairwise sum", "n and p < 2^32", words_of_pairwise_sum),
          no_overflow("S4.words", "the sum by all DMMs", "n + dp ≤ 2^32", columns_of_launch),
          no_overflow("P1.words", "simple prefix sums", "n ≤ 2^31, p ≤ 2^31", simple_prefix_sums),
          no_overflow("P2.words", "optimal prefix sums", "n and p < 2^32", optimal_prefix_sums),
          no_overflow("R3.words", "a conflict-free permutation", "⌈n/w⌉ · w + dp ≤ 2^32",
                      planned_permutation),
          no_overflow("H6.words", "a row-wise pass of a scheduled permutation",
                      "rows of C columns in ⌈C/w⌉ · w lanes each, fewer than 2^32 in all, C ≤ 2^31 "
                      "− w; w ≤ p < 2^32",
                      scheduled_permutation)};
}

}  // namespace bankproof::proofs
