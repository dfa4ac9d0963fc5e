// The printed times of row-wise, column-wise and scheduled permutations (rows H4, H5 and H6), for
// all matrices of whole tiles, widths, latencies, and numbers of DMMs that divide rows, columns and
// tiles, where all blocks are resident.
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "../lists.hpp"
#include "schedules.hpp"

namespace bankproof::proofs {
namespace {

/// k(n/w + L − 1) + k(n/(dw) + l − 1).
IntTerm printed_time(const MachineParametersOf<IntTerm>& of, const IntTerm& n,
                     std::uint64_t k) {  // times dw
  return k * (of.d * n + n + of.d * of.w * (of.L - 1 + of.l - 1));
}

/// The machine of the false twins, which permute 2 × 2 words.
MachineParametersOf<IntTerm> small_machine(std::uint64_t d) {
  return {.w = 2, .l = 1, .L = 5, .d = d, .p = 4, .capacity = 8};
}

/// A matrix whose rows, columns and tiles are shared evenly among the DMMs, on a machine with room
/// for all of them at once.
struct Resident {
  Query& q;
  Matrix matrix{q};
  IntTerm rows = q.number("R/d", 1, 2);       ///< rows of a DMM
  IntTerm columns = q.number("C/d", 1, 2);    ///< columns of a DMM
  IntTerm tiles = q.number("tiles/d", 1, 2);  ///< tiles of a DMM

