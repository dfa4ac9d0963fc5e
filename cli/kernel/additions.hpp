// Adds to a request what it is to save and which variables it sets; for the command line and for
// launch files.
#pragma once

#include <string>

#include "request.hpp"

namespace bankproof::cli {

/// `wanted_by` begins messages. Throws UsageError.
void add_save(KernelRequest& request, const std::string& name, const std::string& file,
              const std::string& wanted_by);

/// `description` is TYPE:COUNT[=INITIAL]. Throws UsageError and cuda::ArgumentError.
void add_symbol(KernelRequest& request, const std::string& name, const std::string& description,
                const std::string& wanted_by);

}  // namespace bankproof::cli
