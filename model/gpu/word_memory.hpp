// The pure DMM and UMM for elements that are not one word.
//
// An access to elements of several words takes a turn for each word: first every lane's first word,
// then every lane's second word, and so on. Elements smaller than a word share words, and requests
// to one word merge. With one-word elements this is the plain machine, whose stages `cost.hpp`
// counts.
//
// Example, DMM, w = 4, elements of 8 bytes: lanes 0 … 3 at elements 0, 1, 2, 3 ask first for the
// words 0, 2, 4, 6 (banks 0, 2, 0, 2: two stages) and then for 1, 3, 5, 7 (two more). Four stages
// are also ideal here: even words never reach the odd banks.
//
// Cost: that of StageCounter, once for each word of an element.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "../cost.hpp"
#include "rule.hpp"

namespace bankproof {

class WordMemoryRule {
 public:
  enum class Conflict : std::uint8_t { banks, groups };  // DMM, UMM

  /// Requires 1 ≤ width ≤ widest_access and an element size of rule.hpp.
  WordMemoryRule(Conflict conflict, Width width, std::uint32_t element_bytes)
      : conflict_(conflict),
        element_bytes_(element_bytes),
        turns_(std::max<std::uint32_t>(1, element_bytes / word_bytes)),
        counter_(width),
        addresses_(width) {}

  Width width() const { return counter_.divider().width(); }
  std::uint32_t element_bytes() const { return element_bytes_; }
  bool conflicts_in_groups() const { return conflict_ == Conflict::groups; }
  std::uint32_t banks_per_element() const { return 1; }

  /// Stages of an access by at most `width` lanes.
  std::uint32_t stages(std::span<const Address> elements) {
    std::uint32_t total = 0;
    for (std::uint32_t turn = 0; turn < turns_; ++turn) {
      std::size_t count = 0;
      for (const Address element : elements) {
        if (element != no_request) addresses_[count++] = word(element, turn);
      }
      const std::span<const Address> addresses(addresses_.data(), count);
      total += conflicts_in_groups() ? counter_.group_stages(addresses)
                                     : counter_.bank_stages(addresses);
    }
    return total;
  }

  /// The fewest stages of any access by the same number of lanes to the same number of distinct
  /// elements.
  std::uint32_t ideal(std::span<const Address> elements) const {
    const auto distinct = static_cast<std::uint32_t>(detail::distinct_elements(elements).size());
    if (distinct == 0) return 0;
    if (turns_ == 1) return 1;
    if (conflicts_in_groups()) return ideal_groups(distinct);
    // In a turn, words are `turns_` apart, so they reach only every gcd-th bank. Consecutive
    // elements reach these banks one after another.
    const Width reached = width() / std::gcd(turns_, width());
    return turns_ * static_cast<std::uint32_t>(ceil_div(distinct, reached));
  }

  /// Lane by lane; nothing for a masked lane.
  std::vector<std::optional<LanePlace>> places(std::span<const Address> elements) const {
    std::vector<std::optional<LanePlace>> places;
    std::vector<std::vector<std::uint64_t>> queues(conflicts_in_groups() ? 1 : width());
    for (const Address element : elements) {
      places.emplace_back();
      if (element == no_request) continue;
      const Address address = word(element, 0);
      const Bank bank = counter_.divider().bank(address);
      const std::uint64_t group = counter_.divider().group(address);
      const std::uint32_t stage = conflicts_in_groups() ? detail::rank_of(group, queues[0])
                                                        : detail::rank_of(address, queues[bank]);
      places.back() = {bank, group, stage};
    }
    return places;
  }

  /// Whether each element is one word, so that distinct elements are distinct addresses.
  bool one_word_elements() const { return element_bytes_ == word_bytes; }

  /// The number of elements in one address group; this is the same in all turns. Nothing if a
  /// border between groups lies inside an element.
  std::optional<std::uint64_t> elements_per_group() const {
    const std::uint64_t group_bytes = std::uint64_t{width()} * word_bytes;
    if (group_bytes % element_bytes_ != 0) return std::nullopt;
    return group_bytes / element_bytes_;
  }
  std::uint32_t turns() const { return turns_; }

 private:
  Address word(Address element, std::uint32_t turn) const {
    return turns_ > 1 ? element * turns_ + turn : element / (word_bytes / element_bytes_);
  }

  /// Consecutive elements share groups best, so the loop tries every start of consecutive elements
  /// within a group.
  std::uint32_t ideal_groups(std::uint32_t distinct) const {
    const WidthDivider& divider = counter_.divider();
    std::uint64_t least = std::uint64_t{turns_} * distinct;
    if (width() < turns_) return static_cast<std::uint32_t>(least);  // no two words in one group
    for (Address first = 0; first < width(); ++first) {
      std::uint64_t groups = 0;
      for (std::uint32_t turn = 0; turn < turns_; ++turn) {
        groups +=
            divider.group(word(first + distinct - 1, turn)) - divider.group(word(first, turn)) + 1;
      }
      least = std::min(least, groups);
    }
    return static_cast<std::uint32_t>(least);
  }

  Conflict conflict_;
  std::uint32_t element_bytes_;
  std::uint32_t turns_;
  StageCounter counter_;
  std::vector<Address> addresses_;
};

}  // namespace bankproof
