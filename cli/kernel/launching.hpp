// Runs a request: sets its buffers and variables, runs its launches, and saves its results.
#pragma once

#include "../../cuda/session/session.hpp"
#include "request.hpp"

namespace bankproof::cli {

/// Runs all launches and writes the files to be saved. An error in a launch file throws InputError,
/// which says which launch; an error on the command line throws UsageError. Anything that the
/// machine does not support throws InputError.
void launch_all(cuda::Session& session, const cuda::SharedKernelFile& file, KernelRequest& request);

}  // namespace bankproof::cli
