// The memory for which `check` and `prove` count the cost of accesses: a machine (for a chip also
// one of its memories), and the size of the elements. If no rule is known for a combination, the
// usage error names combinations that have a rule.
//
// Example: `--machine sm_90 --word-bytes 8` means shared memory with elements of 8 bytes; a full
// warp takes at least 2 wavefronts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../model/gpu/chips.hpp"
#include "../support/machine_argument.hpp"

namespace bankproof::cli {

/// The options that choose the memory; empty for an option that is not given.
struct MemoryOptions {
  MachineArgument machine;
  std::optional<std::uint64_t> width;
  std::string memory;  // "shared", "global" or empty
  std::optional<std::uint64_t> element_bytes;
  std::string command = "check";  // the command that chooses, for messages
};

/// A memory with a rule.
struct MemoryChoice {
  std::string machine;
  std::string memory;  // "shared" or "global" on chips, empty on the pure machines
  std::uint32_t element_bytes = word_bytes;
  AccessRule rule;
  std::optional<AccessRule> sectors;  // global memory: counts the sectors of an access
  std::vector<std::string> notes;     // reasons not to trust the rule fully

  bool is_chip() const { return !memory.empty(); }
  Width width() const { return width_of(rule); }

  /// The stages of a full warp without conflicts.
  std::uint32_t ideal_of_full_warp() const { return ideal_of_distinct(rule, width()); }

  /// The unit of a warp's cost, in the singular: "stage", "wavefront", or "line".
  std::string unit() const;

  /// For example "sm_90 shared memory, 8-byte elements".
  std::string description() const;
};

/// Throws UsageError.
MemoryChoice choose_memory(const MemoryOptions& options);

}  // namespace bankproof::cli
