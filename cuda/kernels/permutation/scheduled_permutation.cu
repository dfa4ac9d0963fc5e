// The host's side of row-wise and column-wise permutation; see scheduled_permutation.hpp.
#include <algorithm>
#include <string>
#include <type_traits>

#include "../support/checks.hpp"
#include "../support/words.hpp"
#include "../transpose/transpose.hpp"
#include "scheduled_permutation.cuh"
#include "scheduled_permutation.hpp"

namespace bankproof::cuda {

namespace {

/// The number of lanes of one row's plan that each thread of a block executes.
struct Deal {
  std::uint32_t lanes;
  std::uint32_t threads;
  std::uint32_t items;  // lanes per thread

  /// The plans permute `rows` rows of `words` words. Throws std::invalid_argument if the tables do
  /// not have the size of such plans.
  Deal(const char* what, const PlanTables& plans, std::size_t rows, std::size_t words) {
    const std::size_t all = plans.s.size();
    const std::size_t of_row = rows == 0 ? 0 : all / rows;
    const auto most = static_cast<std::size_t>(rounded_up<std::uint64_t>(words, 32));
    if (of_row * rows != all || of_row < words || of_row > most) {
      refuse(what, "tables of " + std::to_string(all) + " lanes are not plans for " +
                       std::to_string(rows) + " rows of " + std::to_string(words) + " elements");
    }
    lanes = static_cast<std::uint32_t>(of_row);
    threads = std::min<std::uint32_t>(ceil_div(lanes, 32) * 32, 1024);
    items = static_cast<std::uint32_t>(ceil_div(lanes, threads));
  }
};

/// Throws if a launch with one block per row, or one block per column, is too large.
void require_sides(const char* what, std::size_t rows, std::size_t columns) {
  blocks_for(std::max(rows, columns), what);
}

/// Checks the arguments of a call that permutes the rows or columns of a, a rows × columns matrix.
template <class T>
void require_arrays(const char* what, std::span<const T> a, T* b, std::size_t rows,
                    std::size_t columns, const PlanTables& plans) {
  require_matrix(a.size(), rows, columns, what);
  require_sides(what, rows, columns);
  require_apart_or_in_place(what, {"a", a}, {"b", b, a.size()}, {{"s", plans.s}, {"d", plans.d}});
}

/// Calls act(number), where `number` is at least `items`: the smallest such number of items per
/// thread for which the kernel is compiled. If each of 1024 threads had more items than the largest
/// compiled number, the items of the block would not fit into shared memory.
template <class Act>
void with_items(const char* what, std::uint32_t items, Act act) {
  if (items <= 4) return act(std::integral_constant<int, 4>{});
  if (items <= 16) return act(std::integral_constant<int, 16>{});
  if (items <= 20) return act(std::integral_constant<int, 20>{});
  if (items <= 40) return act(std::integral_constant<int, 40>{});
  if (items <= 64) return act(std::integral_constant<int, 64>{});
  refuse(what, "a row has more than 65536 elements");
}

/// Permutes the rows of a matrix. Only the first n_of_a elements of a exist, and the first n_of_b
/// of b.
template <class W>
void pass_over_rows(const char* what, const W* a, std::size_t n_of_a, W* b, std::size_t n_of_b,
                    std::size_t rows, std::size_t columns, const PlanTables& plans,
                    cudaStream_t stream) {
  const Deal deal(what, plans, rows, columns);
  visit_tables<std::uint16_t, std::uint32_t>(
      plans, what, [&]<class Index>(const Index* s, const Index* d) {
        with_items(what, deal.items, [&](auto items) {
          const std::size_t bytes = columns * sizeof(W);
          auto* const kernel = kernels::permute_rows<decltype(items)::value, W, Index>;
          allow_shared_memory(kernel, bytes, what);
          kernel<<<static_cast<std::uint32_t>(rows), deal.threads, bytes, stream>>>(
              a, b, n_of_a, n_of_b, static_cast<std::uint32_t>(columns),
              kernels::RowPlansOf<Index>{s, d, deal.lanes});
          require_launched("permute_rows");
        });
      });
}

/// A group of 2^log2_columns columns. Its pitch puts the words of a row in different banks, and
/// also the words of a column.
template <class W>
kernels::ColumnGroup group_of(std::uint32_t log2_columns, std::size_t rows) {
  constexpr std::uint32_t wavefront = 128 / sizeof(W);
  const std::size_t apart = (wavefront >> log2_columns) % wavefront;
  const std::size_t pitch =
      rounded_up<std::uint64_t>(std::max(rows, apart) - apart, wavefront) + apart;
  return {log2_columns, static_cast<std::uint32_t>(pitch)};
}
template <class W>
std::size_t bytes_of(const kernels::ColumnGroup& group) {
  return (std::size_t{group.pitch} << group.log2_columns) * sizeof(W);
}

constexpr std::size_t sector = 32;

/// The group of columns that a block takes. A group has 128 or 64 bytes of each row if three such
/// blocks fit into shared memory. Otherwise it has a sector of each row if one such block fits, or
/// else as many columns as fit.
template <class W>
kernels::ColumnGroup group_for(const char* what, std::size_t rows) {
  const std::size_t room = shared_memory_of_block();
  for (std::uint32_t log2_columns = sizeof(W) == 4 ? 5 : 4;; --log2_columns) {
    const kernels::ColumnGroup group = group_of<W>(log2_columns, rows);
    const std::size_t bytes = bytes_of<W>(group);
    const bool is_wide = (sizeof(W) << log2_columns) > sector;
    if (bytes <= (is_wide ? room / 3 : room)) return group;
    if (log2_columns == 0) {
      refuse(what, "a column of " + std::to_string(bytes) +
                       " bytes; a block of this device has at most " + std::to_string(room) +
                       " of shared memory");
    }
  }
}

template <class W>
void pass_over_columns(const char* what, const W* a, W* b, std::size_t rows, std::size_t columns,
                       const PlanTables& plans, cudaStream_t stream) {
  const Deal deal(what, plans, columns, rows);
  const kernels::ColumnGroup group = group_for<W>(what, rows);
  const std::size_t width = std::size_t{1} << group.log2_columns;
  visit_tables<std::uint16_t,
               std::uint32_t>(plans, what, [&]<class Index>(const Index* s, const Index* d) {
    with_items(what, deal.items, [&](auto items) {
      const std::size_t bytes = width * group.pitch * sizeof(W);
      auto* const kernel = kernels::permute_columns<decltype(items)::value, W, Index>;
      allow_shared_memory(kernel, bytes, what);
      kernel<<<static_cast<std::uint32_t>(ceil_div(columns, width)), deal.threads, bytes, stream>>>(
          a, b, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), group,
          kernels::RowPlansOf<Index>{s, d, deal.lanes});
      require_launched("permute_columns");
    });
  });
}

/// Permutes columns from a to b, which may be the same array; `other` holds the transposed matrix.
template <class W>
void columns_by_transposes(const char* what, const W* a, W* b, W* other, std::size_t rows,
                           std::size_t columns, const PlanTables& plans, cudaStream_t stream) {
  const std::size_t n = rows * columns;
  transpose<W>({a, n}, other, rows, columns, TransposeVariant::swizzled, stream);
  pass_over_rows<W>(what, other, n, other, n, columns, rows, plans, stream);
  transpose<W>({other, n}, b, columns, rows, TransposeVariant::swizzled, stream);
}

/// The number of elements of a schedule's matrix. Throws if it is less than n.
std::size_t cells_of(const char* what, std::size_t n, const ScheduleTables& schedule) {
  const std::size_t cells = product_of(schedule.rows, schedule.columns, what);
  require_sides(what, schedule.rows, schedule.columns);
  if (cells >= n) return cells;
  refuse(what, "a schedule of " + std::to_string(schedule.rows) + " x " +
                   std::to_string(schedule.columns) + " has no room for " + std::to_string(n) +
                   " elements");
}

/// Checks the arguments of a call that permutes a by a schedule.
template <class T>
void require_arrays(const char* what, std::span<const T> a, T* b, const ScheduleTables& schedule,
                    std::span<WordOf<T>> scratch) {
  require_apart_or_in_place(what, {"a", a}, {"b", b, a.size()}, {{"scratch", scratch}});
  for (const PlanTables& plans : schedule.passes) {
    require_apart(what, {{"b", b, a.size()}, {"scratch", scratch}, {"s", plans.s}, {"d", plans.d}});
  }
}

/// Permutes rows, then columns by `columns_pass(matrix)` in place, then rows. The matrix is in b
/// or, if b is too short, in the scratch memory.
template <class T, class ColumnsPass>
void by_three_passes(const char* what, std::span<const T> a, T* b, const ScheduleTables& schedule,
                     std::size_t cells, WordOf<T>* room, cudaStream_t stream,
                     ColumnsPass columns_pass) {
  using W = WordOf<T>;
  const std::size_t n = a.size();
  const auto& [rows, columns, passes] = schedule;
  W* const matrix = n == cells ? words_of(b) : room;
  pass_over_rows<W>(what, words_of(a.data()), n, matrix, cells, rows, columns, passes[0], stream);
  columns_pass(matrix);
  pass_over_rows<W>(what, matrix, cells, words_of(b), n, rows, columns, passes[2], stream);
}

}  // namespace

