// Contexts. Each device has a primary context, which CUDA's runtime uses, too; a program can create
// more. Each host thread has a stack of contexts, and the one on top is its current context (CUDA
// Programming Guide, "Driver API", "Context").
//
// The contexts of a device share its memory here. A module belongs to the context in which it was
// loaded.
#pragma once

#include "../headers/parts/driver_functions.h"
#include "../runtime/handles.hpp"

// CUDA lets the driver define this type.
struct CUctx_st {
  int device = 0;
  unsigned flags = 0;
  unsigned long long id = 0;
  bool is_primary = false;
  unsigned references = 0;  // of a primary context
};

namespace bankproof::cuda::driver {

/// Null if the thread has none. A thread that has used the runtime has the primary context of the
/// runtime's device.
CUcontext current_context();
/// Whether the context exists. A primary context exists while somebody retains it.
bool is_alive(CUcontext context);
/// Fails with CUDA_ERROR_INVALID_CONTEXT unless the context is alive.
CUresult require_alive(const char* call, CUcontext context);
/// The primary context, whether somebody retains it or not.
CUcontext primary_context(int device);

}  // namespace bankproof::cuda::driver
