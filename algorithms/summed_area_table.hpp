// Summed area tables, b[i][j] = Σ a[i'][j'] over i' ≤ i, j' ≤ j, on the HMM (THS 6). The names
// count the reads and writes of global memory an element.
//
//   2R2W   sums down the columns, then along the rows           summed_area_table/straight.hpp
//   4R4W   with transposes, so that all accesses are coalesced
//   4R1W   diagonal by diagonal
//   2R1W   tiles in shared memory, in two passes                summed_area_table/two_passes.hpp
//   1R1W   tiles, diagonal by diagonal                          summed_area_table/one_pass.hpp
//   hybrid (1+r)R1W: the first and last t diagonals of tiles by 2R1W, the rest by 1R1W
//                                                               summed_area_table/hybrid.hpp
//
// Example: of (1 2; 3 4) the table is (1 3; 4 10).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../oracles/summed_area_table.hpp"
#include "algorithm.hpp"
#include "launch_rounds.hpp"
#include "launch_sums.hpp"
#include "summed_area_table/hybrid.hpp"
#include "summed_area_table/one_pass.hpp"
#include "summed_area_table/straight.hpp"
#include "summed_area_table/two_passes.hpp"

namespace bankproof {

/// a[top … bottom][left … right] summed up from four entries of its table (THS 6, with the signs
/// mended).
template <class T>
T rectangle_sum(const std::vector<T>& table, std::uint64_t columns, std::uint64_t top,
                std::uint64_t left, std::uint64_t bottom, std::uint64_t right) {
  const auto at = [&](std::uint64_t i, std::uint64_t j) { return table[row_major(i, j, columns)]; };
  T sum = at(bottom, right);
  if (top > 0) sum = static_cast<T>(sum - at(top - 1, right));
  if (left > 0) sum = static_cast<T>(sum - at(bottom, left - 1));
  if (top > 0 && left > 0) sum = static_cast<T>(sum + at(top - 1, left - 1));
  return sum;
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
        const Part part(tiling);
        SumArrays<T> sums(machine.global(), part);
        Launch first = launch;
        first.blocks = part.down * part.across;
        Time time = machine.launch(first, sum_all_edges<T>, a, sums, part);
        Edges<T>* none = nullptr;
        time += finish_two_passes(machine, launch, a, b, sums, none, part);
        return outcome(b, time);
      }
      Edges<T> edges(machine.global(), tiling);
      const Parts<std::uint64_t> parts(task, tiling);
      Time time = sum_triangle(machine, launch, a, b, edges, parts.first);
      time += sum_tile_diagonals(machine, launch, a, b, edges, tiling, parts.t, parts.last_begin);
      time += sum_triangle(machine, launch, a, b, edges, parts.last);
      return outcome(b, time);
    }
  }

  static Cost<std::uint64_t> cost(const Task& task) {
    LockstepCost cost(task.machine);
    go_through(cost, task);
    return cost.cost();
  }
  /// The global memory access cost of THS 6.1 in numbers of any type: as global_access_cost() has
  /// it of cost(), which is of machine words only, for how blocks take turns in lockstep is no
  /// closed form.
  template <class N>
  static N global_cost(const TaskOf<N>& task) {
    return global_access_cost(global_accesses(task), task.machine);
  }
  /// Its stages, requests and launches.
  template <class N>
  static Cost<N> global_accesses(const TaskOf<N>& task) {
    GlobalCost<N> cost(task.machine);
    go_through(cost, task);
    return cost.total();
  }

  /// THS 6 bounds the global memory access cost, which is not a time.
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>&) {
    return std::nullopt;
  }

  /// Each element is read, and each entry written, but that 2R2W leaves the first where it is; the
  /// last entry is a sum of all elements, as in sum.hpp (THS 6, 6.4). A single element may be left
  /// where it is.
  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const LettersOf<N>& m = task.machine;
    const N n = task.sizes["rows"] * task.sizes["columns"];
    const N words = N(2) * n - (task.variant == "2R2W" ? N(1) : N(0));
    const TruthOf<N> domain = task.variant == "4R1W" ? n > N(0) : n > N(1);
    return {{N(1), {{"bandwidth 2n/w", words, m.w}}, domain},
            {N(1), {{"latency 2nL/P", words * m.L, m.d * m.p}}, domain},
            {N(1), {{"reduction min(l,L) log n", smaller(m.l, m.L) * ceil_log2(n)}}, domain}};
  }

 private:
  /// The triangles of hybrid, which are empty in 1R1W, and the diagonals between them.
  template <class N>
  struct Parts {
    N t;
    N last_begin;
    PartOf<N> first;
    PartOf<N> last;

    Parts(const TaskOf<N>& task, const TilingOf<N>& tiling)
        : t(task.variant == "hybrid" ? smaller(task.sizes["t"], tiling.diagonals() / N(2)) : N(0)),
          last_begin(tiling.diagonals() - t),
          first(tiling, N(0), t),
          last(tiling, last_begin, tiling.diagonals()) {}
  };

  /// All launches of a run, and the rounds of their blocks.
  template <class Launches, class N>
  static void go_through(Launches& launches, const TaskOf<N>& task) {
    const LettersOf<N>& m = task.machine;
    const SummingOf<N> matrix{task.sizes["rows"], task.sizes["columns"]};
    const TilingOf<N> tiling{matrix, m.w};
    if (task.variant == "2R2W") {
      launches.launch([&](auto& launch) { sum_down_blocks(launch, matrix); });
      launches.launch([&](auto& launch) {
        launch.times(ceil_div(matrix.rows, m.p), [&](auto& one, const N& block) {
          one.block([&](auto& rounds) { sum_along_rounds(rounds, matrix, block); });
        });
      });
    } else if (task.variant == "4R4W") {
      const SummingOf<N> transposed{matrix.columns, matrix.rows};
      for (const SummingOf<N>& each : {matrix, transposed}) {
        launches.launch([&](auto& launch) { sum_down_blocks(launch, each); });
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
      const PartOf<N> part(tiling);
      launches.launch([&](auto& launch) { sum_all_edges_blocks(launch, part); });
      finish_two_passes_rounds(launches, part);
    } else {
      const Parts<N> parts(task, tiling);
      triangle_rounds(launches, parts.first);
      tile_diagonals_rounds(launches, tiling, parts.t, parts.last_begin);
      triangle_rounds(launches, parts.last);
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
