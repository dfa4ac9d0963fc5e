// Upper bounds on image convolutions (rows I1 and I2), for all sizes, threads, widths and
// latencies.
#include <string>
#include <tuple>
#include <vector>

#include "../../../algorithms/image_convolution.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/matrix_sweeps.hpp"
#include "../turns/tiles.hpp"
#include "small_kernels.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of convolve_image_cost() for this sweep.
void give_image_convolution(Query& q, const Sweeping& sweep, const IntTerm& w, const IntTerm& terms,
                            std::uint64_t pieces) {
  const auto in_turn = [=, &q](const IntTerm&, const Sweeping::Turn& turn) {
    q.give(sweep.of_rows(turn, pieces));
    q.give(OverNumbers<OfRounds>("terms")
               .holds([=](auto& k, auto& sum) {
                 return w * sum.stages <= (pieces + 1) * k * turn.rows * turn.reach &&
                        sum.rounds <= 2 * k;
               })
               .step([=, &q](auto&) {
                 q.give(sweep.of_rows(turn, pieces));
                 q.give(sweep.of_rows(turn, 1));
               })
               .after([&q](auto&, auto&) { q.multiply_by({}); }));
  };
  q.give(sweep.turns((pieces + 1) * terms + pieces, 2 * terms + 1,
                     {.step = in_turn, .factors = {terms}}));
}

template <MachineKind machine>
Theorem convolution_on_one_memory() {
  const std::uint64_t pieces = pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return Theorem{.id = "I1.upper." + on,
                 .source = "OPT lemma 4",
                 .statement =
                     "CONV-DMM takes at most 76(RCv²/w + RCv²l/p) for an R × C image and a kernel "
                     "of radius v on the " +
                     on,
                 .domain = "all R, l, v ≥ 1, C ≥ w, w ≤ p ≤ RC"}
      .proof([=](Query& q) {
        const Sweeping::Laws laws(q);
        const auto [rows, columns, v, p, w, l] = q.numbers(
            {{"R", 1, 5}, {"C", 1, 7}, {"v", 1, 2}, {"p", 1, 9}, {"w", 1, 4}, {"l", 1, 3}});
        q.assume(columns >= w && w <= p && p <= rows * columns);
        const Sweeping sweep(q, laws, {rows, columns, p, w});
        const IntTerm side = ConvolvingOf<IntTerm>{rows, columns, v}.side();
        const IntTerm terms = side * side;
        const IntTerm each = v * v;
        const IntTerm stages = (pieces + 1) * terms + pieces;
        const IntTerm rounds = 2 * terms + 1;
        q.multiply_by({v});
        q.claim("a turn", terms >= 1 && stages <= 29 * each && rounds <= 19 * each);
        know_factors(q, {terms});
        give_image_convolution(q, sweep, w, terms, pieces);
        const auto task = task_on(machine, "CONV-DMM", {.w = w, .l = l, .p = p},
                                  {{"rows", rows}, {"columns", columns}, {"v", v}});
        prove_bound_of_sweep<ImageConvolution>(q, ImageConvolution::cost(task), task, 76,
                                               rows * columns, each, stages, rounds);
      })
      .false_twin(prove_a_hundredth_less<ImageOnOneMemory<machine>>);
}

/// The numbers of CONV-HMM in its domain, and the work of a block.
struct TiledImage {
  Query& q;
  IntTerm rows = q.number("R", 1, 5);
  IntTerm columns = q.number("C", 1, 7);
  IntTerm v = q.number("v", 1, 2);
  IntTerm p = q.number("p", 1, 9);
  IntTerm w = q.number("w", 1, 4);
  IntTerm l = q.number("l", 1, 3);
  IntTerm L = q.number("L", 1, 5);
  IntTerm d = q.number("d", 1, 3);
  IntTerm side = w + 2 * v;                   ///< side of a window
  IntTerm words = (2 * v + 1) * (2 * v + 1);  ///< words of the kernel
  IntTerm rounds = 2 * words + 1;  ///< rounds of a tile's turn: reads, and a write at the end

  explicit TiledImage(Query& query) : q(query) {
    q.assume(v <= w && w <= rows && w <= columns && w <= p && p <= w * w);
  }
  IntTerm pixels() const { return rows * columns; }
  IntTerm products() const { return rows * columns * v * v; }
  IntTerm square() const { return w * (w + 1); }
  TaskOf<IntTerm> task() const {
    return task_on(MachineKind::hmm, "CONV-HMM", {.w = w, .l = l, .L = L, .d = d, .p = p},
                   {{"rows", rows}, {"columns", columns}, {"v", v}});
  }

  // Upper bounds, by the laws of sweeps.
  IntTerm area_of_window() const { return side * (2 * side + w); }
  IntTerm area_of_kernel() const { return 2 * words + w; }
  IntTerm area_of_tile() const { return 2 * w * w; }
  IntTerm turns() const { return 4 * side * side + words + w * w; }  // p times the turns
};

constexpr std::uint64_t factor_of_image_tiles = 264;

