// The chips: a row of numbers for each. All other facts about a chip follow from its row: the rule
// of its shared memory (shared_memory.hpp), the form of this rule for solvers
// (proofs/formulas/serving.hpp), the names that options and $BANKPROOF_MACHINE accept, the lists of
// chips in help and messages, and the remarks in reports.
//
// To add a chip, add a row to `chips` and a row to each table of docs/fidelity.md. A row whose
// numbers no rule can follow does not compile (`is_consistent`).
//
// A row takes the place of the parameters of a DMM. A DMM has a width, a latency and a number of
// threads; a row has only widths: the warps of a chip have `Chip::warp_width` threads, and its
// shared memory has `banks` banks. Reports count stages, so they need neither latencies nor numbers
// of threads.
//
// Example: sm_90 has 32 banks of 4 bytes. Elements of 8 bytes are served to 16 lanes at a time, so
// a warp takes at least two wavefronts unless partners agree.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rule.hpp"

namespace bankproof {

/// The condition under which a shared memory serves two neighbouring groups of lanes together.
enum class Merging : std::uint8_t {
  none,
  if_partners_agree,  ///< under condition P of shared_memory.hpp
};

/// The banks of a shared memory, and the size of the groups of lanes that it serves together. Every
/// number is a power of two, except that a number of lanes can be 0.
struct SharedMemory {
  std::uint32_t banks;
  std::uint32_t bank_bytes;     ///< bytes of a word, which lies in one bank
  std::uint32_t words_per_row;  ///< a bank serves all its words of a row together
  /// The number of lanes that are served together, for elements of 1, 2, 4, 8 and 16 bytes. 0: no
  /// rule is known for this size.
  std::array<Width, 5> lanes_per_group;
  Merging merging;

  /// Requires an element size of rule.hpp. 0 if there is no rule for elements of this size.
  constexpr Width lanes_of(std::uint32_t element_bytes) const {
    return lanes_per_group[static_cast<std::size_t>(std::countr_zero(element_bytes))];
  }

  /// Elements up to this many bytes have a rule.
  constexpr std::uint32_t widest_element() const {
    std::uint32_t bytes = 1;
    for (const std::uint32_t wider : {2u, 4u, 8u, 16u}) {
      if (lanes_of(wider) != 0) bytes = wider;
    }
    return bytes;
  }

  constexpr std::uint32_t row_bytes() const { return words_per_row * bank_bytes; }
};

/// The source of a rule. `text` is one clause without the chip's name.
struct RuleSource {
  Evidence evidence;
  std::string_view text;
};

struct Chip {
  static constexpr Width warp_width = 32;  ///< the threads of a warp, on every chip

  std::string_view name;
  SharedMemory shared;
  std::uint32_t usual_element_bytes;           ///< the size of an element if the user gives none
  std::span<const RuleSource> narrow_sources;  ///< shared memory, elements that fit one bank
  std::span<const RuleSource> wide_sources;    ///< shared memory, wider elements
  std::span<const RuleSource> global_sources;  ///< global memory; empty: no rule is known

  /// Whether the chip has a rule for global memory: the lines and sectors of global_memory.hpp.
  constexpr bool has_global_rule() const { return !global_sources.empty(); }
};

/// Whether shared_memory.hpp can follow these numbers. An element of several words has to fill
/// neighbouring banks of one row. If lanes access neighbouring elements, each group of lanes has to
/// take one stage. If groups can merge, two merged groups have to hold the partner of each of their
/// lanes. A picture has a column for each bank, and at most Chip::warp_width columns.
constexpr bool is_consistent(const SharedMemory& memory) {
  const bool powers = std::has_single_bit(memory.banks) && std::has_single_bit(memory.bank_bytes) &&
                      std::has_single_bit(memory.words_per_row);
  if (!powers || memory.banks > Chip::warp_width || memory.words_per_row < memory.banks)
    return false;
  if (memory.lanes_of(1) == 0) return false;
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    const Width lanes = memory.lanes_of(bytes);
    if (lanes == 0 && bytes <= memory.widest_element()) return false;
    if (lanes == 0) continue;
    if (!std::has_single_bit(lanes) || lanes > Chip::warp_width) return false;
    if (lanes == 1 && memory.merging == Merging::if_partners_agree) return false;
    if (bytes > memory.banks * memory.bank_bytes) return false;
    if (lanes * bytes > memory.row_bytes()) return false;
  }
  return true;
}

