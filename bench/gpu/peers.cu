// Libraries that do the work of kernels of this project: CUB's sums and prefix sums, Thrust's
// scatter and gather, and cuBLAS's matrix product. The program looks for cuBLAS when it runs.
#include <dlfcn.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <memory>

#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

/// A row for a call of CUB with n input elements. A first call asks for the size of its scratch
/// memory.
template <class T, class Call>
Benchmark cub_row(const std::string& name, bool has_one_result, Call call) {
  return {.name = "cub." + name,
          .element_bytes = sizeof(T),
          .arrays = has_one_result ? 1U : 2U,
          .goal = has_one_result ? as_a_read() : as_a_copy(),
          .peer = {},
          .prepare = [=](std::size_t n) -> Run {
            const auto in = std::make_shared<DeviceArray<T>>(filled<T>(n));
            const auto out = std::make_shared<DeviceArray<T>>(has_one_result ? 1 : n);
            std::size_t bytes = 0;
            require(call(nullptr, bytes, in->data(), out->data(), n), "CUB");
            const auto scratch = std::make_shared<DeviceArray<std::byte>>(bytes);
            return [=] {
              std::size_t given = bytes;
              require(call(scratch->data(), given, in->data(), out->data(), n), "CUB");
            };
          }};
}

template <class T>
void add_cub_rows(const std::string& type, std::vector<Benchmark>& rows) {
  rows.push_back(cub_row<T>(
      "sum." + type, true,
      [](void* scratch, std::size_t& bytes, const T* in, T* out, std::size_t n) {
        return cub::DeviceReduce::Sum(scratch, bytes, in, out, static_cast<std::int64_t>(n));
      }));
  rows.push_back(cub_row<T>(
      "prefix_sums." + type, false,
      [](void* scratch, std::size_t& bytes, const T* in, T* out, std::size_t n) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, static_cast<std::int64_t>(n));
      }));
}

template <class T, class Move>
Benchmark thrust_row(const std::string& call, const std::string& kind, const std::string& type,
                     Move move) {
  return {.name = "thrust." + call + "." + kind + "." + type,
          .element_bytes = sizeof(T),
          .peer = {},
          .prepare = [=](std::size_t n) -> Run {
            const std::vector<std::uint32_t> p = permutation_of(kind, n);
            const auto map = std::make_shared<DeviceArray<std::uint32_t>>(p);
            const auto in = std::make_shared<DeviceArray<T>>(filled<T>(p.size()));
            const auto out = std::make_shared<DeviceArray<T>>(p.size());
            return [=] { move(map->data(), in->data(), out->data(), map->size()); };
          }};
}

template <class T>
void add_thrust_rows(const std::string& type, std::vector<Benchmark>& rows) {
  const auto scatter = [](const std::uint32_t* map, const T* in, T* out, std::size_t n) {
    thrust::scatter(thrust::cuda::par_nosync, in, in + n, map, out);
  };
  const auto gather = [](const std::uint32_t* map, const T* in, T* out, std::size_t n) {
    thrust::gather(thrust::cuda::par_nosync, map, map + n, in, out);
  };
  for (const char* const kind : {"random", "bit-reversal"}) {
    rows.push_back(thrust_row<T>("scatter", kind, type, scatter));
    rows.push_back(thrust_row<T>("gather", kind, type, gather));
  }
}

/// The functions of cuBLAS that are used, from the machine's library.
class Cublas {
 public:
  Cublas() {
    void* library = nullptr;
    for (const char* const name : {"libcublas.so", "libcublas.so.13", "libcublas.so.12"}) {
      if (library == nullptr) library = dlopen(name, RTLD_NOW);
    }
    if (library == nullptr) throw std::runtime_error("libcublas.so is not on this machine");
    const auto create = function<int(void**)>(library, "cublasCreate_v2");
    const auto set_mode = function<int(void*, int)>(library, "cublasSetMathMode");
    multiply_ = function<Multiply>(library, "cublasSgemm_v2");
    constexpr int pedantic = 2;
    if (create(&handle_) != 0 || set_mode(handle_, pedantic) != 0) {
      throw std::runtime_error("cuBLAS does not begin");
    }
  }

  /// c ← a·b of side × side floats, in cuBLAS's column-major order.
  void multiply(int side, const float* a, const float* b, float* c) const {
    const float one = 1;
    const float zero = 0;
    if (multiply_(handle_, 0, 0, side, side, side, &one, a, side, b, side, &zero, c, side) != 0) {
      throw std::runtime_error("cublasSgemm fails");
    }
  }

 private:
  using Multiply = int(void*, int, int, int, int, int, const float*, const float*, int,
                       const float*, int, const float*, float*, int);
  template <class F>
  static F* function(void* library, const char* name) {
    void* const found = dlsym(library, name);
    if (found == nullptr) throw std::runtime_error(std::string("libcublas.so has no ") + name);
    return reinterpret_cast<F*>(found);
  }

  void* handle_ = nullptr;
  Multiply* multiply_ = nullptr;
};

Benchmark cublas_row() {
  return {.name = "cublas.matrix_product.float",
          .element_bytes = sizeof(float),
          .size = 1.0 / 4,  // the size of the row of this project's kernel
          .goal = {.limit = "arithmetic"},
          .peer = {},
          .prepare = [](std::size_t n) -> Run {
            const auto cublas = std::make_shared<Cublas>();
            const std::size_t side = side_of(n);
            const auto a = std::make_shared<DeviceArray<float>>(filled<float>(side * side));
            const auto b = std::make_shared<DeviceArray<float>>(filled<float>(side * side));
            const auto c = std::make_shared<DeviceArray<float>>(side * side);
            return
                [=] { cublas->multiply(static_cast<int>(side), a->data(), b->data(), c->data()); };
          }};
}

}  // namespace

std::vector<Benchmark> benchmarks_of_peers() {
  std::vector<Benchmark> rows;
  add_cub_rows<std::int32_t>("int32", rows);
  add_cub_rows<float>("float", rows);
  add_thrust_rows<float>("float", rows);
  rows.push_back(cublas_row());
  return rows;
}

}  // namespace bankproof::cuda::bench
