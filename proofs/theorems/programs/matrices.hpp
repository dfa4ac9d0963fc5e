// The programs that sweep over matrices, on formulas.
#pragma once

#include <array>
#include <vector>

#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "../../../algorithms/transpose.hpp"
#include "../../programs/theorem.hpp"

namespace bankproof::proofs {

// The words of a row, and of a column, of a tile in diagonal arrangement are in different banks
// (A12.rows, A12.columns), as consecutive words are. So they take the stages of a row.
inline WrittenIndex diagonal_row(const WrittenWarp& warp, const WrittenIndex& i,
                                 const WrittenIndex& j) {
  WrittenIndex index = row_major(i, j, warp.width());
  index.diagonal = std::make_shared<WrittenDiagonal>(WrittenDiagonal{i, j, warp.width()});
  return index;
}
inline WrittenIndex diagonal_column(const WrittenWarp& warp, const WrittenIndex& i,
                                    const WrittenIndex& j) {
  WrittenIndex index = row_major(i, j, warp.width());
  index.diagonal = std::make_shared<WrittenDiagonal>(WrittenDiagonal{j, i, warp.width()});
  return index;
}
inline AccessKind kind_of_rows(const WrittenWarp&, const Written&) {
  return AccessKind::undeclared;
}

using WrittenTask = TaskOf<Written>;
using Shapes = std::vector<SweepShape<Written>>;

inline WrittenLaunch launch_on_one_memory(const WrittenTask& task) {
  return {.machine = task.machine, .threads = task.machine.p};
}
inline WrittenLaunch launch_of_tiles(const WrittenTask& task, const Written& blocks) {
  return {.machine = task.machine,
          .threads = task.machine.p,
          .blocks = blocks,
          .at_a_time = task.machine.d};
}

/// Runs a program of two inputs and an output of these sizes, and returns what it does.
template <class Run>
WrittenRun run_of(const WrittenLaunch& launch, const std::array<Written, 3>& sizes, Run run) {
  WrittenWarp warp(launch);
  WrittenArray a(warp, sizes[0]);
  WrittenArray b(warp, sizes[1]);
  WrittenArray c(warp, sizes[2]);
  warp.run(run(warp, a, b, c));
  return warp.result();
}
inline std::array<Written, 3> words_of(const MultiplyingOf<Written>& size) {
  return {size.rows * size.inner, size.inner * size.columns, size.rows * size.columns};
}
inline std::array<Written, 3> words_of(const ConvolvingOf<Written>& image) {
  const Written pixels = image.rows * image.columns;
  return {pixels, image.side() * image.side(), pixels};
}

inline WrittenRun run_product(const WrittenTask& task) {
  const MultiplyingOf<Written> size = MatrixProduct::size_of(task.sizes);
  return run_of(launch_on_one_memory(task), words_of(size), [&](auto& warp, auto&... arrays) {
    return multiply<int>(warp, arrays..., size, Written(0) > Written(0));
  });
}
inline Shapes sweeps_of_product(const WrittenTask& task) {
  const MultiplyingOf<Written> size = MatrixProduct::size_of(task.sizes);
  return {{size.rows, size.columns, task.machine.p, task.machine.w}};
}

inline WrittenRun run_product_of_tiles(const WrittenTask& task) {
  const MultiplyingOf<Written> size = MatrixProduct::size_of(task.sizes);
  const WrittenLaunch launch = launch_of_tiles(task, MatrixProduct::blocks(task.sizes));
  return run_of(launch, words_of(size), [&](auto& warp, auto&... arrays) {
    return multiply_tiles<int>(warp, arrays..., size, task.sizes["m"]);
  });
}

inline WrittenRun run_convolution(const WrittenTask& task) {
  const ConvolvingOf<Written> image = ImageConvolution::size_of(task.sizes);
  return run_of(launch_on_one_memory(task), words_of(image), [&](auto& warp, auto&... arrays) {
    return convolve_image<int>(warp, arrays..., image);
  });
}
inline Shapes sweeps_of_image(const WrittenTask& task) {
  const ConvolvingOf<Written> image = ImageConvolution::size_of(task.sizes);
  return {{image.rows, image.columns, task.machine.p, task.machine.w}};
}

inline WrittenRun run_convolution_of_tiles(const WrittenTask& task) {
  const ConvolvingOf<Written> image = ImageConvolution::size_of(task.sizes);
  const WrittenLaunch launch = launch_of_tiles(task, ImageConvolution::blocks(task));
  return run_of(launch, words_of(image), [&](auto& warp, auto&... arrays) {
    return convolve_tiles<int>(warp, arrays..., image);
  });
}

inline WrittenRun run_transpose(const WrittenTask& task) {
  const TransposingOf<Written> matrix = Transpose::matrix_of(task);
  MachineParametersOf<Written> machine = task.machine;
  const Written threads = matrix.threads(machine.p);
  const Written slots = machine.slots(threads, matrix.shared_words());
  machine.p = threads;
  WrittenWarp warp({.machine = machine,
                    .threads = threads,
                    .blocks = matrix.tiles(),
                    .at_a_time = machine.d * slots});
  WrittenArray a(warp, matrix.rows * matrix.columns);
  WrittenArray b(warp, matrix.rows * matrix.columns);
  const bool is_direct = matrix.variant == TransposeVariant::direct;
  warp.run(is_direct ? transpose_directly<int>(warp, a, b, matrix)
                     : transpose<int>(warp, a, b, matrix));
  return warp.result();
}

inline Shapes sweeps_of_tiles(const WrittenTask& task) {
  const Written& m = task.sizes["m"];
  return {{m, m, task.machine.p, task.machine.w}};
}
inline Shapes sweeps_of_window(const WrittenTask& task) {
  const Written& w = task.machine.w;
  const Written side = w + 2 * task.sizes["v"];
  return {{side, side, task.machine.p, w}, {w, w, task.machine.p, w}};
}
inline Shapes sweeps_of_transpose(const WrittenTask& task) {
  const Written& w = task.machine.w;
  return {{w, w, Transpose::matrix_of(task).threads(task.machine.p), w}};
}

}  // namespace bankproof::proofs