template <class T>
void permute_rows(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
                  const PlanTables& plans, cudaStream_t stream) {
  constexpr const char* what = "permute_rows";
  require_arrays(what, a, b, rows, columns, plans);
  if (a.empty()) return;
  pass_over_rows<WordOf<T>>(what, words_of(a.data()), a.size(), words_of(b), a.size(), rows,
                            columns, plans, stream);
}

template <class T>
std::size_t permute_columns_scratch_bytes(std::size_t rows, std::size_t columns) {
  return product_of(rows, columns, "permute_columns") * sizeof(T);
}

template <class T>
void permute_columns(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
                     const PlanTables& plans, std::span<std::byte> scratch, cudaStream_t stream) {
  using W = WordOf<T>;
  constexpr const char* what = "permute_columns";
  require_arrays(what, a, b, rows, columns, plans);
  const auto other = elements_of<W>(scratch, a.size(), what);
  require_apart(what, {{"a", a}, {"scratch", other}, {"s", plans.s}, {"d", plans.d}});
  require_apart(what, {{"b", b, a.size()}, {"scratch", other}});
  if (a.empty()) return;
  columns_by_transposes<W>(what, words_of(a.data()), words_of(b), other.data(), rows, columns,
                           plans, stream);
}

template <class T>
void permute_columns_in_one_launch(std::span<const T> a, T* b, std::size_t rows,
                                   std::size_t columns, const PlanTables& plans,
                                   cudaStream_t stream) {
  constexpr const char* what = "permute_columns_in_one_launch";
  require_arrays(what, a, b, rows, columns, plans);
  if (a.empty()) return;
  pass_over_columns<WordOf<T>>(what, words_of(a.data()), words_of(b), rows, columns, plans, stream);
}