/// Whether the rules can follow this row, and whether the row gives a source for each of its rules.
constexpr bool is_consistent(const Chip& chip) {
  const std::uint32_t widest = chip.shared.widest_element();
  return !chip.name.empty() && is_consistent(chip.shared) && !chip.narrow_sources.empty() &&
         chip.wide_sources.empty() == (widest <= chip.shared.bank_bytes) &&
         is_element_size(chip.usual_element_bytes) && chip.usual_element_bytes <= widest;
}

namespace detail {
inline constexpr std::array vendor_documents = {
    RuleSource{Evidence::documented, "banks and merging as the vendor documents them"}};
inline constexpr std::array vendor_documents_kepler = {
    RuleSource{Evidence::documented, "banks and merging as the vendor documents them for Kepler"}};
inline constexpr std::array measured_on_an_a100 = {
    RuleSource{Evidence::measured_elsewhere,
               "how a warp is split for elements of 8 and 16 bytes was measured on an A100"},
    RuleSource{Evidence::unverified,
               "whether groups of a store merge as those of a load do is not settled; it matters "
               "only where lanes are masked or share an address"}};
inline constexpr std::array sectors_measured_elsewhere = {
    RuleSource{Evidence::measured_elsewhere,
               "requested sectors and 128-byte lines were measured on other chips"}};
}  // namespace detail

/// The chips, in the order in which messages list them.
inline constexpr auto chips = std::to_array<Chip>({
    {.name = "kepler-64bit",
     .shared = {.banks = 32,
                .bank_bytes = 8,
                .words_per_row = 32,
                .lanes_per_group = {32, 32, 32, 32, 0},
                .merging = Merging::none},
     .usual_element_bytes = 8,
     .narrow_sources = detail::vendor_documents_kepler,
     .wide_sources = {},
     .global_sources = {}},
    {.name = "kepler-32bit",
     .shared = {.banks = 32,
                .bank_bytes = 4,
                .words_per_row = 64,
                .lanes_per_group = {32, 32, 32, 0, 0},
                .merging = Merging::none},
     .usual_element_bytes = 4,
     .narrow_sources = detail::vendor_documents_kepler,
     .wide_sources = {},
     .global_sources = {}},
    {.name = "sm_90",
     .shared = {.banks = 32,
                .bank_bytes = 4,
                .words_per_row = 32,
                .lanes_per_group = {32, 32, 32, 16, 8},
                .merging = Merging::if_partners_agree},
     .usual_element_bytes = 4,
     .narrow_sources = detail::vendor_documents,
     .wide_sources = detail::measured_on_an_a100,
     .global_sources = detail::sectors_measured_elsewhere},
});
static_assert(std::all_of(chips.begin(), chips.end(),
                          [](const Chip& chip) { return is_consistent(chip); }));

/// Nothing if no chip has this name.
constexpr std::optional<Chip> find_chip(std::string_view name) {
  for (const Chip& chip : chips) {
    if (chip.name == name) return chip;
  }
  return std::nullopt;
}

/// The bytes of the widest row of banks of these chips. A power of two.
constexpr std::uint32_t widest_row_bytes(std::span<const Chip> all = chips) {
  std::uint32_t widest = 1;
  for (const Chip& chip : all) widest = std::max(widest, chip.shared.row_bytes());
  return widest;
}

namespace detail {
inline std::vector<Remark> remarks_of(const Chip& chip, std::span<const RuleSource> sources) {
  std::vector<Remark> remarks;
  for (const RuleSource& source : sources) {
    std::string text(source.text);
    if (source.evidence == Evidence::measured_elsewhere) {
      text += ", not yet on " + std::string(chip.name);
    }
    remarks.push_back({source.evidence, std::move(text)});
  }
  return remarks;
}
}  // namespace detail

/// The evidence for the rule of the chip's shared memory, for elements of this size.
inline std::vector<Remark> remarks_on_shared(const Chip& chip, std::uint32_t element_bytes) {
  const bool wide = element_bytes > chip.shared.bank_bytes;
  return detail::remarks_of(chip, wide ? chip.wide_sources : chip.narrow_sources);
}

/// The evidence for the rule of the chip's global memory; empty if it has no rule.
inline std::vector<Remark> remarks_on_global(const Chip& chip) {
  return detail::remarks_of(chip, chip.global_sources);
}

}  // namespace bankproof
