// Memory that graphs allocate and free (CUDA Programming Guide, "Graph Memory Nodes").
//
// Such memory has one address for all launches of its graph. It exists from the node that allocates
// it to the node that frees it, or until the program frees it. The machine keeps its bytes for as
// long as the program runs, since the program may launch the graph again.
#include <algorithm>
#include <utility>

#include "../devices.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

cudaError_t Runtime::allocate_for_graph(void** pointer, std::size_t bytes, bool is_variable) {
  const std::lock_guard lock(mutex_);
  const cudaError_t error = allocate(pointer, bytes);
  if (error != cudaSuccess) return error;
  Allocation& allocation = live_.at(find(*pointer)->buffer);
  allocation.is_variable = is_variable;
  allocation.is_of_graph = !is_variable;
  allocation.exists = is_variable;
  bytes_in_use_ -= bytes;
  return cudaSuccess;
}

bool Runtime::is_of_graph(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  const auto place = Session::place(reinterpret_cast<std::uintptr_t>(pointer));
  const auto found = place && place->second == 0 ? live_.find(place->first) : live_.end();
  return found != live_.end() && found->second.is_of_graph;
}

cudaError_t Runtime::begin_graph_memory(void* pointer, bool may_exist) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t buffer = Session::place(reinterpret_cast<std::uintptr_t>(pointer))->first;
  Allocation& allocation = live_.at(buffer);
  if (!allocation.exists) {
    allocation.exists = true;
    graph_memory_.first += allocation.bytes;
    bytes_in_use_ += allocation.bytes;
    graph_memory_.second = std::max(graph_memory_.second, graph_memory_.first);
  } else if (!may_exist) {
    return fail(cudaErrorInvalidValue,
                "cudaGraphLaunch: the memory that the last launch allocated was not freed");
  }
  touch_device({buffer, 0}, allocation.bytes, AccessKind::write);
  return cudaSuccess;
}

cudaError_t Runtime::end_graph_memory(const char* call, void* pointer) {
  const std::lock_guard lock(mutex_);
  if (const auto before = freed_at(pointer)) {
    return fail_with(ptx::FaultKind::double_free, cudaErrorInvalidValue,
                     fmt::format("{} of memory of a graph, which {}", call, *before));
  }
  const DevicePlace place = *find(pointer);
  Allocation& allocation = live_.at(place.buffer);
  touch_device(place, allocation.bytes, AccessKind::write);
  allocation.exists = false;
  allocation.freed = call_in_progress();
  graph_memory_.first -= allocation.bytes;
  bytes_in_use_ -= allocation.bytes;
  return cudaSuccess;
}

cudaError_t allocation_work(const char* call, cudaMemAllocNodeParams* of, Work& work) {
  if (of == nullptr || of->bytesize == 0) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: 0 bytes are allocated", call));
  }
  const cudaError_t error = Runtime::get().allocate_for_graph(&of->dptr, of->bytesize);
  if (error != cudaSuccess) return error;
  work = {"cudaMallocAsync", cudaGraphNodeTypeMemAlloc, *of,
          [pointer = of->dptr] { return Runtime::get().begin_graph_memory(pointer, false); }};
  return cudaSuccess;
}

cudaError_t free_work(const char* call, void* pointer, Work& work) {
  Runtime& runtime = Runtime::get();
  if (!runtime.is_of_graph(pointer) && !runtime.is_of_device_alone(pointer)) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: nothing was allocated at this address", call));
  }
  work = {"cudaFreeAsync", cudaGraphNodeTypeMemFree, FreeNode{pointer}, [pointer, &runtime] {
            if (!runtime.is_of_graph(pointer)) return runtime.release(pointer);
            return runtime.end_graph_memory("cudaFreeAsync", pointer);
          }};
  return cudaSuccess;
}

cudaError_t capture_allocation(void** pointer, std::size_t bytes, cudaStream_t stream) {
  if (pointer == nullptr) return no_place("cudaMallocAsync");
  cudaMemAllocNodeParams of = {};
  of.poolProps.allocType = cudaMemAllocationTypePinned;
  of.poolProps.location = {cudaMemLocationTypeDevice, current_device()};
  of.bytesize = bytes;
  Work work;
  const cudaError_t error = allocation_work("cudaMallocAsync", &of, work);
  *pointer = of.dptr;
  return error == cudaSuccess ? Runtime::get().perform(std::move(work), stream) : error;
}

}  // namespace bankproof::cuda

using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

namespace {

cudaError_t require_attribute(const char* call, int device, cudaGraphMemAttributeType attribute) {
  if (device < 0 || device >= bankproof::cuda::device_count()) {
    return Runtime::fail(cudaErrorInvalidDevice,
                         fmt::format("{}: device {} does not exist", call, device));
  }
  if (attribute >= cudaGraphMemAttrUsedMemCurrent && attribute <= cudaGraphMemAttrReservedMemHigh) {
    return cudaSuccess;
  }
  return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: there is no attribute {}", call,
                                                          static_cast<int>(attribute)));
}

}  // namespace

extern "C" {
// All memory of graphs is that of one machine, whatever the device.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value) {
  const cudaError_t error = require_attribute("cudaDeviceGetGraphMemAttribute", device, attribute);
  if (error != cudaSuccess) return error;
  if (value == nullptr) return no_place("cudaDeviceGetGraphMemAttribute");
  const auto [used, most] = Runtime::get().graph_memory();
  const bool is_most =
      attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  *static_cast<std::uint64_t*>(value) = is_most ? most : used;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value) {
  const cudaError_t error = require_attribute("cudaDeviceSetGraphMemAttribute", device, attribute);
  if (error != cudaSuccess) return error;
  const bool is_most =
      attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  if (value == nullptr || !is_most || *static_cast<std::uint64_t*>(value) != 0) {
    return Runtime::fail(cudaErrorInvalidValue,
                         "cudaDeviceSetGraphMemAttribute: only the greatest amounts can be set, "
                         "and only to 0");
  }
  Runtime::get().set_most_graph_memory();
  return cudaSuccess;
}
}
