// Devices and their properties: each device of the machine answers as a chip of compute capability
// 8.0.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>

#include "../../../ptx/exec/limits.hpp"
#include "../arrays/texture_limits.hpp"
#include "../devices.hpp"
#include "../majors.hpp"
#include "../stream_handles.hpp"

using bankproof::cuda::current_device;
using bankproof::cuda::device_count;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;
namespace ptx = bankproof::ptx;

namespace bankproof::cuda {

namespace {

thread_local int current = 0;
thread_local bool is_used = false;

}  // namespace

int device_count() {
  static const int count = [] {
    const char* const given = std::getenv("BANKPROOF_DEVICES");
    return given == nullptr ? 1 : std::clamp(std::atoi(given), 1, 64);
  }();
  return count;
}
int current_device() { return current; }
void set_current_device(int device) { current = device; }
void use_runtime(bool uses) { is_used = uses; }
bool has_used_runtime() { return is_used; }

}  // namespace bankproof::cuda

namespace {

cudaError_t require_device(int device) {
  if (device >= 0 && device < device_count()) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidDevice, fmt::format("device {} does not exist; there are {}",
                                                           device, device_count()));
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
  device.clockRate = 1000000;  // kHz: a time unit of the machine is a nanosecond
  device.multiProcessorCount = ptx::multiprocessors;
  device.unifiedAddressing = 1;
  device.concurrentKernels = 1;
  device.cooperativeLaunch = 1;
  device.canMapHostMemory = device.hostRegisterSupported = 1;
  device.managedMemory = device.concurrentManagedAccess = 1;
  device.memoryPoolsSupported = 1;
  device.streamPrioritiesSupported = 1;
  device.asyncEngineCount = 2;
  device.deviceOverlap = 1;
  device.textureAlignment = 512;
  device.texturePitchAlignment = 32;
  bankproof::cuda::set_texture_limits(device);
  device.reservedSharedMemPerBlock = 1024;
  return device;
}

struct Attribute {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp&);
};
// Attributes that are not here are 0.
constexpr Attribute attribute_table[] = {
    {cudaDevAttrMaxThreadsPerBlock,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxThreadsPerBlock); }},
    {cudaDevAttrMaxBlockDimX,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxThreadsDim[0]); }},
    {cudaDevAttrMaxBlockDimY,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxThreadsDim[1]); }},
    {cudaDevAttrMaxBlockDimZ,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxThreadsDim[2]); }},
    {cudaDevAttrMaxGridDimX,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxGridSize[0]); }},
    {cudaDevAttrMaxGridDimY,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxGridSize[1]); }},
    {cudaDevAttrMaxGridDimZ,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxGridSize[2]); }},
    {cudaDevAttrMaxSharedMemoryPerBlock,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.sharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.totalConstMem); }},
    {cudaDevAttrWarpSize, [](const cudaDeviceProp& of) { return static_cast<int>(of.warpSize); }},
    {cudaDevAttrMaxPitch, [](const cudaDeviceProp& of) { return static_cast<int>(of.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.regsPerBlock); }},
    {cudaDevAttrClockRate, [](const cudaDeviceProp& of) { return static_cast<int>(of.clockRate); }},
    {cudaDevAttrTextureAlignment,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.textureAlignment); }},
    {cudaDevAttrGpuOverlap,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.deviceOverlap); }},
    {cudaDevAttrMultiProcessorCount,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.multiProcessorCount); }},
    {cudaDevAttrIntegrated,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.integrated); }},
    {cudaDevAttrCanMapHostMemory,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.canMapHostMemory); }},
    {cudaDevAttrConcurrentKernels,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.concurrentKernels); }},
    {cudaDevAttrMemoryClockRate,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.memoryClockRate); }},
    {cudaDevAttrGlobalMemoryBusWidth,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.memoryBusWidth); }},
    {cudaDevAttrL2CacheSize,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.l2CacheSize); }},
    {cudaDevAttrMaxThreadsPerMultiProcessor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxThreadsPerMultiProcessor); }},
    {cudaDevAttrAsyncEngineCount,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.asyncEngineCount); }},
    {cudaDevAttrUnifiedAddressing,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.unifiedAddressing); }},
    {cudaDevAttrComputeCapabilityMajor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.major); }},
    {cudaDevAttrComputeCapabilityMinor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.minor); }},
    {cudaDevAttrStreamPrioritiesSupported,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.streamPrioritiesSupported); }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.sharedMemPerMultiprocessor); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.regsPerMultiprocessor); }},
    {cudaDevAttrManagedMemory,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.managedMemory); }},
    {cudaDevAttrConcurrentManagedAccess,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.concurrentManagedAccess); }},
    {cudaDevAttrCooperativeLaunch,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.cooperativeLaunch); }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.sharedMemPerBlockOptin); }},
    {cudaDevAttrHostRegisterSupported,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.hostRegisterSupported); }},
    {cudaDevAttrMaxBlocksPerMultiprocessor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.maxBlocksPerMultiProcessor); }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.reservedSharedMemPerBlock); }},
    {cudaDevAttrMemoryPoolsSupported,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.memoryPoolsSupported); }},
};

