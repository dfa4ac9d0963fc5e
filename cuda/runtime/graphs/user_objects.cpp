// Objects of the program that graphs keep alive (CUDA Programming Guide, "CUDA User Objects"): an
// object is destroyed when its last reference is given up.
#include <utility>

#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

cudaError_t give_up(const char* call, cudaUserObject_t object, std::size_t count) {
  if (count > object->references) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: {} of {} references are given up",
                                                            call, count, object->references));
  }
  object->references -= count;
  if (object->references > 0) return cudaSuccess;
  const CUuserObject_st last = *object;
  handles<CUuserObject_st>().destroy(object);
  last.destroy(last.object);
  return cudaSuccess;
}

}  // namespace

void release_objects(CUgraph_st& graph) {
  for (const auto& [object, count] : std::exchange(graph.objects, {})) {
    give_up("cudaGraphDestroy", object, count);
  }
}

}  // namespace bankproof::cuda

using bankproof::cuda::is_live;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  constexpr const char* call = "cudaUserObjectCreate";
  if (destroy == nullptr || references == 0 || flags != cudaUserObjectNoDestructorSync) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: an object needs a function that destroys it, references, "
                                     "and the flag cudaUserObjectNoDestructorSync",
                                     call));
  }
  return bankproof::cuda::create(object, CUuserObject_st{pointer, destroy, references});
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaUserObjectRetain", object)) return cudaErrorInvalidResourceHandle;
  object->references += count;
  return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live("cudaUserObjectRelease", object)) return cudaErrorInvalidResourceHandle;
  return bankproof::cuda::give_up("cudaUserObjectRelease", object, count);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  constexpr const char* call = "cudaGraphRetainUserObject";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, graph) || !is_live(call, object)) return cudaErrorInvalidResourceHandle;
  // A moved reference is one that the caller has had.
  if ((flags & cudaGraphUserObjectMove) == 0) object->references += count;
  graph->objects[object] += count;
  return cudaSuccess;
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  constexpr const char* call = "cudaGraphReleaseUserObject";
  const std::lock_guard lock(Runtime::get().mutex());
  if (!is_live(call, graph) || !is_live(call, object)) return cudaErrorInvalidResourceHandle;
  const auto found = graph->objects.find(object);
  if (found == graph->objects.end() || found->second < count) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the graph has no {} references", call, count));
  }
  found->second -= count;
  if (found->second == 0) graph->objects.erase(found);
  return bankproof::cuda::give_up(call, object, count);
}
}
