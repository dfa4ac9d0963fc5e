// The host's side of summed area tables; see summed_area_table.hpp.
#include "../support/checks.hpp"
#include "../transpose/transpose.hpp"
#include "look_back.cuh"
#include "rectangles.cuh"
#include "summed_area_table.hpp"
#include "two_passes.cuh"

namespace bankproof::cuda {

namespace {

using Diagonal = DiagonalOf<std::size_t>;
using Part = PartOf<std::size_t>;
using SecondStep = SecondStepOf<std::size_t>;
using Tiling = TilingOf<std::size_t>;
using Triangles = TrianglesOf<std::size_t>;

Tiling tiling_of(std::size_t rows, std::size_t columns) {
  return {kernels::Stairs{rows, columns}, kernels::tile_side};
}

constexpr const char* table_call = "summed_area_table";

std::uint32_t grid_of(std::size_t blocks) { return blocks_for(blocks, table_call); }

/// Hands out the parts of scratch memory; each part is aligned as an allocation is. Without
/// scratch memory, only adds up the sizes of the parts.
class Parts {
 public:
  explicit Parts(std::byte* base) : base_(base) {}

  template <class T>
  T* take(std::size_t count) {
    constexpr std::size_t alignment = 256;
    std::byte* const first = base_ == nullptr ? nullptr : base_ + used_;
    used_ += ceil_div(count * sizeof(T), alignment) * alignment;
    return reinterpret_cast<T*>(first);
  }
  std::size_t used() const { return used_; }

 private:
  std::byte* base_;
  std::size_t used_ = 0;
};

template <class T>
kernels::Sums<T> take_sums(Parts& parts, const Part& part) {
  const auto elements = [](const kernels::Stairs& of) { return of.rows * of.columns; };
  return {parts.take<T>(elements(part.columns())), parts.take<T>(elements(part.rows())),
          parts.take<T>(elements(part.corners()))};
}
/// The bytes that the sums of a part take, on all levels of its recursion.
template <class T>
std::size_t bytes_of_sums(const Part& part) {
  if (part.empty()) return 0;
  Parts parts(nullptr);
  take_sums<T>(parts, part);
  return parts.used() + (part.recursive() ? bytes_of_sums<T>(part.inner()) : 0);
}

/// The scratch memory of a call.
template <class T>
struct Scratch {
  T* transposed = nullptr;
  kernels::Edges<T> edges{};
  kernels::TableLookBack<T> look_back{};
  std::size_t words_of_look_back = 0;  // the first words of look_back, which must be zeroed
  Parts sums;                          // the rest; first one triangle uses it, then the other
  std::size_t bytes = 0;

  Scratch(std::byte* base, const Tiling& tiling, const TableOptions& options) : sums(base) {
    if (options.variant == TableVariant::r4w4) {
      transposed = sums.take<T>(tiling.matrix.rows * tiling.matrix.columns);
    }
    if (options.variant == TableVariant::r1w1 || options.variant == TableVariant::hybrid) {
      edges.bottom = sums.take<T>((tiling.down() - 1) * tiling.matrix.columns);
      edges.right = sums.take<T>((tiling.across() - 1) * tiling.matrix.rows);
    }
    if (options.variant == TableVariant::look_back) take_look_back(tiling.matrix);
    bytes = sums.used();
    if (options.variant == TableVariant::r2w1) bytes += bytes_of_sums<T>(Part(tiling));
    if (options.variant == TableVariant::hybrid) {
      const Triangles triangles(tiling, options.triangle);
      bytes += larger(bytes_of_sums<T>(triangles.first), bytes_of_sums<T>(triangles.last));
    }
  }

 private:
  void take_look_back(const kernels::Stairs& matrix) {
    using Tile = kernels::RegisterTile<T>;
    const std::size_t tiles =
        ceil_div(matrix.rows, Tile::side) * ceil_div(matrix.columns, Tile::side);
    words_of_look_back = 1 + tiles * (1 + 2 * Tile::sections);
    auto* const words = sums.take<std::uint32_t>(words_of_look_back);
    look_back.ticket = words;
    look_back.corner_status = words + 1;
    look_back.corners = sums.take<T>(tiles);
    std::uint32_t* status = words + 1 + tiles;
    for (kernels::PublishedLines<T>* lines : {&look_back.rows, &look_back.columns}) {
      *lines = {status, sums.take<T>(tiles * Tile::side), sums.take<T>(tiles * Tile::side)};
      status += tiles * Tile::sections;
    }
  }
};

/// A call, and the launches that it may consist of.
template <class T>
class Summing {
 public:
  Summing(const T* a, T* b, const Tiling& tiling, const Scratch<T>& scratch, cudaStream_t stream)
      : a_(a), b_(b), tiling_(tiling), matrix_(tiling.matrix), scratch_(scratch), stream_(stream) {}

