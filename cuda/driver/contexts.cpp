// See contexts.hpp.
#include "contexts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "../runtime/devices.hpp"
#include "calls.hpp"

namespace bankproof::cuda::driver {

namespace {

constexpr unsigned api_version = 13000;

/// They outlive the program's static variables, as streams do.
Handles<CUctx_st>& contexts() {
  static auto* const all = new Handles<CUctx_st>;
  return *all;
}
std::recursive_mutex& context_mutex() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}
thread_local std::vector<CUcontext> stack;

CUcontext make_context(int device, unsigned flags, bool is_primary) {
  static unsigned long long ids = 0;
  const std::lock_guard lock(context_mutex());
  return contexts().make(CUctx_st{
      .device = device, .flags = flags, .id = ++ids, .is_primary = is_primary, .references = 0});
}

void push(CUcontext context) {
  stack.push_back(context);
  set_current_device(context->device);
}

/// The device of the context on top is current.
void follow_stack() {
  if (!stack.empty() && contexts().is_live(stack.back())) set_current_device(stack.back()->device);
}

CUresult create(const char* call, CUcontext* context, unsigned flags, CUdevice device) {
  return about_device(call, device, {context}, [&] {
    push(*context = make_context(device, flags, false));
    return CUDA_SUCCESS;
  });
}

CUresult destroy(const char* call, CUcontext context) {
  return when_initialized(call, {}, [&] {
    if (const CUresult error = require_alive(call, context); error != CUDA_SUCCESS) return error;
    if (context->is_primary) {
      return fail(call, CUDA_ERROR_INVALID_CONTEXT,
                  "this is a primary context; cuDevicePrimaryCtxRelease() gives it back");
    }
    const int before = current_device();
    set_current_device(context->device);
    const cudaError_t waited = Runtime::get().synchronize_device();
    set_current_device(before);
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    contexts().destroy(context);
    follow_stack();
    return as_result(waited);
  });
}

CUresult pop(const char* call, CUcontext* context) {
  return when_initialized(call, {}, [&] {
    if (stack.empty()) {
      return fail(call, CUDA_ERROR_INVALID_CONTEXT, "this thread has pushed no context");
    }
    if (context != nullptr) *context = stack.back();
    stack.pop_back();
    follow_stack();
    return CUDA_SUCCESS;
  });
}

CUresult push_current(const char* call, CUcontext context) {
  return when_initialized(call, {}, [&] {
    const CUresult error = require_alive(call, context);
    if (error == CUDA_SUCCESS) push(context);
    return error;
  });
}

CUresult set_current(const char* call, CUcontext context) {
  return when_initialized(call, {}, [&] {
    if (context != nullptr) {
      if (const CUresult error = require_alive(call, context); error != CUDA_SUCCESS) return error;
    }
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) push(context);
    follow_stack();
    return CUDA_SUCCESS;
  });
}

CUresult release_primary(const char* call, CUdevice device) {
  return about_device(call, device, {}, [&] {
    const std::lock_guard lock(context_mutex());
    const CUcontext context = primary_context(device);
    if (context->references == 0) {
      return fail(call, CUDA_ERROR_INVALID_CONTEXT,
                  "nobody has retained the primary context of this device");
    }
    --context->references;
    return CUDA_SUCCESS;
  });
}

CUresult set_primary_flags(const char* call, CUdevice device, unsigned flags) {
  return about_device(call, device, {}, [&] {
    primary_context(device)->flags = flags;
    return CUDA_SUCCESS;
  });
}

/// Waits for the device of the context.
CUresult synchronize(const char* call, CUcontext context) {
  if (const CUresult error = require_alive(call, context); error != CUDA_SUCCESS) return error;
  const int before = current_device();
  set_current_device(context->device);
  const cudaError_t result = cudaDeviceSynchronize();
  set_current_device(before);
  return as_result(result);
}

}  // namespace

CUcontext primary_context(int device) {
  static auto* const all = new std::map<int, CUcontext>;
  const std::lock_guard lock(context_mutex());
  CUcontext& context = (*all)[device];
  if (context == nullptr) context = make_context(device, 0, true);
  return context;
}

bool is_alive(CUcontext context) {
  const std::lock_guard lock(context_mutex());
  return contexts().is_live(context) && (!context->is_primary || context->references > 0);
}

