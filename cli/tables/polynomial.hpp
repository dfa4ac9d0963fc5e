// Finds the form of counts: sums of products of powers, with coefficients that are found from
// samples and hold for all of them exactly.
//
// Example: of 4T²w² − 2Tw for T, w = 2 … 5, the terms T²w² and Tw and their coefficients.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bankproof::cli {

/// T tiles a side, t of them on the sides of the triangles, width w.
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
  /// In n = T²w² and √r = t/T: "rn/w", "√n".
  std::string text() const;
};

struct Polynomial {
  struct Part {
    double coefficient;
    TileTerm term;
  };
  std::vector<Part> parts;  ///< none is 0; greatest first

  double value(const TileSizes& sizes) const;
  /// The first `most` of them.
  std::string text(std::size_t most) const;
  std::string text() const { return text(parts.size()); }
  /// Of T²w², √n², or its products with r.
  double leading(int of_t = 0) const;
};

struct Sample {
  TileSizes sizes;
  double count;
};

/// The polynomial of degree 2 in T and t together and in w, coefficients a multiple of 1/4, that
/// all samples have; without t where it is 0 in all of them. Throws std::logic_error if there is
/// none.
Polynomial polynomial_of(const std::vector<Sample>& samples);

}  // namespace bankproof::cli
