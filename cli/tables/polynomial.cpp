// See polynomial.hpp.
#include "polynomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace bankproof::cli {
namespace {

/// The possible terms, in descending order of their values when T is greater than w.
std::vector<TileTerm> terms(bool with_t) {
  std::vector<TileTerm> all;
  for (int degree = 2; degree >= 0; --degree) {
    for (int of_w = 2; of_w >= 0; --of_w) {
      for (int of_t = 0; of_t <= (with_t ? degree : 0); ++of_t) {
        all.push_back({degree - of_t, of_t, of_w});
      }
    }
  }
  return all;
}

[[noreturn]] void refuse(std::string_view why) {
  throw std::logic_error("counts without a form: " + std::string(why));
}

/// Solves the normal equations of a least-squares fit.
std::vector<double> least_squares(const std::vector<std::vector<double>>& rows,
                                  const std::vector<double>& values) {
  const std::size_t k = rows.front().size();
  std::vector<std::vector<double>> a(k, std::vector<double>(k + 1));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) a[i][j] += rows[row][i] * rows[row][j];
      a[i][k] += rows[row][i] * values[row];
    }
  }
  for (std::size_t i = 0; i < k; ++i) {
    const auto below = a.begin() + static_cast<std::ptrdiff_t>(i);
    std::iter_swap(below, std::max_element(below, a.end(), [i](const auto& x, const auto& y) {
                     return std::abs(x[i]) < std::abs(y[i]);
                   }));
    if (std::abs(a[i][i]) < 1e-9) refuse("too few samples");
    for (std::size_t other = 0; other < k; ++other) {
      if (other == i) continue;
      const double factor = a[other][i] / a[i][i];
      for (std::size_t j = i; j <= k; ++j) a[other][j] -= factor * a[i][j];
    }
  }
  std::vector<double> solution(k);
  for (std::size_t i = 0; i < k; ++i) solution[i] = a[i][k] / a[i][i];
  return solution;
}

}  // namespace

double TileTerm::value(const TileSizes& sizes) const {
  return std::pow(static_cast<double>(sizes.T), of_tiles) *
         std::pow(static_cast<double>(sizes.t), of_t) *
         std::pow(static_cast<double>(sizes.w), of_w);
}

std::string TileTerm::text() const {
  const int degree = of_tiles + of_t;
  const int of_width = of_w - degree;
  std::string text = of_width <= 0 ? "" : of_width == 1 ? "w" : "w²";
  text += of_t == 0 ? "" : of_t == 2 ? "r" : "√r ";
  text += degree == 0 ? "" : degree == 1 ? "√n" : "n";
  if (of_width < 0) text += of_width == -1 ? "/w" : "/w²";
  return text;
}

double Polynomial::value(const TileSizes& sizes) const {
  return std::accumulate(parts.begin(), parts.end(), 0.0, [&](double sum, const Part& part) {
    return sum + part.coefficient * part.term.value(sizes);
  });
}

std::string Polynomial::text(std::size_t most) const {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, parts.size()); ++k) {
    const double size = std::abs(parts[k].coefficient);
    const bool negative = parts[k].coefficient < 0;
    text += text.empty() ? (negative ? "−" : "") : (negative ? " − " : " + ");
    const std::string term = parts[k].term.text();
    if (size != 1 || term.empty()) text += fmt::format("{}", size);
    text += term;
  }
  return text.empty() ? "0" : text;
}

double Polynomial::leading(int of_t) const {
  for (const Part& part : parts) {
    if (part.term.of_tiles + part.term.of_t == 2 && part.term.of_w == 2 && part.term.of_t == of_t) {
      return part.coefficient;
    }
  }
  return 0;
}

Polynomial polynomial_of(const std::vector<Sample>& samples) {
  const bool with_t =
      std::ranges::any_of(samples, [](const Sample& sample) { return sample.sizes.t > 0; });
  const std::vector<TileTerm> all = terms(with_t);
  std::vector<std::vector<double>> rows;
  std::vector<double> values;
  for (const Sample& sample : samples) {
    std::vector<double>& row = rows.emplace_back();
    for (const TileTerm& term : all) row.push_back(term.value(sample.sizes));
    values.push_back(sample.count);
  }
  const std::vector<double> solution = least_squares(rows, values);
  Polynomial polynomial;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double coefficient = std::round(4 * solution[k]) / 4;
    if (coefficient != 0) polynomial.parts.push_back({coefficient, all[k]});
  }
  const bool exact = std::ranges::all_of(samples, [&](const Sample& sample) {
    return polynomial.value(sample.sizes) == sample.count;
  });
  if (!exact) refuse("no polynomial has them all");
  return polynomial;
}

}  // namespace bankproof::cli
