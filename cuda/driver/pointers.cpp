// Questions about an address: cuPointerGetAttribute, cuMemGetAddressRange.
//
// Programs ask about any address to learn whose it is, so that CUDA_ERROR_INVALID_VALUE for memory
// of the host is an answer, and no failure.
#include "pointers.hpp"

#include <fmt/format.h>

#include "calls.hpp"
#include "contexts.hpp"

namespace bankproof::cuda::driver {

namespace {

struct Asked {
  const void* pointer;
  DevicePlace place;
  MemoryKind kind;
};

template <class T>
CUresult answer(void* value, T of) {
  *static_cast<T*>(value) = of;
  return CUDA_SUCCESS;
}

CUresult attribute_of(const char* call, void* value, CUpointer_attribute attribute,
                      const Asked& asked) {
  const CUdeviceptr address = address_of(asked.pointer);
  Runtime& runtime = Runtime::get();
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return answer(value, primary_context(runtime.device_of(asked.place)));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return answer<unsigned>(
          value, asked.kind == MemoryKind::host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return answer(value, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (asked.kind == MemoryKind::device) return CUDA_ERROR_INVALID_VALUE;
      return answer(value, asked.pointer);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return answer<unsigned long long>(value, asked.place.buffer + 1ULL);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer<unsigned>(value, asked.kind == MemoryKind::managed ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return answer(value, runtime.device_of(asked.place));
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return answer(value, address - asked.place.offset);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return answer(value, runtime.bytes_of(asked.place));
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return answer<unsigned>(value, 1);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return answer<unsigned>(value, 0);
    default:
      return fail(
          call, CUDA_ERROR_NOT_SUPPORTED,
          fmt::format("the machine's memory has no attribute {}", static_cast<int>(attribute)));
  }
}

CUresult ask(const char* call, void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  const std::lock_guard lock(Runtime::get().mutex());
  const void* const pointer = pointer_of(address);
  const auto place = Runtime::get().find(pointer);
  if (!place) return CUDA_ERROR_INVALID_VALUE;
  return attribute_of(call, value, attribute, {pointer, *place, *Runtime::get().kind_of(pointer)});
}

}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)
using bankproof::cuda::Runtime;

extern "C" {
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return when_initialized("cuPointerGetAttribute", {value},
                          [&] { return ask("cuPointerGetAttribute", value, attribute, pointer); });
}
// Attributes that the pointer does not have are 0.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr pointer) {
  return when_initialized("cuPointerGetAttributes", {attributes, values}, [&] {
    for (unsigned k = 0; k < count; ++k) {
      if (values[k] == nullptr)
        return fail("cuPointerGetAttributes", CUDA_ERROR_INVALID_VALUE, "a null pointer");
      const CUresult error = ask("cuPointerGetAttributes", values[k], attributes[k], pointer);
      if (error == CUDA_SUCCESS) continue;
      const CUpointer_attribute one = attributes[k];
      const bool is_wide =
          one == CU_POINTER_ATTRIBUTE_CONTEXT || one == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
          one == CU_POINTER_ATTRIBUTE_HOST_POINTER || one == CU_POINTER_ATTRIBUTE_BUFFER_ID ||
          one == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR || one == CU_POINTER_ATTRIBUTE_RANGE_SIZE;
      if (is_wide) {
        answer<unsigned long long>(values[k], 0);
      } else {
        answer<unsigned>(values[k], 0);
      }
    }
    return CUDA_SUCCESS;
  });
}
CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, size_t* bytes, CUdeviceptr pointer) {
  return in_context("cuMemGetAddressRange", {}, [&] {
    Runtime& runtime = Runtime::get();
    const std::lock_guard lock(runtime.mutex());
    const auto place = runtime.find(pointer_of(pointer));
    if (!place) {
      return fail("cuMemGetAddressRange", CUDA_ERROR_NOT_FOUND,
                  fmt::format("no allocation has a byte at {:#x}", pointer));
    }
    if (begin != nullptr) *begin = pointer - place->offset;
    if (bytes != nullptr) *bytes = runtime.bytes_of(*place);
    return CUDA_SUCCESS;
  });
}
}
