// A null pointer where a call wants a place for its answer is cudaErrorInvalidValue, whatever the
// call.
#include <functional>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

struct Call {
  const char* name;
  std::function<cudaError_t()> call;
};

#define OF(name, ...)                       \
  {                                         \
    #name, [] { return name(__VA_ARGS__); } \
  }
const Call calls[] = {
    OF(cudaGetDevice, nullptr),
    OF(cudaGetDeviceCount, nullptr),
    OF(cudaGetDeviceProperties, nullptr, 0),
    OF(cudaDeviceGetAttribute, nullptr, cudaDevAttrWarpSize, 0),
    OF(cudaDeviceGetLimit, nullptr, cudaLimitStackSize),
    OF(cudaDeviceGetPCIBusId, nullptr, 1, 0),
    OF(cudaDeviceGetP2PAttribute, nullptr, cudaDevP2PAttrAccessSupported, 0, 0),
    OF(cudaDeviceCanAccessPeer, nullptr, 0, 0),
    OF(cudaRuntimeGetVersion, nullptr),
    OF(cudaMalloc, static_cast<void**>(nullptr), 4),
    OF(cudaMallocAsync, static_cast<void**>(nullptr), 4, nullptr),
    OF(cudaMallocHost, static_cast<void**>(nullptr), 4),
    OF(cudaMallocManaged, static_cast<void**>(nullptr), 4, cudaMemAttachGlobal),
    OF(cudaMallocPitch, static_cast<void**>(nullptr), nullptr, 4, 4),
    OF(cudaMemGetInfo, nullptr, nullptr),
    OF(cudaMemcpy3D, nullptr),
    OF(cudaMemcpy3DPeer, nullptr),
    OF(cudaPointerGetAttributes, nullptr, nullptr),
    OF(cudaFuncGetAttributes, nullptr, static_cast<const void*>(nullptr)),
    OF(cudaFuncGetName, nullptr, nullptr),
    OF(cudaGetKernel, nullptr, nullptr),
    OF(cudaGetSymbolAddress, nullptr, static_cast<const void*>(nullptr)),
    OF(cudaStreamCreate, nullptr),
    OF(cudaStreamGetPriority, nullptr, nullptr),
    OF(cudaStreamIsCapturing, nullptr, nullptr),
    OF(cudaStreamEndCapture, nullptr, nullptr),
    OF(cudaThreadExchangeStreamCaptureMode, nullptr),
    OF(cudaEventCreate, static_cast<cudaEvent_t*>(nullptr)),
    OF(cudaGraphCreate, nullptr, 0),
    OF(cudaDeviceGetMemPool, nullptr, 0),
    OF(cudaMemPoolCreate, nullptr, nullptr),
    OF(cudaLaunchKernelExC, nullptr, nullptr, nullptr),
    OF(cudaStreamAddCallback, nullptr, nullptr, nullptr, 0),
    OF(cudaLaunchHostFunc, nullptr, nullptr, nullptr),
};
#undef OF

TEST(NullPointers, are_refused) {
  for (const Call& one : calls) {
    EXPECT_EQ(one.call(), cudaErrorInvalidValue) << one.name;
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue) << one.name;
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
