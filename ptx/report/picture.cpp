// Cells are squares of 13 units; colors repeat every eight stages.
#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "markup.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::uint32_t cell = 13;
constexpr std::uint32_t left = 34;
constexpr std::uint32_t top = 28;
constexpr std::uint32_t columns = 32;
constexpr std::uint32_t words_of_sector = 8;
constexpr std::uint32_t widest_element = 16;

std::string text_at(std::uint32_t x, std::uint32_t y, std::string_view kind,
                    std::string_view text) {
  return fmt::format(R"(<text x="{}" y="{}" class="{}">{}</text>)", x, y, kind, text);
}

// Draws the numbers of banks and lanes, and the lines between them.
std::string frame(PicturedMemory memory) {
  const std::uint32_t side = columns * cell;
  std::string svg = fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="grid"/>)",
                                left, top, side, warp_lanes * cell);
  svg += text_at(left, 10, "axis", memory == PicturedMemory::shared ? "bank" : "word of the line");
  svg += text_at(2, 24, "axis", "lane");
  for (std::uint32_t k = 0; k < columns; k += 4) {
    svg += text_at(left + k * cell + 2, 24, "axis", std::to_string(k));
    svg += text_at(4, top + k * cell + 10, "axis", std::to_string(k));
  }
  const std::uint32_t step = memory == PicturedMemory::shared ? 4 : words_of_sector;
  for (std::uint32_t k = step; k < columns; k += step) {
    svg += fmt::format(R"(<path d="M{} {}v{}" class="rule"/>)", left + k * cell, top,
                       warp_lanes * cell);
  }
  return svg;
}

std::string lane_cells(std::uint32_t lane, const LanePlace& place, std::uint32_t words) {
  const std::uint32_t column = place.bank % columns;
  const std::uint32_t x = left + column * cell;
  const std::uint32_t y = top + lane * cell;
  std::string svg =
      fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="s{}"/>)", x, y,
                  std::min(words, columns - column) * cell - 1, cell - 1, place.stage % 8);
  const std::uint32_t stage = place.stage + 1;
  return svg + text_at(x + (stage > 9 ? 0 : 3), y + 10, "stage", std::to_string(stage));
}

}  // namespace

std::optional<AccessRule> picture_rule(std::string_view machine, PicturedMemory memory,
                                       std::uint32_t element_bytes) {
  if (!is_element_size(element_bytes)) return std::nullopt;
  const bool shared = memory == PicturedMemory::shared;
  const std::string_view name = machine.substr(0, machine.find(':'));
  if (const auto chip = find_chip(name)) {
    return shared ? shared_rule(*chip, element_bytes) : global_rule(*chip, element_bytes);
  }
  return shared ? dmm_rule(columns, element_bytes) : umm_rule(columns, element_bytes);
}

std::string picture_svg(const AccessPicture& picture, PicturedMemory memory,
                        std::string_view machine, std::string_view label) {
  // If an element takes two turns, draws the first turn.
  const std::uint32_t bytes = std::min(picture.element_bytes, widest_element);
  const auto rule = picture_rule(machine, memory, bytes);
  if (!rule) return {};
  std::vector<bankproof::Address> elements(warp_lanes, no_request);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((picture.lanes >> lane & 1U) == 0) continue;
    elements[lane] = picture.addresses[lane] / bytes;
  }
  const auto places = places_of(*rule, elements);
  std::string svg =
      fmt::format(R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" )"
                  R"(aria-label="{2}"><title>{2}</title>)",
                  left + columns * cell + 2, top + warp_lanes * cell + 2, html(label));
  svg += frame(memory);
  const std::uint32_t words = std::max(1U, bytes / word_bytes);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if (places[lane]) svg += lane_cells(lane, *places[lane], words);
  }
  return svg + "</svg>";
}

}  // namespace bankproof::ptx
