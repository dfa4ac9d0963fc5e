// See earlier_layouts.hpp.
#include "earlier_layouts.hpp"

#include <cstring>

#include "../arrays/texture_limits.hpp"

namespace bankproof::cuda {

DevicePropertiesOf12 earlier(const cudaDeviceProp& of) {
  DevicePropertiesOf12 to = {};
  std::memcpy(to.name, of.name, sizeof to.name);
  for (int k = 0; k < 3; ++k) {
    to.maxThreadsDim[k] = of.maxThreadsDim[k];
    to.maxGridSize[k] = of.maxGridSize[k];
  }
  to.uuid = of.uuid;
  to.luidDeviceNodeMask = of.luidDeviceNodeMask;
  to.totalGlobalMem = of.totalGlobalMem;
  to.sharedMemPerBlock = of.sharedMemPerBlock;
  to.regsPerBlock = of.regsPerBlock;
  to.warpSize = of.warpSize;
  to.memPitch = of.memPitch;
  to.maxThreadsPerBlock = of.maxThreadsPerBlock;
  to.clockRate = of.clockRate;
  to.totalConstMem = of.totalConstMem;
  to.major = of.major;
  to.minor = of.minor;
  to.textureAlignment = of.textureAlignment;
  to.texturePitchAlignment = of.texturePitchAlignment;
  to.deviceOverlap = of.deviceOverlap;
  to.multiProcessorCount = of.multiProcessorCount;
  to.kernelExecTimeoutEnabled = of.kernelExecTimeoutEnabled;
  to.integrated = of.integrated;
  to.canMapHostMemory = of.canMapHostMemory;
  to.computeMode = of.computeMode;
  to.maxTexture1D = of.maxTexture1D;
  to.maxTexture1DMipmap = of.maxTexture1DMipmap;
  to.maxTextureCubemap = of.maxTextureCubemap;
  to.maxTexture1DLinear = static_cast<int>(most_texels_of_linear_memory);
  const auto all = [](auto& copy, const auto& from) { std::memcpy(copy, from, sizeof copy); };
  all(to.maxTexture2D, of.maxTexture2D);
  all(to.maxTexture2DMipmap, of.maxTexture2DMipmap);
  all(to.maxTexture2DLinear, of.maxTexture2DLinear);
  all(to.maxTexture2DGather, of.maxTexture2DGather);
  all(to.maxTexture3D, of.maxTexture3D);
  all(to.maxTexture3DAlt, of.maxTexture3DAlt);
  all(to.maxTexture1DLayered, of.maxTexture1DLayered);
  all(to.maxTexture2DLayered, of.maxTexture2DLayered);
  all(to.maxTextureCubemapLayered, of.maxTextureCubemapLayered);
  all(to.maxSurface2D, of.maxSurface2D);
  all(to.maxSurface3D, of.maxSurface3D);
  all(to.maxSurface1DLayered, of.maxSurface1DLayered);
  all(to.maxSurface2DLayered, of.maxSurface2DLayered);
  all(to.maxSurfaceCubemapLayered, of.maxSurfaceCubemapLayered);
  to.maxSurface1D = of.maxSurface1D;
  to.maxSurfaceCubemap = of.maxSurfaceCubemap;
  to.surfaceAlignment = of.surfaceAlignment;
  to.concurrentKernels = of.concurrentKernels;
  to.ECCEnabled = of.ECCEnabled;
  to.pciBusID = of.pciBusID;
  to.pciDeviceID = of.pciDeviceID;
  to.pciDomainID = of.pciDomainID;
  to.tccDriver = of.tccDriver;
  to.asyncEngineCount = of.asyncEngineCount;
  to.unifiedAddressing = of.unifiedAddressing;
  to.memoryClockRate = of.memoryClockRate;
  to.memoryBusWidth = of.memoryBusWidth;
  to.l2CacheSize = of.l2CacheSize;
  to.persistingL2CacheMaxSize = of.persistingL2CacheMaxSize;
  to.maxThreadsPerMultiProcessor = of.maxThreadsPerMultiProcessor;
  to.streamPrioritiesSupported = of.streamPrioritiesSupported;
  to.globalL1CacheSupported = of.globalL1CacheSupported;
  to.localL1CacheSupported = of.localL1CacheSupported;
  to.sharedMemPerMultiprocessor = of.sharedMemPerMultiprocessor;
  to.regsPerMultiprocessor = of.regsPerMultiprocessor;
  to.managedMemory = of.managedMemory;
  to.isMultiGpuBoard = of.isMultiGpuBoard;
  to.multiGpuBoardGroupID = of.multiGpuBoardGroupID;
  to.hostNativeAtomicSupported = of.hostNativeAtomicSupported;
  to.singleToDoublePrecisionPerfRatio = of.singleToDoublePrecisionPerfRatio;
  to.pageableMemoryAccess = of.pageableMemoryAccess;
  to.concurrentManagedAccess = of.concurrentManagedAccess;
  to.computePreemptionSupported = of.computePreemptionSupported;
  to.canUseHostPointerForRegisteredMem = of.canUseHostPointerForRegisteredMem;
  to.cooperativeLaunch = of.cooperativeLaunch;
  to.cooperativeMultiDeviceLaunch = of.cooperativeMultiDeviceLaunch;
  to.sharedMemPerBlockOptin = of.sharedMemPerBlockOptin;
  to.pageableMemoryAccessUsesHostPageTables = of.pageableMemoryAccessUsesHostPageTables;
  to.directManagedMemAccessFromHost = of.directManagedMemAccessFromHost;
  to.maxBlocksPerMultiProcessor = of.maxBlocksPerMultiProcessor;
  to.accessPolicyMaxWindowSize = of.accessPolicyMaxWindowSize;
  to.reservedSharedMemPerBlock = of.reservedSharedMemPerBlock;
  to.hostRegisterSupported = of.hostRegisterSupported;
  to.sparseCudaArraySupported = of.sparseCudaArraySupported;
  to.hostRegisterReadOnlySupported = of.hostRegisterReadOnlySupported;
  to.timelineSemaphoreInteropSupported = of.timelineSemaphoreInteropSupported;
  to.memoryPoolsSupported = of.memoryPoolsSupported;
  to.gpuDirectRDMASupported = of.gpuDirectRDMASupported;
  to.gpuDirectRDMAFlushWritesOptions = of.gpuDirectRDMAFlushWritesOptions;
  to.gpuDirectRDMAWritesOrdering = of.gpuDirectRDMAWritesOrdering;
  to.memoryPoolSupportedHandleTypes = of.memoryPoolSupportedHandleTypes;
  to.deferredMappingCudaArraySupported = of.deferredMappingCudaArraySupported;
  to.ipcEventSupported = of.ipcEventSupported;
  to.clusterLaunch = of.clusterLaunch;
  to.unifiedFunctionPointers = of.unifiedFunctionPointers;
  return to;
}

}  // namespace bankproof::cuda
