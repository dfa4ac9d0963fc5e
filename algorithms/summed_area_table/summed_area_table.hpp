// Summed area tables, b[i][j] = Σ a[i'][j'] over i' ≤ i, j' ≤ j, on the HMM (THS 6). The names
// count the reads and writes of global memory for each element.
//
//   2R2W   sums down the columns, then along the rows           summed_area_table/straight.hpp
//   4R4W   with transposes, so that all accesses are coalesced
//   4R1W   diagonal by diagonal
//   2R1W   tiles in shared memory, in two passes                summed_area_table/two_passes.hpp
//   1R1W   tiles, diagonal by diagonal                          summed_area_table/one_pass.hpp
//   hybrid (1+r)R1W: the first and last t diagonals of tiles by 2R1W, the rest by 1R1W
//                                                               summed_area_table/hybrid.hpp
//
// Example: the table of (1 2; 3 4) is (1 3; 4 10).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../oracles/summed_area_table.hpp"
#include "../algorithm.hpp"
#include "../launch_rounds.hpp"
#include "../launch_sums.hpp"
#include "hybrid.hpp"
#include "one_pass.hpp"
#include "straight.hpp"
#include "two_passes.hpp"

namespace bankproof {

/// The sum of a[top … bottom][left … right] from the table of a, in row-major order.
template <class T>
T rectangle_sum(const std::vector<T>& table, std::uint64_t columns, std::uint64_t top,
                std::uint64_t left, std::uint64_t bottom, std::uint64_t right) {
  const auto corner = [&](std::uint64_t i, std::uint64_t j) {
    return i == 0 || j == 0 ? T{} : table[row_major(i - 1, j - 1, columns)];
  };
  return static_cast<T>(rectangle_from_corners(corner, top, left, bottom, right));
}

struct SummedAreaTable {
  static constexpr std::string_view name = "summed-area-table";
  static constexpr std::string_view does = "b[i][j] = sum of a[0 … i][0 … j]";
  static constexpr Algebra algebra = Algebra::group;
  static constexpr std::array size_keys = {
      SizeKey{"rows", "rows of a", 64, 1, 40}, SizeKey{"columns", "columns of a", 64, 1, 40},
      SizeKey{"t", "diagonals of each triangle", 1, 0, 10, most_of_size, "hybrid"}};

  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array variants = {
      Variant{"2R2W", "THS 6.2", "down the columns, along the rows", hierarchical},
      Variant{"4R4W", "THS 6.2", "down, transpose, down, transpose", hierarchical},
      Variant{"4R1W", "THS 6.4", "diagonal by diagonal", hierarchical},
      Variant{"2R1W", "THS 6.3", "tiles in two passes", hierarchical},
      Variant{"1R1W", "THS 6.4", "tiles, diagonal by diagonal", hierarchical},
      Variant{"hybrid", "THS 6.5", "the first and last tiles in two passes", hierarchical}};

  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {{"a", sizes["columns"], sizes["rows"]}};
  }
  static Shape output(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {"b", sizes["columns"], sizes["rows"]};
  }

