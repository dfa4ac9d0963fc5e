// Queries of the device, to which the machine gives the answers of a chip of compute capability
// 8.0; and CUDA's errors.
#include <cstring>

#include "../../ptx/exec/limits.hpp"
#include "runtime.hpp"

using bankproof::cuda::Runtime;
namespace ptx = bankproof::ptx;

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
     "the capture was not begun in this stream"},
};

const ErrorText* text_of(cudaError_t error) {
  for (const ErrorText& text : error_texts) {
    if (text.error == error) return &text;
  }
  return nullptr;
}

cudaError_t require_device(int device) {
  return device == 0 ? cudaSuccess
                     : Runtime::fail(cudaErrorInvalidDevice, "there is one device, 0");
}

cudaDeviceProp properties() {
  cudaDeviceProp device = {};
  std::strncpy(device.name, "bankproof's reference machine", sizeof device.name - 1);
  device.totalGlobalMem = ptx::most_buffer_bytes;
  device.sharedMemPerBlock = size_t{48} * 1024;
  device.sharedMemPerBlockOptin = ptx::most_shared_bytes;
  device.sharedMemPerMultiprocessor = ptx::most_shared_bytes + 1024;  // the system reserves 1 KiB
  device.totalConstMem = size_t{64} * 1024;
  device.memPitch = 0x7fffffff;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = ptx::warp_lanes;
  device.maxThreadsPerBlock = ptx::most_threads_of_block;
  device.maxThreadsPerMultiProcessor = ptx::threads_of_multiprocessor;
  device.maxBlocksPerMultiProcessor = 32;
  for (std::size_t k = 0; k < 3; ++k) {
    device.maxThreadsDim[k] = static_cast<int>(ptx::most_block[k]);
    device.maxGridSize[k] = static_cast<int>(ptx::most_grid[k]);
  }
  device.major = 8;
  device.multiProcessorCount = ptx::multiprocessors;
  device.unifiedAddressing = 1;
  device.concurrentKernels = 1;
  device.cooperativeLaunch = 1;
  return device;
}

}  // namespace

extern "C" {
const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* const text = text_of(error);
  return text != nullptr ? text->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* const text = text_of(error);
  return text != nullptr ? text->text : "unrecognized error code";
}
cudaError_t cudaGetLastError() { return Runtime::take_error(); }
cudaError_t cudaPeekAtLastError() { return Runtime::error(); }
// There is nothing to wait for: each call of the runtime is complete, and has reported its errors,
// when it returns.
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return require_device(device); }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* given, int device) {
  *given = properties();
  return require_device(device);
}
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
  const cudaDeviceProp of = properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = of.maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimX:
      *value = of.maxThreadsDim[0];
      break;
    case cudaDevAttrMaxGridDimX:
      *value = of.maxGridSize[0];
      break;
    case cudaDevAttrUnifiedAddressing:
      *value = of.unifiedAddressing;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(of.sharedMemPerBlock);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(of.sharedMemPerBlockOptin);
      break;
    case cudaDevAttrWarpSize:
      *value = of.warpSize;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = of.multiProcessorCount;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = of.major;
      break;
    case cudaDevAttrCooperativeLaunch:
      *value = of.cooperativeLaunch;
      break;
    case cudaDevAttrComputeCapabilityMinor:
    case cudaDevAttrClockRate:
      *value = 0;
      break;
  }
  return require_device(device);
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
}