  explicit Resident(Query& query) : q(query) {
    const auto& [w, d, down, across] = std::tie(matrix.w, matrix.d, matrix.down, matrix.across);
    const IntTerm words = w * w * tiles;
    q.assume(w * down == d * rows && w * across == d * columns && down * across == d * tiles);
    q.assume(w * matrix.warps >= words && matrix.capacity >= 2 * words);
  }
  IntTerm words() const { return matrix.w * matrix.down * matrix.w * matrix.across; }
};

/// All rows of the pass are in one wave, with `each` rows on each DMM.
Truth makes_one_wave(const Pass& of, const Resident& all, const IntTerm& each) {
  const Matrix& m = all.matrix;
  return of.rows.rows * of.rows.columns / m.w == m.w * m.down * m.across &&
         of.of_a_dmm * (of.rows.columns / m.w) == m.w * all.tiles && of.of_a_dmm == each &&
         of.waves * of.pieces == 1 && rounded_up(of.rows.columns, m.w) == of.rows.columns &&
         rounded_up(m.letters().p, m.w) == m.letters().p;
}

/// Proves makes_one_wave() for the matrix, or for its transpose.
void prove_printed_pass(Query& q, const Resident& all, const Matrix& m, const IntTerm& each) {
  const Pass of(m);
  q.conclude("a pass in one wave", [&] {
    const auto& [w, d, down, across] = std::tie(m.w, m.d, m.down, m.across);
    of.prove_warps(q, m);
    q.multiply_equals(across, w * down, d * each);
    q.multiply_equals(w, down * across, d * all.tiles);
    q.apply(multiples_are_apart(), {d, across * each, w * all.tiles});
    q.apply(multiples_are_apart(), {d, w * all.tiles, across * each});
    q.claim("stages of a DMM", across * each == w * all.tiles);
    q.compare_multiples(d, of.of_a_dmm, each);
    q.claim("rows of a DMM", of.of_a_dmm == each);
    q.multiply_equals(of.of_a_dmm, of.rows.columns / w, across);
    q.multiply_equals(across, of.of_a_dmm, each);
    q.multiply_equals(w, across * each, w * all.tiles);
    q.apply(multiples_are_apart(), {w, m.warps, across * each});
    q.multiply_by({across});
    q.claim("threads", across * each <= m.warps && across <= m.warps);
    q.multiply_by({w});
    q.claim("a block for a row", of.block == w * across && w * across >= 1);
    q.multiply_equals(w, ceil_div(of.rows.columns, w), across);
    const IntTerm block = rounded_up(of.block, w);
    q.multiply_equals(w, ceil_div(of.block, w), across);
    q.compare_multiples(w, ceil_div(of.block, w), across);
    const IntTerm shared = of.rows.shared_words();
    const IntTerm words = larger(rounded_up(shared, w), 1);
    q.multiply_equals(w, ceil_div(shared, w), 2 * across);
    q.compare_multiples(w, ceil_div(shared, w), 2 * across);
    q.claim("warps and words of a block",
            block == w * across && shared == 2 * w * across && words == shared);
    q.multiply_by({w});
    q.apply(multiples_are_apart(), {block, by_threads(m, of.block), each});
    q.apply(multiples_are_apart(), {words, m.capacity / words, each});
    q.multiply_equals(w, ceil_div(m.letters().p, w), m.warps);
    q.multiply_equals(each, block, w * across);
    q.multiply_equals(each, words, 2 * w * across);
    q.claim("room for all rows", of.slots >= each);
    q.apply(multiples_are_apart(), {of.slots, 1, of.waves});
    q.compare_multiples(of.slots, of.waves, 1);
    q.claim("a wave", of.waves == 1);
    q.multiply_equals(of.pieces, of.block, w * across);
    q.compare_multiples(w * across, of.pieces, 1);
    q.claim("a turn", of.pieces == 1);
    q.multiply_equals(of.waves, of.pieces, 1);
    return makes_one_wave(of, all, each);
  });
}

/// Proves the claim that a time is the printed time, where both are multiplied by dw.
void prove_time(Query& q, const Resident& of, const std::function<Truth(const IntTerm&)>& claim) {
  const Matrix& m = of.matrix;
  const IntTerm dw = m.d * m.w;
  const IntTerm L = m.L - 1;
  const IntTerm l = m.l - 1;
  q.multiply_by({L, l});
  q.multiply_by({dw, dw * L, dw * l, m.w * m.w});
  q.claim("the time", claim(dw));
}

std::string printed_domain() {
  return "all w, l, L, d, sides that w divides, d | R, C and n/w², w | p, dp ≥ n, with room for "
         "all rows, columns and tiles";
}

Theorem printed_rows() {
  return Theorem{.id = "H4.time",
                 .source = "THS 5.4",
                 .statement =
                     "the row-wise permutation takes 4(n/w + L - 1) + 4(n/(dw) + l - 1), 8n/w + 4L "
                     "- 4 for d = l = 1",
                 .domain = printed_domain()}
      .proof([](Query& q) {
        const Resident of(q);
        prove_printed_pass(q, of, of.matrix, of.rows);
        const auto machine = of.matrix.letters();
        const IntTerm time = lockstep_time(of.matrix.permuting().cost(machine), machine);
        prove_time(q, of, [&](const IntTerm& dw) {
          return dw * time == printed_time(machine, of.words(), 4);
        });
      })
      .false_twin([](Query& q) {
        const MachineParametersOf<IntTerm> machine = small_machine(1);
        const IntTerm time =
            lockstep_time(PermutingRowsOf<IntTerm>{2, 2, 2}.cost(machine), machine);
        q.claim("the time", 2 * (time + 1) == printed_time(machine, 4, 4));
      });
}

using CostOf = Cost<IntTerm> (*)(const MachineParametersOf<IntTerm>&,
                                 const TransposingOf<IntTerm>&);

/// A permutation with two transposes. Its printed time is k(n/w + L − 1) + k(n/(dw) + l − 1).
struct Printed {
  std::string id;
  std::string source;
  std::string statement;
  CostOf cost;
  std::uint64_t k;
  std::uint64_t d_of_twin;  ///< DMMs in the false twin
  std::uint64_t more;       ///< time units that the false twin adds
};

Theorem printed_schedule(const Printed& one) {
  const auto prove = [=](Query& q) {
    const Resident of(q);
    const Matrix& m = of.matrix;
    const auto machine = m.letters();
    std::deque<TransposeSums> transposes;
    q.conclude("passes", [&] {
      prove_printed_pass(q, of, m, of.rows);
      prove_printed_pass(q, of, m.transposed(), of.columns);
      return makes_one_wave(Pass(m), of, of.rows) &&
             makes_one_wave(Pass(m.transposed()), of, of.columns);
    });
    q.conclude("transposes", [&] {
      Truth claim = of.tiles >= 1;
      for (const Matrix& each : {m, m.transposed()}) {
        const auto matrix = each.tiles().matrix();
        const auto& sums = transposes.emplace_back(q, machine, matrix, matrix.threads(machine.p),
                                                   each.down, each.across);
        each.tiles().prove(q);
        sums.prove_one_wave(of.tiles);
        claim = claim && sums.has_one_wave(of.tiles) && each.tiles().are_whole();
      }
      return claim;
    });
    q.multiply_by({m.w});
    for (const TransposeSums& sums : transposes) sums.give_exactly();
    const Cost<IntTerm> cost = one.cost(machine, m.tiles().matrix());
    std::vector<IntTerm> factors = {m.w};
    factors.reserve(1 + transposes.size());
    for (const TransposeSums& sums : transposes) factors.push_back(m.w * sums.tiles_of_a_dmm());
    q.multiply_by(factors);
    q.claim("its rounds",
            cost.global.stages == one.k * m.w * m.down * m.across && cost.global.rounds == one.k &&
                cost.shared.stages == one.k * m.w * of.tiles && cost.shared.rounds == one.k);
    prove_time(q, of, [&](const IntTerm& dw) {
      return dw * lockstep_time(cost, machine) == printed_time(machine, of.words(), one.k);
    });
  };
  const auto refute = [=](Query& q) {
    const auto machine = small_machine(one.d_of_twin);
    const IntTerm time = lockstep_time(one.cost(machine, {2, 2, 2}), machine);
    q.claim("the time", machine.d * 2 * (time + one.more) == printed_time(machine, 4, one.k));
  };
  return Theorem{
      .id = one.id, .source = one.source, .statement = one.statement, .domain = printed_domain()}
      .proof(prove)
      .false_twin(refute);
}

}  // namespace

std::vector<Theorem> theorems_on_printed_times_of_schedules() {
  return {printed_rows(),
          printed_schedule({.id = "H5.time",
                            .source = "THS 5.4",
                            .statement = "the column-wise permutation takes 8(n/w + L - 1) + "
                                         "8(n/(dw) + l - 1), 16n/w + 8L - 8 for d = l = 1",
                            .cost = permute_columns_cost<IntTerm>,
                            .k = 8,
                            .d_of_twin = 1,
                            .more = 1}),
          // In the false twin there is one tile, which two DMMs cannot share.
          printed_schedule(
              {.id = "H6.time",
               .source = "THS 5.5, 1.1",
               .statement =
                   "the scheduled permutation takes 16(n/w + L - 1) + 16(n/(dw) + l - 1), for l = "
                   "1 that is 16n/w + 16n/(dw) + 16L - 16, and for d = 1 besides 32n/w + 16L - 16",
               .cost = permute_scheduled_cost<IntTerm>,
               .k = 16,
               .d_of_twin = 2,
               .more = 0})};
}

}  // namespace bankproof::proofs
