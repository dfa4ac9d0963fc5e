// Convolution as on real GPUs (CONV 7), with ghost cells: of lines (tiled_convolution/line.hpp) and
// of images with channels (tiled_convolution/plane.hpp). The variants are basic, with the mask in
// constant memory, and in tiles.
//
// Example (CONV 7.1): N = 1 … 7 and M = (3, 4, 5, 4, 3) give 22, 38, 57, 76, 95, 90, 74.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../oracles/ghost_cells.hpp"
#include "../algorithm.hpp"
#include "line.hpp"
#include "plane.hpp"

namespace bankproof {

struct TiledConvolution {
  static constexpr std::string_view name = "tiled-convolution";
  static constexpr std::string_view does = "P = N with mask M, with ghost cells around N";
  static constexpr Algebra algebra = Algebra::ring;
  static constexpr std::array size_keys = {
      SizeKey{"columns", "elements of a line, or columns of an image", 64, 1, 30},
      SizeKey{"rows", "rows of an image", 64, 1, 12, most_of_size, "2d"},
      SizeKey{"channels", "values of a pixel", 1, 1, 3, most_of_side, "2d"},
      SizeKey{"v", "radius of the mask", 2, 0, 5, most_of_side},
      SizeKey{"t", "threads of a block for a line, side of a tile of an image", 16, 1, 9,
              most_of_side},
      SizeKey{"nearest", "1 for ghost cells as their nearest neighbor, 0 for zeros", 0, 0, 1, 1},
      SizeKey{"padded", "1 for rows of an image padded to multiples of w, 0 for none", 1, 0, 1, 1,
              "2d"}};

  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array variants = {
      Variant{"1d-basic", "CONV 7.2", "a line, all from global memory", hierarchical},
      Variant{"1d-constant", "CONV 7.3", "the mask in constant memory", hierarchical},
      Variant{"1d-tiled", "CONV 7.4", "elements and halo in shared memory", hierarchical},
      Variant{"1d-cached", "CONV 7.5", "elements in shared memory, not the halo", hierarchical},
      Variant{"2d-basic", "CONV 7.8", "an image, all from global memory", hierarchical},
      Variant{"2d-constant", "CONV 7.8", "the mask in constant memory", hierarchical},
      Variant{"2d-tiled", "CONV 7.6", "a tile and its halo in shared memory", hierarchical}};

  static bool is_line(const Task& task) { return task.variant.starts_with("1d"); }
  static GhostCells ghosts(const Task& task) {
    return task.sizes["nearest"] != 0 ? GhostCells::nearest : GhostCells::zero;
  }
  static ConvolvingLine line_of(const Task& task) {
    return {{task.sizes["columns"], ghosts(task)}, task.sizes["v"], task.sizes["t"]};
  }
  static ConvolvingPlane plane_of(const Task& task) {
    const Sizes& sizes = task.sizes;
    const std::uint64_t words = sizes["columns"] * sizes["channels"];
    const std::uint64_t pitch = sizes["padded"] != 0 ? rounded_up(words, task.machine.w) : words;
    return {sizes["rows"], sizes["columns"], sizes["channels"], pitch,
            ghosts(task),  sizes["v"],       sizes["t"]};
  }

  static std::vector<Shape> inputs(const Task& task) {
    const std::uint64_t side = 2 * task.sizes["v"] + 1;
    Shape n = output(task);
    n.name = "N";
    return {n, {"M", side, is_line(task) ? 1 : side}};
  }
  static Shape output(const Task& task) {
    if (is_line(task)) return {"P", task.sizes["columns"]};
    return {"P", task.sizes["columns"], task.sizes["rows"], task.sizes["channels"]};
  }

