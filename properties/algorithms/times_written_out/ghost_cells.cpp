// Convolutions with ghost cells that are zero (CONV 7.2 to 7.8), written out: lines and images of
// whole blocks with rows of whole warps.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>
#include <set>

#include "../../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../../testing/property.hpp"
#include "times.hpp"

namespace bankproof::written_out {
namespace {

using Place = std::int64_t;
Place place(Number k) { return static_cast<Place>(k); }

/// Counts of one access.
struct Access {
  Number groups = 0;  ///< groups, counted for each warp
  Number warps = 0;   ///< warps that take part

  Access& operator+=(const Access& other) {
    groups += other.groups;
    warps += other.warps;
    return *this;
  }
};

/// The access of `count` threads. A thread accesses word_of(thread), or nothing if that is empty.
template <class WordOf>
Access access(Number threads, Number w, WordOf word_of) {
  Access sum;
  for (Number warp = 0; warp < threads; warp += w) {
    std::set<Place> groups;
    for (Number thread = warp; thread < std::min(warp + w, threads); ++thread) {
      if (const std::optional<Place> word = word_of(place(thread))) {
        groups.insert(*word / place(w));
      }
    }
    sum += {groups.size(), groups.empty() ? 0U : 1U};
  }
  return sum;
}

/// k if it lies within 0 … size − 1, otherwise nothing.
std::optional<Place> within(Place k, Number size) {
  return k >= 0 && k < place(size) ? std::optional(k) : std::nullopt;
}

/// Lines in blocks of t threads, all resident on d DMMs.
struct Lines {
  Number w;
  Number t;
  Number v;  ///< at most t
  Number blocks;
  Number d;
  Number l;
  Number L;

  Number n() const { return t * blocks; }
  Number on_a_dmm() const { return ceil(blocks, d); }
  Time time(std::string_view variant) const {
    return machine_time<TiledConvolution>(variant,
                                          {.w = w, .l = l, .L = L, .d = d, .p = t * on_a_dmm()},
                                          {{"columns", n()}, {"v", v}, {"t", t}, {"nearest", 0}});
  }

  /// Adds of(shift) for each shift from −v to v.
  template <class Of>
  Number all_shifts(Of of) const {
    Number sum = 0;
    for (Place shift = -place(v); shift <= place(v); ++shift) sum += of(shift);
    return sum;
  }
  Number written() const { return round(n() / w, L); }

  Number basic(bool constant) const {
    return all_shifts([&](Place shift) {
             const Access elements =
                 access(n(), w, [&](Place i) { return within(i + shift, n()); });
             return round(elements.groups, L) + round(elements.warps, constant ? 1 : L);
           }) +
           written();
  }
  Number tiled() const {
    // The last v threads of each block but the first load the left halo; then all threads load
    // their elements; then the first v threads load the right halo. The threads also write zeros to
    // shared memory.
    const Number of_halo = ceil(v, w);
    const Number halo = round((blocks - 1) * of_halo, L) + round(on_a_dmm() * of_halo, l);
    const Number own = round(n() / w, L) + round(on_a_dmm() * t / w, l);
    const Number terms = (2 * v + 1) * (round(on_a_dmm() * t / w, l) + round(n() / w, 1));
    return halo + own + halo + terms + written();
  }
  Number cached() const {
    Number time = round(n() / w, L) + round(on_a_dmm() * t / w, l);
    time += all_shifts([&](Place shift) {
      // A block reads its own elements from shared memory, and elements of other blocks from global
      // memory.
      const Access own = access(t, w, [&](Place i) { return within(i + shift, t); });
      const Access others = access(n(), w, [&](Place i) {
        const bool is_own = within(i % place(t) + shift, t).has_value();
        return is_own ? std::nullopt : within(i + shift, n());
      });
      return round(on_a_dmm() * own.warps, l) + round(others.groups, L) + round(n() / w, 1);
    });
    return time + written();
  }
};

BANKPROOF_PROPERTY(TimesWrittenOut, of_lines_with_ghost_cells, ()) {
  const Number w = any(1, 5);
  const Number t = w * any(1, 3);
  const Lines lines{w, t, any(0, t), any(1, 5), any(1, 3), any(1, 9), any(1, 30)};
  RC_ASSERT(lines.time("1d-basic") == lines.basic(false));
  RC_ASSERT(lines.time("1d-constant") == lines.basic(true));
  RC_ASSERT(lines.time("1d-tiled") == lines.tiled());
  RC_ASSERT(lines.time("1d-cached") == lines.cached());
}

/// Images of down × across tiles of t × t pixels with several channels, one tile on each DMM.
struct Planes {
  Number w;
  Number t;
  Number v;
  Number down;
  Number across;
  Number channels;
  Number l;
  Number L;

