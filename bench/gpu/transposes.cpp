// Benchmarks of transposes of square matrices; n elements give the largest square that they hold.
#include <memory>

#include "../../cuda/kernels/transpose/transpose.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

template <class T>
Benchmark transpose_row(const std::string& name, TransposeVariant variant, const Goal& goal) {
  return {.name = name,
          .element_bytes = sizeof(T),
          .goal = goal,
          .peer = {},
          .prepare = [variant](std::size_t n) -> Run {
            const std::size_t side = side_of(n);
            const auto a = std::make_shared<DeviceArray<T>>(filled<T>(side * side));
            const auto b = std::make_shared<DeviceArray<T>>(side * side);
            return [=] { transpose<T>(std::as_const(*a).span(), b->data(), side, side, variant); };
          }};
}

template <class T>
void add_transposes(const std::string& type, std::vector<Benchmark>& rows) {
  const Goal tiles = as_a_copy(1.06, 1.03);
  rows.push_back(transpose_row<T>("transpose_diagonal." + type, TransposeVariant::diagonal, tiles));
  rows.push_back(transpose_row<T>("transpose_padded." + type, TransposeVariant::padded, tiles));
  rows.push_back(transpose_row<T>("transpose_swizzled." + type, TransposeVariant::swizzled, tiles));
  rows.push_back(transpose_row<T>("transpose_packets." + type, TransposeVariant::packets, tiles));
  rows.push_back(
      transpose_row<T>("transpose_row_major." + type, TransposeVariant::row_major, as_a_copy()));
  rows.push_back(
      transpose_row<T>("transpose_direct." + type, TransposeVariant::direct, as_a_copy()));
}

}  // namespace

std::vector<Benchmark> benchmarks_of_transposes() {
  std::vector<Benchmark> rows;
  add_transposes<float>("float", rows);
  add_transposes<double>("double", rows);
  return rows;
}

}  // namespace bankproof::cuda::bench