/// Proves bounds on a block's work, as multiples of w(w + 1). The area of the copies is at most 31
/// times w(w + 1), and p times the turns of the copies is at most 43 times w(w + 1), because v ≤ w.
/// Both the area of the work on shared memory and p times the turns of this work are at most 44v²
/// times w(w + 1), because v ≥ 1. This function proves the bound on these turns only for v ≥ 2, or
/// w < 28, or p < 2w, where the kernel takes few turns. small_kernels.hpp proves it for the other
/// cases.
void know_sizes(Query& q, const TiledImage& of) {
  const auto& [v, w] = std::tie(of.v, of.w);
  const IntTerm v2 = v * v;
  q.multiply_by({of.columns, v});
  q.claim("some of each", of.words >= 1 && of.words <= 9 * v2 && v2 >= v && of.pixels() >= 1);
  q.multiply_by({w, v, v2, w * w, w * v, v * w * w});
  const IntTerm area = of.area_of_window() + of.area_of_kernel();
  const IntTerm square = of.square();
  const IntTerm shared = of.rounds + 1;
  const IntTerm most = 44 * v2 * square;
  q.claim("a block", of.p <= of.side * of.side && of.products() >= 1 &&
                         area + of.area_of_tile() <= 31 * square &&
                         of.turns() + of.area_of_tile() <= 43 * square &&
                         area + shared * of.area_of_tile() <= most);
  const IntTerm turns = of.turns() + shared * of.area_of_tile();
  q.suppose(v >= 2, [&] {
    q.multiply_by({v, w, v2, w * w, v * w, v * w * w});
    return turns <= most;
  });
  q.suppose(v == 1, [&, v = v, w = w] {
    for (const IntTerm& number : {IntTerm(1), v, w, v * w, w * w, v * w * w}) {
      q.multiply_equals(number, v, 1);
    }
    const IntTerm less = 27 - w;
    q.suppose(less >= 0, [&] {
      q.multiply_by({less});
      return turns <= most;
    });
    return implies(less >= 0, turns <= most) && implies(of.p < 2 * w, turns + of.p <= most + w * w);
  });
}

/// Applies small_kernels.hpp to the sweeps of a block.
void know_small_kernel(Query& q, const TiledImage& of) {
  const auto& [v, w, p] = std::tie(of.v, of.w, of.p);
  const SmallKernel small(q, w, p, of.side);
  const Truth is_small = v == 1 && w >= 28 && p >= 2 * w;
  know(q, [&, w = w] {
    const IntTerm& side = of.side;
    q.suppose(is_small, [&] {
      q.multiply_by({w});
      q.multiply_equals(side, side, w + 2);
      q.claim("some square", w * w >= w);
      small.prove_bound();
      return small.is_bounded();
    });
    return implies(is_small, small.is_bounded());
  });
}

/// The areas and turns of a block's sweeps. The p threads sweep the kernel as a single row.
struct Block {
  IntTerm area;          ///< area of the copies
  IntTerm turns;         ///< turns of the copies
  IntTerm shared_area;   ///< area of the work on shared memory
  IntTerm shared_turns;  ///< turns of the work on shared memory

  Block(Query& q, const TiledImage& of, const Sweeping& window, const Sweeping& tile) {
    const IntTerm turns_of_kernel = ceil_div(of.words, of.p);
    const IntTerm area_of_kernel = of.words + turns_of_kernel * (of.w - 1);
    area = q.define("area_of_block", window.area() + area_of_kernel + tile.area());
    turns = window.count() + turns_of_kernel + tile.count();
    shared_area = window.area() + area_of_kernel + (of.rounds + 1) * tile.area();
    shared_turns = window.count() + turns_of_kernel + (of.rounds + 1) * tile.count();
    know_factors(q, {of.words, of.rounds, turns_of_kernel, of.w - 1});
    q.multiply_by({of.w - 1});
    q.claim("no negative area", area_of_kernel >= 0);
    know_factors(q, {area});
  }
};

/// Gives the invariants of the waves.
void give_image_waves(Query& q, const TiledImage& of, const Tiling& tiles, const Sweeping& window,
                      const Sweeping& tile, const Block& block) {
  const auto inside = [=, &q](const Tiling::Wave& wave) {
    tiles.give_copy(q, window, wave.blocks);
    tiles.give_copy_of_row(q, of.words, of.p, wave.blocks);
    q.give(tile.turns(of.rounds, of.rounds,
                      {.step = [=, &q](auto&, auto& turn) { q.give(tile.of_rows(turn, 1)); },
                       .factors = {of.rounds}}));
    tiles.give_copy(q, tile, wave.blocks);
  };
  const auto factors = [=](const Tiling::Wave& wave) {
    return std::vector{tiles.no_more_blocks(wave), wave.blocks, block.area};
  };
  q.give(tiles.of_waves({2 * block.area, block.turns, block.shared_area, block.shared_turns},
                        {.step = inside, .factors = factors}));
}

