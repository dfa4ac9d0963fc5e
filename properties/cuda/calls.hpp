// All calls of the host's API on arrays of floats, for what is to hold of each of them: 1024
// elements go in, as a matrix of 32 × 32 where they are one.
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
                                 std::span<std::byte> workspace, cudaStream_t stream)>;
  std::string name;
  Run run;
  std::size_t results = elements_of_calls;
  std::size_t workspace = 0;  // bytes that it needs
  bool in_place = false;      // whether `out` may be `in`
};
inline void PrintTo(const ApiCall& call, std::ostream* out) { *out << call.name; }

/// Indices, masks and the like are kept as long as the calls are.
std::vector<ApiCall> all_calls();

/// Of matrices alone: with so many rows and columns of `in`.
struct MatrixCall {
  std::string name;
  std::function<void(std::span<const float> in, float* out, std::size_t rows, std::size_t columns)>
      run;
};
std::vector<MatrixCall> all_matrix_calls();

}  // namespace bankproof::cuda::tests
