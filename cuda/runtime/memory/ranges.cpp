// What a program advises for ranges of managed memory, and may ask about them. Memory does not move
// on the machine, so advice and prefetches change no result; programs read what they have set. They
// hold for the whole allocation.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "../devices.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

namespace {

bool operator<(const cudaMemLocation& a, const cudaMemLocation& b) {
  return std::pair(a.type, a.id) < std::pair(b.type, b.id);
}

struct Less {
  bool operator()(const cudaMemLocation& a, const cudaMemLocation& b) const { return a < b; }
};

struct Advice {
  bool read_mostly = false;
  cudaMemLocation preferred = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  cudaMemLocation prefetched = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  std::set<cudaMemLocation, Less> accessed_by;
};

/// By the buffer of the allocation; buffers are not used again.
Advice& advice_for(const void* pointer) {
  static auto* const all = new std::map<std::uint32_t, Advice>;
  return (*all)[Runtime::get().find(pointer)->buffer];
}

cudaError_t require_managed(const char* call, const void* pointer, std::size_t bytes) {
  Runtime& runtime = Runtime::get();
  const bool fits = bytes > 0 && runtime.find(pointer, bytes).has_value();
  if (fits && runtime.kind_of(pointer) == MemoryKind::managed) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: these are not {} bytes of managed memory", call, bytes));
}

cudaError_t require_location(const char* call, const cudaMemLocation& location) {
  const bool is_host = location.type >= cudaMemLocationTypeHost &&
                       location.type <= cudaMemLocationTypeHostNumaCurrent;
  const bool is_device = location.type == cudaMemLocationTypeDevice && location.id >= 0 &&
                         location.id < device_count();
  if (is_host || is_device) return cudaSuccess;
  return Runtime::fail(cudaErrorInvalidDevice,
                       fmt::format("{}: there is no memory of type {} and number {}", call,
                                   static_cast<int>(location.type), location.id));
}

cudaError_t prefetch(const char* call, const void* pointer, std::size_t bytes,
                     const cudaMemLocation& location, cudaStream_t stream) {
  cudaError_t error = require_managed(call, pointer, bytes);
  if (error == cudaSuccess) error = require_location(call, location);
  if (error != cudaSuccess) return error;
  return Runtime::get().perform(call, stream, [=] {
    if (Runtime::get().is_of_device(pointer)) advice_for(pointer).prefetched = location;
    return cudaSuccess;
  });
}

/// Discarded memory has any contents: the operation conflicts with others as a write does.
cudaError_t discard(const char* call, const void* pointer, std::size_t bytes, cudaStream_t stream) {
  const cudaError_t error = require_managed(call, pointer, bytes);
  if (error != cudaSuccess) return error;
  return Runtime::get().perform(call, stream, [=] {
    Runtime& runtime = Runtime::get();
    if (const auto place = runtime.find(pointer, bytes)) {
      runtime.touch_device(*place, bytes, AccessKind::write);
    }
    return cudaSuccess;
  });
}

/// The number by which the functions before CUDA 12.2 call a place.
int device_number_of(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}

/// The attribute's numbers; empty for an attribute that does not exist.
std::vector<int> values_of(const Advice& advice, cudaMemRangeAttribute attribute) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return {advice.read_mostly ? 1 : 0};
    case cudaMemRangeAttributePreferredLocation:
      return {device_number_of(advice.preferred)};
    case cudaMemRangeAttributeLastPrefetchLocation:
      return {device_number_of(advice.prefetched)};
    case cudaMemRangeAttributePreferredLocationType:
      return {advice.preferred.type};
    case cudaMemRangeAttributePreferredLocationId:
      return {advice.preferred.id};
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return {advice.prefetched.type};
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return {advice.prefetched.id};
    case cudaMemRangeAttributeAccessedBy: {
      std::vector<int> numbers;
      numbers.reserve(advice.accessed_by.size() + 1);
      for (const cudaMemLocation& one : advice.accessed_by)
        numbers.push_back(device_number_of(one));
      numbers.push_back(cudaInvalidDeviceId);
      return numbers;
    }
  }
  return {};
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

// The headers for clang have overloads of these two.
#pragma weak cudaMemAdvise
#pragma weak cudaMemPrefetchAsync
extern "C" {
cudaError_t bankproof_of_13_cudaMemAdvise(const void* pointer, size_t bytes,
                                          enum cudaMemoryAdvise advice,
                                          struct cudaMemLocation location)
    __attribute__((alias("cudaMemAdvise")));
cudaError_t bankproof_of_13_cudaMemPrefetchAsync(const void* pointer, size_t bytes,
                                                 struct cudaMemLocation location,
                                                 unsigned int flags, cudaStream_t stream)
    __attribute__((alias("cudaMemPrefetchAsync")));
}

