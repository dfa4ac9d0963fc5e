// The values of direct convolutions (rows D4 and D5), for every size: the sums of pieces, or of
// shares, add up to the sum of all terms of one element.
#include <utility>

#include "../../../algorithms/convolution.hpp"
#include "../../../algorithms/layout.hpp"
#include "../../builder/bounds.hpp"
#include "../../builder/parameters.hpp"
#include "../../builder/ranges.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// The terms of one element, in pieces. The last pieces may have fewer terms, or no terms.
struct Pieces {
  Query& q;
  DirectConvolvingOf<IntTerm> size;
  RangeSum terms;
  RangeSum partial;
  IntTerm each;

  Pieces(Query& query, const IntTerm& m, const IntTerm& pieces)
      : q(query), size{1, m, pieces}, terms(q, "terms"), partial(q, "partial"), each(size.terms()) {
    partial.empty(0);
    terms.empty(0);
  }
  IntTerm end(const IntTerm& piece) const { return smaller(piece * each, size.m); }
  Truth have_the_sum(const IntTerm& pieces) const {
    return partial(0, pieces) == terms(0, end(pieces));
  }
  void piece(const IntTerm& k) const {
    const IntTerm begin = end(k);
    const IntTerm last = end(k + 1);
    q.assume(partial.item(k) == terms(begin, last));
    partial.split(0, k, k + 1);
    terms.split(0, begin, last);
  }
};

Theorem partial_sums() {
  return Theorem{.id = "D4.value",
                 .source = "HMM VIII",
                 .statement =
                     "the partial sums of a z[i], one for each of s pieces of ⌈m/s⌉ terms, add up "
                     "to the sum of its m terms",
                 .domain = "all m and s, by induction over terms and pieces"}
      .proof([](Query& q) {
        const auto [m, pieces] = q.numbers({{"m", 1, 7}, {"s", 1, 3}});
        const Pieces of(q, m, pieces);
        q.multiply_by({pieces});
        q.claim("⌈m/s⌉ terms each are all", pieces * of.each >= m);
        q.multiply_by({of.each});
        {
          // A thread's sum after t terms of its piece. It skips the terms past the end.
          const Query::Scope scope(q);
          const IntTerm k = below(q, "piece", pieces, 1);
          const IntTerm first = k * of.each;
          q.compare_multiples(of.each, 0, k);
          q.claim("terms before", first >= 0);
          const Function sum = q.function("sum");
          const auto upto = [&](const IntTerm& t) { return smaller(first + t, m); };
          of.terms.empty(upto(0));
          q.assume(sum(0) == 0);
          q.induct(
              0, of.each, [&](const IntTerm& t) { return sum(t) == of.terms(upto(0), upto(t)); },
              [&](const IntTerm& t) {
                const IntTerm term = first + t;
                const IntTerm next = sum(t + 1);
                q.assume(implies(term < m, next == sum(t) + of.terms.item(term)));
                q.assume(implies(!(term < m), next == sum(t)));
                of.terms.split(upto(0), term, term + 1);
              });
          q.claim("a piece", sum(of.each) == of.terms(of.end(k), of.end(k + 1)));
        }
        q.induct(
            0, pieces, [&](const IntTerm& k) { return of.have_the_sum(k); },
            [&](const IntTerm& k) {
              of.piece(k);
              q.compare_multiples(of.each, 0, k);
            });
        q.claim("all terms", of.partial(0, pieces) == of.terms(0, m));
      })
      .false_twin([](Query& q) {
        // ⌊m/s⌋ terms in a piece.
        Pieces of(q, 3, 2);
        of.each = 1;
        of.piece(0);
        of.piece(1);
        of.terms.split(0, 2, 3);
        q.claim("all terms", of.partial(0, 2) == of.terms(0, 3));
      });
}

