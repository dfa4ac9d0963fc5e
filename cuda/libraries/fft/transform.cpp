// See transform.hpp.
#include "transform.hpp"

#include <cmath>
#include <numbers>

namespace bankproof::cuda::fft {
namespace {

constexpr std::size_t most_prime = 61;  // for which the sum is computed as it stands

std::size_t least_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

Number turned(double part_of_circle) {
  const double angle = 2 * std::numbers::pi * part_of_circle;
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Transform::Transform(std::size_t size, int sign) : size_(size), sign_(sign) {
  roots_.reserve(size);
  for (std::size_t k = 0; k < size; ++k) {
    roots_.push_back(turned(sign * static_cast<double>(k) / static_cast<double>(size)));
  }
}

void Transform::apply(std::vector<Number>& numbers) const {
  const std::vector<Number> in = numbers;
  split(in.data(), 1, numbers.data(), size_);
}

void Transform::split(const Number* in, std::size_t step, Number* out, std::size_t size) const {
  if (size == 1) {
    *out = *in;
    return;
  }
  const std::size_t p = least_factor(size);
  if (p > most_prime) {
    convolve(in, step, out, size);
    return;
  }
  const std::size_t m = size / p;
  for (std::size_t r = 0; r < p; ++r) split(in + r * step, step * p, out + r * m, m);
  Number parts[most_prime];
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t r = 0; r < p; ++r) parts[r] = out[r * m + k] * root(r * k, size);
    for (std::size_t q = 0; q < p; ++q) {
      Number sum = parts[0];
      for (std::size_t r = 1; r < p; ++r) sum += parts[r] * root(r * q, p);
      out[q * m + k] = sum;
    }
  }
}

// j · k = (j² + k² − (k − j)²) / 2, so that the sum is a convolution with a chirp.
void Transform::convolve(const Number* in, std::size_t step, Number* out, std::size_t size) const {
  std::size_t length = 1;
  while (length < 2 * size) length *= 2;
  std::vector<Number> chirp(size);
  for (std::size_t k = 0; k < size; ++k) {
    chirp[k] =
        turned(sign_ * static_cast<double>(k * k % (2 * size)) / static_cast<double>(2 * size));
  }
  std::vector<Number> values(length);
  std::vector<Number> filter(length);
  for (std::size_t k = 0; k < size; ++k) {
    values[k] = in[k * step] * chirp[k];
    filter[k] = filter[(length - k) % length] = std::conj(chirp[k]);
  }
  const Transform forward(length, -1);
  forward.apply(values);
  forward.apply(filter);
  for (std::size_t k = 0; k < length; ++k) values[k] *= filter[k];
  Transform(length, 1).apply(values);
  for (std::size_t k = 0; k < size; ++k) {
    out[k] = values[k] * chirp[k] / static_cast<double>(length);
  }
}

}  // namespace bankproof::cuda::fft