template <class T>
std::size_t permute_scheduled_scratch_bytes(std::size_t n, const ScheduleTables& schedule) {
  const std::size_t cells = cells_of("permute_scheduled", n, schedule);
  return (n == cells ? 1 : 2) * cells * sizeof(T);
}

template <class T>
void permute_scheduled(std::span<const T> a, T* b, const ScheduleTables& schedule,
                       std::span<std::byte> scratch, cudaStream_t stream) {
  using W = WordOf<T>;
  constexpr const char* what = "permute_scheduled";
  const std::size_t cells = cells_of(what, a.size(), schedule);
  const std::size_t matrices = a.size() == cells ? 1 : 2;
  const auto room = elements_of<W>(scratch, matrices * cells, what);
  require_arrays(what, a, b, schedule, room);
  if (a.empty()) return;
  W* const other = room.data();
  by_three_passes(what, a, b, schedule, cells, other + cells, stream, [&](W* matrix) {
    columns_by_transposes<W>(what, matrix, matrix, other, schedule.rows, schedule.columns,
                             schedule.passes[1], stream);
  });
}

template <class T>
std::size_t permute_scheduled_in_three_launches_scratch_bytes(std::size_t n,
                                                              const ScheduleTables& schedule) {
  const std::size_t cells = cells_of("permute_scheduled_in_three_launches", n, schedule);
  return n == cells ? 0 : cells * sizeof(T);
}

template <class T>
void permute_scheduled_in_three_launches(std::span<const T> a, T* b, const ScheduleTables& schedule,
                                         std::span<std::byte> scratch, cudaStream_t stream) {
  using W = WordOf<T>;
  constexpr const char* what = "permute_scheduled_in_three_launches";
  const std::size_t cells = cells_of(what, a.size(), schedule);
  const auto room = elements_of<W>(scratch, a.size() == cells ? 0 : cells, what);
  require_arrays(what, a, b, schedule, room);
  if (a.empty()) return;
  by_three_passes(what, a, b, schedule, cells, room.data(), stream, [&](W* matrix) {
    pass_over_columns<W>(what, matrix, matrix, schedule.rows, schedule.columns, schedule.passes[1],
                         stream);
  });
}

template <class T>
std::size_t most_rows_in_three_launches() {
  using W = WordOf<T>;
  const std::uint32_t log2_columns = sizeof(W) == 4 ? 3 : 2;
  std::size_t rows = shared_memory_of_block() / sector;
  while (bytes_of<W>(group_of<W>(log2_columns, rows)) > shared_memory_of_block()) --rows;
  return rows;
}

#define BANKPROOF_INSTANTIATE(T)                                                                   \
  template void permute_rows<T>(std::span<const T>, T*, std::size_t, std::size_t,                  \
                                const PlanTables&, cudaStream_t);                                  \
  template std::size_t permute_columns_scratch_bytes<T>(std::size_t, std::size_t);                 \
  template void permute_columns<T>(std::span<const T>, T*, std::size_t, std::size_t,               \
                                   const PlanTables&, std::span<std::byte>, cudaStream_t);         \
  template void permute_columns_in_one_launch<T>(std::span<const T>, T*, std::size_t, std::size_t, \
                                                 const PlanTables&, cudaStream_t);                 \
  template std::size_t permute_scheduled_scratch_bytes<T>(std::size_t, const ScheduleTables&);     \
  template void permute_scheduled<T>(std::span<const T>, T*, const ScheduleTables&,                \
                                     std::span<std::byte>, cudaStream_t);                          \
  template std::size_t permute_scheduled_in_three_launches_scratch_bytes<T>(                       \
      std::size_t, const ScheduleTables&);                                                         \
  template void permute_scheduled_in_three_launches<T>(                                            \
      std::span<const T>, T*, const ScheduleTables&, std::span<std::byte>, cudaStream_t);          \
  template std::size_t most_rows_in_three_launches<T>();
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
