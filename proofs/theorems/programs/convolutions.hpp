// The programs that convolve lines, on formulas.
#pragma once

#include <vector>

#include "../../../algorithms/convolution.hpp"
#include "../../programs/theorem.hpp"

namespace bankproof::proofs {

inline WrittenRun run_line_convolution(const TaskOf<Written>& task) {
  const DirectConvolvingOf<Written> size = Convolution::size_of(task);
  const Written pitch = rounded_up(size.n, task.machine.w);
  WrittenWarp warp({.machine = task.machine, .threads = task.machine.p});
  WrittenArray x(warp, size.m);
  WrittenArray y(warp, size.n + size.m - 1);
  WrittenArray partial(warp, size.pieces * pitch);
  warp.run(convolve<int>(warp, x, y, partial, size, pitch));
  return warp.result();
}

/// A launch in which each DMM runs a block.
inline WrittenRun run_convolution_of_shares(const TaskOf<Written>& task) {
  const DirectConvolvingOf<Written> share = Convolution::size_of(task);
  const Written& n = task.sizes["n"];
  WrittenWarp warp({.machine = task.machine,
                    .threads = task.machine.p,
                    .blocks = task.machine.d,
                    .at_a_time = task.machine.d});
  WrittenArray x(warp, share.m);
  WrittenArray y(warp, n + share.m - 1);
  WrittenArray z(warp, n);
  warp.run(convolve_shares<int>(warp, x, y, z, share, rounded_up(share.n, task.machine.w)));
  return warp.result();
}

inline std::vector<SweepShape<Written>> sweeps_of_lines(const TaskOf<Written>& task) {
  const DirectConvolvingOf<Written> size = Convolution::size_of(task);
  return {{size.pieces, size.n, task.machine.p, task.machine.w}};
}

/// A level adds pairs of rows.
inline SweepShape<Written> sweep_of_level(const TaskOf<Written>& task, const Written& distance) {
  const DirectConvolvingOf<Written> size = Convolution::size_of(task);
  return {pairs_of_level(size.pieces, distance), size.n, task.machine.p, task.machine.w};
}

}  // namespace bankproof::proofs
