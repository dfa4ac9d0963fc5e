// Structures of CUDA 11 and 12 that differ from those of CUDA 13 (driver_types.h of these
// toolkits).
#pragma once

#include <cstddef>

#include "../../headers/parts/runtime_types.h"

namespace bankproof::cuda {

// NOLINTBEGIN(readability-identifier-naming): names of members of CUDA's.
/// cudaDeviceProp of CUDA 12. That of CUDA 11 ends before hostRegisterSupported.
struct DevicePropertiesOf12 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
  int computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2];
  int maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3];
  int maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
  int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch;
  int unifiedFunctionPointers, reserved[63];
};
// NOLINTEND(readability-identifier-naming)
inline constexpr std::size_t bytes_of_properties_of_11 =
    offsetof(DevicePropertiesOf12, hostRegisterSupported);
static_assert(sizeof(DevicePropertiesOf12) == 1032 && bytes_of_properties_of_11 == 728);

/// cudaPointerAttributes of CUDA 11 and 12 ends before `reserved`.
inline constexpr std::size_t bytes_of_earlier_pointer_attributes =
    offsetof(cudaPointerAttributes, reserved);
/// cudaFuncAttributes of CUDA 11.0 to 11.7 ends before clusterDimMustBeSet, with padding.
inline constexpr std::size_t bytes_of_function_attributes_of_11 =
    offsetof(cudaFuncAttributes, clusterDimMustBeSet);
/// cudaTextureDesc of CUDA 11 ends before seamlessCubemap.
inline constexpr std::size_t bytes_of_texture_of_11 = offsetof(cudaTextureDesc, seamlessCubemap);

DevicePropertiesOf12 earlier(const cudaDeviceProp& of);

}  // namespace bankproof::cuda
