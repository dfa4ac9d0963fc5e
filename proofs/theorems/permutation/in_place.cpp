// Permutations whose conflict-free plans are computed in place (row R6, THS 4.4), for n = w²
// elements with w = 2^k, k = 1, …, 8, in machine words. One formula for S serves the transpose, the
// shuffle and the bit-reversal.
#include "../../../algorithms/permutation/in_place.hpp"

#include <string>

#include "../../../algorithms/permutation/formulas.hpp"
#include "../../builder/query.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::uint64_t largest_k = 8;

/// A suffix for the names of numbers.
std::string name_of(const InPlace& of) { return "_of_" + std::to_string(of.size()); }

/// P by its formula in place, or the inverse of P.
using Formula = WordTerm (*)(const InPlace&, const WordTerm&);

WordTerm transposed(const InPlace& of, const WordTerm& i) { return of.transposed(i); }
WordTerm shuffled(const InPlace& of, const WordTerm& i) { return of.shuffled(i); }
WordTerm unshuffled(const InPlace& of, const WordTerm& i) { return of.unshuffled(i); }
WordTerm reversed(const InPlace& of, const WordTerm& i) {
  return formulas::BitReversal{of.size()}(i);
}

/// Whether two lanes of a warp write to different banks. The false twin takes S(i) = i.
Truth writes_in_place_apart(Query& q, std::uint64_t k, Formula p, bool by_plan) {
  const InPlace of{k};
  const WordTerm n(of.size());
  const WordTerm i = q.word("i" + name_of(of), 0);
  const WordTerm j = q.word("j" + name_of(of), by_plan ? 1 : 2);
  q.assume(i < n && j < n && i != j && of.high(i) == of.high(j));
  const auto bank = [&](const WordTerm& lane) {
    return of.low(p(of, by_plan ? of.source(lane) : lane));
  };
  return bank(i) != bank(j);
}

/// `named` computes P by the formula in algorithms/permutation/formulas.hpp.
template <class Named>
void prove_in_place(Query& q, std::uint64_t k, Named named, Formula p, Formula inverse) {
  const InPlace of{k};
  const WordTerm n(of.size());
  {
    const Query::Scope scope(q);
    const WordTerm i = q.word("element" + name_of(of), 1);
    q.assume(i < n);
    q.claim("P", p(of, i) == named(i) && p(of, i) < n);
    q.claim("its inverse", inverse(of, p(of, i)) == i && p(of, inverse(of, i)) == i);
    q.claim("S is a permutation", of.source(i) < n && of.source(of.source(i)) == i);
    const WordTerm j = q.word("other" + name_of(of), 2);
    q.assume(j < n && i != j && of.high(i) == of.high(j));
    q.claim("reads in different banks", of.low(of.source(i)) != of.low(of.source(j)));
  }
  const Query::Scope scope(q);
  q.claim("writes in different banks", writes_in_place_apart(q, k, p, true));
}

template <class NamedOf>
Theorem in_place(const std::string& name, NamedOf named, Formula p, Formula inverse) {
  return Theorem{
      .id = "R6." + name,
      .source = "THS 4.4",
      .statement = "the formula in place of the " + name +
                   " permutation gives P; S(i) = i xor (i mod w)·w and D(i) = P(S(i)) move every "
                   "element, and every warp reads and writes in different banks",
      .domain = "n = w², w = 2^k, k = 1, …, 8, in words of 32 bits",
      .unbounded = false}
      .proof([=](Query& q) {
        for (std::uint64_t k = 1; k <= largest_k; ++k) {
          prove_in_place(q, k, named(InPlace{k}), p, inverse);
        }
      })
      .false_twin([=](Query& q) {
        q.claim("writes in different banks", writes_in_place_apart(q, 2, p, false));
      });
}

Theorem printed_reversal() {
  return Theorem{.id = "R6.printed",
                 .source = "THS 4.4",
                 .statement =
                     "the three assignments printed for the bit-reversal of n = 1024 reverse the "
                     "ten bits of an index",
                 .domain = "n = 1024, in words of 32 bits",
                 .unbounded = false}
      .proof([](Query& q) {
        const InPlace of{5};
        const WordTerm i = q.word("i", 1);
        q.assume(i < WordTerm(of.size()));
        q.claim("reversed", of.reversed(i) == reversed(of, i));
      })
      .false_twin([](Query& q) {
        // The false twin omits the middle bits that stay in place: bits 2 and 7.
        const InPlace of{5};
        const WordTerm i = q.word("i", 4);
        q.claim("reversed", (of.reversed(i) & WordTerm(std::uint64_t{0x37b})) == reversed(of, i));
      });
}

}  // namespace

std::vector<Theorem> theorems_in_place() {
  return {in_place(
              "transpose",
              [](const InPlace& of) {
                return formulas::Transpose{of.width(), of.width()};
              },
              transposed, transposed),
          in_place(
              "shuffle", [](const InPlace& of) { return formulas::Shuffle{of.size()}; }, shuffled,
              unshuffled),
          in_place(
              "bit-reversal", [](const InPlace& of) { return formulas::BitReversal{of.size()}; },
              reversed, reversed),
          printed_reversal()};
}

}  // namespace bankproof::proofs
