// Bounds of the sources that fail without conditions that the sources do not state (rows C3, D6, I3
// and X3), and a bound that holds if computation also takes time.
#include "../../../algorithms/contiguous_access.hpp"
#include "../../../algorithms/convolution.hpp"
#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "../../builder/bounds.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// A task on the HMM with w = d = p = l = L = 1, sizes n and m, and a kernel of radius 1.
TaskOf<IntTerm> alone(std::string_view variant, const IntTerm& n, const IntTerm& m) {
  return task_on(MachineKind::hmm, variant, {.w = 1, .l = 1, .L = 1, .d = 1, .p = 1},
                 {{"n", n}, {"rows", n}, {"inner", n}, {"columns", n}, {"m", m}, {"v", 1}});
}

Truth is_below(const IntTerm& time, const BoundOf<IntTerm>& bound) {
  const auto& term = bound.terms.front();
  return term.denominator * time < bound.factor * term.numerator;
}

/// A bound for programs that fetch both factors of each product, and the time of a single thread
/// that fetches each word once and keeps it.
struct Refuted {
  std::string id;
  std::string source;
  std::string statement;
  std::string domain;
  std::uint64_t least;  ///< the size from which on the bound fails
  std::size_t which;
  std::vector<BoundOf<IntTerm>> (*bounds)(const IntTerm& n, const IntTerm& m);
  IntTerm (*words)(const IntTerm& n, const IntTerm& m);
};

Theorem refuting_theorem(const Refuted& one) {
  const auto claim = [=](const IntTerm& n, const IntTerm& m) {
    return is_below(one.words(n, m), one.bounds(n, m)[one.which]);
  };
  return Theorem{
      .id = one.id, .source = one.source, .statement = one.statement, .domain = one.domain}
      .proof([=](Query& q) {
        const IntTerm n = q.number("n", one.least, 8);
        const IntTerm m = q.number("m", one.least, 8);
        const IntTerm inside = larger(n, 1);
        q.claim("not empty", inside == n);
        q.multiply_by({n, m, n - 1, n * n, inside});
        q.claim("below", claim(n, m));
      })
      .false_twin([=](Query& q) {
        const IntTerm less(one.least - 1);
        q.claim("below", claim(less, less));
      });
}

std::vector<BoundOf<IntTerm>> bounds_of_convolution(const IntTerm& n, const IntTerm& m) {
  return Convolution::lower(alone("shares", n, m));
}
std::vector<BoundOf<IntTerm>> of_image(const IntTerm& n, const IntTerm& m) {
  return ImageConvolution::lower(alone("CONV-HMM", n, m));
}
std::vector<BoundOf<IntTerm>> bounds_of_product(const IntTerm& n, const IntTerm& m) {
  return MatrixProduct::lower(alone("MUL-HMM", n, m));
}
/// The bounds for tiles of one element, m = 1.
std::vector<BoundOf<IntTerm>> bounds_of_product_by_elements(const IntTerm& n, const IntTerm&) {
  return bounds_of_product(n, 1);
}
/// The words of x, y and z: m, n + m − 1 and n.
IntTerm words_of_convolution(const IntTerm& n, const IntTerm& m) { return m + (n + m - 1) + n; }
/// The words of an image, a kernel of 3 × 3, and the resulting image.
IntTerm words_of_image(const IntTerm& n, const IntTerm&) { return 2 * (n * n) + 9; }
/// The words of two matrices and their product.
IntTerm words_of_product(const IntTerm& n, const IntTerm&) { return 3 * (n * n); }

/// The operations of d DMMs in `time` time units. A DMM makes at most w operations in a time unit.
IntTerm operations(Query& q, const IntTerm& d, const IntTerm& w, const IntTerm& time) {
  const Function done = q.counts("operations", 2);
  const auto give_time_units = [=, &q](const IntTerm& /*dmm*/) {
    q.give(OverNumbers<IntTerm>("time units").holds([=](auto& units, auto& sum) {
      return sum <= units * w;
    }));
  };
  q.give(OverNumbers<IntTerm>("DMMs")
             .holds([=](auto& dmms, auto& sum) { return sum <= dmms * w * time; })
             .step(give_time_units));
  return sum_over(d, [&](const IntTerm& dmm) {
    return sum_over(time, [&](const IntTerm& unit) {
      q.assume(done(dmm, unit) <= w);
      return done(dmm, unit);
    });
  });
}

