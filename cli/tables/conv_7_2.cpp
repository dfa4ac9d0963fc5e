// CONV 7.2 (row K13): how many threads and warps diverge at the ends of a line, which the section
// describes without numbers. Compares closed forms with counts on machines that ran the basic
// kernel.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../../algorithms/machines.hpp"
#include "../../algorithms/tiled_convolution/divergence.hpp"
#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

constexpr std::uint64_t warp_width = 32;

Divergence counted_divergence(std::uint64_t width, std::uint64_t n) {
  Task task{"1d-basic", Sizes(TiledConvolution::size_keys), {.w = warp_width, .p = 128}};
  task.sizes.set("columns", width);
  task.sizes.set("v", n);
  task.sizes.set("t", 128);
  Inputs<std::int64_t> inputs;
  for (const Shape& shape : TiledConvolution::inputs(task)) inputs.emplace_back(shape.size(), 1);
  DivergenceCounter counter(width, n);
  with_machine(task.machine, {}, [&](auto& machine) {
    machine.attach(counter);
    return TiledConvolution::run<std::int64_t>(task, machine, inputs).time;
  });
  return counter.counted();
}

}  // namespace

SourceTable table_conv_7_2() {
  SourceTable table{"CONV:7.2",
                    "Control divergence at the ends of a line, basic kernel",
                    "closed forms for widths of at least 2⌈n/w⌉ whole warps, where n is the radius "
                    "of the mask and w = 32. Here: counts on machines that ran; a warp diverges in "
                    "a turn if some of its threads read N and others do not",
                    {}};
  table.reference = "the form says";
  for (const auto& [width, mask] : {std::pair<std::uint64_t, std::uint64_t>{64, 5},
                                    {1024, 5},
                                    {65536, 5},
                                    {65536, 9},
                                    {65536, 129}}) {
    const std::uint64_t n = mask / 2;
    const std::uint64_t w = warp_width;
    const Divergence counted = counted_divergence(width, n);
    const std::string row = fmt::format("Width = {}, Mask_Width = {}", width, mask);
    const auto add = [&](std::string_view column, std::uint64_t form, std::uint64_t here,
                         std::string note = {}) {
      table.cells.push_back({row, std::string(column), std::to_string(form), std::to_string(here),
                             "", std::move(note)});
    };
    add("threads with a ghost cell: 2n", 2 * n, counted.threads);
    add("terms skipped: n(n+1)", n * (n + 1), counted.skipped);
    add("warps that diverge: 2⌈n/w⌉", 2 * ((n + w - 1) / w), counted.warps,
        fmt::format("of {}", width / w));
    add("turns of the loop in which one does: 2(n − ⌊n/w⌋)", 2 * (n - n / w), counted.turns,
        fmt::format("of {}", width / w * mask));
  }
  return table;
}

}  // namespace bankproof::cli
