// A request, run: buffers, variables, launches, and what is saved.
#pragma once

#include "../../cuda/session/session.hpp"
#include "request.hpp"

namespace bankproof::cli {

/// Runs all launches and writes what is to be saved. What is wrong of a launch file throws
/// InputError and says which launch; of the command line it throws UsageError. What the machine
/// does not know throws InputError.
void launch_all(cuda::Session& session, const cuda::SharedKernelFile& file, KernelRequest& request);

}  // namespace bankproof::cli
