// Most files that include the header of CUDA's driver API do not call the API. nvcc takes NVIDIA's
// header, so the assertions below hold for both headers.
#include <cuda.h>

#include <type_traits>

static_assert(CUDA_VERSION >= 12000, "");
static_assert(sizeof(CUdeviceptr) == sizeof(void*) && std::is_unsigned<CUdeviceptr>::value, "");
static_assert(std::is_same<CUdevice, int>::value && sizeof(CUuuid) == 16, "");
static_assert(std::is_same<CUstream, cudaStream_t>::value,
              "streams of the runtime are the driver's");
static_assert(std::is_same<CUevent, cudaEvent_t>::value, "");
static_assert(std::is_pointer<CUcontext>::value && std::is_pointer<CUmodule>::value &&
                  std::is_pointer<CUfunction>::value && std::is_pointer<CUarray>::value,
              "");
static_assert(std::is_same<CUgraph, cudaGraph_t>::value &&
                  std::is_same<CUgraphExec, cudaGraphExec_t>::value,
              "");

static_assert(CUDA_SUCCESS == 0, "");
static_assert(CUDA_ERROR_INVALID_VALUE == 1, "");
static_assert(CUDA_ERROR_OUT_OF_MEMORY == 2, "");
static_assert(CUDA_ERROR_NOT_INITIALIZED == 3, "");
static_assert(CUDA_ERROR_DEINITIALIZED == 4, "");
static_assert(CUDA_ERROR_NO_DEVICE == 100, "");
static_assert(CUDA_ERROR_INVALID_DEVICE == 101, "");
static_assert(CUDA_ERROR_INVALID_IMAGE == 200, "");
static_assert(CUDA_ERROR_INVALID_CONTEXT == 201, "");
static_assert(CUDA_ERROR_MAP_FAILED == 205, "");
static_assert(CUDA_ERROR_UNMAP_FAILED == 206, "");
static_assert(CUDA_ERROR_NO_BINARY_FOR_GPU == 209, "");
static_assert(CUDA_ERROR_ECC_UNCORRECTABLE == 214, "");
static_assert(CUDA_ERROR_UNSUPPORTED_LIMIT == 215, "");
static_assert(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED == 217, "");
static_assert(CUDA_ERROR_INVALID_PTX == 218, "");
static_assert(CUDA_ERROR_INVALID_SOURCE == 300, "");
static_assert(CUDA_ERROR_FILE_NOT_FOUND == 301, "");
static_assert(CUDA_ERROR_OPERATING_SYSTEM == 304, "");
static_assert(CUDA_ERROR_INVALID_HANDLE == 400, "");
static_assert(CUDA_ERROR_NOT_FOUND == 500, "");
static_assert(CUDA_ERROR_NOT_READY == 600, "");
static_assert(CUDA_ERROR_ILLEGAL_ADDRESS == 700, "");
static_assert(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES == 701, "");
static_assert(CUDA_ERROR_LAUNCH_TIMEOUT == 702, "");
static_assert(CUDA_ERROR_ASSERT == 710, "");
static_assert(CUDA_ERROR_ILLEGAL_INSTRUCTION == 715, "");
static_assert(CUDA_ERROR_MISALIGNED_ADDRESS == 716, "");
static_assert(CUDA_ERROR_LAUNCH_FAILED == 719, "");
static_assert(CUDA_ERROR_NOT_PERMITTED == 800, "");
static_assert(CUDA_ERROR_NOT_SUPPORTED == 801, "");
static_assert(CUDA_ERROR_UNKNOWN == 999, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 1, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X == 2, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y == 3, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z == 4, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X == 5, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y == 6, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z == 7, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK == 8, "");
static_assert(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY == 9, "");
static_assert(CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK == 12, "");
static_assert(CU_DEVICE_ATTRIBUTE_CLOCK_RATE == 13, "");
static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == 16, "");
static_assert(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT == 17, "");
static_assert(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS == 31, "");
static_assert(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE == 36, "");
static_assert(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH == 37, "");
static_assert(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE == 38, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR == 39, "");
static_assert(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING == 41, "");
static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75, "");
static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == 76, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR == 81, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR == 82, "");
static_assert(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH == 95, "");
static_assert(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN == 97, "");
static_assert(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 0, "");
static_assert(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES == 1, "");
static_assert(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES == 2, "");
static_assert(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES == 3, "");
static_assert(CU_FUNC_ATTRIBUTE_NUM_REGS == 4, "");
static_assert(CU_FUNC_ATTRIBUTE_PTX_VERSION == 5, "");
static_assert(CU_FUNC_ATTRIBUTE_BINARY_VERSION == 6, "");
static_assert(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES == 8, "");
static_assert(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT == 9, "");
static_assert(CU_FUNC_CACHE_PREFER_NONE == 0, "");
static_assert(CU_FUNC_CACHE_PREFER_SHARED == 1, "");
static_assert(CU_FUNC_CACHE_PREFER_L1 == 2, "");
static_assert(CU_FUNC_CACHE_PREFER_EQUAL == 3, "");
static_assert(CU_CTX_SCHED_AUTO == 0, "");
static_assert(CU_CTX_SCHED_SPIN == 1, "");
static_assert(CU_CTX_SCHED_YIELD == 2, "");
static_assert(CU_CTX_SCHED_BLOCKING_SYNC == 4, "");
static_assert(CU_CTX_MAP_HOST == 8, "");
static_assert(CU_STREAM_DEFAULT == 0, "");
static_assert(CU_STREAM_NON_BLOCKING == 1, "");
static_assert(CU_EVENT_DEFAULT == 0, "");
static_assert(CU_EVENT_BLOCKING_SYNC == 1, "");
static_assert(CU_EVENT_DISABLE_TIMING == 2, "");

// The compiler only parses host code that calls the API.
const char* name_of(CUresult error) {
  const char* name = nullptr;
  return cuGetErrorName(error, &name) == CUDA_SUCCESS ? name : "unknown";
}

void launch(CUmodule module, CUdeviceptr numbers, CUstream stream) {
  CUfunction function = nullptr;
  if (cuModuleGetFunction(&function, module, "add_one") != CUDA_SUCCESS) return;
  void* arguments[] = {&numbers};
  cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr);
}

extern "C" __global__ void add_one(int* numbers) { ++numbers[threadIdx.x]; }
