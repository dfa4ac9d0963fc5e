// The options of `kernel` that choose the machine, and the findings that count as failures.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "../../cuda/session/session.hpp"
#include "../../ptx/report/verdict.hpp"

namespace bankproof::cli {

/// --fail-on, --max-excess and the two limits for one memory, as typed; empty if not given.
struct TypedLimits {
  std::string fail_on;
  std::string max_excess;  // the limit of a memory that has no limit of its own
  std::string max_shared_excess;
  std::string max_global_excess;
};

/// What --every-launch does.
inline constexpr const char* every_launch_text =
    "Execute and judge launches, too, that would repeat an earlier launch, or make the same "
    "accesses "
    "on other values";

/// Throws UsageError.
ptx::Limits kernel_limits(const TypedLimits& typed);

/// Parses --machine, --threads and --resident. Throws UsageError.
cuda::SessionOptions session_options(const std::string& machine, const std::string& threads,
                                     const std::string& resident);

/// Adds --compiled and --verbose. Without --compiled, `compiled` keeps its value.
void add_compiling(CLI::App& command, std::string& compiled, bool& verbose);

}  // namespace bankproof::cli