CUcontext current_context() {
  const bool is_set = !stack.empty();
  // The program may have called cudaSetDevice() since.
  const bool has_other_device = is_set && has_used_runtime() && contexts().is_live(stack.back()) &&
                                stack.back()->device != current_device();
  if (is_set && !has_other_device) return stack.back();
  if (!has_used_runtime()) return nullptr;
  // The runtime retains the primary context as long as the program runs.
  const std::lock_guard lock(context_mutex());
  const CUcontext context = primary_context(current_device());
  static auto* const retained = new std::map<CUcontext, bool>;
  if (!std::exchange((*retained)[context], true)) ++context->references;
  return context;
}

CUresult require_alive(const char* call, CUcontext context) {
  if (is_alive(context)) return CUDA_SUCCESS;
  return fail(call, CUDA_ERROR_INVALID_CONTEXT, "the context does not exist; was it destroyed?");
}

}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return create("cuCtxCreate", context, flags, device);
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned flags,
                        CUdevice device) {
  // Parameters that ask for no part of the device change nothing.
  if (parameters != nullptr &&
      (parameters->numExecAffinityParams != 0 || parameters->cigParams != nullptr)) {
    const Call call("cuCtxCreate");
    return fail("cuCtxCreate", CUDA_ERROR_NOT_SUPPORTED, "a device of the machine is not divided");
  }
  return create("cuCtxCreate", context, flags, device);
}
CUresult cuCtxDestroy_v2(CUcontext context) { return destroy("cuCtxDestroy", context); }
// The contexts of a device share its memory.
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return in_context("cuCtxEnablePeerAccess", {}, [&] {
    const CUresult error = require_alive("cuCtxEnablePeerAccess", peer);
    return error != CUDA_SUCCESS ? error
                                 : as_result(cudaDeviceEnablePeerAccess(peer->device, flags));
  });
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return in_context("cuCtxDisablePeerAccess", {}, [&] {
    const CUresult error = require_alive("cuCtxDisablePeerAccess", peer);
    return error != CUDA_SUCCESS ? error : as_result(cudaDeviceDisablePeerAccess(peer->device));
  });
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return push_current("cuCtxPushCurrent", context);
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) { return pop("cuCtxPopCurrent", context); }
CUresult cuCtxSetCurrent(CUcontext context) { return set_current("cuCtxSetCurrent", context); }
CUresult cuCtxGetCurrent(CUcontext* context) {
  return when_initialized("cuCtxGetCurrent", {context}, [&] {
    *context = current_context();
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context("cuCtxGetDevice", {device}, [&] {
    *device = current_context()->device;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  if (context == nullptr) return cuCtxGetDevice(device);
  return when_initialized("cuCtxGetDevice", {device}, [&] {
    const CUresult error = require_alive("cuCtxGetDevice", context);
    if (error == CUDA_SUCCESS) *device = context->device;
    return error;
  });
}
CUresult cuCtxGetFlags(unsigned* flags) {
  return in_context("cuCtxGetFlags", {flags}, [&] {
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetFlags(unsigned flags) {
  return in_context("cuCtxSetFlags", {}, [&] {
    current_context()->flags = flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return in_context("cuCtxGetId", {id}, [&] {
    const CUcontext of = context == nullptr ? current_context() : context;
    const CUresult error = require_alive("cuCtxGetId", of);
    if (error == CUDA_SUCCESS) *id = of->id;
    return error;
  });
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return in_context("cuCtxGetApiVersion", {version}, [&] {
    *version = api_version;
    return context == nullptr ? CUDA_SUCCESS : require_alive("cuCtxGetApiVersion", context);
  });
}
CUresult cuCtxSynchronize() {
  return in_context("cuCtxSynchronize", {},
                    [] { return synchronize("cuCtxSynchronize", current_context()); });
}
CUresult cuCtxSynchronize_v2(CUcontext context) {
  return in_context("cuCtxSynchronize", {}, [&] {
    return synchronize("cuCtxSynchronize", context == nullptr ? current_context() : context);
  });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return about_device("cuDevicePrimaryCtxRetain", device, {context}, [&] {
    const std::lock_guard lock(context_mutex());
    *context = primary_context(device);
    ++(*context)->references;
    return CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return release_primary("cuDevicePrimaryCtxRelease", device);
}
// The machine keeps nothing in a context that a reset would clear, except for memory, which the
// program has to free in any case.
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return about_device("cuDevicePrimaryCtxReset", device, {}, [] { return CUDA_SUCCESS; });
}
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return set_primary_flags("cuDevicePrimaryCtxSetFlags", device, flags);
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return about_device("cuDevicePrimaryCtxGetState", device, {flags, active}, [&] {
    const CUcontext context = primary_context(device);
    *flags = context->flags;
    *active = is_alive(context) ? 1 : 0;
    return CUDA_SUCCESS;
  });
}
}
