// Formal sums of products, for convolutions and matrix products. The generators are words; their
// letters stand for the elements of the inputs, and the product of two words is their
// concatenation. So formal sums are the polynomials in indeterminates that do not commute, the free
// ring. Equal polynomials are equal for the values of any ring, including matrices.
//
// Example: with inputs x and y, x[0]·y[1] + x[1]·y[0] is +x0·y1+x1·y0, and not y1·x0 + y0·x1.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "../../algorithms/algorithm.hpp"
#include "formal.hpp"

namespace bankproof::testing {

/// Element number `place` of input array number `array`.
struct Letter {
  std::size_t array;
  std::size_t place;

  auto operator<=>(const Letter&) const = default;
};

struct Word {
  std::vector<Letter> letters;

  friend Word operator*(Word first, const Word& second) {
    first.letters.insert(first.letters.end(), second.letters.begin(), second.letters.end());
    return first;
  }
  auto operator<=>(const Word&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Word& word) {
  for (std::size_t k = 0; k < word.letters.size(); ++k) {
    out << (k == 0 ? "" : "·") << static_cast<char>('x' + word.letters[k].array % 3)
        << word.letters[k].place;
  }
  return out;
}

using Polynomial = Formal<Word>;

/// Arrays of indeterminates of these shapes.
inline Inputs<Polynomial> indeterminates(const std::vector<Shape>& shapes) {
  Inputs<Polynomial> inputs;
  for (std::size_t array = 0; array < shapes.size(); ++array) {
    auto& values = inputs.emplace_back();
    for (std::size_t place = 0; place < shapes[array].size(); ++place) {
      values.emplace_back(Word{{Letter{array, place}}});
    }
  }
  return inputs;
}

}  // namespace bankproof::testing
