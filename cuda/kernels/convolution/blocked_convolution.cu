// The host's side of image_convolution(). Kernels of up to 7 × 7 weights take one launch; larger
// ones are split into pieces of 4 × 8, whose results add up.
#include <algorithm>

#include "../support/checks.hpp"
#include "blocked_convolution.cuh"
#include "image_convolution.hpp"

namespace bankproof::cuda {

namespace {

constexpr const char* what = "image_convolution";

template <class T>
class Convolver {
 public:
  Convolver(std::span<const T> a, T* c, std::size_t rows, std::size_t columns, GhostCells ghosts,
            cudaStream_t stream)
      : a_{a.data(), rows, columns, ghosts,
           columns % each == 0 && is_packet_aligned(a.data()) && is_packet_aligned(c)},
        c_(c),
        stream_(stream),
        blocks_(blocks_for(tiles_of(rows, columns, Tile::rows, Tile::columns), what)) {}

  /// Kernels of radius v, in one piece.
  template <int v>
  void whole(const std::vector<T>& b) {
    constexpr int side = 2 * v + 1;
    constexpr int before = (v + each - 1) / each * each;
    kernels::MaskPiece<T, side, side, before - v, false> piece{};
    std::copy(b.begin(), b.end(), piece.weights);
    piece.above = v;
    piece.before = before;
    launch(piece, false);
  }

  void in_pieces(const std::vector<T>& b, std::size_t v) {
    constexpr int rows = 4;
    constexpr int columns = 8;
    const std::size_t side = 2 * v + 1;
    const auto before = rounded_up<std::size_t>(v, each);
    const std::size_t skew = before - v;  // offset of the kernel in its first piece
    for (std::size_t row = 0; row < side; row += rows) {
      for (std::size_t column = 0; column < skew + side; column += columns) {
        kernels::MaskPiece<T, rows, columns, 0, true> piece{};
        piece.above = v - row;
        piece.before = before - column;
        piece.used_rows = static_cast<int>(std::min<std::size_t>(rows, side - row));
        piece.used_begin = static_cast<int>(column == 0 ? skew : 0);
        piece.used_end = static_cast<int>(std::min<std::size_t>(columns, skew + side - column));
        for (int s = 0; s < rows; ++s) {
          for (int t = 0; t < columns; ++t) {
            if (!piece.uses(s, t)) continue;
            const auto down = static_cast<std::size_t>(s);
            const auto right = static_cast<std::size_t>(t);
            piece.weights[s * columns + t] = b[row_major(row + down, column + right - skew, side)];
          }
        }
        launch(piece, row + column > 0);
      }
    }
  }

 private:
  using Tile = kernels::BlockedTile<T>;
  static constexpr int each = kernels::Packet<T>::size;

  template <class Piece>
  void launch(const Piece& piece, bool onto) {
    kernels::convolve_blocked<T, Piece>
        <<<blocks_, dim3(Tile::threads_across, Tile::threads_down), 0, stream_>>>(a_, c_, piece,
                                                                                  onto);
    require_launched("convolve_blocked");
  }

  kernels::Image<T> a_;
  T* c_;
  cudaStream_t stream_;
  std::uint32_t blocks_;
};

}  // namespace

template <class T>
void image_convolution(std::span<const T> a, const std::vector<T>& b, T* c, std::size_t rows,
                       std::size_t columns, GhostCells ghosts, cudaStream_t stream) {
  const std::uint32_t v = radius_of_square(b.size(), what);
  require_matrix(a.size(), rows, columns, what);
  require_apart(what, {{"a", a}, {"c", c, a.size()}});
  if (a.empty()) return;
  Convolver<T> convolver(a, c, rows, columns, ghosts, stream);
  switch (v) {
    case 1:
      return convolver.template whole<1>(b);
    case 2:
      return convolver.template whole<2>(b);
    case 3:
      return convolver.template whole<3>(b);
    default:
      return convolver.in_pieces(b, v);
  }
}

#define BANKPROOF_INSTANTIATE(T)                                                                 \
  template void image_convolution<T>(std::span<const T>, const std::vector<T>&, T*, std::size_t, \
                                     std::size_t, GhostCells, cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
