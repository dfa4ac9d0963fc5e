// Finds the form of counts: a sum of products of powers. The coefficients come from samples, and
// the sum must equal every sample exactly.
//
// Example: from values of 4T²w² − 2Tw for T, w = 2 … 5 it finds the terms T²w² and Tw and their
// coefficients.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bankproof::cli {

/// T tiles along a side of the matrix, t tiles along the sides of each triangle, and the width w.
struct TileSizes {
  std::uint64_t T;
  std::uint64_t w;
  std::uint64_t t = 0;
};

/// T^of_tiles · t^of_t · w^of_w.
struct TileTerm {
  int of_tiles;
  int of_t;
  int of_w;

  double value(const TileSizes& sizes) const;
  /// The term written with n = T²w² and √r = t/T, for example "rn/w", "√n".
  std::string text() const;
};

struct Polynomial {
  struct Part {
    double coefficient;
    TileTerm term;
  };
  std::vector<Part> parts;  ///< in descending order; no coefficient is 0

  double value(const TileSizes& sizes) const;
  /// The text of the first `most` parts.
  std::string text(std::size_t most) const;
  std::string text() const { return text(parts.size()); }
  /// The coefficient of n = T²w² for of_t = 0, of √r n for of_t = 1, and of rn for of_t = 2.
  double leading(int of_t = 0) const;
};

struct Sample {
  TileSizes sizes;
  double count;
};

/// The polynomial that equals all samples. Its degree is at most 2 in T and t together, and at most
/// 2 in w; its coefficients are multiples of 1/4; it has no t if t is 0 in all samples. Throws
/// std::logic_error if there is no such polynomial.
Polynomial polynomial_of(const std::vector<Sample>& samples);

}  // namespace bankproof::cli
