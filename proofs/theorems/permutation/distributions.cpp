// The distribution D_w(P) of a permutation (row H1, THS 5.2): the number of pairs (⌊i/w⌋,
// ⌊P(i)/w⌋). This is the number of stages that all warps' accesses take on a UMM. It has a closed
// form for the identity, the shuffle and the transpose, for all sizes, and for the bit-reversal in
// machine words.
//
// D_w counts the elements that are the first in their warp to go to their address group. Each
// theorem on a closed form first says exactly when two elements of a warp go to one group. Then the
// proof adds up lanes and warps.
#include <functional>
#include <vector>

#include "../../../algorithms/layout.hpp"
#include "../../../algorithms/permutation/formulas.hpp"
#include "../../builder/parameters.hpp"
#include "../../builder/sums.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// n elements in warps of w lanes. A warp has at least one pair, and at most one pair for each
/// lane. The false twin allows one pair more.
Truth is_bounded(Query& q, const IntTerm& n, const IntTerm& w, std::uint64_t more) {
  const IntTerm warps = ceil_div(n, w);
  const IntTerm pairs = sum_over(warps, [&](const IntTerm& warp) {
    IntTerm of_warp = q.fresh("pairs", 1);
    q.assume(of_warp <= smaller(w, n - warp * w) + more);
    return of_warp;
  });
  return warps <= pairs && pairs <= n;
}

Theorem bounds() {
  return Theorem{.id = "H1.bounds",
                 .source = "THS 5.2",
                 .statement = "⌈n/w⌉ ≤ D_w(P) ≤ n",
                 .domain = "all n, w and permutations, by induction over warps"}
      .proof([](Query& q) {
        const IntTerm n = q.number("n", 1, 9);
        const IntTerm w = width(q);
        q.give(OverNumbers<IntTerm>("warps").holds(
            [=](auto& k, auto& pairs) { return k <= pairs && pairs <= smaller(k * w, n); }));
        q.claim("between them", is_bounded(q, n, w, 0));
      })
      .false_twin([](Query& q) { q.claim("between them", is_bounded(q, 9, 4, 1)); });
}

/// The pair of i, and the exchanged pair of P(i) for the inverse. The false twin takes i instead of
/// P(i).
Truth is_symmetric(Query& q, bool at_its_place) {
  const IntTerm w = width(q);
  const IntTerm i = q.number("i", 0, 5);
  const Function p = q.function("P");
  const Function inverse = q.function("Q");
  q.assume(p(i) >= 0 && inverse(p(i)) == i && inverse(i) >= 0);
  const IntTerm j = at_its_place ? p(i) : i;
  q.compare_multiples(w, inverse(j) / w, i / w);
  q.compare_multiples(w, j / w, p(i) / w);
  return j / w == p(i) / w && inverse(j) / w == i / w;
}

Theorem inverse() {
  return Theorem{.id = "H1.inverse",
                 .source = "THS 5.2",
                 .statement =
                     "if (a, b) is the pair of i for P, then (b, a) is the pair of P(i) for P⁻¹; "
                     "so the pairs of P, exchanged, are pairs of P⁻¹",
                 .domain = "all w and permutations"}
      .claim_both("the pair exchanged", is_symmetric);
}

/// A permutation on terms, and the parts of its count.
struct Distributed {
  IntTerm w;
  IntTerm warps;
  std::function<IntTerm(const IntTerm& i)> p;
  /// The lanes of a warp that are the first to go to their group. Later lanes are compared with
  /// them.
  std::function<std::vector<IntTerm>(const IntTerm& warp)> begins = nullptr;
  /// Adds facts that say whether two lanes of a warp go to one group.
  std::function<void(const IntTerm& warp, const IntTerm& lane, const IntTerm& other)> know =
      nullptr;

  Truth share_group(const IntTerm& warp, const IntTerm& lane, const IntTerm& other) const {
    return p(row_major(warp, lane, w)) / w == p(row_major(warp, other, w)) / w;
  }
  /// 1 if no earlier lane of the warp goes to this lane's group, else 0.
  IntTerm is_first(const IntTerm& warp, const IntTerm& lane) const {
    if (const auto stated = lane.constant()) {
      Truth first = IntTerm(0) < 1;
      for (std::uint64_t k = 0; k < *stated; ++k) {
        first = first && !share_group(warp, lane, k);
      }
      return select(first, 1, 0);
    }
    Query& q = lane.query();
    IntTerm first = q.fresh("first");
    q.assume(first <= 1);
    for (const IntTerm& begin : begins(warp)) {
      know(warp, lane, begin);
      q.assume(implies(first == 1 && begin < lane, !share_group(warp, lane, begin)));
    }
    const IntTerm other = q.fresh("other");  // an earlier lane, if `lane` is not the first
    q.assume(other < w);
    know(warp, lane, other);
    q.assume(implies(first == 0, other < lane && share_group(warp, lane, other)));
    return first;
  }
  /// D_w.
  IntTerm count() const {
    return sum_over(warps, [&](const IntTerm& warp) {
      return sum_over(w, [&](const IntTerm& lane) { return is_first(warp, lane); });
    });
  }
};

