// Indices of the threads of a warp of formulas (warp.hpp), and the threads that a mask selects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "../../algorithms/window.hpp"
#include "../written/written.hpp"

namespace bankproof::proofs {

/// Whose number is j in first + step·j: the threads of a block, or those of the launch.
enum class Numbered : std::uint8_t { in_block, in_launch };

struct WrittenDiagonal;

/// An index of each thread: first + step·j, and in a sweep of row r, first + row_step·r + step·j.
struct WrittenIndex {
  Written first;
  Written step = 1;
  Numbered numbered = Numbered::in_block;
  Written row_step = 0;
  /// If the words are others, which take the same stages: the word of an element (i, j) of a tile
  /// in diagonal arrangement.
  std::shared_ptr<const WrittenDiagonal> diagonal{};

  /// The word of a thread of a row.
  Written word(const Written& row, const Written& lane) const;
};
struct WrittenDiagonal {
  WrittenIndex i;
  WrittenIndex j;
  Written w;
};
WrittenIndex operator+(const WrittenIndex& i, const Written& b);
WrittenIndex operator*(const Written& b, const WrittenIndex& i);
WrittenIndex operator+(const WrittenIndex& i, const WrittenIndex& j);
inline WrittenIndex operator-(const WrittenIndex& i, const Written& b) {
  return {i.first - b, i.step, i.numbered, i.row_step};
}
inline WrittenIndex operator+(const Written& b, const WrittenIndex& i) { return i + b; }
inline WrittenIndex operator*(const WrittenIndex& i, const Written& b) { return b * i; }

/// The element of each thread in a sweep.
struct WrittenElement {
  WrittenIndex i;  ///< its row
  WrittenIndex j;  ///< its column
};

/// Threads 0, 1, …, count − 1; or in a sweep, the threads of rows whose index is below an end.
struct WrittenMask {
  struct Rows {
    WrittenIndex index;  ///< the same for all threads of a row
    Written end;
  };
  Written count;
  std::optional<Rows> rows{};
};
WrittenMask operator<(const WrittenIndex& i, const Written& end);
/// Requires the threads' own numbers, and the number 0.
WrittenMask operator==(const WrittenIndex& i, const Written& number);

/// The threads whose elements (i, j) of a window lie in its matrix.
struct WrittenPart {
  WindowOf<Written> window;
  WrittenIndex i;
  WrittenIndex j;
};
inline WrittenPart inside(const WindowOf<Written>& window, const WrittenIndex& i,
                          const WrittenIndex& j) {
  return {window, i, j};
}

/// A program on formulas does what this warp has no formulas for: throws std::logic_error.
[[noreturn]] void refuse(const std::string& what);

}  // namespace bankproof::proofs