/// Two partial sums are different words of shared memory, in rows that are `pitch` words apart.
Truth partial_sums_apart(Query& q, const IntTerm& n, const IntTerm& pitch) {
  const auto [k, other] = q.numbers({{"piece", 0, 1}, {"other", 0, 0}});
  const IntTerm i = below(q, "i", n, 0);
  const IntTerm j = below(q, "j", n, 3);
  q.assume(k != other || i != j);
  q.compare_multiples(pitch, k, other);
  return row_major(k, i, pitch) != row_major(other, j, pitch);
}

Theorem partial_sums_in_places() {
  return Theorem{.id = "D4.places",
                 .source = "HMM VIII",
                 .statement = "no two partial sums of a direct convolution share a word",
                 .domain = "all n, w and pieces"}
      .proof([](Query& q) {
        const IntTerm n = q.number("n", 1, 5);
        const IntTerm w = width(q);
        const IntTerm pitch = rounded_up(n, w);
        q.multiply_by({w});
        q.claim("room for a row", n <= pitch);
        q.multiply_by({});
        q.claim("different words", partial_sums_apart(q, n, pitch));
      })
      .false_twin([](Query& q) {
        // The pitch is rounded down, and too short for a row.
        q.claim("different words", partial_sums_apart(q, 5, IntTerm(5) / IntTerm(4) * 3));
      });
}

/// Block b of the HMM's convolution, and number i of its share. Term k of this number reads
/// y[b·share + i + k]. In the false twin, a block loads only one word of y for each number of its
/// share.
struct ShareOfBlock {
  Query& q;
  IntTerm n;
  IntTerm m = q.number("m", 1, 3);
  IntTerm share;
  IntTerm block = q.number("block", 0, 1);
  IntTerm first = block * share;
  IntTerm i = below(q, "i", share, 3);
  IntTerm k = below(q, "k", m, 2);

  ShareOfBlock(Query& query, IntTerm numbers, IntTerm of_block)
      : q(query), n(std::move(numbers)), share(std::move(of_block)) {
    q.assume(first + i < n);
  }
  Truth is_loaded(const IntTerm& words) const {
    // own_y[j] ← y[first + j] for j < words, if y has this word.
    return i + k < words && first + (i + k) < n + m - 1;
  }
};

Theorem shares() {
  return Theorem{
      .id = "D5.value",
      .source = "HMM IX",
      .statement =
          "each block of the HMM's convolution has loaded all m words of y that each number of its "
          "share needs; together, the shares cover all numbers, each exactly once",
      .domain = "all n, m, d and w"}
      .proof([](Query& q) {
        const IntTerm n = q.number("n", 1, 8);
        const IntTerm w = width(q);
        const IntTerm d = q.number("d", 1, 2);
        const IntTerm tiles = ceil_div(n, d);  // numbers for each DMM
        q.multiply_by({d});
        q.compare_multiples(d, 0, n / d);
        q.claim("on d DMMs", tiles * d >= n && tiles >= 1);

        const auto task = task_on(MachineKind::hmm, "shares", {.w = w, .d = d}, {{"n", n}});

        const IntTerm size = Convolution::share(task);
        q.multiply_by({w});
        q.claim("in whole rows", size >= tiles && size >= 1);
        q.multiply_by({d});
        q.claim("all of z", size * d >= n);
        q.multiply_by({});
        const ShareOfBlock of(q, n, size);
        q.claim("loaded", of.is_loaded(of.share + of.m - 1));
        const IntTerm other = q.number("other", 0, 0);
        q.compare_multiples(size, of.block, other);
        const IntTerm j = below(q, "j", size, 3);
        q.claim("once", implies(of.block != other, of.first + of.i != other * size + j));
      })
      .false_twin([](Query& q) {
        const ShareOfBlock of(q, 8, 4);
        q.claim("loaded", of.is_loaded(of.share));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_values_of_products() {
  return {partial_sums(), partial_sums_in_places(), shares()};
}

}  // namespace bankproof::proofs