/// Proves that each warp contributes `of_warp` to D_w. firsts(warp, k) is the number of lanes,
/// among a warp's first k lanes, that are first in their group.
template <class Firsts>
void prove_distribution(Query& q, const Distributed& of, const IntTerm& of_warp,
                        const Firsts& firsts) {
  const auto give_lanes = [=, &q](const IntTerm& warp) {
    q.give(OverNumbers<IntTerm>("lanes of a warp").holds([=](auto& k, auto& sum) {
      return sum == firsts(warp, k);
    }));
  };
  q.give(OverNumbers<IntTerm>("warps")
             .holds([=](auto& k, auto& sum) { return sum == k * of_warp; })
             .step(give_lanes));
  q.claim("the distribution", of.count() == of.warps * of_warp);
}
void refute_distribution(Query& q, const Distributed& of, std::uint64_t of_warp) {
  q.claim("the distribution", of.count() == of.warps * of_warp);
}

IntTerm warps_of(Query& q) { return q.number("n/w", 1, 3); }
std::vector<IntTerm> first_lane(const IntTerm&) { return {0}; }

Theorem of_identity() {
  return Theorem{.id = "H1.identity",
                 .source = "THS 5.2",
                 .statement = "the identity takes all elements of a warp to one group: D_w = n/w",
                 .domain = "all w, n = hw, by induction over lanes and warps"}
      .proof([](Query& q) {
        const IntTerm w = width(q);
        const auto know = [&](const IntTerm& warp, const IntTerm& lane, const IntTerm& other) {
          for (const IntTerm& at : {lane, other}) {
            q.compare_multiples(w, row_major(warp, at, w) / w, warp);
          }
        };
        const Distributed of{w, warps_of(q), [](const IntTerm& i) { return i; }, first_lane, know};
        prove_distribution(q, of, 1,
                           [](const IntTerm&, const IntTerm& k) { return smaller(k, 1); });
      })
      .false_twin([](Query& q) {
        // Each element goes to the next place, so the last element of a warp goes to the next
        // group.
        refute_distribution(q, {4, 2, [](const IntTerm& i) { return i + 1; }}, 1);
      });
}

/// A matrix of R rows, each of `warps_of_row` warps.
Distributed transposed_matrix(const IntTerm& w, const IntTerm& warps_of_row, const IntTerm& rows) {
  return {w, rows * warps_of_row,
          [=](const IntTerm& i) { return formulas::transposed(i, rows, w * warps_of_row); }};
}

Theorem of_transpose() {
  return Theorem{.id = "H1.transpose",
                 .source = "THS 5.2",
                 .statement =
                     "the transpose of R × C elements takes different elements of a warp to "
                     "different groups: D_w = n",
                 .domain = "all w, w | C, R ≥ w, by induction over lanes and warps"}
      .proof([](Query& q) {
        const IntTerm w = width(q);
        const auto [c, rows] = q.numbers({{"C/w", 1, 2}, {"R", 1, 5}});
        q.assume(rows >= w);
        Distributed of = transposed_matrix(w, c, rows);
        of.begins = [](const IntTerm&) { return std::vector<IntTerm>(); };
        of.know = [&](const IntTerm& warp, const IntTerm& lane, const IntTerm& other) {
          q.multiply_by({w});
          for (const IntTerm& at : {lane, other}) {
            const IntTerm i = row_major(warp, at, w);
            q.compare_multiples(w * c, i / (w * c), warp / c);
            q.multiply_equals(w, warp, c * (warp / c) + warp % c);
            q.multiply_equals(rows, i % (w * c), row_major(warp % c, at, w));
            q.claim("its row",
                    i / (w * c) == warp / c && i % (w * c) == row_major(warp % c, at, w));
          }
          q.compare_multiples(rows, lane, other);
        };
        q.multiply_by({w});
        prove_distribution(q, of, w, [](const IntTerm&, const IntTerm& k) { return k; });
      })
      .false_twin([](Query& q) {
        // The columns have 3 elements, and the warps have 4 lanes.
        refute_distribution(q, transposed_matrix(4, 2, 3), 4);
      });
}

Distributed shuffled_elements(const IntTerm& w, const IntTerm& warps, const IntTerm& half) {
  return {w, warps, [=](const IntTerm& i) { return formulas::shuffled(i, half); }};
}

