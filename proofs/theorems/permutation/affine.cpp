// Closed forms of plans of permutations that are affine over GF(2) (row R6 beyond n = w²). If a
// plan passes the checks made when it is built (algorithms/permutation/affine_certificate.hpp), the
// plan moves every element without a conflict. Indices are words of 32 bits.
//
// A linear map is evaluated bit by bit: f(i with one more bit) = f(i) ⊕ f(that bit). So the
// certificate's equations about bits imply a statement about all words, by induction over the bits
// of a word.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../../../algorithms/permutation/affine_certificate.hpp"
#include "../../builder/query.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

WordTerm bits_of(std::uint64_t value) { return WordTerm(value); }
Truth are_in(const WordTerm& bits, const WordTerm& x) { return (bits & x) == bits; }

/// The maps of a plan, known only to be linear, and their certificate.
struct Certified {
  Query& q;
  WordTerm banks;
  WordTerm all;
  AffineCertificate<WordTerm, WordFunction> of;

  Certified(Query& query, WordTerm lanes, WordTerm indices)
      : q(query),
        banks(std::move(lanes)),
        all(std::move(indices)),
        of{q.word_function("P"),
           q.word_function("S"),
           q.word_function("D"),
           q.word_function("R"),
           banks,
           all} {
    const WordTerm none = bits_of(0);
    for (const WordTerm& ones : {banks, all}) q.assume((ones & (ones + bits_of(1))) == none);
    q.assume(are_in(banks, all));
    for (const WordFunction& map : {of.p, of.s, of.d, of.r}) q.assume(map(none) == none);
  }

  /// Assumes the law of linear maps (R6.linear) at these words.
  void add(const WordFunction& map, const WordTerm& a, const WordTerm& b) const {
    q.assume(map(a ^ b) == (map(a) ^ map(b)));
  }
  /// Assumes what the certificate checks for one bit.
  void know(const WordTerm& one) const { q.assume(implies(are_in(one, all), of.holds_of(one))); }

  /// Proves holds(x) by induction over the bits of x. The step goes from y, a word of some of these
  /// bits, to y with one more bit. step(y, one) assumes the laws that it needs.
  void go_through(const std::string& name, const WordTerm& x,
                  const std::function<Truth(const WordTerm&)>& holds,
                  const std::function<void(const WordTerm&, const WordTerm&)>& step) const {
    q.claim(name + ": no bits", holds(bits_of(0)));
    {
      const Query::Scope scope(q);
      const WordTerm y = q.word(name, 0);
      const WordTerm one = q.word(name + "_bit", 1);
      // The proof needs only the checks for this bit, not that it is a single bit.
      q.assume(are_in(y, x) && are_in(one, x) && holds(y));
      know(one);
      step(y, one);
      q.claim(name + ": one bit more", holds(y ^ one));
    }
    q.assume(holds(x));
  }

  Truth is_index(const WordTerm& x) const { return are_in(x, all); }
  Truth reads_own_bank(const WordTerm& x) const { return (of.s(x) & banks) == (x & banks); }
};

WordTerm index_of(const Certified& plan, const std::string& name, std::uint32_t example) {
  WordTerm x = plan.q.word(name, example);
  plan.q.assume(plan.is_index(x));
  return x;
}

/// Adding one column keeps a sum of columns linear: sum(i ⊕ j) = sum(i) ⊕ sum(j). The false twin
/// takes i | j instead of i ⊕ j.
Truth stays_linear(Query& q, unsigned bit, bool of_xor) {
  const std::string of = "_of_bit_" + std::to_string(bit);
  const WordTerm k = bits_of(bit);
  const WordTerm column = q.word("column" + of, 6);
  const WordTerm i = q.word("i" + of, 3);
  const WordTerm j = q.word("j" + of, 2);
  const WordTerm at_i = q.word("at_i" + of, 4);
  const WordTerm at_j = q.word("at_j" + of, 1);
  return with_column(at_i ^ at_j, column, of_xor ? i ^ j : i | j, k) ==
         (with_column(at_i, column, i, k) ^ with_column(at_j, column, j, k));
}

Theorem linear() {
  return Theorem{.id = "R6.linear",
                 .source = "bankproof",
                 .statement =
                     "the xor of the columns of an index's bits is linear: at i xor j it is that "
                     "at i xor that at j",
                 .domain = "all maps, in words of 32 bits; the step of an induction over columns",
                 .unbounded = false}
      .proof([](Query& q) {
        for (unsigned k = 0; k < WordTerm::bits; ++k) {
          q.claim("one column more", stays_linear(q, k, true));
        }
      })
      .false_twin([](Query& q) { q.claim("one column more", stays_linear(q, 1, false)); });
}

