// Options of `kernel`: the machine, what fails, and what is intended.
#pragma once

#include <string>
#include <vector>

#include "../../cuda/kernel/session.hpp"
#include "../../cuda/ptx/report/suppressions.hpp"
#include "../../cuda/ptx/report/verdict.hpp"

namespace bankproof::cli {

/// --fail-on and --max-excess; empty where they are not given. Throws UsageError.
ptx::Limits kernel_limits(const std::string& fail_on, const std::string& max_excess);

/// --machine, --threads and --resident. Throws UsageError.
cuda::SessionOptions session_options(const std::string& machine, const std::string& threads,
                                     const std::string& resident);

/// Throws InputError.
std::vector<ptx::Suppression> read_suppressions(const std::string& file);

}  // namespace bankproof::cli