  void straight() {
    sum_down(a_, b_, matrix_);
    kernels::sum_along<T>
        <<<grid_for(matrix_.rows), kernels::table_threads, 0, stream_>>>(b_, matrix_);
    require_launched("sum_along");
  }

  void with_transposes() {
    T* const turned = scratch_.transposed;
    const std::size_t n = matrix_.rows * matrix_.columns;
    sum_down(a_, b_, matrix_);
    transpose<T>({b_, n}, turned, matrix_.rows, matrix_.columns, TransposeVariant::diagonal,
                 stream_);
    sum_down(turned, turned, kernels::Rectangular(kernels::Stairs{matrix_.columns, matrix_.rows}));
    transpose<T>({turned, n}, b_, matrix_.columns, matrix_.rows, TransposeVariant::diagonal,
                 stream_);
  }

  void diagonals() {
    for (std::size_t k = 0; k < matrix_.rows + matrix_.columns - 1; ++k) {
      const Diagonal diagonal = Diagonal::of(k, matrix_.rows, matrix_.columns);
      kernels::sum_diagonal<T><<<grid_for(diagonal.count), kernels::table_threads, 0, stream_>>>(
          a_, b_, matrix_.columns, diagonal);
      require_launched("sum_diagonal");
    }
  }

  /// Computes the table on the tiles of the diagonals first … end − 1. Earlier diagonals must be
  /// done.
  void tile_diagonals(std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k) {
      const Diagonal diagonal = Diagonal::of(k, tiling_.down(), tiling_.across());
      kernels::sum_tile_diagonal<T>
          <<<grid_of(diagonal.count), kernels::table_threads, 0, stream_>>>(a_, b_, scratch_.edges,
                                                                            tiling_, diagonal);
      require_launched("sum_tile_diagonal");
    }
  }

  /// Computes the table on the tiles of a part. The tiles on the diagonals before the part must be
  /// done.
  void two_passes(const Part& part) {
    if (part.empty()) return;
    Parts parts = scratch_.sums;
    const auto sums = take_sums<T>(parts, part);
    kernels::sum_or_take_edges<T>
        <<<grid_of(part.down * part.across), kernels::table_threads, 0, stream_>>>(
            a_, scratch_.edges, sums, part);
    require_launched("sum_or_take_edges");
    finish<kernels::Rectangular>(a_, b_, sums, part, parts);
  }

  void look_back() {
    const auto& state = scratch_.look_back;
    require(cudaMemsetAsync(state.ticket, 0, scratch_.words_of_look_back * sizeof(std::uint32_t),
                            stream_),
            "cudaMemsetAsync");
    using Tile = kernels::RegisterTile<T>;
    const std::size_t tiles =
        ceil_div(matrix_.rows, Tile::side) * ceil_div(matrix_.columns, Tile::side);
    const auto launch = [&](auto* kernel) {
      kernel<<<grid_of(tiles), Tile::threads, 0, stream_>>>(a_, b_, matrix_.rows, matrix_.columns,
                                                            state);
    };
    if (matrix_.columns % kernels::Packet<T>::size == 0 && is_packet_aligned(a_) &&
        is_packet_aligned(b_)) {
      launch(kernels::sum_tiles_with_look_back<true, T>);
    } else {
      launch(kernels::sum_tiles_with_look_back<false, T>);
    }
    require_launched("sum_tiles_with_look_back");
  }

 private:
  std::uint32_t grid_for(std::size_t items) const {
    return grid_of(ceil_div(items, kernels::table_threads));
  }

  void sum_down(const T* from, T* to, const kernels::Rectangular& matrix) {
    kernels::sum_down<T>
        <<<grid_for(matrix.columns), kernels::table_threads, 0, stream_>>>(from, to, matrix);
    require_launched("sum_down");
  }

