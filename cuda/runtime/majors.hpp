// The major version of CUDA's runtime for which a library stands in. The same code is linked into
// libcudart.so.13, libcudart.so.12 and libcudart.so.11.0; of_12.cpp and of_11.cpp have what
// differs.
#pragma once

namespace bankproof::cuda {

/// 13000, 12090 or 11080, as cudaRuntimeGetVersion() tells it.
int version();

}  // namespace bankproof::cuda
