// Goes through the tiles of a part, and keeps its sums in memory; see part_layout.hpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "one_pass.hpp"
#include "part_layout.hpp"

namespace bankproof {

/// A tile's row and column in a box of tiles.
using TilePlace = std::pair<std::uint64_t, std::uint64_t>;

/// Calls `of(sink, y, x)` for the tiles of a part's box on diagonals from … to − 1, row by row.
template <class Launch, class N, class Of>
void over_tiles(Launch& launch, const PartOf<N>& part, const N& from, const N& to, Of of) {
  launch.times(part.down, [&](Launch& some, const N& y) {
    const auto row = part.row(from, to, y);
    some.times(row.count, [&](Launch& one, const N& k) { of(one, y, row.begin + k); });
  });
}

/// A list of tiles, in the order of over_tiles().
class TilePlaces : public InOrder<TilePlaces> {
 public:
  void add(const Part& part, std::uint64_t from, std::uint64_t to) {
    over_tiles(*this, part, from, to, [](TilePlaces& all, std::uint64_t y, std::uint64_t x) {
      all.places_.emplace_back(y, x);
    });
  }
  std::uint64_t count() const { return places_.size(); }
  const TilePlace& operator[](std::uint64_t k) const { return places_[k]; }

 private:
  std::vector<TilePlace> places_;
};

/// The matrices C, Rᵀ and M of a part.
template <class T>
struct SumArrays {
  Array<T> columns;
  Array<T> rows;
  Array<T> tiles;

  SumArrays(Memory& memory, const Part& part)
      : columns(memory, part.columns().rows * part.columns().columns, "C"),
        rows(memory, part.rows().rows * part.rows().columns, "R"),
        tiles(memory, part.corners().rows * part.corners().columns, "M") {}
  Carry<T> carry() { return {columns, rows, tiles}; }
};

}  // namespace bankproof
