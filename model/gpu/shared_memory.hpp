// Shared memory of real GPUs: wavefronts of one access by a warp of 32 threads.
//
// A warp is served in groups of lanes, one group after another. Within a group, each bank serves
// one row at a time, and requests to one row of one bank merge. So a group takes as many wavefronts
// as its fullest bank has distinct rows. The rows of chip_table.hpp say how the chips differ in
// their banks, rows and groups:
//
//   sm_90         a bank has one word of a row. If a lane has up to 4 bytes, the whole warp is one
//                 group, as on the DMM of width 32. With 8 bytes for each lane the groups are
//                 half-warps, with 16 bytes quarter-warps. Neighbouring groups merge (8 bytes: the
//                 two halves; 16 bytes: the two quarters of each half) if condition P holds.
//   kepler-64bit  words of 8 bytes; the whole warp is one group (THS 4.5).
//   kepler-32bit  a bank has two words of a row: the words a and a+32 of one 64-word segment are
//                 served together (THS 4.5).
//
// Condition P: for every active lane i, lane i^1 is inactive or at the same address; or the same
// holds with i^2 in place of i^1. Condition P holds for the whole warp or not at all.
//
// Elements are aligned, so an element of k words fills k neighbouring banks of one row. Two
// elements fill the same k banks or no common bank. So it is enough to count, for each element, the
// row in the bank of its first word.
//
// Example: on sm_90, all lanes read element 0 of 16 bytes: P holds, and each half takes one
// wavefront, 2 in all. If the lanes read elements 0 … 31, P does not hold: four quarters take 4
// wavefronts.
//
// Cost: O(lanes · rows of the fullest bank).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip_table.hpp"

namespace bankproof {

class SharedMemoryRule {
 public:
  /// Requires a consistent chip that has a rule for elements of this size.
  SharedMemoryRule(const Chip& chip, std::uint32_t element_bytes)
      : chip_(chip), element_bytes_(element_bytes) {
    assert(is_consistent(chip) && is_element_size(element_bytes));
    assert(chip.shared.lanes_of(element_bytes) != 0);
  }

  Width width() const { return Chip::warp_width; }
  const Chip& chip() const { return chip_; }
  std::uint32_t element_bytes() const { return element_bytes_; }
  bool conflicts_in_groups() const { return false; }

  std::uint32_t banks() const { return chip_.shared.banks; }
  std::uint32_t words_per_row() const { return chip_.shared.words_per_row; }
  /// An element fills this many neighbouring banks; 1 if it is no wider than a bank.
  std::uint32_t banks_per_element() const {
    return std::max(1u, element_bytes_ / chip_.shared.bank_bytes);
  }
  /// A word has this many elements; 1 if an element fills a word or more.
  std::uint32_t elements_per_word() const {
    return std::max(1u, chip_.shared.bank_bytes / element_bytes_);
  }

  /// Whether distinct elements conflict exactly when they are equal modulo the width.
  bool one_word_elements() const {
    return element_bytes_ == chip_.shared.bank_bytes && banks() == Chip::warp_width &&
           words_per_row() == banks() && lanes_per_group(false) == Chip::warp_width;
  }

  /// Wavefronts of an access by at most 32 lanes.
  std::uint32_t stages(std::span<const Address> elements) const {
    const std::uint32_t lanes = lanes_per_group(elements);
    std::uint32_t total = 0;
    for (std::size_t first = 0; first < elements.size(); first += lanes) {
      total += fullest_bank(
          elements.subspan(first, std::min<std::size_t>(lanes, elements.size() - first)));
    }
    return total;
  }

  /// The fewest wavefronts of any access by the same lanes to the same number of distinct elements:
  /// one for each group that has an active lane. Groups count as merged if condition P holds for
  /// one of these accesses.
  std::uint32_t ideal(std::span<const Address> elements) const {
    const std::size_t distinct = detail::distinct_elements(elements).size();
    const bool can_merge =
        distinct <= std::max(active_pairs(elements, 1), active_pairs(elements, 2));
    const std::uint32_t lanes = lanes_per_group(can_merge);
    std::uint32_t groups = 0;
    for (std::size_t first = 0; first < elements.size(); first += lanes) {
      const auto group =
          elements.subspan(first, std::min<std::size_t>(lanes, elements.size() - first));
      groups += std::any_of(group.begin(), group.end(),
                            [](Address element) { return element != no_request; });
    }
    return groups;
  }

