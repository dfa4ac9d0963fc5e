// Access of a device to the memory of another device (CUDA Programming Guide, "Peer-to-Peer Memory
// Access"): a kernel may access it once its device has enabled the access. Copies need no access.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "../devices.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

/// The pairs of a device that has enabled access, and the device that has the memory.
std::set<std::pair<int, int>>& enabled_peers() {
  static auto* const all = new std::set<std::pair<int, int>>;
  return *all;
}

bool exists(int device) { return device >= 0 && device < device_count(); }

cudaError_t require_peer(const char* call, int peer) {
  if (exists(peer) && peer != current_device()) return cudaSuccess;
  return Runtime::fail(
      cudaErrorInvalidDevice,
      fmt::format("{}: device {} is not another device than {}", call, peer, current_device()));
}

}  // namespace

cudaError_t Runtime::require_access(const std::string& kernel, std::uint32_t buffer, int device,
                                    const std::vector<ptx::Touched>& touched) {
  const auto found = live_.find(buffer);
  if (found == live_.end()) return cudaSuccess;
  const Allocation& allocation = found->second;
  if (!allocation.exists) {
    return fail_with(ptx::FaultKind::use_after_free, cudaErrorIllegalAddress,
                     fmt::format("{} accesses memory of a graph that no launch has allocated, or "
                                 "that was freed at {}",
                                 kernel, text_of(place_of(allocation.freed))));
  }
  if (allocation.mappings) return require_mapped(kernel, allocation, device, touched);
  // Every device reaches every pool.
  if (allocation.kind != MemoryKind::device || allocation.is_variable ||
      allocation.pool != nullptr || allocation.device == device ||
      enabled_peers().count({device, allocation.device}) != 0) {
    return cudaSuccess;
  }
  return fail_with(
      ptx::FaultKind::out_of_bounds, cudaErrorIllegalAddress,
      fmt::format("{} runs on device {} and accesses the allocation of {}, which is of device {}: "
                  "cudaDeviceEnablePeerAccess was not called",
                  kernel, device, text_of(place_of(allocation.made)), allocation.device));
}

}  // namespace bankproof::cuda

using bankproof::cuda::current_device;
using bankproof::cuda::enabled_peers;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  constexpr const char* call = "cudaDeviceCanAccessPeer";
  if (can == nullptr) return no_place(call);
  *can = 0;
  if (!bankproof::cuda::exists(device) || !bankproof::cuda::exists(peer)) {
    return Runtime::fail(cudaErrorInvalidDevice,
                         fmt::format("{}: device {} or {} does not exist", call, device, peer));
  }
  *can = device != peer ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  constexpr const char* call = "cudaDeviceEnablePeerAccess";
  if (flags != 0) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: flags have to be 0", call));
  }
  const cudaError_t error = bankproof::cuda::require_peer(call, peer);
  if (error != cudaSuccess) return error;
  const std::lock_guard lock(Runtime::get().mutex());
  if (enabled_peers().insert({current_device(), peer}).second) return cudaSuccess;
  return Runtime::fail(
      cudaErrorPeerAccessAlreadyEnabled,
      fmt::format("{}: device {} has access to device {}", call, current_device(), peer));
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  constexpr const char* call = "cudaDeviceDisablePeerAccess";
  const cudaError_t error = bankproof::cuda::require_peer(call, peer);
  if (error != cudaSuccess) return error;
  const std::lock_guard lock(Runtime::get().mutex());
  if (enabled_peers().erase({current_device(), peer}) != 0) return cudaSuccess;
  return Runtime::fail(
      cudaErrorPeerAccessNotEnabled,
      fmt::format("{}: device {} has no access to device {}", call, current_device(), peer));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t size, cudaStream_t stream) {
  for (const int device : {to_device, from_device}) {
    if (device >= 0 && device < bankproof::cuda::device_count()) continue;
    return Runtime::fail(cudaErrorInvalidDevice,
                         fmt::format("cudaMemcpyPeer: device {} does not exist", device));
  }
  return cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream);
}
// The copy is ordered with all work of both devices and of the current one, before and after it.
// The host waits here, which CUDA does not promise.
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t size) {
  Runtime& runtime = Runtime::get();
  const auto wait = [&] {
    for (const int device : {to_device, from_device}) runtime.synchronize_device(device);
    return runtime.synchronize_device();
  };
  wait();
  const cudaError_t error = cudaMemcpyPeerAsync(to, to_device, from, from_device, size, nullptr);
  return error == cudaSuccess ? wait() : error;
}
}
