// The objects behind the handles of streams, events and graphs, and the checks of handles.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "runtime.hpp"

// CUDA lets the runtime define these types.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  unsigned long long id = 0;
  bankproof::cuda::Stream number{};
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes = {};
};
struct CUevent_st {
  bankproof::cuda::Event number{};
  int device = 0;
  bool has_time = true;   // not with cudaEventDisableTiming
  bool has_work = false;  // it was recorded outside of captures
  bool recorded = false;  // and the record was performed
  bankproof::Time time = 0;
  // The capture of the last record, and the nodes that were recorded.
  std::weak_ptr<bankproof::cuda::Runtime::Capture> capture = {};
  std::vector<bankproof::cuda::Edge> nodes = {};
};

namespace bankproof::cuda {

/// The program's handles. The handles outlive the program's static variables, since destructors of
/// these variables may use handles.
template <class T>
Handles<T>& handles() {
  static auto* const all = new Handles<T>;
  return *all;
}

template <class T>
constexpr const char* kind_of = "graph";
template <>
inline constexpr const char* kind_of<CUstream_st> = "stream";
template <>
inline constexpr const char* kind_of<CUevent_st> = "event";
template <>
inline constexpr const char* kind_of<CUgraphNode_st> = "node";
template <>
inline constexpr const char* kind_of<CUuserObject_st> = "user object";

/// Whether the handle is live; if not, the call fails.
template <class T>
bool is_live(const char* call, const T* handle) {
  if (handles<T>().is_live(handle)) return true;
  Runtime::fail(cudaErrorInvalidResourceHandle,
                fmt::format("{}: the {} does not exist; was it destroyed?", call, kind_of<T>));
  return false;
}
inline bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
/// The default streams always exist.
inline bool is_live_stream(const char* call, cudaStream_t stream) {
  return is_default(stream) || is_live(call, stream);
}

/// The event was recorded now.
cudaError_t note_time(const char* call, cudaEvent_t event);

/// The program gives no place for what the call returns.
inline cudaError_t no_place(const char* call) {
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: a pointer for an answer is null", call));
}

template <class T, class... Parts>
cudaError_t create(T** handle, Parts&&... parts) {
  if (handle == nullptr)
    return Runtime::fail(cudaErrorInvalidValue, "the address for the new handle is null");
  *handle = handles<T>().make(std::forward<Parts>(parts)...);
  return cudaSuccess;
}
template <class T>
cudaError_t destroy(const char* call, const T* handle) {
  if (!is_live(call, handle)) return cudaErrorInvalidResourceHandle;
  handles<T>().destroy(handle);
  return cudaSuccess;
}

}  // namespace bankproof::cuda