Theorem of_shuffle() {
  return Theorem{.id = "H1.shuffle",
                 .source = "THS 5.2",
                 .statement =
                     "the shuffle takes two elements of a warp to one group just where both are of "
                     "its first half or both of its second: D_w = 2n/w",
                 .domain = "all w ≥ 2, 2w | n, by induction over lanes and warps"}
      .proof([](Query& q) {
        const auto [w, half] = q.numbers({{"w", 2, 5}, {"n/2w", 1, 2}});
        Distributed of = shuffled_elements(w, 2 * half, w * half);
        // For odd widths, the first half of a warp is the longer half if the warp goes to
        // even places, else the shorter half.
        const auto second = [=](const IntTerm& warp) {
          return select(warp < half, ceil_div(w, 2), w / 2);
        };
        of.begins = [=](const IntTerm& warp) { return std::vector<IntTerm>{0, second(warp)}; };
        of.know = [&](const IntTerm& warp, const IntTerm& lane, const IntTerm& other) {
          const IntTerm group = 2 * select(warp < half, warp, warp - half);
          q.compare_multiples(w, warp, half);
          q.multiply_equals(w, select(warp < half, warp, warp - half), warp);
          q.multiply_equals(w, select(warp < half, warp, warp - half), warp - half);
          for (const IntTerm& at : {lane, other}) {
            const IntTerm i = row_major(warp, at, w);
            const IntTerm place = of.p(i);
            q.compare_multiples(w, place / w, group);
            q.compare_multiples(w, place / w, group + 1);
            q.claim("its half",
                    implies(warp < half, i < w * half) && implies(warp >= half, i >= w * half));
            q.claim("its group", place / w == group + select(at < second(warp), 0, 1));
          }
        };
        prove_distribution(q, of, 2, [=](const IntTerm& warp, const IntTerm& k) {
          return smaller(k, 1) + select(second(warp) < k, 1, 0);
        });
      })
      .false_twin([](Query& q) {
        // A single warp, whose halves go to one group.
        refute_distribution(q, shuffled_elements(4, 1, 2), 2);
      });
}

Theorem of_different_groups() {
  return Theorem{.id = "H1.different",
                 .source = "THS 5.2",
                 .statement =
                     "a permutation that takes different elements of each warp to different groups "
                     "has D_w = n",
                 .domain = "all w, n = hw and permutations, by induction over lanes and warps"}
      .proof([](Query& q) {
        const Function place = q.function("P");
        Distributed of{width(q), warps_of(q), [=](const IntTerm& i) { return place(i); }};
        of.begins = [](const IntTerm&) { return std::vector<IntTerm>(); };
        of.know = [&](const IntTerm& warp, const IntTerm& lane, const IntTerm& other) {
          q.assume(implies(lane != other, !of.share_group(warp, lane, other)));
        };
        prove_distribution(q, of, of.w, [](const IntTerm&, const IntTerm& k) { return k; });
      })
      .false_twin([](Query& q) {
        // Nothing is known about the second warp.
        const Function place = q.function("P");
        const Distributed of{2, 2, [=](const IntTerm& i) { return place(i); }};
        q.assume(!of.share_group(0, 0, 1));
        refute_distribution(q, of, 2);
      });
}

/// Two elements of a warp of w = 2^m lanes go to different groups, for 2m ≤ b. In the false twin,
/// 2m can be b + 1.
Truth reversed_apart(Query& q, unsigned bits, std::uint32_t more) {
  const std::string of = "_of_" + std::to_string(bits);
  const formulas::BitReversal reversal{std::uint64_t{1} << bits};
  const WordTerm n(reversal.size());
  const WordTerm m = q.word("m" + of, (bits + more) / 2);
  const WordTerm i = q.word("i" + of, 0);
  const WordTerm j = q.word("j" + of, more == 0 ? 1 : std::uint32_t{1} << (bits / 2));
  q.assume(i < n && j < n && i != j && i >> m == j >> m);
  q.assume(m <= WordTerm(q, (bits + more) / 2));
  return reversal(i) >> m != reversal(j) >> m;
}

Theorem of_bit_reversal() {
  return Theorem{
      .id = "H1.bit-reversal",
      .source = "THS 5.2",
      .statement =
          "the bit-reversal takes different elements of a warp to different groups, so that D_w = "
          "n (H1.different)",
      .domain = "n = 2^b, b = 2, …, 31, and powers of two w with w² ≤ n, in words of 32 bits",
      .unbounded = false}
      .proof([](Query& q) {
        for (unsigned bits = 2; bits < WordTerm::bits; ++bits) {
          const Query::Scope scope(q);
          q.claim("different groups", reversed_apart(q, bits, 0));
        }
      })
      .false_twin([](Query& q) {
        // n = 512 and w = 32: half of w².
        q.claim("different groups", reversed_apart(q, 9, 1));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_distributions() {
  return {bounds(),         inverse(),      of_identity(),
          of_shuffle(),     of_transpose(), of_different_groups(),
          of_bit_reversal()};
}

}  // namespace bankproof::proofs