  /// Steps 2 and 3 of a part, after step 1 has stored its sums.
  template <class Matrix>
  void finish(const T* a, T* b, const kernels::Sums<T>& sums, const Part& part, Parts& parts) {
    const SecondStep step(part, kernels::table_threads);
    if (step.blocks() > 0) {
      const bool recursive = step.for_tiles > 0;
      const auto inner = recursive ? take_sums<T>(parts, part.inner()) : kernels::Sums<T>{};
      kernels::sum_sums<T>
          <<<grid_of(step.blocks()), kernels::table_threads, 0, stream_>>>(sums, inner, part, step);
      require_launched("sum_sums");
      if (recursive) finish<kernels::Stairs>(sums.tiles, sums.tiles, inner, part.inner(), parts);
    }
    kernels::finish_tiles<Matrix, T>
        <<<grid_of(part.down * part.across), kernels::table_threads, 0, stream_>>>(
            a, b, sums, scratch_.edges, part);
    require_launched("finish_tiles");
  }

  const T* a_;
  T* b_;
  Tiling tiling_;
  kernels::Rectangular matrix_;
  Scratch<T> scratch_;
  cudaStream_t stream_;
};

}  // namespace

template <class T>
std::size_t summed_area_table_scratch_bytes(std::size_t rows, std::size_t columns,
                                            const TableOptions& options) {
  if (product_of(rows, columns, table_call) == 0) return 0;
  return Scratch<T>(nullptr, tiling_of(rows, columns), options).bytes;
}

template <class T>
void summed_area_table(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
                       std::span<std::byte> scratch, const TableOptions& options,
                       cudaStream_t stream) {
  require_matrix(a.size(), rows, columns, table_call);
  const std::size_t bytes = summed_area_table_scratch_bytes<T>(rows, columns, options);
  const auto room = elements_of<std::byte>(scratch, bytes, table_call);
  require_apart_or_in_place(table_call, {"a", a}, {"b", b, a.size()}, {{"scratch", room}});
  if (a.empty()) return;
  const Tiling tiling = tiling_of(rows, columns);
  Summing<T> summing(a.data(), b, tiling, Scratch<T>(room.data(), tiling, options), stream);
  switch (options.variant) {
    case TableVariant::r2w2:
      return summing.straight();
    case TableVariant::r4w4:
      return summing.with_transposes();
    case TableVariant::r4w1:
      return summing.diagonals();
    case TableVariant::r2w1:
      return summing.two_passes(Part(tiling));
    case TableVariant::r1w1:
      return summing.tile_diagonals(0, tiling.diagonals());
    case TableVariant::hybrid: {
      const Triangles triangles(tiling, options.triangle);
      summing.two_passes(triangles.first);
      summing.tile_diagonals(triangles.t, triangles.last_begin);
      return summing.two_passes(triangles.last);
    }
    case TableVariant::look_back:
      return summing.look_back();
  }
  refuse_variant(table_call);
}

template <class T>
void rectangle_sums(std::span<const T> table, std::size_t rows, std::size_t columns,
                    std::span<const Rectangle> rectangles, T* sums, cudaStream_t stream) {
  constexpr const char* what = "rectangle_sums";
  require_matrix(table.size(), rows, columns, what);
  require_apart(what,
                {{"table", table}, {"rectangles", rectangles}, {"sums", sums, rectangles.size()}});
  if (rectangles.empty()) return;
  const std::uint32_t blocks =
      blocks_for(ceil_div(rectangles.size(), kernels::table_threads), what);
  kernels::rectangle_sums<T><<<blocks, kernels::table_threads, 0, stream>>>(
      table.data(), columns, rectangles.data(), sums, rectangles.size());
  require_launched("rectangle_sums");
}

#define BANKPROOF_INSTANTIATE(T)                                                               \
  template std::size_t summed_area_table_scratch_bytes<T>(std::size_t, std::size_t,            \
                                                          const TableOptions&);                \
  template void summed_area_table<T>(std::span<const T>, T*, std::size_t, std::size_t,         \
                                     std::span<std::byte>, const TableOptions&, cudaStream_t); \
  template void rectangle_sums<T>(std::span<const T>, std::size_t, std::size_t,                \
                                  std::span<const Rectangle>, T*, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