  Number side() const { return t + 2 * v; }
  Number d() const { return down * across; }
  Number rows() const { return down * t; }
  Number columns() const { return across * t; }
  /// The number of threads: enough for one row of a tile with its halo, and so for rows_at_once()
  /// rows of a tile without halo.
  Number p() const { return ceil(side(), w) * w; }
  Number rows_at_once() const { return p() / t; }
  Time time(std::string_view variant) const {
    return machine_time<TiledConvolution>(variant, {.w = w, .l = l, .L = L, .d = d(), .p = p()},
                                          {{"columns", columns()},
                                           {"rows", rows()},
                                           {"channels", channels},
                                           {"v", v},
                                           {"t", t},
                                           {"nearest", 0},
                                           {"padded", 0}});
  }

  /// The access to `count` pixels of a channel in all tiles, from (y, x) of each tile on.
  Access row_of_tiles(Place y, Place x, Number count, Number channel) const {
    Access sum;
    for (Number tile = 0; tile < d(); ++tile) {
      const auto row = within(place(tile / across * t) + y, rows());
      if (!row) continue;
      sum += access(count, w, [&](Place j) -> std::optional<Place> {
        const auto column = within(place(tile % across * t) + x + j, columns());
        if (!column) return std::nullopt;
        return (*row * place(columns()) + *column) * place(channels) + place(channel);
      });
    }
    return sum;
  }
  /// Adds of(channel, row, rows) over the turns of a tile.
  template <class Of>
  Number all_turns(Of of) const {
    Number sum = 0;
    for (Number channel = 0; channel < channels; ++channel) {
      for (Number row = 0; row < t; row += rows_at_once()) {
        sum += of(channel, row, std::min(rows_at_once(), t - row));
      }
    }
    return sum;
  }
  /// The access to some rows of the tiles, moved by (down, right).
  Access moved(Number row, Number count, Place down_by, Place right_by, Number channel) const {
    Access sum;
    for (Number y = row; y < row + count; ++y) {
      sum += row_of_tiles(place(y) + down_by, right_by, t, channel);
    }
    return sum;
  }

  Number basic(bool constant) const {
    return all_turns([&](Number channel, Number row, Number count) {
      Number time = 0;
      for (Place down_by = -place(v); down_by <= place(v); ++down_by) {
        for (Place right_by = -place(v); right_by <= place(v); ++right_by) {
          const Access pixels = moved(row, count, down_by, right_by, channel);
          time += round(pixels.groups, L) + round(pixels.warps, constant ? 1 : L);
        }
      }
      return time + round(moved(row, count, 0, 0, channel).groups, L);
    });
  }
  Number tiled() const {
    Number time = 0;
    for (Number channel = 0; channel < channels; ++channel) {
      for (Number row = 0; row < side(); ++row) {
        const Access pixels = row_of_tiles(place(row) - place(v), -place(v), side(), channel);
        time += round(pixels.groups, L) + round(ceil(side(), w), l);
      }
    }
    const Number terms = (2 * v + 1) * (2 * v + 1);
    return time + all_turns([&](Number channel, Number row, Number count) {
             const Number warps = count * t / w;
             return terms * (round(warps, l) + round(d() * warps, 1)) +
                    round(moved(row, count, 0, 0, channel).groups, L);
           });
  }
};

BANKPROOF_PROPERTY(TimesWrittenOut, of_images_with_ghost_cells, ()) {
  const Number w = any(1, 4);
  const Planes planes{w,         w * any(1, 2), any(0, 3), any(1, 3),
                      any(1, 3), any(1, 2),     any(1, 9), any(1, 30)};
  RC_ASSERT(planes.time("2d-basic") == planes.basic(false));
  RC_ASSERT(planes.time("2d-constant") == planes.basic(true));
  RC_ASSERT(planes.time("2d-tiled") == planes.tiled());
}

}  // namespace
}  // namespace bankproof::written_out