/// cudaDeviceSetLimit() sets them, and cudaDeviceGetLimit() returns them. Of these limits the
/// machine has those of the heap and of launches by kernels.
std::map<cudaLimit, std::size_t>& limits() {
  static std::map<cudaLimit, std::size_t> all = {{cudaLimitStackSize, 1024},
                                                 {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
                                                 {cudaLimitMallocHeapSize, std::size_t{8} << 20},
                                                 {cudaLimitDevRuntimePendingLaunchCount, 2048}};
  return all;
}

unsigned device_flags = cudaDeviceMapHost;

}  // namespace

BANKPROOF_OF_13(cudaGetDeviceProperties);

extern "C" {
// CUDA destroys all that the program has made on the device. Here it lives on.
cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }
cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return bankproof::cuda::no_place("cudaGetDevice");
  *device = current_device();
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  const cudaError_t error = require_device(device);
  if (error != cudaSuccess) return error;
  bankproof::cuda::set_current_device(device);
  bankproof::cuda::use_runtime();
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return require_device(device); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (devices == nullptr) return bankproof::cuda::no_place("cudaSetValidDevices");
  for (int k = 0; k < count; ++k) {
    if (const cudaError_t error = require_device(devices[k]); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  if (device == nullptr) return bankproof::cuda::no_place("cudaChooseDevice");
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return bankproof::cuda::no_place("cudaGetDeviceCount");
  *count = device_count();
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  device_flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return bankproof::cuda::no_place("cudaGetDeviceFlags");
  *flags = device_flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* given, int device) {
  if (given == nullptr) return bankproof::cuda::no_place("cudaGetDeviceProperties");
  *given = properties();
  given->pciBusID = device;
  return require_device(device);
}
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return bankproof::cuda::no_place("cudaDeviceGetAttribute");
  const auto* const found =
      std::find_if(std::begin(attribute_table), std::end(attribute_table),
                   [&](const Attribute& one) { return one.attribute == attribute; });
  const int limit = bankproof::cuda::texture_limit(attribute, properties()).value_or(0);
  *value = found == std::end(attribute_table) ? limit : found->value(properties());
  return require_device(device);
}
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
  if (value == nullptr) return bankproof::cuda::no_place("cudaDeviceGetLimit");
  *value = limits()[limit];
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  if (limit == cudaLimitMallocHeapSize) {
    const cudaError_t error = Runtime::get().set_heap_bytes(value);
    if (error != cudaSuccess) return error;
  }
  if (limit == cudaLimitDevRuntimePendingLaunchCount) Runtime::get().set_pending_launches(value);
  limits()[limit] = value;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (config == nullptr) return bankproof::cuda::no_place("cudaDeviceGetCacheConfig");
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (config == nullptr) return bankproof::cuda::no_place("cudaDeviceGetSharedMemConfig");
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (text == nullptr) return bankproof::cuda::no_place("cudaDeviceGetPCIBusId");
  const std::string id = fmt::format("0000:{:02x}:00.0", device);
  std::strncpy(text, id.c_str(), static_cast<std::size_t>(std::max(0, length)));
  return require_device(device);
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr)
    return bankproof::cuda::no_place("cudaDeviceGetByPCIBusId");
  for (*device = 0; *device < device_count(); ++*device) {
    if (text == fmt::format("0000:{:02x}:00.0", *device)) return cudaSuccess;
  }
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("cudaDeviceGetByPCIBusId: no device is at {}", text));
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to) {
  if (value == nullptr) return bankproof::cuda::no_place("cudaDeviceGetP2PAttribute");
  *value = from != to && (attribute == cudaDevP2PAttrAccessSupported ||
                          attribute == cudaDevP2PAttrNativeAtomicSupported);
  const cudaError_t error = require_device(from);
  return error == cudaSuccess ? require_device(to) : error;
}
// The host does not take part in the atomic accesses of kernels; devices do in each other's.
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                const enum cudaAtomicOperation*, unsigned int count,
                                                int device) {
  if (capabilities == nullptr) return no_place("cudaDeviceGetHostAtomicCapabilities");
  std::fill_n(capabilities, count, 0U);
  return require_device(device);
}
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities,
                                               const enum cudaAtomicOperation*, unsigned int count,
                                               int from, int to) {
  if (capabilities == nullptr) return no_place("cudaDeviceGetP2PAtomicCapabilities");
  constexpr unsigned all = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned |
                           cudaAtomicCapabilityReduction | cudaAtomicCapabilityScalar32 |
                           cudaAtomicCapabilityScalar64;
  std::fill_n(capabilities, count, from == to ? 0U : all);
  const cudaError_t error = require_device(from);
  return error == cudaSuccess ? require_device(to) : error;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return no_place("cudaRuntimeGetVersion");
  *version = bankproof::cuda::version();
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
}
