// Copies in batches: the copies of a batch follow what was enqueued in the stream before, and are
// not ordered with each other (CUDA Runtime API, cudaMemcpyBatchAsync). A batch is a graph without
// edges.
#include <utility>

#include "../stream_handles.hpp"

namespace {

using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

cudaError_t copy_batch(void* const* to, const void* const* from, const std::size_t* sizes,
                       std::size_t count, cudaStream_t stream) {
  constexpr const char* call = "cudaMemcpyBatchAsync";
  CUgraphExec_st batch{.graph = bankproof::cuda::handles<CUgraph_st>().make(CUgraph_st{})};
  batch.place = " of a batch";
  cudaError_t error = cudaSuccess;
  for (std::size_t k = 0; k < count && error == cudaSuccess; ++k) {
    const auto staged = Runtime::get().staged(from[k], sizes[k], cudaMemcpyDefault, stream);
    bankproof::cuda::Work work;
    bankproof::cuda::copy_work(call, to[k], staged ? staged->data() : from[k], sizes[k],
                               cudaMemcpyDefault, work);
    bankproof::cuda::keep(work, staged);
    cudaGraphNode_t node = nullptr;
    error = bankproof::cuda::add_node(call, &node, batch.graph, {}, std::move(work));
  }
  if (error == cudaSuccess) error = Runtime::get().launch(batch, stream);
  bankproof::cuda::destroy_graph(batch.graph);
  return error;
}

}  // namespace

extern "C" {
// The attributes say when the source may be read; the machine reads page-locked memory in the order
// of the stream, and other memory of the host during the call.
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                 size_t count, struct cudaMemcpyAttributes* attributes,
                                 size_t* first, size_t attribute_count, cudaStream_t stream) {
  constexpr const char* call = "cudaMemcpyBatchAsync";
  if (to == nullptr || from == nullptr || sizes == nullptr || attributes == nullptr ||
      first == nullptr) {
    return no_place(call);
  }
  if (count == 0 || attribute_count == 0 || attribute_count > count || first[0] != 0) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: {} copies with {} attributes",
                                                            call, count, attribute_count));
  }
  if (!bankproof::cuda::is_live_stream(call, stream)) return cudaErrorInvalidResourceHandle;
  const std::lock_guard lock(Runtime::get().mutex());
  return copy_batch(to, from, sizes, count, stream);
}
}
