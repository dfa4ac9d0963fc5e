// The vocabulary that all access rules of model/gpu share: elements by lane, the place and the
// stage that serve a lane, and the evidence for a rule.
//
// A rule prices one access of a warp to one array: lane i touches the element with index
// `elements[i]`, or no element if `elements[i]` is `no_request`. Elements have 1, 2, 4, 8 or 16
// bytes and are aligned to their size. Element 0 lies at a multiple of every line and row, since
// arrays begin at multiples of w (docs/model.md).
//
// Example: `{5, no_request, 6}` is a warp whose lane 1 is masked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../units.hpp"

namespace bankproof {

/// The element index of a lane that makes no request.
inline constexpr Address no_request = ~Address{0};

/// Bytes of a word of the pure machines.
inline constexpr std::uint32_t word_bytes = 4;

/// The evidence for a rule; docs/fidelity.md explains the marks.
enum class Evidence : std::uint8_t {
  documented,          ///< the vendor says so
  measured_elsewhere,  ///< measured and published, on another chip
  unverified,          ///< plausible, and to be settled before anything relies on it
};

/// A remark that a user of a rule should know.
struct Remark {
  Evidence evidence;
  std::string text;  ///< one clause, without the machine's name
};

/// The place and the stage that serve a lane. For an element of several words, they are those of
/// its first word.
struct LanePlace {
  Bank bank = 0;            ///< in global memory: the word's place in its line
  std::uint64_t group = 0;  ///< address group, row of the banks, or line
  std::uint32_t stage = 0;  ///< from 0
  bool operator==(const LanePlace&) const = default;
};

/// Whether an element may have this many bytes: 1, 2, 4, 8, 16.
constexpr bool is_element_size(std::uint64_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

namespace detail {

/// The distinct elements of an access, ascending.
inline std::vector<Address> distinct_elements(std::span<const Address> elements) {
  std::vector<Address> distinct;
  std::copy_if(elements.begin(), elements.end(), std::back_inserter(distinct),
               [](Address element) { return element != no_request; });
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

/// The rank of `value` among the distinct values so far. A new value is added to them and gets the
/// next rank.
inline std::uint32_t rank_of(std::uint64_t value, std::vector<std::uint64_t>& so_far) {
  const auto found = std::find(so_far.begin(), so_far.end(), value);
  const auto rank = static_cast<std::uint32_t>(found - so_far.begin());
  if (found == so_far.end()) so_far.push_back(value);
  return rank;
}

}  // namespace detail

}  // namespace bankproof