Theorem charged() {
  const auto claim = [](const IntTerm& products, const IntTerm& d, const IntTerm& w,
                        const IntTerm& time) { return products <= d * w * time; };
  return Theorem{
      .id = "D6.charged",
      .source = "HMM IX, OPT theorems 6 and 9",
      .statement = "where a DMM makes w operations a time unit, k products take at least k/(dw)",
      .domain = "all programs, k, d, w"}
      .proof([=](Query& q) {
        const auto [w, d, time, products] =
            q.numbers({{"w", 1, 4}, {"d", 1, 2}, {"time", 1, 20}, {"products", 1, 10}});
        q.assume(operations(q, d, w, time) >= products);
        q.claim("the bound", claim(products, d, w, time));
      })
      .false_twin([=](Query& q) {
        // On two DMMs of width 4, 56 products take 7 time units, and 57 products take longer.
        q.assume(operations(q, 2, 4, 7) >= 56);
        q.claim("the bound", claim(57, 2, 4, 7));
      });
}

/// k arrays of w words on a DMM, accessed one after another by n = kw threads: one thread for each
/// word of all arrays.
Theorem one_array_after_another() {
  const auto above = [](const IntTerm& k, const IntTerm& w, const IntTerm& l,
                        const IntTerm& factor) {
    const IntTerm time = sum_over(k, [&](const IntTerm&) {
      return contiguous_lockstep_time_on_dmm(ContiguousAccessOf<IntTerm>{w, k * w, w, l});
    });
    const BoundOf<IntTerm> bound{1, {{"n/w", k, 1}, {"nl/p", l}, {"l", l}}};
    return !is_at_most(time, factor, bound);
  };
  return Theorem{.id = "C3.refuted",
                 .source = "HMM theorem 2",
                 .statement =
                     "k arrays of w words in turn, with a thread for each of their n = kw words, "
                     "take more than c(n/w + nl/p + l) where k = l = 3c + 1, whatever c",
                 .domain = "all c, w"}
      .proof([=](Query& q) {
        const auto [c, w] = q.numbers({{"c", 1, 2}, {"w", 1, 4}});
        const IntTerm k = 3 * c + 1;
        const ContiguousAccessOf<IntTerm> array{w, k * w, w, k};
        q.multiply_by({w, c});
        q.claim("threads", array.p >= w);
        q.compare_multiples(array.p, array.rounds(), 1);
        q.claim("a round", array.rounds() == 1 && array.before_last() == 0);
        q.multiply_by({array.p, array.warps(), k});
        q.claim("of all words", array.rest() == w);
        q.compare_multiples(w, ceil_div(array.rest(), w), 1);
        q.claim("in a stage", ceil_div(array.rest(), w) == 1);
        q.give(OverNumbers<IntTerm>("arrays").holds(
            [=](auto& done, auto& sum) { return sum == done * k; }));
        q.claim("above", above(k, w, k, c));
      })
      .false_twin([=](Query& q) { q.claim("above", above(3, 4, 3, 1)); });
}

}  // namespace

std::vector<Theorem> theorems_on_speed_ups() {
  const std::string keeps =
      "with w = d = p = l = L = 1 a thread that reads each word once takes less than ";
  return {
      refuting_theorem({"D6.speed-up.refuted", "HMM IX",
                        keeps + "the speed-up bound 2mn/((d + 1)w)", "all m, n ≥ 4", 4, 2,
                        bounds_of_convolution, words_of_convolution}),
      refuting_theorem({"D6.waiting.refuted", "HMM IX", keeps + "the latency bound 2mn min(l, L)/P",
                        "all m, n ≥ 2", 2, 3, bounds_of_convolution, words_of_convolution}),
      refuting_theorem(
          {"I3.speed-up.refuted", "OPT theorem 6",
           keeps + "the speed-up bound 2n²(2v + 1)²/((d + 1)w), counted within the edge, v = 1",
           "all n ≥ 3", 3, 2, of_image, words_of_image}),
      refuting_theorem(
          {"I3.waiting.refuted", "OPT theorem 6",
           keeps + "the latency bound 2n²(2v + 1)² min(l, L)/(dp), counted likewise, v = 1",
           "all n ≥ 2", 2, 3, of_image, words_of_image}),
      refuting_theorem({"X3.speed-up.refuted", "OPT theorem 9",
                        keeps + "the speed-up bound 2n³/((d + 1)w)", "all n ≥ 4", 4, 2,
                        bounds_of_product, words_of_product}),
      refuting_theorem({"X3.waiting.refuted", "OPT theorem 9",
                        keeps + "the latency bound 2n³ min(l, L)/(dp)", "all n ≥ 2", 2, 3,
                        bounds_of_product, words_of_product}),
      refuting_theorem({"X3.reads.refuted", "OPT theorem 9",
                        keeps + "2n³/(mw), the bound on reads, m = 1", "all n ≥ 2", 2, 4,
                        bounds_of_product_by_elements, words_of_product}),
      charged(),
      one_array_after_another()};
}

}  // namespace bankproof::proofs
