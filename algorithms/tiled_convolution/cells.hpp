// The elements that a convolution with ghost cells reads (CONV 7.1). For a cell within a row, the
// convolution reads the element. For a cell beyond the ends, it reads nothing (zero cells) or the
// nearest element.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../launch_rounds.hpp"
#include "../layout.hpp"

namespace bankproof {

/// A row of `length` elements, `step` words apart from word `base` on.
struct Row {
  std::uint64_t length;
  GhostCells ghosts = GhostCells::zero;
  std::uint64_t base = 0;
  std::uint64_t step = 1;

  Address nearest(Address index) const { return nearest_cell(index, length); }
  /// The words of elements i, for the threads that read an element.
  Lanes<Address> words(const Progression& i) const {
    return make_lanes(
        i.width(), [&](Width lane) -> Address { return row_major(nearest(i[lane]), base, step); });
  }
  /// The threads whose element is read.
  Mask present(const Progression& i) const {
    return ghosts == GhostCells::nearest ? first_lanes(i.width()) : i < length;
  }

  /// The access of threads 0 … count − 1 to consecutive cells; thread 0 reads cell `first`.
  struct Access {
    std::uint64_t global_stages = 0;
    std::uint64_t warps = 0;  ///< warps with a thread that reads
    std::uint64_t requests = 0;
  };
  Access access(std::int64_t first, std::uint64_t count, std::uint64_t w) const {
    Access sum;
    const auto last_element = static_cast<std::int64_t>(length) - 1;
    for (std::uint64_t thread = 0; thread < count; thread += w) {
      const std::int64_t from = first + static_cast<std::int64_t>(thread);
      const std::int64_t to = from + static_cast<std::int64_t>(std::min(w, count - thread)) - 1;
      const auto within = [&](std::int64_t index) {
        return std::clamp<std::int64_t>(index, 0, last_element);
      };
      const bool some = ghosts == GhostCells::nearest || (to >= 0 && from <= last_element);
      if (!some) continue;
      const auto elements = static_cast<std::uint64_t>(within(to) - within(from)) + 1;
      const auto low = static_cast<std::uint64_t>(within(from));
      const Run<std::uint64_t> run{base + step * low, elements};
      sum.global_stages += stages_of_stride(MemoryKind::groups, run, step, w);
      sum.requests +=
          ghosts == GhostCells::nearest ? static_cast<std::uint64_t>(to - from) + 1 : elements;
      ++sum.warps;
    }
    return sum;
  }
};

}  // namespace bankproof
