// See calls.hpp.
#include "calls.hpp"

#include <fmt/format.h>

#include <atomic>

#include "../runtime/devices.hpp"
#include "contexts.hpp"

namespace bankproof::cuda::driver {

namespace {

std::atomic<bool> is_initialized = false;

}  // namespace

void initialize() { is_initialized = true; }

Call::Call(const char* name)
    : as_(name), last_(Runtime::last()), used_runtime_(has_used_runtime()) {}
Call::~Call() {
  Runtime::set_last(last_);
  use_runtime(used_runtime_);
}

CUresult as_result(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidFilterSetting:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(error);
  }
}

CUresult fail(const char* call, CUresult error, const std::string& why) {
  const std::string said = fmt::format("{}: {}", call, why);
  if (error == CUDA_ERROR_NOT_FOUND) {
    Runtime::say(said);
  } else {
    Runtime::fail(static_cast<cudaError_t>(error), said);
  }
  return error;
}

CUresult require_all(const char* call, std::initializer_list<const void*> pointers) {
  for (const void* const pointer : pointers) {
    if (pointer == nullptr) return fail(call, CUDA_ERROR_INVALID_VALUE, "a null pointer");
  }
  return CUDA_SUCCESS;
}

CUresult require_initialization(const char* call) {
  // The runtime initializes the driver when a program first uses it.
  if (has_used_runtime()) is_initialized = true;
  if (is_initialized) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_NOT_INITIALIZED, "the program has not called cuInit()");
}

CUresult require_context(const char* call) {
  if (const CUresult error = require_initialization(call); error != CUDA_SUCCESS) return error;
  const CUcontext context = current_context();
  if (context == nullptr) {
    return fail(call, CUDA_ERROR_INVALID_CONTEXT, "this thread has no current context");
  }
  if (!is_alive(context)) {
    return fail(call, CUDA_ERROR_CONTEXT_IS_DESTROYED,
                "the current context of this thread is destroyed");
  }
  set_current_device(context->device);
  return CUDA_SUCCESS;
}

CUresult require_device(const char* call, CUdevice device) {
  if (device >= 0 && device < device_count()) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_DEVICE,
              fmt::format("device {} does not exist; there are {}", device, device_count()));
}

}  // namespace bankproof::cuda::driver
