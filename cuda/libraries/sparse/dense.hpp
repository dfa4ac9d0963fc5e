// Dense matrices of cuSPARSE, by rows or by columns.
#pragma once

#include "elements.hpp"

namespace bankproof::cuda::sparse {

/// A dense matrix in memory: lines of its order.
struct Lines {
  std::int64_t count = 0;
  std::int64_t size = 0;
  libraries::Segments segments;
};
inline Lines lines_of(const cusparseDnMatDescr& of) {
  const bool by_columns = of.order == CUSPARSE_ORDER_COL;
  Lines lines{by_columns ? of.columns : of.rows, by_columns ? of.rows : of.columns, {}};
  for (std::int64_t k = 0; k < lines.count; ++k) {
    libraries::add_elements(lines.segments, k * of.leading, lines.size, blas::bytes_of(of.type));
  }
  return lines;
}

struct DenseShape {
  libraries::Segments segments;
};
inline libraries::Segments segments_of(const DenseShape& shape, std::size_t) {
  return shape.segments;
}

/// Row by row, whatever the order in memory is.
template <class V>
std::vector<V> read_rows(Operation& on, const char* name, const cusparseDnMatDescr& of) {
  const Lines lines = lines_of(of);
  auto memory =
      blas::read<V>(on, blas::typed(name, of.values, of.type), DenseShape{lines.segments});
  if (of.order == CUSPARSE_ORDER_ROW) return memory;
  std::vector<V> rows(memory.size());
  for (std::size_t k = 0; k < memory.size(); ++k) {
    const auto size = static_cast<std::size_t>(lines.size);
    rows[k % size * static_cast<std::size_t>(lines.count) + k / size] = memory[k];
  }
  return rows;
}
template <class V>
void write_rows(Operation& on, const char* name, const cusparseDnMatDescr& of,
                const std::vector<V>& rows) {
  const Lines lines = lines_of(of);
  std::vector<V> memory = rows;
  if (of.order == CUSPARSE_ORDER_COL) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto size = static_cast<std::size_t>(lines.size);
      memory[k] = rows[k % size * static_cast<std::size_t>(lines.count) + k / size];
    }
  }
  blas::write(on, blas::typed(name, of.values, of.type), DenseShape{lines.segments}, memory);
}

}  // namespace bankproof::cuda::sparse
