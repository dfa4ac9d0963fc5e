// Streams, events and graphs. The machine does everything at once, so that all is always done; a
// stream that is captured collects what it is asked for instead.
#include <utility>

#include "runtime.hpp"

// CUDA leaves these types to the runtime.
struct CUstream_st {};
struct CUevent_st {
  bankproof::Time time = 0;
};
struct CUgraph_st {
  std::vector<bankproof::cuda::Runtime::Operation> operations;
};
struct CUgraphExec_st {
  std::vector<bankproof::cuda::Runtime::Operation> operations;
};

namespace bankproof::cuda {

cudaError_t Runtime::perform(cudaStream_t stream, Operation operation) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = captured_.find(stream); found != captured_.end()) {
      found->second.push_back(std::move(operation));
      return cudaSuccess;
    }
  }
  return operation();
}

cudaError_t Runtime::begin_capture(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  if (stream == nullptr) {
    return fail(cudaErrorStreamCaptureUnsupported,
                "cudaStreamBeginCapture: the default stream cannot be captured");
  }
  captured_[stream] = {};
  return cudaSuccess;
}

std::optional<std::vector<Runtime::Operation>> Runtime::end_capture(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  auto node = captured_.extract(stream);
  if (node.empty()) return {};
  return std::move(node.mapped());
}

namespace {

/// An object that the program holds by its pointer until it destroys it.
template <class T, class... Parts>
cudaError_t create(T** object, Parts&&... parts) {
  *object = new T{std::forward<Parts>(parts)...};
  return cudaSuccess;
}
template <class T>
cudaError_t destroy(T* object) {
  delete object;
  return cudaSuccess;
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::create;
using bankproof::cuda::destroy;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) { return create(stream); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int, int) {
  return create(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) { return cudaSuccess; }
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return Runtime::get().perform(stream, [=] {
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) { return create(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Runtime::get().perform(stream, [=] {
    event->time = Runtime::get().time();
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
// A million time units of the machine count as a millisecond: its time is no chip's.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = static_cast<float>(end->time - start->time) * 1e-6F;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode) {
  return Runtime::get().begin_capture(stream);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  auto operations = Runtime::get().end_capture(stream);
  if (!operations) {
    *graph = nullptr;
    return Runtime::fail(cudaErrorInvalidValue,
                         "cudaStreamEndCapture: the stream is not being captured");
  }
  return create(graph, std::move(*operations));
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) { return create(graph); }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  return create(executable, graph->operations);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return Runtime::get().perform(stream, [operations = executable->operations] {
    for (const Runtime::Operation& operation : operations) {
      if (const cudaError_t error = operation(); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy(graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return destroy(executable); }
}
