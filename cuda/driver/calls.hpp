// How the functions of the driver API begin and end.
//
// A function says what it needs: that cuInit() was called, or that the thread has a current
// context. Most of the work is done by the functions of CUDA's runtime, so that both APIs share
// memory, streams and findings. Their errors have the same numbers in both APIs, but for some that
// the driver does not have. A failure of a driver's function is not an error for
// cudaGetLastError().
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

#include "../headers/parts/driver_functions.h"
#include "../runtime/called_as.hpp"
#include "../runtime/runtime.hpp"

namespace bankproof::cuda::driver {

/// A call of the driver API, while it runs.
class Call {
 public:
  /// Messages of the runtime name this function.
  explicit Call(const char* name);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  CalledAs as_;
  cudaError_t last_;
  bool used_runtime_;
};

CUresult as_result(cudaError_t error);
inline CUresult as_result(CUresult result) { return result; }

/// The function `call` fails; says why. That something is not found may be what the program wants
/// to know, so that nobody has to look at this error.
CUresult fail(const char* call, CUresult error, const std::string& why);

/// Fails if one of the pointers is null.
CUresult require_all(const char* call, std::initializer_list<const void*> pointers);
CUresult require_initialization(const char* call);
/// Fails if the thread has no current context, or one that does not exist any more. Otherwise the
/// device of that context is the runtime's current device.
CUresult require_context(const char* call);
CUresult require_device(const char* call, CUdevice device);

void initialize();

using Pointers = std::initializer_list<const void*>;

/// Does the work unless one of the pointers is null; the three functions differ in what they need
/// before.
template <class Work>
CUresult at_any_time(const char* name, Pointers pointers, Work work) {
  const Call call(name);
  if (const CUresult error = require_all(name, pointers); error != CUDA_SUCCESS) return error;
  return as_result(work());
}
template <class Work>
CUresult when_initialized(const char* name, Pointers pointers, Work work) {
  const Call call(name);
  if (const CUresult error = require_initialization(name); error != CUDA_SUCCESS) return error;
  if (const CUresult error = require_all(name, pointers); error != CUDA_SUCCESS) return error;
  return as_result(work());
}
template <class Work>
CUresult in_context(const char* name, Pointers pointers, Work work) {
  const Call call(name);
  if (const CUresult error = require_context(name); error != CUDA_SUCCESS) return error;
  if (const CUresult error = require_all(name, pointers); error != CUDA_SUCCESS) return error;
  return as_result(work());
}
/// For questions about a device.
template <class Work>
CUresult about_device(const char* name, CUdevice device, Pointers pointers, Work work) {
  return when_initialized(name, pointers, [&] {
    const CUresult error = require_device(name, device);
    return error == CUDA_SUCCESS ? as_result(work()) : error;
  });
}

}  // namespace bankproof::cuda::driver
