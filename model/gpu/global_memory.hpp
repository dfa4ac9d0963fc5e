// Global memory of real GPUs: how many lines or sectors one access by a warp of 32 threads touches.
//
// A warp's instruction is one request. Its tag stages are the distinct 128-byte lines that its
// active lanes touch; its sectors are the distinct 32-byte pieces that they touch. These are the
// stages of a UMM whose groups are 32 words and 8 words wide. Caches and DRAM are outside the
// model: the rule counts *requested* lines and sectors.
//
// Example: 32 lanes at the 4-byte elements 1 … 32 (off by one element) touch 2 lines and 5 sectors.
// At the aligned elements 0 … 31 they touch 1 line and 4 sectors.
//
// Cost: O(lanes · pieces touched).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip_table.hpp"

namespace bankproof {

class GlobalMemoryRule {
 public:
  static constexpr std::uint32_t line_bytes = 128;
  static constexpr std::uint32_t sector_bytes = 32;

  /// Requires an element size of rule.hpp; `piece_bytes` is line_bytes or sector_bytes.
  GlobalMemoryRule(std::uint32_t element_bytes, std::uint32_t piece_bytes)
      : element_bytes_(element_bytes), piece_bytes_(piece_bytes) {
    assert(is_element_size(element_bytes));
    assert(piece_bytes == line_bytes || piece_bytes == sector_bytes);
  }

  Width width() const { return Chip::warp_width; }
  std::uint32_t element_bytes() const { return element_bytes_; }
  bool conflicts_in_groups() const { return true; }
  std::uint32_t banks_per_element() const { return 1; }
  bool one_word_elements() const { return false; }  // nothing conflicts in banks here
  std::optional<std::uint64_t> elements_per_group() const { return piece_bytes_ / element_bytes_; }
  std::uint32_t turns() const { return 1; }

  /// Pieces touched by at most 32 lanes.
  std::uint32_t stages(std::span<const Address> elements) const {
    std::array<std::uint64_t, Chip::warp_width> touched;
    std::uint32_t count = 0;
    for (const Address element : elements) {
      if (element == no_request) continue;
      const std::uint64_t piece = piece_of(element);
      std::uint32_t k = 0;
      while (k < count && touched[k] != piece) ++k;
      if (k == count) touched[count++] = piece;
    }
    return count;
  }

  /// The fewest pieces that can hold this many distinct elements.
  std::uint32_t ideal(std::span<const Address> elements) const {
    const std::uint64_t distinct = detail::distinct_elements(elements).size();
    return static_cast<std::uint32_t>(ceil_div(distinct * element_bytes_, piece_bytes_));
  }

  /// Lane by lane; nothing for a masked lane. Pieces are served in thread order.
  std::vector<std::optional<LanePlace>> places(std::span<const Address> elements) const {
    std::vector<std::optional<LanePlace>> places;
    std::vector<std::uint64_t> pieces;
    for (const Address element : elements) {
      places.emplace_back();
      if (element == no_request) continue;
      const std::uint64_t word_in_line = element * element_bytes_ % line_bytes / word_bytes;
      const std::uint64_t piece = piece_of(element);
      places.back() = {static_cast<Bank>(word_in_line), piece, detail::rank_of(piece, pieces)};
    }
    return places;
  }

 private:
  std::uint64_t piece_of(Address element) const {
    return element / (piece_bytes_ / element_bytes_);
  }

  std::uint32_t element_bytes_;
  std::uint32_t piece_bytes_;
};

}  // namespace bankproof
