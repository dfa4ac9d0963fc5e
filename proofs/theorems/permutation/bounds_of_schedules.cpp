// Upper bounds on scheduled permutations (rows H4, H5 and H6), for all matrices of whole tiles,
// widths, latencies, numbers of DMMs, and threads in whole warps.
#include <optional>

#include "../../../algorithms/permutation/scheduled.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "schedules.hpp"

namespace bankproof::proofs {
namespace {

void prove_pass(Query& q, const Matrix& m) {
  const auto [w, g, d] = std::tuple(m.w, m.warps, m.d);
  const auto [down, across] = std::pair(m.down, m.across);
  const Pass of(m);
  const auto [pass, block, of_a_dmm, slots, waves, pieces] =
      std::tie(of.rows, of.block, of.of_a_dmm, of.slots, of.waves, of.pieces);
  const auto machine = m.letters();
  const IntTerm fit = by_threads(m, block);
  Truth claim = of.claim(m);
  q.conclude("a pass over rows",
             [&, w = w, g = g, d = d, down = down, across = across, block = block,
              of_a_dmm = of_a_dmm, slots = slots, waves = waves, pieces = pieces, pass = pass] {
               of.prove_warps(q, m);
               q.multiply_equals(of_a_dmm, pass.columns / w, across);
               q.claim("rows of a DMM", d * of_a_dmm < w * down + d);
               q.apply(multiples_are_apart(), {d, of_a_dmm, 1});
               q.claim("rows of a DMM", d * of_a_dmm <= 2 * w * down && of_a_dmm >= 1);
               q.suppose(across <= g, [&, w = w, g = g, d = d, across = across] {
                 const IntTerm of_block = ceil_div(block, w);
                 q.multiply_by({w});
                 q.claim("a block for a row", block == w * across && w * across >= 1);
                 q.multiply_equals(pieces, block, w * across);
                 q.compare_multiples(w * across, pieces, 1);
                 q.claim("all columns", pieces == 1);
                 q.compare_multiples(w, of_block, across);
                 q.claim("warps of a block", of_block == across);
                 q.multiply_equals(w * fit, of_block, across);
                 q.apply(multiples_are_apart(), {w, across * fit + across - 1, g});
                 q.apply(multiples_are_apart(), {w, g, across * fit});
                 q.apply(multiples_are_apart(), {across, fit, 1});
                 q.claim("blocks of a DMM", g < across * fit + across && fit >= 1);
                 q.claim("slots", slots == fit);
                 q.multiply_equals(waves, slots, fit);
                 q.apply(multiples_are_apart(), {fit, waves, 1});
                 q.multiply_by({across});
                 q.claim("half of the threads at work",
                         2 * across * fit >= g && waves >= 1 && fit * (waves - 1) < of_a_dmm);
                 q.multiply_by({across, waves - 1});
                 q.claim("turns of threads", g * (waves - 1) <= 2 * across * (of_a_dmm - 1));
                 q.multiply_by({d, across});
                 q.claim("turns", d * g * (waves - 1) <= 2 * w * down * across);
                 q.multiply_equals(d * g * waves, pieces, 1);
                 q.multiply_equals(waves, pieces, 1);
                 return claim;
               });
               q.suppose(across > g, [&, w = w, g = g, d = d, across = across] {
                 const IntTerm of_block = ceil_div(block, w);
                 q.multiply_by({w});
                 q.claim("a block of all threads", block == w * g && w * g >= 1);
                 q.compare_multiples(w, of_block, g);
                 q.claim("warps of a block", of_block == g);
                 q.multiply_equals(w * fit, of_block, g);
                 q.compare_multiples(w * g, fit, 1);
                 q.claim("a slot", fit == 1 && slots == 1);
                 q.multiply_equals(waves, slots, 1);
                 q.claim("a wave for each row", waves == of_a_dmm);
                 q.multiply_equals(pieces, block, w * g);
                 q.apply(multiples_are_apart(), {w, across + g - 1, g * pieces});
                 q.claim("pieces of a row", g * pieces < across + g && pieces >= 0);
                 q.multiply_by({across - g});
                 q.claim("no negative rest", (across - g) * (w * down - d) >= 0);
                 q.multiply_by({d * of_a_dmm, across + g});
                 q.claim("turns", d * g * of_a_dmm * pieces <= (w * down + d) * (across + g));
                 q.multiply_equals(d * g * pieces, waves, of_a_dmm);
                 q.multiply_by({across, waves});
                 return claim;
               });
               return claim;
             });
}

/// Upper bounds on the tiles, waves and turns of a transpose of this matrix.
Truth transpose_claim(const Matrix& m, const TransposeSums& sums) {
  const IntTerm tiles = m.down * m.across;
  return sums.tiles() == tiles &&
         m.d * m.warps * sums.waves() * sums.turns() <= 2 * (m.w * tiles + m.d * m.warps) &&
         m.d * sums.waves() * sums.tiles_of_a_dmm() <= 3 * tiles &&
         ceil_div(m.w * m.down, m.w) == m.down && ceil_div(m.w * m.across, m.w) == m.across;
}
void prove_transpose(Query& q, const Matrix& m, const TransposeSums& sums) {
  const auto [w, g, d] = std::tuple(m.w, m.warps, m.d);
  const IntTerm p = m.letters().p;
  const IntTerm tiles = m.down * m.across;
  const IntTerm slots = sums.slots();
  const IntTerm waves = sums.waves();
  const IntTerm turns = sums.turns();
  const IntTerm of_block = ceil_div(sums.threads(), w);
  const IntTerm fit = by_threads(m, sums.threads());
  const IntTerm each = sums.tiles_of_a_dmm();
  Truth claim = transpose_claim(m, sums);
  q.compare_multiples(w, ceil_div(p, w), g);
  for (const IntTerm& side : {m.down, m.across})
    q.compare_multiples(w, ceil_div(w * side, w), side);
  q.claim("whole tiles", ceil_div(p, w) == g && ceil_div(w * m.down, w) == m.down &&
                             ceil_div(w * m.across, w) == m.across);
  q.multiply_equals(ceil_div(w * m.across, w), ceil_div(w * m.down, w), m.down);
  q.multiply_equals(m.down, ceil_div(w * m.across, w), m.across);
  q.claim("tiles", sums.tiles() == tiles && tiles >= d);
  q.multiply_by({w});
  q.claim("threads", p >= w && w * w >= w);
  sums.sweep().prove_shape();
  q.multiply_by({d});
  q.claim("tiles of a DMM", d * each <= 2 * tiles && each <= slots);
  q.suppose(g >= w, [&] {
    q.multiply_by({w});
    q.claim("a block for a tile", sums.threads() == w * w);
    q.compare_multiples(w, of_block, w);
    q.compare_multiples(w, sums.rows(), w);
    q.claim("warps of a block", of_block == w && sums.rows() == w);
    q.multiply_equals(turns, sums.rows(), w);
    q.compare_multiples(w, turns, 1);
    q.claim("a turn", turns == 1);
    q.multiply_equals(w * fit, of_block, w);
    q.apply(multiples_are_apart(), {w, w * fit + w - 1, g});
    q.apply(multiples_are_apart(), {w, fit, 1});
    q.claim("blocks of a DMM", g < w * fit + w && fit >= 1);
    q.claim("slots", slots == fit);
    q.multiply_equals(d * waves, slots, fit);
    q.multiply_equals(d, slots, fit);
    q.multiply_equals(d * waves, turns, 1);
    q.multiply_by({d, w});
    q.apply(multiples_are_apart(), {d * slots, waves, 1});
    q.claim("half of the threads at work",
            2 * w * fit >= g && waves >= 1 && d * fit * (waves - 1) <= tiles);
    q.multiply_by({d, waves - 1});
    q.multiply_by({w, d * (waves - 1)});
    q.claim("turns", d * g * (waves - 1) <= 2 * w * tiles);
    q.multiply_equals(d * g * waves, turns, 1);
    q.multiply_by({d, w, d * (waves - 1)});
    return claim;
  });
  q.suppose(g < w, [&] {
    q.multiply_by({w});
    q.claim("a block of all threads", sums.threads() == w * g && w * g >= 1);
    q.compare_multiples(w, of_block, g);
    q.compare_multiples(w, sums.rows(), g);
    q.claim("warps of a block", of_block == g && sums.rows() == g);
    q.multiply_equals(turns, sums.rows(), g);
    q.multiply_equals(w * fit, of_block, g);
    q.compare_multiples(w * g, fit, 1);
    q.claim("a slot", fit == 1 && slots == 1);
    q.multiply_equals(d * waves, slots, 1);
    q.multiply_equals(d, slots, 1);
    q.claim("waves", d * waves < tiles + d && g * turns < w + g);
    q.multiply_by({w - g});
    q.claim("no negative rest", (w - g) * (tiles - d) >= 0);
    q.multiply_by({d * waves, w + g});
    q.claim("turns of all waves", d * g * waves * turns <= (tiles + d) * (w + g));
    q.multiply_by({d * waves});
    return claim;
  });
  q.claim("its waves", claim);
}

Theorem scheduled() {
  return Theorem{
      .id = "H6.upper",
      .source = "THS 5.5",
      .statement =
          "the scheduled permutation takes at most 32(n/w + n/(dw) + nL/(dp) + nl/(dp) + L + l)",
      .domain =
          "all matrices of whole tiles, a row, a column and a tile for each DMM or more, all w, l, "
          "L, d, w | p, with room for as many blocks as the threads"}
      .proof([](Query& q) {
        const Matrix m(q);
        const Matrix turned = m.transposed();
        const auto machine = m.letters();
        const auto matrix = m.tiles().matrix();
        std::optional<TransposeSums> there;
        std::optional<TransposeSums> back;
        std::optional<Truth> domain;
        q.conclude("passes and transposes", [&] {
          const IntTerm tile = matrix.threads(machine.p);
          Truth wanted = matrix.rows >= m.d && matrix.columns >= m.d;
          const auto has_room = [&](const auto& blocks) {
            const IntTerm block = blocks.threads(machine.p);
            const IntTerm slots = larger(by_threads(m, block), 1);
            q.conclude("room", [&] { return machine.slots(block, blocks.shared_words()) >= 1; });
            wanted = wanted && machine.slots(block, blocks.shared_words()) == slots;
          };
          has_room(m.permuting());
          has_room(turned.permuting());
          has_room(matrix);
          there.emplace(q, machine, matrix, tile, m.down, m.across);
          back.emplace(q, machine, turned.tiles().matrix(), tile, m.across, m.down);
          wanted = wanted && there->tiles() >= m.d;
          q.conclude("its domain", [&] {
            domain = permute_scheduled_upper(machine, matrix).domain;
            return implies(*domain, wanted);
          });
          Truth claims = Pass(m).claim(m) && Pass(turned).claim(turned) && there->numbers() &&
                         back->numbers() && transpose_claim(m, *there) &&
                         transpose_claim(turned, *back);
          q.suppose(wanted, [&] {
            q.conclude("a pass", [&] {
              prove_pass(q, m);
              return Pass(m).claim(m);
            });
            q.conclude("a pass", [&] {
              prove_pass(q, turned);
              return Pass(turned).claim(turned);
            });
            prove_transpose(q, m, *there);
            prove_transpose(q, turned, *back);
            q.multiply_by({m.d});
            return claims;
          });
          return implies(*domain, claims);
        });
        q.assume(*domain);
        const auto [w, g, d] = std::tuple(m.w, m.warps, m.d);
        q.multiply_by({w});
        there->give_invariants(1);
        back->give_invariants(1);
        const Cost<IntTerm> cost = permute_scheduled_cost(machine, m.tiles().matrix());
        const IntTerm n = w * m.down * m.across;  // divided by w
        const IntTerm most = 32 * (n + d * g);
        q.multiply_by({d, g, m.down, m.across});
        q.multiply_by({w, d, d * g, d * w, m.down, m.across, d * m.down, d * m.across});
        q.claim("its rounds", cost.global.stages <= 16 * n && d * g * cost.global.rounds <= most &&
                                  d * cost.shared.stages <= 36 * n &&
                                  d * g * cost.shared.rounds <= most && n >= 0 && d * g >= 0);
        q.multiply_by({d, n});
        q.claim("its stages", d * (cost.global.stages + cost.shared.stages) <= 32 * n * (d + 1));
        const IntTerm wide = d * d * w * w * w * w * g;
        const IntTerm L = machine.L - 1;
        const IntTerm l = machine.l - 1;
        q.multiply_by({L, l});
        q.multiply_by({d * g * wide, g * wide, wide, wide * L, wide * l});
        const auto bound = permute_scheduled_upper(machine, m.tiles().matrix());
        q.claim("the bound", is_at_most(lockstep_time(cost, machine), bound.factor, bound));
      })
      .false_twin(prove_a_hundredth_less<PermutationBySchedule>);
}

}  // namespace

std::vector<Theorem> theorems_on_schedules() { return {scheduled()}; }

}  // namespace bankproof::proofs
