// All calls of the host's API on arrays of floats, for tests that apply to every call. Calls take
// 1024 elements; calls of matrices take them as 32 × 32.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {

inline constexpr std::size_t side_of_calls = 32;
inline constexpr std::size_t elements_of_calls = side_of_calls * side_of_calls;

struct ApiCall {
  using Run = std::function<void(std::span<const float> in, float* out,
                                 std::span<std::byte> scratch, cudaStream_t stream)>;
  std::string name;
  Run run;
  std::size_t results = elements_of_calls;
  std::size_t scratch = 0;  // bytes that the call needs
  bool in_place = false;    // whether `out` may be `in`
};
inline void PrintTo(const ApiCall& call, std::ostream* out) { *out << call.name; }

/// All calls. The calls keep their indices, masks and other arguments alive.
std::vector<ApiCall> all_calls();

/// A call on matrices, which takes the numbers of rows and columns of `in`.
struct MatrixCall {
  std::string name;
  std::function<void(std::span<const float> in, float* out, std::size_t rows, std::size_t columns)>
      run;
};
std::vector<MatrixCall> all_matrix_calls();

}  // namespace bankproof::cuda::tests
