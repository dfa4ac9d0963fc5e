// THS table 5.3 (row H1): the least, mean and greatest D_w(P)/n of a thousand random permutations
// of 4M numbers. The table also prints times of a GPU.
#include <fmt/format.h>

#include <cmath>

#include "../../algorithms/permutation/expected.hpp"
#include "table.hpp"

namespace bankproof::cli {

SourceTable table_ths_5_3() {
  constexpr double n = 1 << 22;
  const double shortfall = expected_shortfall(n, 32);
  const double deviation = std::sqrt(shortfall);
  // The extremes of 1000 draws lie about 3.2 deviations from the mean.
  const auto ratio = [&](double deviations) {
    return fmt::format("{:.5f}", 1 - (shortfall - deviations * deviation) / n);
  };
  return {"THS:5.3",
          "D_w(P)/n of 1000 random permutations of n = 4M",
          "the exact expectation for w = 32, and 3.2 deviations off it; the times are of a GPU",
          {{"least", "D_w(P)/n", "0.99987", ratio(-3.2), ""},
           {"mean", "D_w(P)/n", "0.99989", ratio(0), ""},
           {"greatest", "D_w(P)/n", "0.99990", ratio(3.2), ""}}};
}

}  // namespace bankproof::cli