/// Proves upper bounds on a block's areas and turns.
void know_block(Query& q, const TiledImage& of, const Block& block, const Sweeping& tile) {
  const auto& [v, w, p] = std::tie(of.v, of.w, of.p);
  const IntTerm square = of.square();
  const IntTerm warps = ceil_div(w, w);
  const IntTerm area_of_kernel = of.words + ceil_div(of.words, p) * (w - 1);
  q.apply(multiples_are_apart(), {w, 1, warps});
  q.apply(multiples_are_apart(), {w, warps, 1});
  q.multiply_equals(w, warps, 1);
  q.apply(multiples_are_apart(), {p, of.area_of_kernel(), area_of_kernel});
  q.claim("area of a tile", tile.area() <= of.area_of_tile());
  q.multiply_by({w - 1, of.words, p});
  q.claim("area of the kernel", area_of_kernel <= of.area_of_kernel());
  q.multiply_by({});
  q.claim("area of a block", block.area <= 31 * square);
  q.multiply_by({p});
  q.claim("turns of a block", p * block.turns <= 43 * square);
  const IntTerm shared = of.rounds + 1;
  know_factors(q, {shared});
  q.multiply_by({shared});
  const IntTerm most = 44 * v * v * square;
  q.claim("shared area of a block", block.shared_area <= most);
  q.suppose(v >= 2 || w < 28, [&, p = p] {
    q.multiply_by({p, shared});
    return p * block.shared_turns <= most;
  });
  q.suppose(v == 1 && w >= 28, [&, v = v, w = w, p = p] {
    for (const IntTerm& number : {IntTerm(1), v, w, v * w, w * w, v * w * w}) {
      q.multiply_equals(number, v, 1);
    }
    q.claim("rounds", shared == 20);
    for (const IntTerm& number : {tile.count(), p * tile.count()}) {
      q.multiply_equals(number, shared, 20);
    }
    q.multiply_by({p});
    return p * block.shared_turns <= most;
  });
  q.claim("shared turns of a block", p * block.shared_turns <= most);
}

/// Proves upper bounds on the parts of the cost.
void prove_image_parts(Query& q, const TiledImage& of, const Tiling& tiles,
                       const Cost<IntTerm>& cost, const Block& block) {
  const auto& [v, w, p, d] = std::tie(of.v, of.w, of.p, of.d);
  const IntTerm most = factor_of_image_tiles * of.pixels();
  const IntTerm most_shared = factor_of_image_tiles * of.products();
  const IntTerm d_waves = d * tiles.waves();
  q.multiply_by({block.area, tiles.tiles()});
  q.claim("global stages", w * cost.global.stages <= most);
  q.multiply_by({d * p, d_waves});
  q.claim("global rounds", d * p * cost.global.rounds <= most);
  q.multiply_by({d, d_waves, v * v});
  q.claim("shared stages", d * w * cost.shared.stages <= most_shared);
  q.multiply_by({d * p, d_waves, v * v});
  q.claim("shared rounds", d * p * cost.shared.rounds <= most_shared);
}

Theorem convolution_by_tiles() {
  return Theorem{
      .id = "I2.upper",
      .source = "OPT theorem 5",
      .statement =
          "CONV-HMM takes at most " + std::to_string(factor_of_image_tiles) +
          "(RC/w + RCL/(dp) + RCv²/(dw) + RCv²l/(dp)) for an R × C image and a kernel of radius v",
      .domain = "all l, L, 1 ≤ v ≤ w ≤ R, C, w ≤ p ≤ w², d ≤ ⌈R/w⌉⌈C/w⌉"}
      .proof([](Query& q) {
        const Sweeping::Laws laws(q);
        const TiledImage of(q);
        const auto& [w, p, d] = std::tie(of.w, of.p, of.d);
        know_sizes(q, of);
        const BoundOfLaunch<ImageConvolution> bound(q, of.task(), factor_of_image_tiles,
                                                    {{{of.pixels(), w},
                                                      {of.pixels(), d * p},
                                                      {of.products(), d * w},
                                                      {of.products(), d * p}}});
        const Tiling tiles(of.rows, of.columns, w, d, w);
        q.assume(d <= tiles.tiles());
        tiles.know_bounds(q);
        const Sweeping window(q, laws, {of.side, of.side, p, w});
        const Sweeping tile(q, laws, {w, w, p, w});
        know_small_kernel(q, of);
        const Block block(q, of, window, tile);
        give_image_waves(q, of, tiles, window, tile, block);
        const Cost<IntTerm> cost = ImageConvolution::cost(of.task());
        know_block(q, of, block, tile);
        prove_image_parts(q, of, tiles, cost, block);
        bound.prove(q, cost);
      })
      .false_twin(prove_a_hundredth_less<ImageByTiles>);
}

}  // namespace

std::vector<Theorem> theorems_on_image_convolutions() {
  return {convolution_on_one_memory<MachineKind::dmm>(),
          convolution_on_one_memory<MachineKind::umm>(), convolution_by_tiles()};
}

}  // namespace bankproof::proofs
