// CONV 7.4 and 7.6 (row K6): the words of N that a block reads with the basic and with the tiled
// kernel, inside the input and at its boundary, and the ratios of these numbers. The numbers come
// from the rounds of one block, when the input has three blocks (an image 3 × 3 blocks). In tests
// of random sizes, machines execute exactly these rounds.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

std::uint64_t global_requests(const BlockRounds& rounds) {
  std::uint64_t requests = 0;
  for (const BlockRounds::Round& round : rounds.rounds()) {
    if (round.memory == MemoryKind::groups) requests += round.requests;
  }
  return requests;
}

/// The words of N that a block of t threads reads, with a mask 2v + 1 wide.
std::uint64_t reads_of_line(std::uint64_t t, std::uint64_t v, std::uint64_t block, bool tiled) {
  const MachineParameters machine{.w = 32, .p = t};
  const ConvolvingLine line{{3 * t}, v, t};
  return global_requests(tiled ? tiled_line_rounds(machine, line, block)
                               : line_rounds(machine, line, block, true)) -
         t;  // without the words written
}

std::uint64_t reads_of_image(std::uint64_t t, std::uint64_t v, std::uint64_t block, bool tiled) {
  const MachineParameters machine{.w = 32, .p = 1024};
  const ConvolvingPlane plane{3 * t, 3 * t, 1, 3 * t, GhostCells::zero, v, t};
  return global_requests(tiled ? tiled_plane_rounds(machine, plane, block)
                               : plane_rounds(machine, plane, block, true)) -
         t * t;
}

std::string ratio(std::uint64_t basic, std::uint64_t tiled) {
  return fmt::format("{:.2f}", static_cast<double>(basic) / static_cast<double>(tiled));
}

TableCell count(const std::string& row, const std::string& column, std::uint64_t printed,
                std::uint64_t here) {
  return {row, column, std::to_string(printed), std::to_string(here), ""};
}

}  // namespace

SourceTable table_conv_7_4() {
  SourceTable table{"CONV:7.4",
                    "Reads of N by a block, basic and tiled, of a line",
                    "here: counts of one block of three, with the mask in constant memory. "
                    "Printed: the numbers of CONV 7.4 and its forms, where n is the radius of the "
                    "mask and t the number of threads of a block",
                    {}};
  for (const auto& [t, n] :
       {std::pair<std::uint64_t, std::uint64_t>{4, 2}, {1024, 2}, {128, 5}, {32, 5}}) {
    const std::string row = fmt::format("t = {}, n = {}", t, n);
    const std::uint64_t all = t * (2 * n + 1);
    const std::uint64_t ghosts = n * (n + 1) / 2;
    table.cells.push_back(count(row, "basic, inside: t(2n+1)", all, reads_of_line(t, n, 1, false)));
    table.cells.push_back(count(row, "basic, boundary: t(2n+1) − n(n+1)/2", all - ghosts,
                                reads_of_line(t, n, 0, false)));
    table.cells.push_back(
        count(row, "tiled, inside: t + 2n", t + 2 * n, reads_of_line(t, n, 1, true)));
    table.cells.push_back(
        count(row, "tiled, boundary: t + n", t + n, reads_of_line(t, n, 2, true)));
  }
  const auto inside = [](std::uint64_t t) {
    return ratio(reads_of_line(t, 5, 1, false), reads_of_line(t, 5, 1, true));
  };
  table.cells.push_back({"t = 128, n = 5", "ratio, inside", "10.13", inside(128), "CONV 7.4"});
  table.cells.push_back({"t = 32, n = 5", "ratio, inside", "8.14", inside(32), "CONV 7.4"});
  return table;
}

SourceTable table_conv_7_6() {
  SourceTable table{
      "CONV:7.6",
      "Reads of N by a block, basic and tiled, of an image",
      "here: counts of one block of 3 x 3, with the mask in constant memory. Printed: the forms of "
      "CONV 7.6, where m is the width of the mask and t the width of the tile; at edges and "
      "corners, products of the forms of CONV 7.4, where n is the radius of the mask",
      {}};
  constexpr std::uint64_t middle = 4;
  for (const std::uint64_t m : {5U, 9U}) {
    for (const std::uint64_t t : {8U, 16U}) {
      const std::uint64_t n = m / 2;
      const std::string row = fmt::format("t = {}, m = {}", t, m);
      const std::uint64_t all = t * m;
      const std::uint64_t boundary = all - n * (n + 1) / 2;
      table.cells.push_back(
          count(row, "basic, inside: t²m²", all * all, reads_of_image(t, n, middle, false)));
      table.cells.push_back(
          {row, "tiled, inside: (t+m+1)²", std::to_string((t + m + 1) * (t + m + 1)),
           std::to_string(reads_of_image(t, n, middle, true)), "CONV 7.6", "(t+m−1)²"});
      table.cells.push_back(count(row, "basic, edge: tm(tm − n(n+1)/2)", all * boundary,
                                  reads_of_image(t, n, 1, false)));
      table.cells.push_back(count(row, "tiled, edge: (t+2n)(t+n)", (t + 2 * n) * (t + n),
                                  reads_of_image(t, n, 3, true)));
      table.cells.push_back(count(row, "basic, corner: (tm − n(n+1)/2)²", boundary * boundary,
                                  reads_of_image(t, n, 0, false)));
      table.cells.push_back(
          count(row, "tiled, corner: (t+n)²", (t + n) * (t + n), reads_of_image(t, n, 8, true)));
    }
  }
  return table;
}

}  // namespace bankproof::cli
