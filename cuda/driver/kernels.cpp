// Questions about kernels: attributes, names, parameters and occupancy.
#include <fmt/format.h>

#include <algorithm>

#include "../runtime/devices.hpp"
#include "calls.hpp"
#include "contexts.hpp"
#include "modules.hpp"

using bankproof::cuda::EmbeddedName;
using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

/// Calls work(entry), if the handle is that of a kernel.
template <class Work>
CUresult about_kernel(const char* call, const void* handle, Pointers pointers, Work work) {
  return when_initialized(call, pointers, [&] {
    const EmbeddedName* const kernel = kernel_of(handle);
    if (kernel != nullptr) return as_result(work(*kernel));
    return fail(call, CUDA_ERROR_INVALID_HANDLE,
                "the kernel does not exist; was its module unloaded?");
  });
}

struct FunctionAttribute {
  CUfunction_attribute attribute;
  int (*value)(const cudaFuncAttributes&);
};
// Others are 0.
constexpr FunctionAttribute function_attributes[] = {
    {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
     [](const cudaFuncAttributes& of) { return of.maxThreadsPerBlock; }},
    {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
     [](const cudaFuncAttributes& of) { return static_cast<int>(of.sharedSizeBytes); }},
    {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
     [](const cudaFuncAttributes& of) { return static_cast<int>(of.constSizeBytes); }},
    {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
     [](const cudaFuncAttributes& of) { return static_cast<int>(of.localSizeBytes); }},
    {CU_FUNC_ATTRIBUTE_NUM_REGS, [](const cudaFuncAttributes& of) { return of.numRegs; }},
    {CU_FUNC_ATTRIBUTE_PTX_VERSION, [](const cudaFuncAttributes& of) { return of.ptxVersion; }},
    {CU_FUNC_ATTRIBUTE_BINARY_VERSION,
     [](const cudaFuncAttributes& of) { return of.binaryVersion; }},
    {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
     [](const cudaFuncAttributes& of) { return of.maxDynamicSharedSizeBytes; }},
    {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
     [](const cudaFuncAttributes& of) { return of.preferredShmemCarveout; }},
};

CUresult get_attribute(const char* call, int* value, CUfunction_attribute attribute,
                       const void* handle) {
  return about_kernel(call, handle, {value}, [&](const EmbeddedName&) {
    if (attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX) {
      return fail(call, CUDA_ERROR_INVALID_VALUE,
                  fmt::format("there is no attribute {}", static_cast<int>(attribute)));
    }
    cudaFuncAttributes all;
    const cudaError_t error = cudaFuncGetAttributes(&all, handle);
    *value = 0;
    for (const FunctionAttribute& one : function_attributes) {
      if (one.attribute == attribute) *value = one.value(all);
    }
    return as_result(error);
  });
}

/// Attributes that can be set have the same numbers in both APIs.
CUresult set_attribute(const char* call, const void* handle, CUfunction_attribute attribute,
                       int value) {
  return about_kernel(call, handle, {}, [&](const EmbeddedName&) {
    return cudaFuncSetAttribute(handle, static_cast<cudaFuncAttribute>(attribute), value);
  });
}

CUresult get_name(const char* call, const char** name, const void* handle) {
  return about_kernel(call, handle, {name}, [&](const EmbeddedName& kernel) {
    *name = kernel.name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult get_parameter(const char* call, const void* handle, size_t index, size_t* offset,
                       size_t* bytes) {
  return about_kernel(call, handle, {offset}, [&](const EmbeddedName&) {
    return cudaFuncGetParamInfo(handle, index, offset, bytes);
  });
}

CUresult active_blocks(const char* call, int* blocks, const void* handle, int block,
                       size_t shared) {
  return about_kernel(call, handle, {blocks}, [&](const EmbeddedName&) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, handle, block, shared);
  });
}

/// Suggests the block for which most threads are resident; of several such blocks, the largest.
/// Tries multiples of a warp.
CUresult potential_block(const char* call, int* grid, int* block, const void* handle,
                         CUoccupancyB2DSize shared_of_block, size_t shared, int most) {
  return about_kernel(call, handle, {grid, block}, [&](const EmbeddedName&) {
    constexpr int warp = 32;
    constexpr int largest = 1024;
    int processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                           bankproof::cuda::current_device());
    int best = 0;
    for (int size = most > 0 ? std::min(most, largest) / warp * warp : largest; size > 0;
         size -= warp) {
      int blocks = 0;
      const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, handle, size, shared_of_block == nullptr ? shared : shared_of_block(size));
      if (error != cudaSuccess) return as_result(error);
      if (blocks * size <= best) continue;
      best = blocks * size;
      *block = size;
      *grid = blocks * processors;
    }
    if (best > 0) return CUDA_SUCCESS;
    return fail(call, CUDA_ERROR_INVALID_VALUE, "no block of whole warps can be resident");
  });
}

}  // namespace

extern "C" {
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return get_attribute("cuFuncGetAttribute", value, attribute, function);
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return set_attribute("cuFuncSetAttribute", function, attribute, value);
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
  return get_name("cuFuncGetName", name, function);
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return get_parameter("cuFuncGetParamInfo", function, index, offset, bytes);
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return about_kernel("cuFuncGetModule", function, {module}, [&](const EmbeddedName& kernel) {
    *module = module_of(&kernel);
    if (*module != nullptr) return CUDA_SUCCESS;
    return fail("cuFuncGetModule", CUDA_ERROR_NOT_SUPPORTED,
                "the kernel is the program's own, and not loaded by it");
  });
}
CUresult cuFuncIsLoaded(int* state, CUfunction function) {
  return about_kernel("cuFuncIsLoaded", function, {state}, [&](const EmbeddedName&) {
    *state = 1;
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncLoad(CUfunction function) {
  return about_kernel("cuFuncLoad", function, {}, [](const EmbeddedName&) { return CUDA_SUCCESS; });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return about_kernel("cuKernelGetFunction", kernel, {function}, [&](const EmbeddedName&) {
    *function = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
  });
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return about_kernel("cuKernelGetLibrary", kernel, {library}, [&](const EmbeddedName& entry) {
    const CUmodule module = module_of(&entry);
    *library = module == nullptr ? nullptr : module->library;
    if (*library != nullptr) return CUDA_SUCCESS;
    return fail("cuKernelGetLibrary", CUDA_ERROR_INVALID_HANDLE, "the kernel is of no library");
  });
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return get_attribute("cuKernelGetAttribute", value, attribute, kernel);
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return set_attribute("cuKernelSetAttribute", kernel, attribute, value);
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return get_name("cuKernelGetName", name, kernel);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
  return get_parameter("cuKernelGetParamInfo", kernel, index, offset, bytes);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block,
                                                     size_t shared) {
  return active_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, block,
                       shared);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int block, size_t shared, unsigned) {
  return active_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function,
                       block, shared);
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of_block, size_t shared,
                                          int most) {
  return potential_block("cuOccupancyMaxPotentialBlockSize", grid, block, function, shared_of_block,
                         shared, most);
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of_block,
                                                   size_t shared, int most, unsigned) {
  return potential_block("cuOccupancyMaxPotentialBlockSizeWithFlags", grid, block, function,
                         shared_of_block, shared, most);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int block) {
  return about_kernel(
      "cuOccupancyAvailableDynamicSMemPerBlock", function, {bytes}, [&](const EmbeddedName&) {
        return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, block);
      });
}
}
