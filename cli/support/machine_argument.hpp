// The grammar of machines on the command line: NAME[:key=value,…].
//
// Example: `hmm:w=32,l=2,L=300,d=14,p=1024`. Keys that are not given stay empty; each command has
// its own defaults. Values are at least 1, widths at most `widest_access`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

struct MachineArgument {
  std::string name;
  std::optional<std::uint64_t> width;    // w
  std::optional<std::uint64_t> latency;  // l: of the DMM, the UMM or the HMM's shared memories
  std::optional<std::uint64_t> global_latency;  // L
  std::optional<std::uint64_t> dmms;            // d
  std::optional<std::uint64_t> threads;         // p: resident threads (of one DMM)
  std::optional<std::uint64_t> capacity;        // words of the memory (of one shared memory)

  /// The argument as a user would type it, keys in the order above.
  std::string to_string() const;

  bool operator==(const MachineArgument&) const = default;
};

/// Splits "a,b" into "a" and "b". There is always at least one part; parts may be empty.
std::vector<std::string_view> split_at_commas(std::string_view text);

/// All machine names, in the order in which messages list them.
std::span<const std::string_view> machine_names();

/// Throws UsageError for unknown names and keys, for keys given twice, for keys that the machine
/// does not have, and for values that are not positive 64-bit integers.
MachineArgument parse_machine(std::string_view text);

/// Merges `--width W`, which means `w=W`. Throws UsageError when W is not a valid width, when the
/// machine already has another width (the message names both), and when the machine takes no width.
void merge_width(MachineArgument& machine, std::optional<std::uint64_t> width);

/// Throws UsageError unless the machine is one of `usable`, which the message lists.
void require_machine(const MachineArgument& machine, std::span<const std::string_view> usable,
                     std::string_view command);

}  // namespace bankproof::cli
