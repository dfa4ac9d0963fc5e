// The convolution c = a ⊗ b of an R × C image with a kernel of radius v (OPT III),
//
//   c(i, j) = Σ a(i + s, j + t)·b(v + s, v + t) over −v ≤ s, t ≤ v,
//
// where pixels beyond the edge are zero.
//
// CONV-DMM, on one memory: a thread for each pixel of c sums its (2v + 1)² terms in a register and
// leaves out terms beyond the edge: O(n²v²/w + n²v²l/p) for n × n pixels and v ≥ 1. At v = 0 this
// bound vanishes, though each pixel is read and written.
//
// CONV-HMM: a block for each w × w tile of c. It copies the (w + 2v) × (w + 2v) pixels that the
// tile needs, and b, to shared memory, with zeros beyond the edge, convolves them there, and copies
// the tile to c: O(n²/w + n²L/(dp) + n²v²/(dw) + n²v²l/(dp)) for v ≤ w.
//
// Example: v = 1, w = 2: the block of the upper left tile copies rows −1 … 2 and columns −1 … 2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../oracles/convolution.hpp"
#include "algorithm.hpp"
#include "sweep.hpp"
#include "window.hpp"

namespace bankproof {

/// An image and a kernel's radius.
template <class N>
struct ConvolvingOf {
  N rows;
  N columns;
  N v;

  N side() const { return N(2) * v + N(1); }
};
using Convolving = ConvolvingOf<std::uint64_t>;

/// The pixels that term (s, t) of the kernel is multiplied with: for pixel (i, j) of c, pixel
/// (i + s − v, j + t − v) of a.
template <class N>
WindowOf<N> pixels_of_term(const ConvolvingOf<N>& image, const N& term) {
  return {image.rows, image.columns, term / image.side(), term % image.side(), image.v, image.v};
}

/// c ← a ⊗ b; terms beyond the edge are left out.
template <class T, class W = Warp>
Program convolve_image(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b, ArrayOf<W, T>& c,
                       const ConvolvingOf<NumberOf<W>> image) {
  for (auto [i, j] : sweep(warp, image.rows, image.columns)) {
    auto sum = warp.all(T{});
    for (const auto term : warp.times(image.side() * image.side())) {
      const auto pixels = pixels_of_term<NumberOf<W>>(image, term);
      const auto within = warp.only(inside(pixels, i, j));
      const auto pixel = co_await a.read(pixels.word(i, j));
      const auto weight = co_await b.read(warp.same(term));
      sum += pixel * weight;
    }
    co_await c.write(row_major(i, j, image.columns), sum);
  }
}

/// For each term, the threads of a warp that read a pixel of a all read the same word of b.
template <class N>
Rounds<N> convolve_image_cost(MemoryKind kind, const ConvolvingOf<N>& image, const N& p,
                              const N& w) {
  const SweepShape<N> shape{image.rows, image.columns, p, w};
  return over_sweep(shape, [&](const SweepTurn<N>& turn) {
    Rounds<N> cost = round_of(kind, turn, image.columns, w);
    const MemoryKind one_stage = kind == MemoryKind::groups ? MemoryKind::banks : kind;
    return cost += sum_over(image.side() * image.side(), [&](const N& term) {
             const WindowOf<N> pixels = pixels_of_term(image, term);
             Rounds<N> product = pixels.round(kind, turn, w);
             return product += pixels.round(one_stage, turn, w);
           });
  });
}

/// tile ← window ⊗ b, both in shared memory: all terms of `rows` × `columns` pixels.
template <class T, class W = Warp>
Program convolve_window(W& warp, ArrayOf<W, T>& window, ArrayOf<W, T>& b, ArrayOf<W, T>& tile,
                        const ConvolvingOf<NumberOf<W>> size) {
  const auto pitch = size.columns + 2 * size.v;
  for (auto [i, j] : sweep(warp, size.rows, size.columns)) {
    auto sum = warp.all(T{});
    for (const auto term : warp.times(size.side() * size.side())) {
      const auto pixel =
          co_await window.read(row_major(i + term / size.side(), j + term % size.side(), pitch));
      const auto weight = co_await b.read(warp.same(term));
      sum += pixel * weight;
    }
    co_await tile.write(row_major(i, j, size.columns), sum);
  }
}

/// Runs a block for each w × w tile of c.
template <class T, class W = Warp>
Program convolve_tiles(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b, ArrayOf<W, T>& c,
                       const ConvolvingOf<NumberOf<W>> image) {
  using N = NumberOf<W>;
  const N w = warp.width();
  const N side = w + 2 * image.v;
  const auto [top, left] = CornerOf<N>(warp.block(), image.columns, w);
  auto& window = warp.template shared<T>(side * side, "window");
  auto& kernel = warp.template shared<T>(image.side() * image.side(), "kernel");
  auto& tile = warp.template shared<T>(w * w, "tile");
  const WindowOf<N> pixels{image.rows, image.columns, top, left, image.v, image.v};
  co_await copy_window<T>(warp, a, pixels, window, side, side);
  for (auto k : warp.each(image.side() * image.side())) {
    const auto weights = co_await b.read(k);
    co_await kernel.write(k, weights);
  }
  co_await barrier();
  const ConvolvingOf<N> of_one_tile{w, w, image.v};
  co_await convolve_window<T>(warp, window, kernel, tile, of_one_tile);
  // Each thread copies back its own results, so no barrier is needed.
  const WindowOf<N> of_tile{image.rows, image.columns, top, left};
  co_await copy_back<T>(warp, tile, c, of_tile, w, w);
}

struct ImageConvolution {
  static constexpr std::string_view name = "image-convolution";
  static constexpr std::string_view does = "c = a ⊗ b, an image with a kernel of radius v";
  static constexpr Algebra algebra = Algebra::ring;
  static constexpr std::array size_keys = {
      SizeKey{"rows", "rows of the image", 64, 1, 20}, SizeKey{"columns", "its columns", 64, 1, 20},
      SizeKey{"v", "radius of the kernel", 1, 0, 4, most_of_side}};

