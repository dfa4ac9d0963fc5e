// See options.hpp.
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "../../ptx/report/suppressions.hpp"
#include "../support/chip_names.hpp"
#include "../support/errors.hpp"
#include "../support/machine_argument.hpp"
#include "../support/numbers.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

ptx::FaultKind fault_kind(std::string_view name) {
  const std::vector<std::string_view> kinds = ptx::fault_kinds();
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found == kinds.end()) {
    throw UsageError("--fail-on: unknown kind " + in_quotes(name) + there_are(name, kinds));
  }
  return static_cast<ptx::FaultKind>(found - kinds.begin());
}

HierarchicalMachine timed_machine(const MachineArgument& argument, HierarchicalMachine machine) {
  if (argument.width && *argument.width != machine.width) {
    throw UsageError(fmt::format("--machine: w={} is not {}, the threads of a warp in CUDA",
                                 *argument.width, machine.width));
  }
  // This limit keeps sums of times far below 2^64.
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  for (const auto& letter :
       {argument.latency, argument.global_latency, argument.dmms, argument.threads}) {
    if (letter && *letter > most) {
      throw UsageError(fmt::format("--machine: {} is more than {}", *letter, most));
    }
  }
  machine.shared_latency = argument.latency.value_or(machine.shared_latency);
  machine.global_latency = argument.global_latency.value_or(machine.global_latency);
  machine.dmms = argument.dmms.value_or(machine.dmms);
  machine.resident_threads = argument.threads.value_or(machine.resident_threads);
  machine.capacity = argument.capacity.value_or(machine.capacity);
  return machine;
}

/// The machine with all of its parameters.
std::string shown_machine(MachineArgument argument, const HierarchicalMachine& machine) {
  if (argument.name != "hmm") return argument.name;
  argument.width = machine.width;
  argument.latency = machine.shared_latency;
  argument.global_latency = machine.global_latency;
  argument.dmms = machine.dmms;
  argument.threads = machine.resident_threads;
  return argument.to_string();
}

/// The number; empty for an option that is not given.
std::optional<std::uint64_t> number_of(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const DecimalNumber number = parse_decimal(text);
  if (!number.value) {
    throw UsageError(
        fmt::format("{} {}: {}", option, in_quotes(text),
                    number.out_of_range ? "does not fit 64 bits" : "expected a number"));
  }
  return number.value;
}

}  // namespace

ptx::Limits kernel_limits(const TypedLimits& typed) {
  ptx::Limits limits;
  const std::string& fail_on = typed.fail_on;
  if (fail_on == "none") {
    limits.fail_on.emplace();
  } else if (!fail_on.empty() && fail_on != "all") {
    limits.fail_on.emplace();
    for (const std::string_view kind : split_at_commas(fail_on)) {
      limits.fail_on->push_back(fault_kind(kind));
    }
  }
  const auto both = number_of("--max-excess", typed.max_excess);
  const auto shared = number_of("--max-shared-excess", typed.max_shared_excess);
  const auto global = number_of("--max-global-excess", typed.max_global_excess);
  limits.max_shared_excess = shared ? shared : both;
  limits.max_global_excess = global ? global : both;
  return limits;
}

cuda::SessionOptions session_options(const std::string& machine, const std::string& threads,
                                     const std::string& resident) {
  const MachineArgument argument = parse_machine(machine);
  require_machine(argument, and_chips({"hmm"}), "kernel");
  cuda::SessionOptions options;
  options.machine = argument.name;
  options.timed = timed_machine(argument, options.timed);
  options.shown_machine = shown_machine(argument, options.timed);
  const std::uint64_t cores = positive_number("--threads", threads).value_or(0);
  constexpr std::uint64_t most_threads = 256;
  if (cores > most_threads) {
    throw UsageError(fmt::format("--threads {}: at most {}", cores, most_threads));
  }
  options.threads = static_cast<unsigned>(cores);
  options.resident_blocks = positive_number("--resident", resident).value_or(0);
  constexpr std::uint64_t most_blocks = std::uint64_t{1} << 20;
  if (options.resident_blocks > most_blocks) {
    throw UsageError(
        fmt::format("--resident {}: at most {}", options.resident_blocks, most_blocks));
  }
  return options;
}

void add_compiling(CLI::App& command, std::string& compiled, bool& verbose) {
  command
      .add_option(
          "--compiled", compiled,
          "When kernels are compiled for this processor, with the same results: auto (those "
          "that run long), never or always [auto]")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "never", "always"}));
  command.add_flag("--verbose", verbose, "Tell how kernels run, compiled or interpreted, and why");
}

}  // namespace bankproof::cli
