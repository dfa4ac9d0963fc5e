// The failure of a function that the machine does not have.
#pragma once

namespace bankproof::cuda {

/// Prints the function and the reason, sets the last error, and returns cudaErrorNotSupported.
int refuse(const char* function, const char* why);
/// The same for a function of the driver API, whose failures are not errors of the runtime.
int refuse_without_last_error(const char* function, const char* why);

}  // namespace bankproof::cuda
