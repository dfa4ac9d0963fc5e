// Index computations of convolutions of vectors.
#include "../../../algorithms/convolution.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

/// The pieces that threads process at the same time. For the products, these are all pieces. On a
/// level of the sums, these are the pieces k to which the pieces k + `distance` are added.
struct Level {
  Word pieces;
  Word distance;

  Level(Query& q, const DirectConvolvingOf<Word>& of, std::uint64_t all)
      : pieces(size(q, "at_once", all)), distance(0) {
    limit(q, pieces.value() - of.pieces.value(), 0);
    in_rows(q, pieces, of.pieces, of.n);
    distance = index(q, "distance", of.pieces - pieces + 1);
  }
};

/// Computes the indices of a term and of the partial sums of z[i]. In the example, threads process
/// `all` pieces at the same time.
void convolve(Query& q, const DirectConvolvingOf<Word>& size, const Threads& threads,
              std::uint64_t all, std::uint64_t turn) {
  const auto& [n, m, pieces] = size;
  limit(q, n.value() + threads.p.value(), Word::end);
  q.assume(pieces <= m);
  const Word pitch = rounded_up(n, threads.w);
  limit_matrix(q, pieces, pitch, 0);
  q.compare_multiples(pieces.value(), n.value(), pitch.value());
  const Level level(q, size, all);
  const auto [piece, i] = Swept(q, level.pieces, n, threads, {.turn = turn});
  const Word terms = size.terms();
  const Word t = index(q, "term", terms, 1);
  in_rows(q, piece, pieces, terms);
  // If a piece has more than one term, there are fewer pieces than terms.
  q.compare_multiples(pieces.value(), terms.value(), 2);
  q.multiply_equals(piece.value(), terms.value(), 1);
  row_major(piece, t, terms);
  i + index(q, "place", m);  // for an existing term
  in_rows(q, piece, pieces, pitch);
  row_major(piece, i, pitch);
  in_rows(q, piece + level.distance, pieces, pitch);
  row_major(piece + level.distance, i, pitch);
}

void words_on_the_pram(Query& q, More more) {
  const Word n = size(q, "n", 65537 - more);
  const Word m = size(q, "m", Word::end / 2);
  const Word pieces = size(q, "pieces", 65535 + more);
  limit(q, n.value() + m.value(), Word::end);
  limit(q, m.value(), Word::end / 2);
  q.assume(pieces <= m);
  limit_matrix(q, pieces, n, more);
  const Word p = proofs::size(q, "p", 1);
  limit(q, pieces.value() * n.value() + p.value(), Word::end + more);
  const DirectConvolvingOf<Word> size{n, m, pieces};
  const Level level(q, size, 65535 + more);
  const Word k = item_of_thread(q, level.pieces * n, p);
  const Word piece = k / n;
  const Word i = k % n;
  in_rows(q, piece, level.pieces, n);
  // The partial sum that is added.
  in_rows(q, level.distance + piece, pieces, n);
  row_major(level.distance, k, n);
  const Word terms = size.terms();
  const Word t = index(q, "term", terms);
  in_rows(q, piece, pieces, terms);
  q.compare_multiples(pieces.value(), terms.value(), 2);
  q.multiply_equals(piece.value(), terms.value(), 1);
  const Word term = row_major(piece, t, terms);
  guard(term < m);
  i + term;
}

void words_on_one_memory(Query& q, More more) {
  const Word n = size(q, "n", 1);
  const Word m = size(q, "m", Word::end / 2 + 1 + more);
  limit(q, n.value() + m.value(), Word::end);
  limit(q, m.value(), Word::end / 2 + 1 + more);
  const std::uint64_t all = Word::end / 2 + more;
  convolve(q, {n, m, size(q, "pieces", all)}, Threads(q), all, all - 1);
}

void on_the_hmm(Query& q, More more) {
  const Word share = size(q, "share", Word::end / 2);
  const Word m = size(q, "m", Word::end / 2 - 1 + more);
  const Word d = size(q, "d", 1);
  const Threads threads(q);
  limit(q, d.value() * share.value() + m.value() + threads.p.value(), Word::end + more);
  limit(q, m.value(), Word::end / 2);
  q.compare_multiples(share.value(), d.value(), 1);
  q.compare_multiples(d.value(), share.value(), 1);
  const Word block = index(q, "block", d);
  in_rows(q, block, d, share);
  const Word first = block * share;
  // A block copies x, a part of y, and its share of z. The part of y is the largest of the three.
  const Word most = share + m - 1;
  const Word words = size(q, "words", 1);
  limit(q, words.value() - most.value(), 0);
  first + item_of_thread(q, words, threads.p);
  convolve(q, {share, m, size(q, "pieces", 1)}, threads, 1, 0);
}

}  // namespace

std::vector<Theorem> words_of_convolutions() {
  return {no_overflow("D1.words", "the direct convolution on the PRAM",
                      "n + m ≤ 2^32, m ≤ 2^31; partial sums and p, at most 2^32 in all",
                      words_on_the_pram),
          no_overflow("D4.words", "the direct convolution on one memory",
                      "n + m ≤ 2^32, n + p ≤ 2^32, m ≤ 2^31 + 1, fewer than 2^32 partial sums in "
                      "whole rows; p, w ≤ 2^30",
                      words_on_one_memory),
          no_overflow("D5.words", "the direct convolution on the HMM",
                      "d shares, m numbers and p, at most 2^32 in all; fewer than 2^32 partial "
                      "sums in whole rows; m ≤ 2^31, p, w ≤ 2^30",
                      on_the_hmm)};
}

}  // namespace bankproof::proofs
