// CONV figure 7.22 (row K7): the factor by which a block reads fewer words of N if it first loads
// its tile to shared memory. Counted from the rounds of a block inside the image.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

/// Words of N that the block in the middle of 3 × 3 tiles reads.
std::uint64_t reads(std::uint64_t tile, std::uint64_t mask, bool tiled) {
  const MachineParameters machine{.w = 32, .p = 1024};
  const ConvolvingPlane plane{3 * tile, 3 * tile, 1, 3 * tile, GhostCells::zero, mask / 2, tile};
  constexpr std::uint64_t middle = 4;
  const BlockRounds rounds = tiled ? tiled_plane_rounds(machine, plane, middle)
                                   : plane_rounds(machine, plane, middle, true);
  std::uint64_t requests = 0;
  for (const BlockRounds::Round& round : rounds.rounds()) {
    if (round.memory == MemoryKind::groups) requests += round.requests;
  }
  return requests - tile * tile;  // without the words written
}

/// The number of pixels that a block loads.
std::uint64_t loaded(std::uint64_t tile, std::uint64_t mask) {
  const ConvolvingPlane plane{tile, tile, 1, tile, GhostCells::zero, mask / 2, tile};
  return plane.loaded() * plane.loaded();
}

TableCell cell_of_tile(std::uint64_t tile, std::uint64_t mask, const char* printed,
                       const char* erratum) {
  const double ratio =
      static_cast<double>(reads(tile, mask, false)) / static_cast<double>(reads(tile, mask, true));
  // The source prints 22.14… and 16 with only the digits they need.
  std::string here = fmt::format("{:.1f}", ratio + 1e-9);  // rounds halves up
  if (here.ends_with(".0")) here.resize(here.size() - 2);
  return {fmt::format("mask {}", mask), fmt::format("tile {}", tile), printed, here, erratum};
}

}  // namespace

SourceTable table_conv_7_22() {
  SourceTable table{
      "CONV:7.22",
      "Reads of the image without tiles over those with tiles",
      "requests of the block in the middle of 3 x 3 tiles, with the mask in constant memory. Also: "
      "whether a block with one thread for each pixel that it loads has at most 1,024 threads, and "
      "whether its pixels, of 4 bytes each, take more than 48 KB",
      {cell_of_tile(8, 5, "11.1", ""), cell_of_tile(16, 5, "16", ""),
       cell_of_tile(32, 5, "19.7", "CONV figure 7.22"), cell_of_tile(64, 5, "22.1", ""),
       cell_of_tile(8, 9, "20.3", ""), cell_of_tile(16, 9, "36", ""),
       cell_of_tile(32, 9, "51.8", ""), cell_of_tile(64, 9, "64", "")}};
  const std::string erratum = "CONV 7.6, sizes";
  for (const std::uint64_t tile : {16U, 32U, 64U}) {
    const std::uint64_t threads = loaded(tile, 5);
    table.cells.push_back({"mask 5", fmt::format("tile {}: a block can load it", tile), "yes",
                           threads <= 1024 ? "yes" : "no", threads <= 1024 ? "" : erratum,
                           fmt::format("{} threads", threads)});
  }
  const std::uint64_t bytes = 4 * loaded(64, 9);
  constexpr std::uint64_t capacity = 49152;
  table.cells.push_back({"mask 9", "tile 64: over 48 KB", "yes", bytes > capacity ? "yes" : "no",
                         erratum, fmt::format("{} bytes", bytes)});
  return table;
}

}  // namespace bankproof::cli
