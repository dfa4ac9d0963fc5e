// Index computations of plain accesses: contiguous accesses, copies, and permutations by an array.
#include "../../../algorithms/copy.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

void contiguous(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 1 + more);
  const Word p = size(q, "p", 1);
  limit(q, n.value() + p.value(), Word::end + more);
  item_of_thread(q, n, p, {.turn = Word::end - 2 + more});
}

void by_an_array(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 1 + more);
  item_of_launch(q, n, Blocks(q, n, more));
}

void copied(Query& q, More more) {
  const Word n = size(q, "n", Word::end - 1 + more);
  const Word d = size(q, "d", 1);
  const Word w = size(q, "w", 1);
  const Word p = size(q, "p", 1);
  const CopyOf<Word> copy{n, d, p, w, 1, 1};
  const Word each = ceil_div(n, d);
  const Word rows = ceil_div(each, w);
  const IntTerm share = rows.value() * w.value();
  limit(q, d.value() * share + p.value(), Word::end + more);
  q.compare_multiples(d.value(), 1, share);
  q.compare_multiples(share, 1, d.value());
  q.compare_multiples(d.value(), each.value(), share + 1);
  q.compare_multiples(d.value(), each.value(), share);
  const Word dmm = index(q, "dmm", d);
  q.compare_multiples(share, dmm.value(), d.value());
  q.compare_multiples(share, dmm.value(), 0);
  const ShareOf<Word> mine = copy.share(dmm);
  mine.first + item_of_thread(q, mine.words(), p);
}

}  // namespace

std::vector<Theorem> words_of_accesses() {
  return {
      no_overflow("C1.words", "contiguous access", "n + p ≤ 2^32", contiguous),
      no_overflow("R1.words", "a permutation designated by an array", "n + dp ≤ 2^32", by_an_array),
      no_overflow("C5.words", "a copy to the shared memories",
                  "shares in whole rows of banks, and p, at most 2^32 in all", copied)};
}

}  // namespace bankproof::proofs
