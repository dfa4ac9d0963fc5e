// Copies and fills of 2-D and 3-D shapes, as operations that are not enqueued yet.
#pragma once

#include "../graph.hpp"

namespace bankproof::cuda {

/// Sets `work` to the copy, or fails; `call` is the call's name.
cudaError_t copy_shapes(const char* call, const cudaMemcpy3DParms& of, Work& work);

/// Enqueues the copy. `waits`: the host waits for it, unless both sides are on the device.
cudaError_t copy_with_arrays(const char* call, const cudaMemcpy3DParms& of, cudaStream_t stream,
                             bool waits);

}  // namespace bankproof::cuda
