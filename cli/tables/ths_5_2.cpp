// THS table 5.2 (row H9), only the part that the introduction of THS 5 repeats: times of a GPU for
// 4M numbers.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "table.hpp"

namespace bankproof::cli {
namespace {

/// Milliseconds of table 5.2 (a) for floats, for matrices with these sides.
constexpr std::array<std::uint64_t, 5> sides = {256, 512, 1024, 2048, 4096};
constexpr std::array<double, 5> scheduled = {3.87, 11.7, 47, 173, 780};
constexpr std::array<double, 5> bit_reversal = {1.6, 15.6, 95.3, 459, 2328};

TableCell cell(std::string_view algorithm, std::string_view printed,
               const std::array<double, 5>& times) {
  constexpr std::uint64_t n = std::uint64_t{4} << 20;  // 4M
  std::size_t column = 0;
  while (sides[column] * sides[column] != n) ++column;
  return {std::string(algorithm), "ms for 4M floats", std::string(printed),
          fmt::format("{}", times[column]), "THS 5, introduction"};
}

}  // namespace

SourceTable table_ths_5_2() {
  return {"THS:5.2",
          "Times that the introduction of THS 5 gives for 4M floats",
          "printed: the times of the introduction; here: the times of table 5.2 for 2048 x 2048, "
          "which are 4M",
          {cell("Scheduled, any permutation", "780", scheduled),
           cell("D-designated, bit-reversal", "2328", bit_reversal)}};
}

}  // namespace bankproof::cli
