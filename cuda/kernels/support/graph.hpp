// Records launches once, to repeat them together.
//
//     Graph graph([&](cudaStream_t stream) { sum<float>(in, result, scratch, stream); });
//     graph.launch(stream);
#pragma once

#include <functional>

#include "device.hpp"

namespace bankproof::cuda {

/// The operations that a function puts on a stream, as a graph. Each launch of the graph performs
/// all of these operations, with their arguments at the time of the recording.
class Graph {
 public:
  /// Calls the function, which must put all its work on the stream that it gets. The work is only
  /// recorded. Throws CudaError, and the function's exceptions.
  explicit Graph(const std::function<void(cudaStream_t)>& ask) {
    const Capture capture(ask);
    require(cudaGraphInstantiate(&executable_, capture.graph(), 0), "cudaGraphInstantiate");
  }
  Graph(Graph&& other) noexcept : executable_(std::exchange(other.executable_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(executable_, other.executable_);
    return *this;
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
  }

  void launch(cudaStream_t stream = nullptr) const {
    require(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch");
  }

 private:
  /// A captured stream, and the graph of the operations that the function put on it.
  class Capture {
   public:
    explicit Capture(const std::function<void(cudaStream_t)>& ask) {
      require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
      try {
        require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
                "cudaStreamBeginCapture");
        ask(stream_);
        require(cudaStreamEndCapture(stream_, &graph_), "cudaStreamEndCapture");
      } catch (...) {
        // This also ends a capture that the function left unfinished.
        if (graph_ == nullptr) cudaStreamEndCapture(stream_, &graph_);
        cudaGetLastError();
        release();
        throw;
      }
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() { release(); }

    cudaGraph_t graph() const { return graph_; }

   private:
    void release() {
      if (graph_ != nullptr) cudaGraphDestroy(graph_);
      cudaStreamDestroy(stream_);
    }

    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
  };

  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace bankproof::cuda
