// The expected cost of a uniformly random permutation, by exact formulas in floating point (rows R8
// and H1; THS tables 4.3 and 5.3).
//
// Stages. A warp's w elements are a uniform w-subset of the n elements. A bank holds n/(w·c) rows
// of c elements that are served together; c = 1 except on chips. The number of ways to choose
// elements from exactly j rows of a bank has the generating function binom(n/(wc), j)·((1+x)^c −
// 1)^j; the exponent of x is the number of elements. If every bank may have at most k rows, the
// terms are summed for j ≤ k, and the sum is raised to the power w, for the w banks. In the power,
// the coefficient of x^w is the number of w-subsets.
//
// Distribution. There are n/w warps and n/w groups, and a warp misses a group with probability
// binom(n−w, w) / binom(n, w).
//
// Example: n = 4, w = 2. 2 of the 6 pairs of elements lie in one bank: 4/3 stages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../model/units.hpp"

namespace bankproof {

struct Moments {
  double mean;
  double deviation;
};

namespace detail {

/// Coefficients up to x^w, lowest first.
using Polynomial = std::vector<double>;

inline Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; i + j < a.size(); ++j) result[i + j] += a[i] * b[j];
  }
  return result;
}

inline double choose(double n, double k) {
  double result = 1;
  for (double i = 1; i <= k; ++i) result *= (n - k + i) / i;
  return result;
}

inline Polynomial power(Polynomial base, std::uint64_t exponent) {
  Polynomial result(base.size());
  result[0] = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

}  // namespace detail

/// Mean and deviation of the stages of one warp. Requires w·c to divide n.
inline Moments expected_stages(std::uint64_t n, Width w, std::uint32_t elements_per_row = 1) {
  const std::uint64_t rows = n / w / elements_per_row;
  detail::Polynomial row(w + 1);  // (1+x)^c − 1
  for (std::uint32_t k = 1; k <= elements_per_row && k <= w; ++k) {
    row[k] = detail::choose(elements_per_row, k);
  }
  detail::Polynomial bank(w + 1);
  detail::Polynomial chosen(w + 1);  // row^j
  chosen[0] = 1;
  double mean = 0;
  double square = 0;
  double before = 0;  // the probability of fewer stages than j
  for (std::uint64_t j = 0; j <= std::min<std::uint64_t>(rows, w); ++j) {
    for (std::size_t k = 0; k <= w; ++k) {
      bank[k] += detail::choose(static_cast<double>(rows), static_cast<double>(j)) * chosen[k];
    }
    chosen = detail::product(chosen, row);
    const double at_most =
        detail::power(bank, w)[w] / detail::choose(static_cast<double>(n), static_cast<double>(w));
    const auto stages = static_cast<double>(j);
    mean += stages * (at_most - before);
    square += stages * stages * (at_most - before);
    before = at_most;
  }
  return {mean, std::sqrt(square - mean * mean)};
}

/// The mean of n − D_w, which is the number of coincidences: elements of a warp whose group the
/// warp has already touched. Requires w to divide n. Coincidences are rare and nearly independent,
/// so the variance is about the same as the mean.
inline double expected_shortfall(double n, double w) {
  double log_missed = 0;  // small numbers stay exact where n is large
  for (double k = 0; k < w; ++k) log_missed += std::log1p(-w / (n - k));
  // In n − (n/w)²·(1 − missed) the large numbers cancel; expm1 keeps the digits of the difference.
  const double met = -std::expm1(log_missed);
  return n - n / w * (n / w) * met;
}

}  // namespace bankproof
