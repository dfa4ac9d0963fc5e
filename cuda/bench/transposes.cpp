// Benchmarks of transposes, of square matrices with as many of the elements as make one.
#include <memory>

#include "../transpose.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

template <class T>
Benchmark row(const std::string& name, TransposeWay way, double target) {
  return {.name = name,
          .element_bytes = sizeof(T),
          .floor = 1,
          .target = target,
          .peer = {},
          .prepare = [way](std::size_t n) -> Run {
            const std::size_t side = side_of(n);
            const auto a = std::make_shared<DeviceArray<T>>(filled<T>(side * side));
            const auto b = std::make_shared<DeviceArray<T>>(side * side);
            return [=] { transpose<T>(std::as_const(*a).span(), b->data(), side, side, way); };
          }};
}

template <class T>
void add_rows(const std::string& type, std::vector<Benchmark>& rows) {
  rows.push_back(row<T>("transpose_diagonal." + type, TransposeWay::diagonal, 1.06));
  rows.push_back(row<T>("transpose_padded." + type, TransposeWay::padded, 1.06));
  rows.push_back(row<T>("transpose_swizzled." + type, TransposeWay::swizzled, 1.06));
  rows.push_back(row<T>("transpose_row_major." + type, TransposeWay::row_major, 0));
  rows.push_back(row<T>("transpose_direct." + type, TransposeWay::direct, 0));
}

}  // namespace

std::vector<Benchmark> benchmarks_of_transposes() {
  std::vector<Benchmark> rows;
  add_rows<float>("float", rows);
  add_rows<double>("double", rows);
  return rows;
}

}  // namespace bankproof::cuda::bench
