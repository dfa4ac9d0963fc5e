// The discrete Fourier transform of any length, in double.
//
// A length p · m splits into p transforms of length m (Cooley and Tukey, 1965), where p is the
// least prime factor. A prime above 61 becomes a convolution of a length that is a power of two
// (Bluestein, 1970). A transform of length n costs O(n log n).
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace bankproof::cuda::fft {

using Number = std::complex<double>;

class Transform {
 public:
  /// `sign` is −1 for the forward transform, and 1 for the inverse, which is not scaled.
  Transform(std::size_t size, int sign);
  /// Replaces the numbers, of which there are `size`.
  void apply(std::vector<Number>& numbers) const;

 private:
  void split(const Number* in, std::size_t step, Number* out, std::size_t size) const;
  void convolve(const Number* in, std::size_t step, Number* out, std::size_t size) const;
  const Number& root(std::size_t index, std::size_t of) const {
    return roots_[index % of * (size_ / of)];
  }

  std::size_t size_;
  int sign_;
  std::vector<Number> roots_;  // the size-th roots of 1
};

}  // namespace bankproof::cuda::fft
