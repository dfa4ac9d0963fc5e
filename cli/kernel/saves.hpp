// Adds to a request what it is to save; for the two files that make requests.
#pragma once

#include <string>

#include "request.hpp"

namespace bankproof::cli {

/// `text` is BUFFER=FILE.npy, of --save. Throws UsageError.
void add_save(KernelRequest& request, const std::string& text);

/// `wanted_by` begins messages.
void add_save(KernelRequest& request, const std::string& buffer, const std::string& file,
              const std::string& wanted_by);

}  // namespace bankproof::cli