extern "C" {
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  constexpr const char* call = "cudaMemAdvise";
  const std::lock_guard lock(Runtime::get().mutex());
  cudaError_t error = bankproof::cuda::require_managed(call, pointer, bytes);
  const bool has_location =
      advice >= cudaMemAdviseSetPreferredLocation && advice != cudaMemAdviseUnsetPreferredLocation;
  if (error == cudaSuccess && has_location) {
    error = bankproof::cuda::require_location(call, location);
  }
  if (error != cudaSuccess) return error;
  bankproof::cuda::Advice& of = bankproof::cuda::advice_for(pointer);
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      of.read_mostly = advice == cudaMemAdviseSetReadMostly;
      return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
      of.preferred = location;
      return cudaSuccess;
    case cudaMemAdviseUnsetPreferredLocation:
      of.preferred = bankproof::cuda::Advice().preferred;
      return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
      of.accessed_by.insert(location);
      return cudaSuccess;
    case cudaMemAdviseUnsetAccessedBy:
      of.accessed_by.erase(location);
      return cudaSuccess;
  }
  return Runtime::fail(cudaErrorInvalidValue,
                       fmt::format("{}: there is no advice {}", call, static_cast<int>(advice)));
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned int, cudaStream_t stream) {
  return bankproof::cuda::prefetch("cudaMemPrefetchAsync", pointer, bytes, location, stream);
}
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                      struct cudaMemLocation* locations, size_t* first,
                                      size_t location_count, unsigned long long,
                                      cudaStream_t stream) {
  constexpr const char* call = "cudaMemPrefetchBatchAsync";
  if (pointers == nullptr || bytes == nullptr || locations == nullptr || first == nullptr ||
      location_count == 0) {
    return no_place(call);
  }
  // A location is that of the ranges from its first one to the next location's first one.
  size_t location = 0;
  for (size_t k = 0; k < count; ++k) {
    while (location + 1 < location_count && first[location + 1] <= k) ++location;
    const cudaError_t error =
        bankproof::cuda::prefetch(call, pointers[k], bytes[k], locations[location], stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* bytes, size_t count,
                                     unsigned long long, cudaStream_t stream) {
  constexpr const char* call = "cudaMemDiscardBatchAsync";
  if (pointers == nullptr || bytes == nullptr) return no_place(call);
  for (size_t k = 0; k < count; ++k) {
    const cudaError_t error = bankproof::cuda::discard(call, pointers[k], bytes[k], stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                                struct cudaMemLocation* locations, size_t* first,
                                                size_t location_count, unsigned long long flags,
                                                cudaStream_t stream) {
  const cudaError_t error = cudaMemDiscardBatchAsync(pointers, bytes, count, flags, stream);
  if (error != cudaSuccess) return error;
  return cudaMemPrefetchBatchAsync(pointers, bytes, count, locations, first, location_count, flags,
                                   stream);
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, enum cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  constexpr const char* call = "cudaMemRangeGetAttribute";
  const std::lock_guard lock(Runtime::get().mutex());
  if (data == nullptr) return no_place(call);
  const cudaError_t error = bankproof::cuda::require_managed(call, pointer, bytes);
  if (error != cudaSuccess) return error;
  std::vector<int> values =
      bankproof::cuda::values_of(bankproof::cuda::advice_for(pointer), attribute);
  const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
  if (values.empty() || size == 0 || size % sizeof(int) != 0 || (!is_list && size != sizeof(int))) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: attribute {} does not have {} bytes", call,
                                     static_cast<int>(attribute), size));
  }
  values.resize(size / sizeof(int), cudaInvalidDeviceId);
  std::memcpy(data, values.data(), size);
  return cudaSuccess;
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes,
                                      enum cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  if (data == nullptr || sizes == nullptr || attributes == nullptr) {
    return no_place("cudaMemRangeGetAttributes");
  }
  for (size_t k = 0; k < count; ++k) {
    const cudaError_t error =
        cudaMemRangeGetAttribute(data[k], sizes[k], attributes[k], pointer, bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
// Managed memory stays visible to all streams and to the host, which only allows more.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length,
                                     unsigned int flags) {
  constexpr const char* call = "cudaStreamAttachMemAsync";
  const cudaError_t error =
      bankproof::cuda::require_managed(call, pointer, std::max<size_t>(length, 1));
  if (error != cudaSuccess) return error;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: unknown flags {}", call, flags));
  }
  return Runtime::get().perform(call, stream, [] { return cudaSuccess; });
}
}
