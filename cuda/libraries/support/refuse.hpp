// The failure of a function that a library does not have.
#pragma once

namespace bankproof::cuda::libraries {

/// Says which function and why; returns the status.
int refuse(const char* function, const char* why, int status);

}  // namespace bankproof::cuda::libraries
