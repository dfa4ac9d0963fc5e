// Permutations whose conflict-free plans are computed in place (row R6, THS 4.4), of n = w²
// elements for w = 2^k, k = 1, …, 8, in machine words: one formula for S does for all three.
#include <string>

#include "../../algorithms/permutation/formulas.hpp"
#include "../query.hpp"
#include "permutations.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::uint64_t largest_k = 8;

/// w = 2^k and n = w².
struct InPlace {
  std::uint64_t k;

  std::uint64_t width() const { return std::uint64_t{1} << k; }
  std::uint64_t size() const { return std::uint64_t{1} << 2 * k; }
  /// What the names of its numbers end with.
  std::string name() const { return "_of_" + std::to_string(size()); }
  /// The last k bits: bank of an element, lane of a thread.
  WordTerm low(const WordTerm& i) const { return i & WordTerm(width() - 1); }
  WordTerm high(const WordTerm& i) const { return i >> WordTerm(k); }
  /// S, i xor (i mod w)·w.
  WordTerm source(const WordTerm& i) const { return i ^ (low(i) << WordTerm(k)); }
};

/// P by its formula in place, and its inverse.
using Formula = WordTerm (*)(const InPlace&, const WordTerm&);

WordTerm transposed(const InPlace& of, const WordTerm& i) {
  return of.high(i) | (of.low(i) << WordTerm(of.k));
}
WordTerm shuffled(const InPlace& of, const WordTerm& i) {
  return (i >> WordTerm(2 * of.k - 1)) |
         ((i & WordTerm(of.size() / 2 - 1)) << WordTerm(std::uint64_t{1}));
}
WordTerm unshuffled(const InPlace& of, const WordTerm& i) {
  const WordTerm one(std::uint64_t{1});
  return (i >> one) | ((i & one) << WordTerm(2 * of.k - 1));
}
WordTerm reversed(const InPlace& of, const WordTerm& i) {
  return formulas::BitReversal{of.size()}(i);
}
/// The assignments printed for n = 1024.
WordTerm reversed_as_printed(const InPlace& of, const WordTerm& i) {
  const auto bits = [](const WordTerm& x, std::uint64_t mask) { return x & WordTerm(mask); };
  const WordTerm one(std::uint64_t{1});
  const WordTerm three(std::uint64_t{3});
  const WordTerm u = transposed(of, i);
  const WordTerm v = (bits(u, 0x318) >> three) | (bits(u, 0x63) << three);
  return (bits(v, 0x252) >> one) | (bits(v, 0x129) << one) | bits(u, 0x84);
}

/// Two lanes of a warp write to different banks; wrongly, with S(i) = i.
Truth writes_apart(Query& q, std::uint64_t k, Formula p, bool by_plan) {
  const InPlace of{k};
  const WordTerm n(of.size());
  const WordTerm i = q.word("i" + of.name(), 0);
  const WordTerm j = q.word("j" + of.name(), by_plan ? 1 : 2);
  q.assume(i < n && j < n && i != j && of.high(i) == of.high(j));
  const auto bank = [&](const WordTerm& lane) {
    return of.low(p(of, by_plan ? of.source(lane) : lane));
  };
  return bank(i) != bank(j);
}

/// `named` is P as algorithms/permutation/formulas.hpp has it.
template <class Named>
void prove_in_place(Query& q, std::uint64_t k, Named named, Formula p, Formula inverse) {
  const InPlace of{k};
  const WordTerm n(of.size());
  {
    const Query::Scope scope(q);
    const WordTerm i = q.word("element" + of.name(), 1);
    q.assume(i < n);
    q.prove("P", p(of, i) == named(i) && p(of, i) < n);
    q.prove("its inverse", inverse(of, p(of, i)) == i && p(of, inverse(of, i)) == i);
    q.prove("S is a permutation", of.source(i) < n && of.source(of.source(i)) == i);
    const WordTerm j = q.word("other" + of.name(), 2);
    q.assume(j < n && i != j && of.high(i) == of.high(j));
    q.prove("reads in different banks", of.low(of.source(i)) != of.low(of.source(j)));
  }
  const Query::Scope scope(q);
  q.prove("writes in different banks", writes_apart(q, k, p, true));
}

template <class NamedOf>
Theorem in_place(const std::string& name, NamedOf named, Formula p, Formula inverse) {
  return {
      .id = "R6." + name,
      .source = "THS 4.4",
      .statement =
          "the " + name +
          " permutation computed in place is P; with S(i) = i xor (i mod w)·w and D(i) = P(S(i)) "
          "every element is moved, and every warp reads and writes in different banks",
      .domain = "n = w², w = 2^k, k = 1, …, 8, in words of 32 bits",
      .unbounded = false,
      .proof =
          [=](Query& q) {
            for (std::uint64_t k = 1; k <= largest_k; ++k) {
              prove_in_place(q, k, named(InPlace{k}), p, inverse);
            }
          },
      .false_twin =
          [=](Query& q) { q.prove("writes in different banks", writes_apart(q, 2, p, false)); }};
}

Theorem printed_reversal() {
  return {.id = "R6.printed",
          .source = "THS 4.4",
          .statement =
              "the three assignments printed for the bit-reversal of n = 1024 reverse the ten bits "
              "of an index",
          .domain = "n = 1024, in words of 32 bits",
          .unbounded = false,
          .proof =
              [](Query& q) {
                const InPlace of{5};
                const WordTerm i = q.word("i", 1);
                q.assume(i < WordTerm(of.size()));
                q.prove("reversed", reversed_as_printed(of, i) == reversed(of, i));
              },
          .false_twin =
              [](Query& q) {
                // Without the middle bits that stay: bits 2 and 7.
                const InPlace of{5};
                const WordTerm i = q.word("i", 4);
                q.prove("reversed", (reversed_as_printed(of, i) & WordTerm(std::uint64_t{0x37b})) ==
                                        reversed(of, i));
              }};
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
