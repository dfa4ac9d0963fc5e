// A second, literal formulation of what the chips do: sets of words per bank, built byte by byte,
// without any reduction. The tests compare the rules of model/gpu with it.
//
// Example: sm_90_literally(16, all lanes at element 0) is 2: condition P holds, and each half
// requests the four words 0 … 3, which lie in four banks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <vector>

#include "../../model/gpu/chips.hpp"
#include "../../oracles/stages.hpp"
#include "../../testing/accesses.hpp"

namespace bankproof::gpu_properties {

using Elements = std::vector<Address>;
using Formulation = std::function<std::uint64_t(const Elements&)>;

inline constexpr std::uint32_t warp = 32;

inline const Chip sm_90 = *find_chip("sm_90");
inline const Chip kepler_64bit = *find_chip("kepler-64bit");
inline const Chip kepler_32bit = *find_chip("kepler-32bit");

/// Lane k accesses element first + k·step.
inline Elements strided(Address step, Address first = 0, std::uint32_t lanes = warp) {
  Elements elements(lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) elements[lane] = first + lane * step;
  return elements;
}

/// The access with the lanes outside the mask removed.
inline Elements masked(Elements elements, std::uint32_t mask) {
  for (std::size_t lane = 0; lane < elements.size(); ++lane) {
    if ((mask >> lane & 1) == 0) elements[lane] = no_request;
  }
  return elements;
}

/// The words of an active lane's element, in units of `word_size` bytes.
inline std::set<std::uint64_t> words_of(Address element, std::uint32_t bytes,
                                        std::uint32_t word_size) {
  std::set<std::uint64_t> words;
  for (std::uint64_t byte = 0; byte < bytes; ++byte) {
    words.insert((element * bytes + byte) / word_size);
  }
  return words;
}

/// The number of words (or of rows of `words_per_row` words) that these lanes request from the
/// fullest bank.
inline std::uint64_t fullest_bank(const Elements& lanes, std::uint32_t bytes,
                                  std::uint32_t bank_bytes, std::uint64_t words_per_row,
                                  std::uint64_t banks = 32) {
  std::map<std::uint64_t, std::set<std::uint64_t>> rows;
  for (const Address element : lanes) {
    if (element == no_request) continue;
    for (const std::uint64_t word : words_of(element, bytes, bank_bytes)) {
      rows[word % banks].insert(word / words_per_row);
    }
  }
  std::uint64_t fullest = 0;
  for (const auto& [bank, distinct] : rows) fullest = std::max(fullest, distinct.size());
  return fullest;
}

inline bool every_active_lane_can_share(const Elements& elements, std::size_t distance) {
  const auto at = [&](std::size_t lane) {
    return lane < elements.size() ? elements[lane] : no_request;
  };
  for (std::size_t lane = 0; lane < warp; ++lane) {
    const bool inactive = at(lane) == no_request;
    const bool partner_inactive = at(lane ^ distance) == no_request;
    if (!inactive && !partner_inactive && at(lane) != at(lane ^ distance)) return false;
  }
  return true;
}

/// The wavefronts of an access to a shared memory whose banks, rows and groups `memory` gives.
inline std::uint64_t shared_literally(const SharedMemory& memory, std::uint32_t bytes,
                                      const Elements& elements) {
  const bool p =
      every_active_lane_can_share(elements, 1) || every_active_lane_can_share(elements, 2);
  std::size_t lanes = memory.lanes_of(bytes);
  if (memory.merging == Merging::if_partners_agree && p && lanes < warp) lanes *= 2;
  std::uint64_t total = 0;
  for (std::size_t first = 0; first < elements.size(); first += lanes) {
    const std::size_t end = std::min(first + lanes, elements.size());
    const Elements group(elements.begin() + static_cast<std::ptrdiff_t>(first),
                         elements.begin() + static_cast<std::ptrdiff_t>(end));
    total += fullest_bank(group, bytes, memory.bank_bytes, memory.words_per_row, memory.banks);
  }
  return total;
}

// The rules of the three chips once more, each with its chip's numbers written out.

inline std::uint64_t sm_90_literally(std::uint32_t bytes, const Elements& elements) {
  const bool p =
      every_active_lane_can_share(elements, 1) || every_active_lane_can_share(elements, 2);
  std::size_t lanes = 32;
  if (bytes == 8) lanes = p ? 32 : 16;
  if (bytes == 16) lanes = p ? 16 : 8;
  std::uint64_t total = 0;
  for (std::size_t first = 0; first < elements.size(); first += lanes) {
    const std::size_t end = std::min(first + lanes, elements.size());
    const Elements group(elements.begin() + static_cast<std::ptrdiff_t>(first),
                         elements.begin() + static_cast<std::ptrdiff_t>(end));
    total += fullest_bank(group, bytes, 4, 32);
  }
  return total;
}

inline std::uint64_t kepler_64bit_literally(std::uint32_t bytes, const Elements& elements) {
  return fullest_bank(elements, bytes, 8, 32);
}

inline std::uint64_t kepler_32bit_literally(std::uint32_t bytes, const Elements& elements) {
  return fullest_bank(elements, bytes, 4, 64);
}

inline std::uint64_t pieces_literally(std::uint32_t bytes, std::uint32_t piece,
                                      const Elements& elements) {
  std::set<std::uint64_t> touched;
  for (const Address element : elements) {
    if (element != no_request) touched.merge(words_of(element, bytes, piece));
  }
  return touched.size();
}

/// The stages if the oracle's machine accesses the words of each element one after another.
inline std::uint64_t in_turn_literally(
    const std::function<oracle::Stages(const oracle::Addresses&, std::uint64_t)>& machine,
    std::uint64_t width, std::uint32_t bytes, const Elements& elements) {
  std::uint64_t total = 0;
  for (std::uint32_t first_byte = 0; first_byte < bytes; first_byte += 4) {
    oracle::Addresses addresses;
    for (const Address element : elements) {
      if (element == no_request) {
        addresses.emplace_back();
      } else {
        addresses.emplace_back((element * bytes + first_byte) / 4);
      }
    }
    total += machine(addresses, width).count;
  }
  return total;
}

/// An access of a chip's warp, possibly of fewer than 32 lanes. In some accesses partners share
/// elements, so that condition P matters.
struct ChipAccess {
  Elements elements;
};

inline std::ostream& operator<<(std::ostream& out, const ChipAccess& access) {
  for (const Address element : access.elements) {
    if (element == no_request) {
      out << "- ";
    } else {
      out << element << ' ';
    }
  }
  return out;
}

/// The lanes of an access, as element indices.
inline Elements elements_of(const testing::WarpAccess& access) {
  Elements elements;
  for (const auto& lane : access.lanes) elements.push_back(lane.value_or(no_request));
  return elements;
}

}  // namespace bankproof::gpu_properties

namespace rc {
template <>
struct Arbitrary<bankproof::gpu_properties::ChipAccess> {
  static Gen<bankproof::gpu_properties::ChipAccess> arbitrary() {
    using bankproof::Address;
    using bankproof::no_request;
    using bankproof::gpu_properties::ChipAccess;
    using bankproof::testing::WarpAccess;
    // Partners 0: no lanes share. Partners 1 and 2: lanes i and i^1, or lanes i and i^2, share an
    // element if both are active.
    return gen::map(gen::pair(bankproof::testing::any_access(bankproof::gpu_properties::warp),
                              gen::inRange<std::size_t>(0, 3)),
                    [](const std::pair<WarpAccess, std::size_t>& drawn) {
                      ChipAccess access{bankproof::gpu_properties::elements_of(drawn.first)};
                      for (std::size_t lane = 0; lane < access.elements.size(); ++lane) {
                        const Address partner = access.elements[lane & ~drawn.second];
                        Address& element = access.elements[lane];
                        if (partner != no_request && element != no_request) element = partner;
                      }
                      return access;
                    });
  }
};
}  // namespace rc
