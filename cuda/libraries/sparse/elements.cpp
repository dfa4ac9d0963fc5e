// See elements.hpp.
#include "elements.hpp"

namespace bankproof::cuda::sparse {
namespace {

std::vector<std::int64_t> read_indices(Operation& on, const char* name, const void* memory,
                                       cusparseIndexType_t type, std::int64_t count,
                                       cusparseIndexBase_t base) {
  std::vector<std::int64_t> indices;
  if (type == CUSPARSE_INDEX_64I) {
    indices = on.read<std::int64_t>(name, memory, VectorShape{count, 1});
  } else {
    const auto narrow = on.read<std::int32_t>(name, memory, VectorShape{count, 1});
    indices.assign(narrow.begin(), narrow.end());
  }
  for (std::int64_t& index : indices) index -= base;
  return indices;
}

void require_below(const Operation& on, const char* what, std::int64_t index, std::int64_t end) {
  if (index >= 0 && index < end) return;
  on.refuse_index(
      fmt::format("{} {} leads out of the matrix, where they are below {}", what, index, end));
}

/// The row of each element of a compressed matrix; of CSC, the column.
std::vector<std::int64_t> lines_of(Operation& on, const cusparseSpMatDescr& a, std::int64_t lines) {
  const auto offsets = read_indices(on, "the offsets", a.offsets, a.offset_type, lines + 1, a.base);
  std::vector<std::int64_t> result;
  for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
    require_below(on, "the offset", offsets[line], a.count + 1);
    require_below(on, "the offset", offsets[line + 1], a.count + 1);
    if (offsets[line] != static_cast<std::int64_t>(result.size()) ||
        offsets[line + 1] < offsets[line]) {
      on.refuse_index(fmt::format("the offsets {} and {} do not grow from 0", offsets[line],
                                  offsets[line + 1]));
    }
    result.resize(static_cast<std::size_t>(offsets[line + 1]), static_cast<std::int64_t>(line));
  }
  return result;
}

}  // namespace

std::vector<Position> positions_of(Operation& on, const cusparseSpMatDescr& a) {
  const bool by_columns = a.format == CUSPARSE_FORMAT_CSC;
  const std::int64_t lines = by_columns ? a.columns : a.rows;
  const std::int64_t others = by_columns ? a.rows : a.columns;
  const auto first =
      a.format == CUSPARSE_FORMAT_COO
          ? read_indices(on, "the indices of rows", a.offsets, a.index_type, a.count, a.base)
          : lines_of(on, a, lines);
  const auto count = static_cast<std::int64_t>(first.size());
  const auto second = read_indices(on, "the indices", a.indices, a.index_type, count, a.base);
  std::vector<Position> positions;
  positions.reserve(second.size());
  for (std::size_t k = 0; k < second.size(); ++k) {
    require_below(on, "the index", first[k], lines);
    require_below(on, "the index", second[k], others);
    positions.push_back(by_columns ? Position{second[k], first[k]} : Position{first[k], second[k]});
  }
  return positions;
}

}  // namespace bankproof::cuda::sparse
