// Which bytes of an operand a call uses: the elements of a vector, or the stored parts of a
// matrix's columns.
//
//     segments_of(VectorShape{3, 2}, 4)  // the bytes 0–3, 8–11 and 16–19
//
// A matrix is stored by columns. Of each column, one range of rows is stored, and lies in one
// piece: all rows; in a triangle, those on one side of the diagonal; in a band, those near it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../../runtime/streams/library_calls.hpp"

namespace bankproof::cuda::libraries {

using Segments = std::vector<BankproofSegment>;

/// Adds elements to the last segment if they follow it.
inline void add_elements(Segments& segments, std::int64_t first, std::int64_t count,
                         std::size_t element_bytes) {
  if (count <= 0) return;
  const auto offset = static_cast<std::uint64_t>(first) * element_bytes;
  const auto bytes = static_cast<std::uint64_t>(count) * element_bytes;
  if (!segments.empty() && segments.back().offset + segments.back().bytes == offset) {
    segments.back().bytes += bytes;
  } else {
    segments.push_back({offset, bytes});
  }
}

/// `increment` elements lie from one element to the next. If it is negative, the vector's last
/// element lies first, as in BLAS.
struct VectorShape {
  std::int64_t size = 0;
  std::int64_t increment = 1;
  std::int64_t step() const { return std::abs(increment); }
};

inline Segments segments_of(const VectorShape& shape, std::size_t element_bytes) {
  Segments segments;
  if (shape.increment == 0) {
    add_elements(segments, 0, std::min<std::int64_t>(shape.size, 1), element_bytes);
    return segments;
  }
  if (shape.step() != 1 && shape.size > 0) segments.reserve(static_cast<std::size_t>(shape.size));
  for (std::int64_t k = 0; k < shape.size; ++k) {
    add_elements(segments, k * shape.step(), shape.step() == 1 ? shape.size : 1, element_bytes);
    if (shape.step() == 1) break;
  }
  return segments;
}

enum class Form : std::uint8_t { full, band, packed };
enum class Part : std::uint8_t { all, upper, lower };

/// The stored rows of a column, and the distance of the first of them in elements.
struct StoredColumn {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t offset = 0;
};

struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;  // from a column to the next; not if packed
  Form form = Form::full;
  Part part = Part::all;
  std::int64_t below = 0;  // diagonals of a band below the main one,
  std::int64_t above = 0;  // and above it
  bool unit = false;       // the diagonal is not stored: it has ones

  StoredColumn column(std::int64_t j) const {
    StoredColumn stored = column_with_diagonal(j);
    if (!unit || part == Part::all) return stored;
    if (part == Part::upper) {
      --stored.end;
    } else {
      ++stored.first;
      ++stored.offset;
    }
    return stored;
  }

 private:
  StoredColumn column_with_diagonal(std::int64_t j) const {
    StoredColumn stored;
    const std::int64_t high = part == Part::lower ? 0 : above;  // of a band
    const std::int64_t low = part == Part::upper ? 0 : below;
    stored.first = part == Part::lower ? j : 0;
    stored.end = part == Part::upper ? j + 1 : rows;
    if (form == Form::band) {
      stored.first = std::max(stored.first, j - high);
      stored.end = std::min(stored.end, j + low + 1);
      stored.offset = j * leading + high + stored.first - j;
    } else if (form == Form::packed) {
      stored.offset = part == Part::upper ? j * (j + 1) / 2 : j * (2 * rows - j + 1) / 2;
    } else {
      stored.offset = j * leading + stored.first;
    }
    return stored;
  }
};

inline Segments segments_of(const MatrixShape& shape, std::size_t element_bytes) {
  Segments segments;
  for (std::int64_t j = 0; j < shape.columns; ++j) {
    const StoredColumn stored = shape.column(j);
    add_elements(segments, stored.offset, stored.end - stored.first, element_bytes);
  }
  return segments;
}

}  // namespace bankproof::cuda::libraries
