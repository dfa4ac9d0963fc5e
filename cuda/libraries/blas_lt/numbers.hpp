// The numbers of cublasLt's operands: those of cuBLAS, and floating-point numbers of 8 bits, E4M3
// and E5M2, which become float and are rounded once when a result is stored. E4M3 has no
// infinities, and a result that is too large becomes the largest number of either.
#pragma once

#include "../blas/dense.hpp"

namespace bankproof::cuda::blas_lt {

/// How many bits follow the sign: of the exponent, and of the fraction.
struct Eight {
  int exponent_bits = 4;
  int fraction_bits = 3;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  double largest() const { return exponent_bits == 4 ? 448 : 57344; }
};
inline constexpr Eight e4m3{4, 3};
inline constexpr Eight e5m2{5, 2};

double decoded(const Eight& of, std::uint8_t bits);
std::uint8_t encoded(const Eight& of, double value);

inline bool is_eight(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
inline const Eight& eight_of(cudaDataType type) { return type == CUDA_R_8F_E4M3 ? e4m3 : e5m2; }
inline std::size_t bytes_of(cudaDataType type) { return is_eight(type) ? 1 : blas::bytes_of(type); }

/// Elements of an operand, line by line.
struct Lines {
  std::int64_t count = 0;
  std::int64_t size = 0;
  std::int64_t leading = 0;
};
inline libraries::Segments segments_of(const Lines& lines, std::size_t element_bytes) {
  libraries::Segments segments;
  for (std::int64_t k = 0; k < lines.count; ++k) {
    libraries::add_elements(segments, k * lines.leading, lines.size, element_bytes);
  }
  return segments;
}

template <class V>
std::vector<V> read(libraries::Operation& on, const blas::Typed& from, const Lines& lines) {
  if (!is_eight(from.type)) return blas::read<V>(on, from, lines);
  std::vector<V> values;
  for (const auto bits : on.read<std::uint8_t>(from.name, from.pointer, segments_of(lines, 1))) {
    values.push_back(blas::computed<V>(decoded(eight_of(from.type), bits)));
  }
  return values;
}
template <class V>
void write(libraries::Operation& on, const blas::Typed& to, const Lines& lines,
           const std::vector<V>& values) {
  if (!is_eight(to.type)) return blas::write(on, to, lines, values);
  std::vector<std::uint8_t> all;
  all.reserve(values.size());
  for (const V& one : values) all.push_back(encoded(eight_of(to.type), std::real(one)));
  on.write(to.name, to.pointer, segments_of(lines, 1), all);
}

}  // namespace bankproof::cuda::blas_lt
