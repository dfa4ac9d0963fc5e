// Counts the pipeline stages of one access of a warp (docs/model.md, rule 3; THS 3.1 and 3.2, MOD
// 2).
//
// DMM: a bank (address mod w) serves its addresses one after another. So the number of stages of an
// access is the number of distinct addresses in the fullest bank. UMM: a stage serves one address
// group (⌊address/w⌋), so an access takes one stage for each distinct group. On both, requests to
// the same address merge.
//
// Example, w = 4 (THS figure 3.3): {7, 5, 15, 0} has 7 and 15 in bank 3, hence 2 stages on the DMM;
// its groups are 1, 1, 3, 0, hence 3 stages on the UMM.
//
// Cost: O(number of requests), expected; the usual case (one group, or all banks distinct) takes
// one pass without hashing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "units.hpp"

namespace bankproof {

/// Divides by a width; shifts if the width is a power of two.
class WidthDivider {
 public:
  /// Requires width ≥ 1.
  explicit constexpr WidthDivider(Width width = 1)
      : width_(width), shift_(std::has_single_bit(width) ? std::countr_zero(width) : -1) {}

  /// ⌊address/width⌋, the address group.
  constexpr std::uint64_t group(Address address) const {
    return shift_ >= 0 ? address >> shift_ : address / width_;
  }

  /// address mod width, the bank.
  constexpr Bank bank(Address address) const {
    return static_cast<Bank>(shift_ >= 0 ? address & (width_ - 1) : address % width_);
  }

  constexpr Width width() const { return width_; }

 private:
  Width width_;
  int shift_;
};

namespace detail {

/// A set of at most `widest_access` integers that is emptied in O(1).
class SmallSet {
 public:
  /// Makes an empty set with room for `most` elements. Sets for warps are small, and a collision in
  /// the hash table costs a branch misprediction, so these sets get a sparse table.
  explicit SmallSet(std::size_t most)
      : slots_(std::bit_ceil(std::max<std::size_t>((most <= widest_warp ? 8 : 2) * most, 2))),
        shift_(64 - std::countr_zero(slots_.size())) {}

  void clear() { ++epoch_; }

  /// Returns whether the value was new.
  bool insert(std::uint64_t value) {
    std::size_t slot = (value * 0x9e3779b97f4a7c15u) >> shift_;
    for (; slots_[slot].epoch == epoch_; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].value == value) return false;
    }
    slots_[slot] = {value, epoch_};
    return true;
  }

 private:
  struct Slot {
    std::uint64_t value = 0;
    std::uint64_t epoch = 0;
  };
  std::vector<Slot> slots_;
  int shift_;
  std::uint64_t epoch_ = 1;
};

}  // namespace detail

/// Counts stages for memories of one width. The counter reuses its scratch space, so it is not
/// thread-safe.
class StageCounter {
 public:
  /// Requires 1 ≤ width ≤ widest_access.
  explicit StageCounter(Width width) : divider_(width), distinct_(width), fill_(width, 0) {
    assert(width >= 1 && width <= widest_access);
  }

  const WidthDivider& divider() const { return divider_; }

  /// The number of stages that an access to these addresses takes on a DMM; 0 without addresses.
  /// Requires thread order and at most `width` addresses.
  std::uint32_t bank_stages(std::span<const Address> addresses) {
    if (all_banks_differ(addresses)) return addresses.empty() ? 0 : 1;
    distinct_.clear();
    std::fill(fill_.begin(), fill_.end(), 0);
    std::uint32_t fullest = 0;
    for (const Address address : addresses) {
      if (distinct_.insert(address)) {
        fullest = std::max(fullest, ++fill_[divider_.bank(address)]);
      }
    }
    return fullest;
  }

  /// The number of distinct addresses, which is the number of stages on a broadcast memory.
  std::uint32_t distinct(std::span<const Address> addresses) {
    distinct_.clear();
    std::uint32_t count = 0;
    for (const Address address : addresses) count += distinct_.insert(address);
    return count;
  }

  /// The number of stages that an access to these addresses takes on a UMM.
  std::uint32_t group_stages(std::span<const Address> addresses) {
    distinct_.clear();
    std::uint32_t groups = 0;
    for (const Address address : addresses) groups += distinct_.insert(divider_.group(address));
    return groups;
  }

 private:
  /// Takes one pass, with a bit for each bank in a machine word; widths above 64 take the general
  /// path.
  bool all_banks_differ(std::span<const Address> addresses) const {
    if (divider_.width() > 64) return addresses.size() <= 1;
    std::uint64_t seen = 0;
    for (const Address address : addresses) seen |= std::uint64_t{1} << divider_.bank(address);
    return static_cast<std::size_t>(std::popcount(seen)) == addresses.size();
  }

  WidthDivider divider_;
  detail::SmallSet distinct_;
  std::vector<std::uint32_t> fill_;
};

}  // namespace bankproof