  static constexpr std::array one_memory = {MachineKind::dmm, MachineKind::umm};
  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array variants = {
      Variant{"CONV-DMM", "OPT III", "a pixel of c for each thread", one_memory},
      Variant{"CONV-HMM", "OPT III", "tiles in shared memory", hierarchical}};

  template <class N>
  static ConvolvingOf<N> size_of(const SizesOf<N>& sizes) {
    return {sizes["rows"], sizes["columns"], sizes["v"]};
  }
  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;
    const std::uint64_t side = size_of(sizes).side();
    return {{"a", sizes["columns"], sizes["rows"]}, {"b", side, side}};
  }
  static Shape output(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {"c", sizes["columns"], sizes["rows"]};
  }

  static std::uint64_t shared_words(const Task& task) {
    const std::uint64_t w = task.machine.w;
    const std::uint64_t side = size_of(task.sizes).side();
    const std::uint64_t window = w + side - 1;
    return rounded_up(window * window, w) + rounded_up(side * side, w) + w * w;
  }
  static std::string refusal(const Task& task) {
    if (!is_hierarchical(task.machine.machine) || shared_words(task) <= task.machine.capacity) {
      return {};
    }
    return "tiles of w=" + std::to_string(task.machine.w) + " with a kernel of radius " +
           std::to_string(task.sizes["v"]) + " take " + std::to_string(shared_words(task)) +
           " words, and a shared memory has " + std::to_string(task.machine.capacity) +
           ": choose a smaller w or v";
  }

  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    const Convolving image = size_of(task.sizes);
    return oracle::image_convolution(inputs[0], inputs[1], image.rows, image.columns, image.v);
  }

  template <class N>
  static N blocks(const TaskOf<N>& task) {
    const N& w = task.machine.w;
    return ceil_div(task.sizes["rows"], w) * ceil_div(task.sizes["columns"], w);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const Convolving image = size_of(task.sizes);
    Memory& memory = main_memory(machine);
    Array<T> a(memory, inputs[0], "a");
    Array<T> b(memory, inputs[1], "b");
    Array<T> c(memory, image.rows * image.columns, "c");
    Launch launch{.threads = task.machine.p, .name = std::string(name)};
    Time time = 0;
    if constexpr (Hierarchical<Machine>) {
      launch.blocks = blocks(task);
      launch.shared_words = shared_words(task);
      time = machine.launch(launch, convolve_tiles<T>, a, b, c, image);
    } else {
      time = machine.launch(launch, convolve_image<T>, a, b, c, image);
    }
    return {{c.values().begin(), c.values().end()}, time};
  }

  /// The rounds of one block's convolve_window on a w × w tile.
  template <class N>
  static Rounds<N> tile_cost(const ConvolvingOf<N>& image, const MachineParametersOf<N>& machine) {
    const N& w = machine.w;
    return over_sweep(SweepShape<N>{w, w, machine.p, w}, [&](const SweepTurn<N>& turn) {
      const Rounds<N> round = round_of(MemoryKind::banks, turn, w, w);
      // Each term needs a pixel and a weight.
      Rounds<N> cost = image.side() * image.side() * (round + round);
      return cost += round;
    });
  }

  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const ConvolvingOf<N> image = size_of(task.sizes);
    if (!is_hierarchical(machine.machine)) {
      return Cost<N>::on_one_memory(
          convolve_image_cost(machine.memory(), image, machine.p, machine.w));
    }
    const N& w = machine.w;
    const auto window_of = [&](const N& margin) {
      return [&, margin](const N& block) {
        const CornerOf<N> corner(block, image.columns, w);
        return WindowOf<N>{image.rows, image.columns, corner.top, corner.left, margin, margin};
      };
    };
    return Waves(blocks(task), machine).cost([&](const typename Waves<N>::Wave& wave) {
      const N side = w + N(2) * image.v;
      const N words = image.side() * image.side();
      Cost<N> cost = wave.copy(side, side, window_of(image.v));
      cost += wave.copy_row(words, [](const N&, const N& start, const N& count) {
        return Run<N>{start, count};
      });
      cost.shared += tile_cost(image, machine);
      return cost += wave.copy(w, w, window_of(N(0)));
    });
  }

  /// The bounds of OPT lemma 4, for v ≥ 1 and rows that fill a warp, and of theorem 5, for 1 ≤ v ≤
  /// w, w ≤ p ≤ w² and a tile for each DMM. If turns, tiles and waves are full, the factors are
  /// small. With (2v + 1)² in place of v² in the bounds, the factors would be smaller. Other tasks
  /// need larger factors. If the sides are just above w, there are four tiles for w² pixels, and
  /// one DMM may have to take them in two turns. If p is just below 2w or w², half the threads
  /// idle. The larger factors are proved (I1.upper, I2.upper), and no smaller factors would do
  /// (I1.tight, I2.tight).
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const ConvolvingOf<N> image = size_of(task.sizes);
    const auto [w, l, L, d, p] = std::tie(machine.w, machine.l, machine.L, machine.d, machine.p);
    const N pixels = image.rows * image.columns;
    const N products = pixels * image.v * image.v;
    const auto fills_warps = image.v >= N(1) && p >= w && image.columns >= w;
    const auto whole_warps = divides(w, p) && divides(w, image.columns);
    if (!is_hierarchical(machine.machine)) {
      const auto full =
          whole_warps &&
          (divides(p, image.columns) ||
           (divides(image.columns, p) && divides(larger(p / image.columns, N(1)), image.rows)));
      return BoundOf<N>{select(full, N(28), N(76)),
                        {{"n²v²/w", products, w}, {"n²v²l/p", products * l, p}},
                        fills_warps && p <= pixels};
    }
    const auto full =
        whole_warps && divides(w, image.rows) && divides(p, w * w) && divides(d, blocks(task));
    return BoundOf<N>{
        select(full, N(40), N(264)),
        {{"n²/w", pixels, w},
         {"n²L/(dp)", pixels * L, d * p},
         {"n²v²/(dw)", products, d * w},
         {"n²v²l/(dp)", products * l, d * p}},
        fills_warps && image.v <= w && p <= w * w && image.rows >= w && blocks(task) >= d};
  }

  /// OPT theorem 6. The last two bounds hold for programs that, for each product, fetch a pixel and
  /// a weight from some memory. The bounds count the products within the edge, about n²·(2v + 1)².
  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const ConvolvingOf<N> image = size_of(task.sizes);
    const N pixels = image.rows * image.columns;
    const auto shifted = [&](const N& length) {  // pixels that stay inside, for all shifts
      return length +
             N(2) * sum_over(image.v, [&](const N& s) { return minus_or_zero(length, s + N(1)); });
    };
    const N down = shifted(image.rows);
    const N fetched = N(2) * down * shifted(image.columns);
    const N latency = smaller(machine.l, machine.latency());
    const bool hmm = is_hierarchical(machine.machine);
    return {{N(2), {{"bandwidth n²/w", pixels, machine.w}}},
            {N(2),
             {{hmm ? "latency n²L/(dp)" : "latency n²l/p", pixels * machine.latency(),
               machine.threads()}}},
            {N(1),
             {{hmm ? "speed-up 2·products/((d+1)w)" : "speed-up 2·products/w", fetched,
               machine.ports() * machine.w}}},
            {N(1),
             {{hmm ? "latency 2·products·min(l,L)/(dp)" : "latency 2·products·l/p",
               fetched * latency, machine.threads()}}}};
  }
};

}  // namespace bankproof