void prove_moved(Query& q, const Certified& plan) {
  const auto& [p, s, d, r, banks, all] = plan.of;
  const auto add_to_s = [&](const WordTerm& y, const WordTerm& one) {
    plan.add(plan.of.s, y, one);
  };
  const WordTerm x = index_of(plan, "e", 1);
  plan.go_through(
      "in_its_bank", x,
      [&](const WordTerm& at) { return plan.reads_own_bank(at) && plan.is_index(plan.of.s(at)); },
      add_to_s);
  // S(x) differs from x only in high bits, and S maps each word that has only high bits to itself.
  const WordTerm high = s(x) ^ x;
  plan.go_through(
      "high", high, [&](const WordTerm& at) { return plan.of.s(at) == at; }, add_to_s);
  plan.add(s, x, high);
  const WordTerm lane = s(x);
  q.claim("S is its own inverse", s(lane) == x && plan.is_index(lane));
  plan.go_through(
      "composed", lane,
      [&](const WordTerm& at) { return plan.of.d(at) == plan.of.p(plan.of.s(at)); },
      [&](const WordTerm& y, const WordTerm& one) {
        for (const WordFunction& map : {plan.of.s, plan.of.d}) plan.add(map, y, one);
        plan.add(plan.of.p, plan.of.s(y), plan.of.s(one));
      });
  q.claim("moved", d(lane) == p(x));
}

Theorem moved() {
  return Theorem{
      .id = "R6.affine.moves",
      .source = "bankproof",
      .statement =
          "a plan with a certificate moves every element e: S takes lane S(e) to e, and so D = P∘S "
          "takes it to P(e)",
      .domain =
          "all affine permutations of 2^b elements in words of 32 bits, by induction over bits",
      .unbounded = false}
      .proof([](Query& q) { prove_moved(q, Certified(q, q.word("banks", 1), q.word("all", 3))); })
      .false_twin([](Query& q) {
        // There are two elements. S keeps the bank, but nothing checks that S(1) is one of the two.
        const WordTerm one = bits_of(1);
        const Certified plan(q, one, one);
        q.assume(plan.reads_own_bank(one));
        q.claim("S is its own inverse", plan.of.s(plan.of.s(one)) == one);
      });
}

/// Two lanes of a warp, for a permutation with an offset.
struct TwoLanes {
  WordTerm i;
  WordTerm j;
  WordTerm offset;

  TwoLanes(const Certified& plan, std::uint32_t first, std::uint32_t second)
      : i(index_of(plan, "i", first)),
        j(index_of(plan, "j", second)),
        offset(plan.q.word("offset", 1)) {
    plan.q.assume(i != j && are_in(i ^ j, plan.banks));
    for (const WordFunction& map : {plan.of.s, plan.of.d}) plan.add(map, i, j);
  }
  Truth are_apart(const Certified& plan) const {
    const auto& [p, s, d, r, banks, all] = plan.of;
    return (s(i) & banks) != (s(j) & banks) &&
           ((d(i) ^ offset) & banks) != ((d(j) ^ offset) & banks);
  }
};

void prove_apart(Query& q, const Certified& plan) {
  const TwoLanes lanes(plan, 0, 1);
  const WordTerm x = lanes.i ^ lanes.j;
  plan.go_through(
      "in_its_bank", x, [&](const WordTerm& at) { return plan.reads_own_bank(at); },
      [&](const WordTerm& y, const WordTerm& one) { plan.add(plan.of.s, y, one); });
  const auto bank = [&](const WordTerm& at) { return plan.of.d(at) & plan.banks; };
  plan.go_through(
      "led_back", x, [&](const WordTerm& at) { return plan.of.r(bank(at)) == at; },
      [&](const WordTerm& y, const WordTerm& one) {
        plan.add(plan.of.d, y, one);
        plan.add(plan.of.r, bank(y), bank(one));
        q.claim("it is a lane's bit", are_in(one, plan.banks) && plan.of.r(bank(one)) == one);
        q.claim("banks add up", bank(y ^ one) == (bank(y) ^ bank(one)));
      });
  q.claim("different banks", lanes.are_apart(plan));
}

Theorem conflict_free() {
  return Theorem{.id = "R6.affine.banks",
                 .source = "bankproof",
                 .statement =
                     "a plan with a certificate is without conflicts: every warp reads and writes "
                     "in different banks",
                 .domain =
                     "all affine permutations of 2^b elements and powers of two w in words of 32 "
                     "bits, by induction over bits",
                 .unbounded = false}
      .proof([](Query& q) { prove_apart(q, Certified(q, q.word("banks", 1), q.word("all", 3))); })
      .false_twin([](Query& q) {
        // Four lanes. The second bit has no certificate.
        const WordTerm three = bits_of(3);
        const Certified plan(q, three, three);
        plan.know(bits_of(1));
        q.claim("different banks", TwoLanes(plan, 1, 2).are_apart(plan));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_affine_plans() { return {linear(), moved(), conflict_free()}; }

}  // namespace bankproof::proofs
