// The findings of `check`, before they are written in some format (formats.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/permutation/conflicts.hpp"
#include "../readers/permutation_argument.hpp"
#include "../support/words.hpp"
#include "memory_choice.hpp"

namespace bankproof::cli {

/// One of the two accesses of a permutation.
struct AccessResult {
  Designation designation;
  ConflictReport report;
  std::optional<ConflictReport> sectors;      // for global memory
  std::optional<std::uint64_t> distribution;  // D_w(P), for the umm
  std::vector<LaneReport> worst;              // the lanes of report.worst_warp
  std::uint64_t over_limit = 0;               // number of warps

  /// "destination" or "source", as in --access and in the fields of JSON.
  std::string_view name() const;

  /// "b[P(i)] ← a[i]" or "b[i] ← a[P⁻¹(i)]".
  std::string_view formula() const;

  /// The element that lane i touches: "P(i)" or "P⁻¹(i)".
  std::string_view element_name() const;
};

struct CheckReport {
  const PermutationArgument& permutation;
  const MemoryChoice& memory;
  std::uint64_t max_stages;  // the most stages that a warp may take
  bool limit_is_given;       // whether the user gave max_stages
  std::vector<AccessResult> accesses;

  bool within_limit() const;

  /// Summed over all accesses; never 0, since no permutation is empty.
  std::uint64_t warps_checked() const;
};

/// Analyzes the accesses, in the order given.
CheckReport check_permutation(const PermutationArgument& permutation, const MemoryChoice& memory,
                              const std::vector<Designation>& accesses,
                              std::optional<std::uint64_t> max_stages);

/// The bank from which the lanes want the most distinct words. Words of a row that a bank serves
/// together (kepler-32bit: a pair) count as one. Of a wide element, only the first word counts.
struct Crowd {
  Bank bank = 0;  // the lowest, if several banks tie
  std::uint64_t words = 0;
};
Crowd most_crowded_bank(const std::vector<LaneReport>& lanes);

/// The number of lanes that are served together: a whole warp, or fewer for wide elements on chips.
Width lanes_together(const MemoryChoice& memory, const std::vector<LaneReport>& lanes);

/// The group of lanes that takes longest; the first group, if several tie.
std::vector<LaneReport> slowest_group(const MemoryChoice& memory,
                                      const std::vector<LaneReport>& lanes);

/// The distinct address groups that the lanes touch, in ascending order.
std::vector<std::uint64_t> groups_of(const std::vector<LaneReport>& lanes);

/// The reason for a warp's number of stages: "bank 5 is asked for 11 different words", "its lanes
/// touch 21 address groups", "the warp is served as 2 groups of 16 lanes, one after the other, and
/// one group asks bank 28 for 1 word".
std::string reason(const MemoryChoice& memory, const std::vector<LaneReport>& lanes);

}  // namespace bankproof::cli
