// From the rows of a matrix to its words; see matrix_words.hpp.
#include "matrix_words.hpp"

#include "../../model/gpu/chips.hpp"

namespace bankproof::ptx {

LaneMask words_of_matrix(const LaneAddresses& rows, LaneMask lanes, std::uint32_t number,
                         LaneAddresses& words) {
  constexpr std::uint32_t words_of_row = matrix_row_bytes / word_bytes;
  const std::uint32_t first_row = number * rows_of_matrix;
  const LaneMask here = lanes >> first_row & ((1U << rows_of_matrix) - 1);
  if (here == 0) return 0;
  words.fill(rows[first_row + first_of(here)]);
  LaneMask result = 0;
  each_lane(here, [&](std::uint32_t row) {
    for (std::uint32_t word = 0; word < words_of_row; ++word) {
      const std::uint32_t lane = row * words_of_row + word;
      words[lane] = rows[first_row + row] + std::uint64_t{word} * word_bytes;
      result |= LaneMask{1} << lane;
    }
  });
  return result;
}

}  // namespace bankproof::ptx
