// Theorems on the conditions under which latency is hidden, and on the term that then dominates
// (rows I4 and X4). This file compares the terms of the bounds of OPT theorems 5 and 8 with each
// other, as the algorithms state them.
#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "../../builder/bounds.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// All numbers are at least 1. `side` is the radius v, or the side m of a tile.
struct NumbersOfHmm {
  IntTerm w, l, L, d, p, n, side;

  TaskOf<IntTerm> task(std::string_view variant) const {
    TaskOf<IntTerm> task{
        variant, {}, {.machine = MachineKind::hmm, .w = w, .l = l, .L = L, .d = d, .p = p}};
    for (const auto* name : {"rows", "inner", "columns"}) task.sizes.add(name, n);
    for (const auto* name : {"v", "m"}) task.sizes.add(name, side);
    return task;
  }
};

using Terms = std::vector<TermOf<IntTerm>>;
/// n²/w, n²L/(dp), n²v²/(dw) and n²v²l/(dp).
Terms terms_of_convolution(const NumbersOfHmm& of) {
  return ImageConvolution::upper(of.task("CONV-HMM"))->terms;
}
/// n³/(mw), n³L/(mdp), n³/(dw) and n³l/(dp).
Terms terms_of_product(const NumbersOfHmm& of) {
  return MatrixProduct::upper(of.task("MUL-HMM"))->terms;
}

/// A theorem: the term `smaller` of a bound is at most the term `larger` if and only if less ≤
/// more. Both terms have the same factors, besides `less` in one and `more` in the other.
struct Comparison {
  std::string id;
  std::string source;
  std::string statement;
  Terms (*terms)(const NumbersOfHmm&);
  std::size_t smaller;
  std::size_t larger;
  IntTerm (*less)(const NumbersOfHmm&);
  IntTerm (*more)(const NumbersOfHmm&);
  std::vector<IntTerm> (*factors)(const NumbersOfHmm&);

  Truth holds(const NumbersOfHmm& of) const {
    const Terms all = terms(of);
    const auto& a = all[smaller];
    const auto& b = all[larger];
    return a.numerator * b.denominator <= b.numerator * a.denominator;
  }
};

Theorem hiding_theorem(const Comparison& one) {
  return Theorem{.id = one.id,
                 .source = one.source,
                 .statement = one.statement,
                 .domain = "all n, d, p, w, l, L and v or m, at least 1"}
      .proof([=](Query& q) {
        const NumbersOfHmm of{q.number("w", 1, 4),   q.number("l", 1, 2),  q.number("L", 1, 8),
                              q.number("d", 1, 4),   q.number("p", 1, 16), q.number("n", 1, 32),
                              q.number("side", 1, 2)};
        IntTerm product(1);
        for (const IntTerm& factor : one.factors(of)) {
          q.multiply_by({factor});
          product = product * factor;
          q.claim("the factors are positive", product >= 1);
        }
        q.compare_multiples(product, one.more(of), one.less(of));
        q.claim("where", implies(one.less(of) <= one.more(of), one.holds(of)));
        q.claim("only there", implies(one.less(of) > one.more(of), !one.holds(of)));
      })
      .false_twin([=](Query& q) {
        // Just outside the domain: wL = wl = 16 and dp = p = 15, and v² and m above d.
        q.claim("where", one.holds({4, 4, 4, 1, 15, 2, 2}));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_hiding() {
  const auto hidden_global = [](const NumbersOfHmm& of) { return of.w * of.L; };
  const auto hidden_shared = [](const NumbersOfHmm& of) { return of.w * of.l; };
  const auto threads = [](const NumbersOfHmm& of) { return of.d * of.p; };
  const auto threads_of_a_dmm = [](const NumbersOfHmm& of) { return of.p; };
  const auto dmms = [](const NumbersOfHmm& of) { return of.d; };
  using All = std::vector<IntTerm>;
  return {
      hiding_theorem({"I4.hidden.global", "OPT IV",
                      "for CONV-HMM, n²L/(dp) ≤ n²/w if and only if wL ≤ dp", terms_of_convolution,
                      1, 0, hidden_global, threads,
                      [](const NumbersOfHmm& of) -> All {
                        return {of.n, of.n};
                      }}),
      hiding_theorem({"I4.hidden.shared", "OPT IV",
                      "for CONV-HMM, n²v²l/(dp) ≤ n²v²/(dw) if and only if wl ≤ p",
                      terms_of_convolution, 3, 2, hidden_shared, threads_of_a_dmm,
                      [](const NumbersOfHmm& of) -> All {
                        return {of.n, of.n, of.side, of.side, of.d};
                      }}),
      hiding_theorem({"I4.regimes", "OPT IV",
                      "CONV-HMM is bound by bandwidth, n²v²/(dw) at most n²/w, just where v² ≤ d, "
                      "and elsewhere by computation",
                      terms_of_convolution, 2, 0,
                      [](const NumbersOfHmm& of) { return of.side * of.side; }, dmms,
                      [](const NumbersOfHmm& of) -> All {
                        return {of.n, of.n, of.w};
                      }}),
      hiding_theorem({"X4.hidden.global", "OPT VI",
                      "for MUL-HMM, n³L/(mdp) ≤ n³/(mw) if and only if wL ≤ dp", terms_of_product,
                      1, 0, hidden_global, threads,
                      [](const NumbersOfHmm& of) -> All {
                        return {of.n, of.n, of.n, of.side};
                      }}),
      hiding_theorem({"X4.hidden.shared", "OPT VI",
                      "for MUL-HMM, n³l/(dp) ≤ n³/(dw) if and only if wl ≤ p", terms_of_product, 3,
                      2, hidden_shared, threads_of_a_dmm,
                      [](const NumbersOfHmm& of) -> All {
                        return {of.n, of.n, of.n, of.d};
                      }}),
      hiding_theorem({"X4.regimes", "OPT VI",
                      "MUL-HMM is bound by bandwidth, n³/(dw) at most n³/(mw), just where m ≤ d, "
                      "and elsewhere by computation",
                      terms_of_product, 2, 0, [](const NumbersOfHmm& of) { return of.side; }, dmms,
                      [](const NumbersOfHmm& of) -> All {
                        return {of.n, of.n, of.n, of.w};
                      }})};
}

}  // namespace bankproof::proofs
