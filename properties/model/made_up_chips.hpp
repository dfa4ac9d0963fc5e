// Made-up chips: consistent rows of model/gpu/chip_table.hpp with other banks, words, rows and
// groups than any chip has. Properties of all chips hold on them too, so that a further row needs
// no further test.
//
// Example: 8 banks of 2 bytes, rows of 16 words, and groups of 16, 8, 4, 2 and 2 lanes that merge.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>

#include "../../model/gpu/chip_table.hpp"

namespace bankproof::gpu_properties {

inline constexpr std::array made_up_sources = {RuleSource{Evidence::unverified, "made up"}};

struct MadeUpChip {
  Chip chip;
};

inline std::ostream& operator<<(std::ostream& out, const MadeUpChip& made_up) {
  const SharedMemory& shared = made_up.chip.shared;
  out << shared.banks << " banks of " << shared.bank_bytes << " bytes, rows of "
      << shared.words_per_row << " words, lanes";
  for (const Width lanes : shared.lanes_per_group) out << ' ' << lanes;
  return out << (shared.merging == Merging::none ? "" : ", merging");
}

/// A power of two from 2^least to 2^most.
inline std::uint32_t drawn_power(int least, int most) {
  return 1U << *rc::gen::inRange(least, most + 1);
}

inline Chip draw_chip() {
  SharedMemory shared{};
  shared.banks = drawn_power(1, 5);
  shared.bank_bytes = drawn_power(0, 4);
  shared.words_per_row = shared.banks * drawn_power(0, 2);
  shared.merging = *rc::gen::element(Merging::none, Merging::if_partners_agree);
  const std::uint32_t least = shared.merging == Merging::none ? 1 : 2;
  const std::uint32_t widest = drawn_power(0, 4);
  for (std::uint32_t k = 0; k < shared.lanes_per_group.size(); ++k) {
    const std::uint32_t bytes = 1U << k;
    const std::uint32_t most = std::min(Chip::warp_width, shared.row_bytes() / bytes);
    if (bytes > widest || bytes > shared.banks * shared.bank_bytes || most < least) break;
    shared.lanes_per_group[k] = std::max(least, most / drawn_power(0, 2));
  }
  return {.name = "made-up",
          .shared = shared,
          .usual_element_bytes = 1,
          .narrow_sources = made_up_sources,
          .wide_sources = shared.widest_element() > shared.bank_bytes
                              ? std::span<const RuleSource>(made_up_sources)
                              : std::span<const RuleSource>(),
          .global_sources = made_up_sources};
}

}  // namespace bankproof::gpu_properties

namespace rc {
template <>
struct Arbitrary<bankproof::gpu_properties::MadeUpChip> {
  static Gen<bankproof::gpu_properties::MadeUpChip> arbitrary() {
    return gen::exec([] {
      return bankproof::gpu_properties::MadeUpChip{bankproof::gpu_properties::draw_chip()};
    });
  }
};
}  // namespace rc
