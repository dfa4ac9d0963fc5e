// Functions of the driver that are functions of CUDA's runtime under another name: both APIs have
// the same handles, and structures with the same layout.
#pragma once

#include "../headers/parts/driver_graphs.h"
#include "calls.hpp"

namespace bankproof::cuda::driver {

/// The runtime's function does the work, and checks its pointers and handles. Its findings and
/// messages name the driver's function.
template <auto function, class... Arguments>
CUresult forward(const char* name, Arguments... arguments) {
  return when_initialized(name, {}, [&] { return function(arguments...); });
}

/// The same for functions that need a current context, because a stream may be a default stream.
template <auto function, class... Arguments>
CUresult forward_in_context(const char* name, Arguments... arguments) {
  return in_context(name, {}, [&] { return function(arguments...); });
}

inline cudaGraphEdgeData* edges_of(CUgraphEdgeData* data) {
  return reinterpret_cast<cudaGraphEdgeData*>(data);
}
inline const cudaGraphEdgeData* edges_of(const CUgraphEdgeData* data) {
  return reinterpret_cast<const cudaGraphEdgeData*>(data);
}

}  // namespace bankproof::cuda::driver
