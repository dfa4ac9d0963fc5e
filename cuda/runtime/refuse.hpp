// The failure of a function that the machine does not have.
#pragma once

namespace bankproof::cuda {

/// Prints the function and the reason, sets the last error, and returns cudaErrorNotSupported.
int refuse(const char* function, const char* why);

}  // namespace bankproof::cuda