  static std::uint64_t shared_words(const Task& task) {
    if (task.variant == "1d-tiled") return task.sizes["t"] + 2 * task.sizes["v"];
    if (task.variant == "1d-cached") return task.sizes["t"];
    if (task.variant != "2d-tiled") return 0;
    const std::uint64_t side = plane_of(task).loaded();
    return task.sizes["channels"] * side * side;
  }
  static std::string refusal(const Task& task) {
    const std::uint64_t t = task.sizes["t"];
    if (is_line(task) &&
        rounded_up(t, task.machine.w) > rounded_up(task.machine.p, task.machine.w)) {
      return "a block of t=" + std::to_string(t) +
             " threads does not fit p=" + std::to_string(task.machine.p) + ": choose a smaller t";
    }
    const std::uint64_t words = rounded_up(shared_words(task), task.machine.w);
    if (words <= task.machine.capacity) return {};
    return "a block takes " + std::to_string(words) + " words, and a shared memory has " +
           std::to_string(task.machine.capacity) + ": choose a smaller t";
  }

  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    const bool nearest = ghosts(task) == GhostCells::nearest;
    if (is_line(task)) return oracle::convolution_of_line(inputs[0], inputs[1], nearest);
    const Sizes& sizes = task.sizes;
    return oracle::convolution_of_image(inputs[0], inputs[1], sizes["rows"], sizes["columns"],
                                        sizes["channels"], sizes["v"], nearest);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    if constexpr (!Hierarchical<Machine>) {
      throw unsuitable("tiled-convolution runs on an HMM");
    } else {
      const bool basic = task.variant.ends_with("basic");
      Memory& mask_memory = basic ? machine.global() : machine.add_constant_memory(1);
      Array<T> m(mask_memory, inputs[1], "M");
      Launch launch{.shared_words = shared_words(task), .name = std::string(name)};
      if (is_line(task)) {
        const ConvolvingLine line = line_of(task);
        Array<T> n(machine.global(), inputs[0], "N");
        Array<T> p(machine.global(), n.size(), "P");
        launch.blocks = line.blocks();
        launch.threads = line.t;
        const auto program = task.variant == "1d-tiled"    ? &convolve_line_tiled<T>
                             : task.variant == "1d-cached" ? &convolve_line_cached<T>
                                                           : &convolve_line<T>;
        const Time time = machine.launch(launch, program, n, m, p, line);
        return {{p.values().begin(), p.values().end()}, time};
      }
      const ConvolvingPlane plane = plane_of(task);
      const std::uint64_t words = plane.columns * plane.channels;
      std::vector<T> padded(plane.rows * plane.pitch);
      for (std::uint64_t k = 0; k < inputs[0].size(); ++k) {
        padded[k / words * plane.pitch + k % words] = inputs[0][k];
      }
      Array<T> n(machine.global(), padded, "N");
      Array<T> p(machine.global(), padded.size(), "P");
      launch.blocks = plane.blocks();
      launch.threads = task.machine.p;
      const auto program =
          task.variant == "2d-tiled" ? &convolve_plane_tiled<T> : &convolve_plane<T>;
      const Time time = machine.launch(launch, program, n, m, p, plane);
      std::vector<T> values(inputs[0].size());
      for (std::uint64_t k = 0; k < values.size(); ++k) {
        values[k] = p.values()[k / words * plane.pitch + k % words];
      }
      return {std::move(values), time};
    }
  }

  static Cost<std::uint64_t> cost(const Task& task) {
    const MachineParameters& machine = task.machine;
    const bool constant = !task.variant.ends_with("basic");
    if (is_line(task)) {
      const ConvolvingLine line = line_of(task);
      LaunchRounds launch(machine, machine.slots(line.t, shared_words(task)));
      for (std::uint64_t block = 0; block < line.blocks(); ++block) {
        launch.add(task.variant == "1d-tiled"    ? tiled_line_rounds(machine, line, block)
                   : task.variant == "1d-cached" ? cached_line_rounds(machine, line, block)
                                                 : line_rounds(machine, line, block, constant));
      }
      return launch.cost();
    }
    const ConvolvingPlane plane = plane_of(task);
    LaunchRounds launch(machine);
    for (std::uint64_t block = 0; block < plane.blocks(); ++block) {
      launch.add(task.variant == "2d-tiled" ? tiled_plane_rounds(machine, plane, block)
                                            : plane_rounds(machine, plane, block, constant));
    }
    return launch.cost();
  }

  /// CONV counts accesses and states no times.
  static std::optional<Bound> upper(const Task&) { return std::nullopt; }

  /// Each output is written. All elements of a line are read, and all elements of an image that a
  /// mask reaches.
  static std::vector<Bound> lower(const Task& task) {
    const std::uint64_t n = output(task).size();
    const MachineParameters& machine = task.machine;
    return {{2, {{"bandwidth n/w", n, machine.w}}},
            {2, {{"latency nL/P", n * machine.L, rounded_up(machine.p, machine.w) * machine.d}}}};
  }
};

}  // namespace bankproof
