// What the nodes of graphs do, made from the parameters that programs give.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "../arrays/shapes.hpp"
#include "../conditions.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

cudaError_t no_parameters(const char* call) {
  return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: the parameters are null", call));
}

cudaError_t fill_rows(const cudaMemsetParams& of) {
  const auto element = std::as_bytes(std::span(&of.value, 1)).first(of.elementSize);
  for (std::size_t y = 0; of.width > 0 && y < of.height; ++y) {
    char* const row = static_cast<char*>(of.dst) + y * of.pitch;
    const cudaError_t error = Runtime::get().fill(row, element, of.elementSize * of.width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t kernel_work(const char* call, const cudaKernelNodeParams* of, Work& work) {
  if (of == nullptr) return no_parameters(call);
  Runtime& runtime = Runtime::get();
  const EmbeddedName* const kernel = runtime.kernel_of(of->func);
  if (kernel == nullptr) {
    return Runtime::fail(cudaErrorInvalidDeviceFunction,
                         fmt::format("{}: the program has no such kernel", call));
  }
  if (of->kernelParams == nullptr && of->extra != nullptr) {
    return Runtime::fail(
        cudaErrorNotSupported,
        fmt::format("{}: arguments are given as kernelParams here, not as extra", call));
  }
  return runtime.work_of(*kernel, of->gridDim, of->blockDim, of->kernelParams, of->sharedMemBytes,
                         work);
}

cudaError_t copy_work(const char* call, const cudaMemcpy3DParms* of, Work& work) {
  return of == nullptr ? no_parameters(call) : copy_shapes(call, *of, work);
}

cudaError_t copy_work(const char* call, void* to, const void* from, std::size_t size,
                      cudaMemcpyKind kind, Work& work) {
  cudaMemcpy3DParms of = {};
  of.srcPtr = {const_cast<void*>(from), size, size, 1};
  of.dstPtr = {to, size, size, 1};
  of.extent = {size, 1, 1};
  of.kind = kind;
  work = {call, cudaGraphNodeTypeMemcpy, of,
          [=] { return Runtime::get().copy(to, from, size, kind); }};
  return cudaSuccess;
}

cudaError_t symbol_copy_work(const char* call, void* to, const void* from, const void* symbol,
                             std::size_t size, std::size_t offset, cudaMemcpyKind kind,
                             Work& work) {
  const bool is_read = to != nullptr;
  std::size_t bytes = 0;
  const cudaError_t error = Runtime::get().find_variable(call, symbol, nullptr, &bytes);
  if (error != cudaSuccess) return error;
  if (offset > bytes || size > bytes - offset) {
    return Runtime::fail(
        cudaErrorInvalidValue,
        fmt::format("{}: {} bytes from byte {} of a variable of {}", call, size, offset, bytes));
  }
  work = {call, cudaGraphNodeTypeMemcpy, SymbolCopy{}, [=] {
            return is_read ? Runtime::get().copy_from_variable(to, symbol, size, offset, kind)
                           : Runtime::get().copy_to_variable(symbol, from, size, offset, kind);
          }};
  return cudaSuccess;
}

cudaError_t fill_work(const char* call, const cudaMemsetParams* of, Work& work) {
  if (of == nullptr) return no_parameters(call);
  if (of->elementSize != 1 && of->elementSize != 2 && of->elementSize != 4) {
    return Runtime::fail(
        cudaErrorInvalidValue,
        fmt::format("{}: elements of {} bytes, not 1, 2 or 4", call, of->elementSize));
  }
  if (of->width > ~std::size_t{0} / of->elementSize) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: no memory has rows of {} elements", call, of->width));
  }
  if (of->height > 1 && of->pitch < of->width * of->elementSize) {
    return Runtime::fail(cudaErrorInvalidPitchValue,
                         fmt::format("{}: rows are wider than the pitch, {}", call, of->pitch));
  }
  work = {"cudaMemset", cudaGraphNodeTypeMemset, *of, [of = *of] { return fill_rows(of); }};
  return cudaSuccess;
}

cudaError_t host_work(const char* call, const cudaHostNodeParams* of, Work& work) {
  if (of == nullptr) return no_parameters(call);
  if (of->fn == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: the function is null", call));
  }
  work = {"a function of the host", cudaGraphNodeTypeHost, *of, [of = *of] {
            Runtime::get().call_host([&] { of.fn(of.userData); });
            return cudaSuccess;
          }};
  return cudaSuccess;
}

cudaError_t event_work(const char* call, cudaGraphNodeType type, cudaEvent_t event, Work& work) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, event)) return cudaErrorInvalidResourceHandle;
  const bool records = type == cudaGraphNodeTypeEventRecord;
  work = {records ? "cudaEventRecord" : "cudaStreamWaitEvent", type, EventNode{event},
          [=] { return records ? note_time("cudaEventRecord", event) : cudaSuccess; }};
  return cudaSuccess;
}

cudaError_t child_work(const char* call, cudaGraph_t child, Work& work) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, child)) return cudaErrorInvalidResourceHandle;
  work = {"a graph", cudaGraphNodeTypeGraph, ChildNode{clone(*child)}, {}};
  return cudaSuccess;
}

cudaError_t any_work(const char* call, cudaGraph_t graph, cudaGraphNodeParams* of, Work& work) {
  if (of == nullptr) return no_parameters(call);
  switch (of->type) {
    case cudaGraphNodeTypeKernel:
      return kernel_work(call, &of->kernel, work);
    case cudaGraphNodeTypeMemcpy:
      return copy_work(call, &of->memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset:
      return fill_work(call, &of->memset, work);
    case cudaGraphNodeTypeHost:
      return host_work(call, &of->host, work);
    case cudaGraphNodeTypeGraph:
      return child_work(call, of->graph.graph, work);
    case cudaGraphNodeTypeEmpty:
      work = {"an empty node"};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return event_work(call, of->type, of->eventWait.event, work);
    case cudaGraphNodeTypeEventRecord:
      return event_work(call, of->type, of->eventRecord.event, work);
    case cudaGraphNodeTypeMemAlloc:
      return allocation_work(call, &of->alloc, work);
    case cudaGraphNodeTypeMemFree:
      return free_work(call, of->free.dptr, work);
    case cudaGraphNodeTypeConditional:
      return conditional_work(call, graph, of->conditional, work);
    default:
      return Runtime::fail(
          cudaErrorNotSupported,
          fmt::format("{}: there are no nodes of type {} here", call, static_cast<int>(of->type)));
  }
}

}  // namespace bankproof::cuda
