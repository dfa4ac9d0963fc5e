// Index computations on vectors: sums, prefix sums and permutations.
#include "../../algorithms/permutation/scheduled.hpp"
#include "../../algorithms/prefix_sums.hpp"
#include "index.hpp"
#include "words.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::uint64_t end = Word::end;

Theorem pairwise_sum() {
  return no_overflow({.id = "S2.words",
                      .statement = "no index of the pairwise sum overflows a word of 32 bits",
                      .domain = "n < 2^32",
                      .compute = [](Query& q, More more) {
                        const Word n = size(q, "n", end - 1 + more);
                        limit(q, n.value(), end - 1 + more);
                        const Word left = size(q, "left", end - 1 + more);
                        limit(q, left.value() - n.value(), 0);
                        const Word distance = index(q, "distance", left, end / 2);
                        const Word i = index(q, "i", smaller(distance, left - distance));
                        i + distance;
                      }});
}

Theorem columns_of_launch() {
  return no_overflow({.id = "S4.words",
                      .statement = "no index of the sum by all DMMs overflows a word of 32 bits",
                      .domain = "dp < 2^32",
                      .compute = [](Query& q, More more) {
                        // Turns of dp numbers; one that goes on begins below n.
                        const Word d = size(q, "d", 65535 + more);
                        const Word p = size(q, "p", 65537);
                        limit_matrix(q, d, p, 65537 * more);
                        thread_of_launch(q, d, p, {.block = 65534 + more, .thread = 65536});
                      }});
}

Theorem simple_prefix_sums() {
  return no_overflow({.id = "P1.words",
                      .statement = "no index of simple prefix sums overflows a word of 32 bits",
                      .domain = "n ≤ 2^31, p ≤ 2^31",
                      .compute = [](Query& q, More more) {
                        const Word n = size(q, "n", end / 2 + more);
                        const Word p = size(q, "p", 1);
                        limit(q, n.value(), end / 2 + more);
                        limit(q, p.value(), end / 2);
                        const Word distance =
                            index(q, "distance", n, more == 0 ? end / 4 : end / 2);
                        q.assume(distance >= 1);
                        2 * distance;  // the next one, as the loop ends where it is not below n
                        const Word turns = ceil_div(n - distance, p);
                        const Word turn = index(q, "turn", turns);
                        in_rows(q, turn, turns, p);
                        const Word thread = index(q, "thread", p);
                        const Word i = row_major(turn, thread, p) + distance;
                        i - distance;
                      }});
}

Theorem optimal_prefix_sums() {
  return no_overflow({.id = "P2.words",
                      .statement = "no index of optimal prefix sums overflows a word of 32 bits",
                      .domain = "n < 2^32",
                      .compute = [](Query& q, More more) {
                        const Word n = size(q, "n", end - 1 + more);
                        limit(q, n.value(), end - 1 + more);
                        const Word i = index(q, "i", n / 2, end / 2 - 2 + more);
                        const PairOf<Word> pair{i};
                        pair.first();
                        pair.other();
                        pair.next();
                      }});
}

Theorem planned_permutation() {
  return no_overflow(
      {.id = "R3.words",
       .statement = "no index of a conflict-free permutation overflows a word of 32 bits",
       .domain = "n + w ≤ 2^32, dp < 2^32",
       .compute = [](Query& q, More more) {
         const Word w = size(q, "w", 32);
         const Word n = size(q, "n", end - 32 + more);
         limit(q, n.value() + w.value(), end + more);
         const Word lanes = PermutingRowsOf<Word>{1, n, w}.lanes();
         index(q, "j", lanes);
         const Word d = size(q, "d", 1);
         const Word p = size(q, "p", 1);
         limit_matrix(q, d, p, 0);
         thread_of_launch(q, d, p, {.block = 0, .thread = 0});
       }});
}

Theorem scheduled_permutation() {
  return no_overflow(
      {.id = "H6.words",
       .statement =
           "no index of a row-wise pass of a scheduled permutation overflows a word of 32 bits",
       .domain = "rows of C columns in ⌈C/w⌉ · w lanes each, fewer than 2^32 in all, C ≤ 2^31 − w",
       .compute = [](Query& q, More more) {
         const Word rows = size(q, "rows", 65535 + more);
         const Word columns = size(q, "columns", 65537 - more);
         const Word w = size(q, "w", 1);
         limit(q, columns.value() + w.value(), end / 2);
         const PermutingRowsOf<Word> matrix{rows, columns, w};
         matrix.shared_words();
         const Word lanes = matrix.lanes();
         limit_matrix(q, rows, lanes, more);
         const Word row = index(q, "row", rows, 65534 + more);
         in_rows(q, row, rows, columns);
         in_rows(q, row, rows, lanes);
         q.compare_multiples(row.value(), columns.value(), lanes.value());
         matrix.word(row, index(q, "j", columns, 65536 - more));
         const Word lane = matrix.lane(row, index(q, "lane", lanes, 65536 - more));
         lane + 1;  // where the lanes end
       }});
}

}  // namespace

std::vector<Theorem> words_of_vectors() {
  return {pairwise_sum(),        columns_of_launch(),   simple_prefix_sums(),
          optimal_prefix_sums(), planned_permutation(), scheduled_permutation()};
}

}  // namespace bankproof::proofs
