// Adds to a request the buffers to save and the variables to set, from the command line or from a
// launch file.
#pragma once

#include <string>

#include "request.hpp"

namespace bankproof::cli {

/// Messages begin with `wanted_by`. Throws UsageError.
void add_save(KernelRequest& request, const std::string& name, const std::string& file,
              const std::string& wanted_by);

/// `description` is TYPE:COUNT[=INITIAL]. Throws UsageError and cuda::ArgumentError.
void add_symbol(KernelRequest& request, const std::string& name, const std::string& description,
                const std::string& wanted_by);

}  // namespace bankproof::cli