  /// Lane by lane; nothing for a masked lane. `group` is the row.
  std::vector<std::optional<LanePlace>> places(std::span<const Address> elements) const {
    const std::uint32_t lanes = lanes_per_group(elements);
    std::vector<std::optional<LanePlace>> places(elements.size());
    std::uint32_t served = 0;  // wavefronts of earlier groups
    std::uint32_t longest = 0;
    std::array<std::vector<std::uint64_t>, most_banks> rows;
    for (std::size_t lane = 0; lane < elements.size(); ++lane) {
      if (lane % lanes == 0) {
        served += longest;
        longest = 0;
        rows.fill({});
      }
      if (elements[lane] == no_request) continue;
      const auto cell = first_cell(elements[lane]);
      const std::uint32_t rank = detail::rank_of(cell.row, rows[cell.bank]);
      longest = std::max(longest, rank + 1);
      places[lane] = {static_cast<Bank>(cell.bank), cell.row, served + rank};
    }
    return places;
  }

  /// The position of an element's first word; a template, so that proofs can state it for all
  /// elements.
  template <class N>
  struct Cell {
    N bank;
    N row;
  };
  template <class N>
  Cell<N> first_cell(const N& element) const {
    const N word = banks_per_element() > 1 ? element * N(banks_per_element())
                                           : quotient(element, elements_per_word());
    return {remainder(word, banks()), quotient(word, words_per_row())};
  }

  /// The number of lanes that are served together; `merged` says whether condition P holds.
  Width lanes_per_group(bool merged) const {
    const Width lanes = chip_.shared.lanes_of(element_bytes_);
    return merged && merges() ? 2 * lanes : lanes;
  }
  /// The number of lanes that are served together in this access.
  Width lanes_per_group(std::span<const Address> elements) const {
    if (!merges()) return lanes_per_group(false);
    return lanes_per_group(partners_agree(elements, 1) || partners_agree(elements, 2));
  }

 private:
  static constexpr std::uint32_t most_banks = Chip::warp_width;

  /// Whether groups of lanes can merge. They cannot if the whole warp is one group.
  bool merges() const {
    return chip_.shared.merging == Merging::if_partners_agree &&
           chip_.shared.lanes_of(element_bytes_) < Chip::warp_width;
  }

  /// Division by a power of two. Integers are shifted and masked, which is several times faster.
  template <class N>
  static N quotient(const N& value, std::uint32_t power) {
    if constexpr (std::unsigned_integral<N>)
      return value >> std::countr_zero(power);
    else
      return value / N(power);
  }
  template <class N>
  static N remainder(const N& value, std::uint32_t power) {
    if constexpr (std::unsigned_integral<N>)
      return value & (power - 1);
    else
      return value % N(power);
  }

  /// One of the two cases of condition P: the partner of a lane is lane ^ distance. Each pair is
  /// checked at its lower lane.
  static bool partners_agree(std::span<const Address> elements, std::size_t distance) {
    for (std::size_t lane = 0; lane < elements.size(); ++lane) {
      const std::size_t partner = lane | distance;
      const Address there = partner < elements.size() ? elements[partner] : no_request;
      if (elements[lane] != no_request && there != no_request && elements[lane] != there) {
        return false;
      }
    }
    return true;
  }

  /// The number of pairs of partners with at least one active lane.
  static std::size_t active_pairs(std::span<const Address> elements, std::size_t distance) {
    std::size_t pairs = 0;
    for (std::size_t lane = 0; lane < elements.size(); ++lane) {
      if (elements[lane] == no_request) continue;
      const std::size_t partner = lane ^ distance;
      pairs += partner > lane || elements[partner] == no_request;
    }
    return pairs;
  }

  /// The most distinct rows in one bank. An element is counted in its first bank only.
  std::uint32_t fullest_bank(std::span<const Address> elements) const {
    std::array<std::uint64_t, Chip::warp_width> row;      // the row of each distinct (bank, row)
    std::array<std::uint8_t, Chip::warp_width> previous;  // the previous entry of its bank, plus 1
    std::array<std::uint8_t, most_banks> last{};  // the last entry, plus 1; 0: bank untouched
    std::array<std::uint8_t, most_banks> depth{};
    std::uint8_t count = 0;
    std::uint8_t fullest = 0;
    for (const Address element : elements) {
      if (element == no_request) continue;
      const auto cell = first_cell(element);
      std::uint8_t seen = last[cell.bank];
      while (seen != 0 && row[seen - 1u] != cell.row) seen = previous[seen - 1u];
      if (seen != 0) continue;
      row[count] = cell.row;
      previous[count] = last[cell.bank];
      last[cell.bank] = ++count;
      fullest = std::max(fullest, ++depth[cell.bank]);
    }
    return fullest;
  }

  Chip chip_;
  std::uint32_t element_bytes_;
};

}  // namespace bankproof
