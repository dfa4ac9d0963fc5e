// What the stream 0 means: the legacy default stream or, in functions for programs whose default
// streams are per thread, the default stream of the calling thread (CUDA Runtime API, "Stream
// synchronization behavior").
#pragma once

#include <utility>

#include "../headers/cuda_runtime_api.h"

namespace bankproof::cuda {

/// cudaStreamLegacy or cudaStreamPerThread, for the calling thread's present call.
inline thread_local cudaStream_t default_stream_of_call = cudaStreamLegacy;

inline cudaStream_t default_stream() { return default_stream_of_call; }

/// While this object lives, the thread's stream 0 is its own default stream.
class PerThreadDefaultStream {
 public:
  PerThreadDefaultStream() : outer_(std::exchange(default_stream_of_call, cudaStreamPerThread)) {}
  ~PerThreadDefaultStream() { default_stream_of_call = outer_; }
  PerThreadDefaultStream(const PerThreadDefaultStream&) = delete;
  PerThreadDefaultStream& operator=(const PerThreadDefaultStream&) = delete;

 private:
  cudaStream_t outer_;
};

}  // namespace bankproof::cuda