  static std::uint64_t shared_words(const Task& task) {
    const std::uint64_t w = task.machine.w;
    if (task.variant == "2R2W" || task.variant == "4R1W") return 0;
    if (task.variant == "4R4W") return w * w;
    return w * w + rounded_up(w + 1, w);
  }
  static std::string refusal(const Task& task) {
    if (shared_words(task) <= task.machine.capacity) return {};
    return "a tile of w=" + std::to_string(task.machine.w) + " takes " +
           std::to_string(shared_words(task)) + " words, and a shared memory has " +
           std::to_string(task.machine.capacity) + ": choose a smaller w";
  }

  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    return oracle::summed_area_table_2r2w(inputs[0], task.sizes["rows"], task.sizes["columns"]);
  }

  static Summing size_of(const Sizes& sizes) { return {sizes["rows"], sizes["columns"]}; }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    if constexpr (!Hierarchical<Machine>) {
      throw unsuitable("summed-area-table runs on an HMM");
    } else {
      const Summing matrix = size_of(task.sizes);
      Array<T> a(machine.global(), inputs[0], "a");
      Array<T> b(machine.global(), a.size(), "b");
      const Launch launch{
          .threads = task.machine.p, .shared_words = shared_words(task), .name = std::string(name)};
      const auto outcome = [](const Array<T>& result, Time time) {
        return Outcome<T>{{result.values().begin(), result.values().end()}, time};
      };
      if (task.variant == "2R2W") {
        Time time = sum_down_all(machine, launch, a, matrix);
        Launch along = launch;
        along.blocks = ceil_div(matrix.rows, launch.threads);
        time += machine.launch(along, sum_along<T>, a, matrix);
        return outcome(a, time);
      }
      if (task.variant == "4R4W") {
        Time time = sum_down_all(machine, launch, a, matrix);
        time += transpose_all(machine, launch, a, b, matrix);
        time += sum_down_all(machine, launch, b, {matrix.columns, matrix.rows});
        time += transpose_all(machine, launch, b, a, {matrix.columns, matrix.rows});
        return outcome(a, time);
      }
      if (task.variant == "4R1W") {
        Time time = 0;
        for (std::uint64_t k = 0; k < matrix.rows + matrix.columns - 1; ++k) {
          const Diagonal diagonal = Diagonal::of(k, matrix.rows, matrix.columns);
          Launch stage = launch;
          stage.blocks = ceil_div(diagonal.count, launch.threads);
          time += machine.launch(stage, sum_diagonal<T>, a, b, matrix, diagonal);
        }
        return outcome(b, time);
      }
      const Tiling tiling{matrix, task.machine.w};
      if (task.variant == "2R1W") {
        Edges<T>* none = nullptr;
        const Time time = sum_in_two_passes(machine, launch, a, b, none, Part(tiling));
        return outcome(b, time);
      }
      Edges<T> edges(machine.global(), tiling);
      const Parts<std::uint64_t> parts(task, tiling);
      Time time = sum_in_two_passes(machine, launch, a, b, &edges, parts.first);
      time += sum_tile_diagonals(machine, launch, a, b, edges, tiling, parts.t, parts.last_begin);
      time += sum_in_two_passes(machine, launch, a, b, &edges, parts.last);
      return outcome(b, time);
    }
  }

  static Cost<std::uint64_t> cost(const Task& task) {
    LockstepCost cost(task.machine);
    go_through(cost, task);
    return cost.cost();
  }
  /// The global memory access cost of THS 6.1 in numbers of any type. It equals
  /// global_access_cost() of cost(). cost() itself exists for machine words only, because no closed
  /// form says how blocks take turns in lockstep.
  template <class N>
  static N global_cost(const TaskOf<N>& task) {
    return global_access_cost(global_accesses(task), task.machine);
  }
  /// The stages and requests on global memory, and the number of launches, with at most `levels`
  /// levels of recursion.
  template <class N>
  static Cost<N> global_accesses(const TaskOf<N>& task, std::uint64_t levels = unlimited) {
    GlobalCost<N> cost(task.machine);
    go_through(cost, task, levels);
    return cost.total();
  }

  /// THS 6 bounds the global memory access cost, which is not a time.
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>&) {
    return std::nullopt;
  }

  /// For √n × √n elements in whole tiles, with k levels of recursion in all; hybrid has rn elements
  /// in its triangles, and blocks consist of whole warps. The constants that the source hides in an
  /// O are proved (proofs/theorems/).
  template <class N>
  static std::optional<BoundOf<N>> global_cost_upper(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N& w = m.w;
    const N& side = task.sizes["rows"];
    const N n = side * side;
    const N latency = m.L - N(1);
    const TilingOf<N> tiling{{side, side}, w};
    const N tiles = tiling.down();
    const TruthOf<N> domain =
        side == task.sizes["columns"] && divides(w, side) && divides(w, m.p) && w > N(1);
    const auto bound = [&](std::vector<TermOf<N>> terms) {
      return BoundOf<N>{N(1), std::move(terms), domain};
    };
    if (task.variant == "2R2W") {  // lemma 6.2.1
      return bound({{"2n", N(2) * n}, {"2n/w", N(2) * n, w}, {"2(L-1)", N(2) * latency}});
    }
    if (task.variant == "4R4W") {  // lemma 6.2.2
      return bound({{"8n/w", N(8) * n, w}, {"4(L-1)", N(4) * latency}});
    }
    if (task.variant == "4R1W") {  // lemma 6.4.1
      return bound({{"5n", N(5) * n}, {"(2√n-1)(L-1)", (N(2) * side - N(1)) * latency}});
    }
    if (task.variant == "1R1W") {  // theorem 6.4.2
      return bound({{"2n/w", N(2) * n, w},
                    {"6n/w²", N(6) * n, w * w},
                    {"(2√n/w-1)(L-1)", (N(2) * tiles - N(1)) * latency}});
    }
    if (task.variant == "2R1W") {
      // Lemma 6.3.1 has 8n/w². But the sum of a tile, and the sum of all elements above and to the
      // left of a tile, are single words, and each takes a stage.
      return bound({{"3n/w", N(3) * n, w},
                    {"10n/w²", N(10) * n, w * w},
                    {"20n/w³", N(20) * n, w * w * w},
                    {"(2k+3)(L-1)", (N(2) * recursions(tiles, w) + N(3)) * latency}});
    }
    // Theorem 6.5.1, with rn = t(t + 1)w²: if t is much smaller than w, a bound with rn = t²w²
    // would be too small. Each triangle takes three launches, and two more for each recursion. The
    // last triangle has a row and a column of tiles before it.
    const N t = Parts<N>(task, tiling).t;
    const N k = select(t == N(0), N(0), recursions(t, w) + recursions(t + N(1), w));
    return bound({{"(2+r)n/w", N(2) * n + t * (t + N(1)) * w * w, w},
                  {"17n/w²", N(17) * n, w * w},
                  {"40n/w³", N(40) * n, w * w * w},
                  {"(2√n/w-2t+5+2k)(L-1)",
                   (minus_or_zero(N(2) * tiles, N(2) * t) + N(5) + N(2) * k) * latency}});
  }

  /// Each element is read and each entry is written, except that 2R2W leaves the first entry where
  /// it is. The last entry is a sum of all elements, as in sum.hpp (THS 6, 6.4). A single element
  /// may stay where it is.
  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N n = task.sizes["rows"] * task.sizes["columns"];
    const N words = N(2) * n - (task.variant == "2R2W" ? N(1) : N(0));
    const TruthOf<N> domain = task.variant == "4R1W" ? n > N(0) : n > N(1);
    return {{N(1), {{"bandwidth 2n/w", words, m.w}}, domain},
            {N(1), {{"latency 2nL/P", words * m.L, m.d * m.p}}, domain},
            {N(1), {{"reduction min(l,L) log n", smaller(m.l, m.L) * ceil_log2(n)}}, domain}};
  }

  /// The triangles of hybrid; in 1R1W they are empty.
  template <class N>
  struct Parts : TrianglesOf<N> {
    Parts(const TaskOf<N>& task, const TilingOf<N>& tiling)
        : TrianglesOf<N>(task.variant == "hybrid" ? TrianglesOf<N>(tiling, task.sizes["t"])
                                                  : TrianglesOf<N>(tiling)) {}
  };

 private:
  /// The number of levels of recursion that a table of tiles × tiles tiles takes: one for each time
  /// that the sums do not fit in a tile.
  template <class N>
  static N recursions(const N& tiles, const N& w) {
    return sum_over_chain(
        tiles, [&](const N& k) { return ceil_div(k - N(1), w); },
        [&](const N& k) { return select(k > w + N(1), N(1), N(0)); });
  }

  /// All launches of a run, and the rounds of their blocks.
  template <class Launches, class N>
  static void go_through(Launches& launches, const TaskOf<N>& task,
                         std::uint64_t levels = unlimited) {
    const MachineParametersOf<N>& m = task.machine;
    const SummingOf<N> matrix{task.sizes["rows"], task.sizes["columns"]};
    const TilingOf<N> tiling{matrix, m.w};
    if (task.variant == "2R2W") {
      launches.launch(
          [&](auto& launch) { sum_down_blocks(launch, matrix, ceil_div(matrix.columns, m.p)); });
      launches.launch([&](auto& launch) {
        launch.times(ceil_div(matrix.rows, m.p), [&](auto& one, const N& block) {
          one.block([&](auto& rounds) { sum_along_rounds(rounds, matrix, block); });
        });
      });
    } else if (task.variant == "4R4W") {
      const SummingOf<N> transposed{matrix.columns, matrix.rows};
      for (const SummingOf<N>& each : {matrix, transposed}) {
        launches.launch(
            [&](auto& launch) { sum_down_blocks(launch, each, ceil_div(each.columns, m.p)); });
        launches.add(transpose_cost(m, TransposingOf<N>{each.rows, each.columns, m.w}, m.p));
      }
    } else if (task.variant == "4R1W") {
      launches.times(matrix.rows + matrix.columns - N(1), [&](Launches& some, const N& k) {
        const auto diagonal = DiagonalOf<N>::of(k, matrix.rows, matrix.columns);
        some.launch([&](auto& launch) {
          launch.times(ceil_div(diagonal.count, m.p), [&](auto& one, const N& block) {
            one.block([&](auto& rounds) { sum_diagonal_rounds(rounds, matrix, diagonal, block); });
          });
        });
      });
    } else if (task.variant == "2R1W") {
      two_passes_rounds(launches, PartOf<N>(tiling), levels);
    } else {
      const Parts<N> parts(task, tiling);
      const auto triangle = [&](const PartOf<N>& part) {
        launches.where(!part.empty(),
                       [&](Launches& some) { two_passes_rounds(some, part, levels); });
      };
      triangle(parts.first);
      tile_diagonals_rounds(launches, tiling, parts.t, parts.last_begin);
      triangle(parts.last);
    }
  }

  template <class T, class Machine>
  static Time sum_down_all(Machine& machine, const Launch& launch, Array<T>& a,
                           const Summing& matrix) {
    Launch down = launch;
    down.blocks = ceil_div(matrix.columns, launch.threads);
    return machine.launch(down, sum_down<T>, a, matrix, std::uint64_t{0});
  }
  template <class T, class Machine>
  static Time transpose_all(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b,
                            const Summing& matrix) {
    const Transposing shape{matrix.rows, matrix.columns, machine.width()};
    Launch tiles = launch;
    tiles.blocks = shape.tiles();
    return machine.launch(tiles, transpose<T>, a, b, shape);
  }
};

}  // namespace bankproof
