// Host-side support for device code: errors that name the call, and memory that frees itself.
//
// This is plain C++ for any host compiler. Link CUDA's runtime, or bankproof_runtime, which runs
// everything on the reference machine.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankproof::cuda {

/// A call of CUDA that failed.
class CudaError : public std::runtime_error {
 public:
  CudaError(const char* call, cudaError_t error)
      : std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error) + " (" +
                           cudaGetErrorName(error) + ")"),
        error_(error) {}

  cudaError_t error() const { return error_; }

 private:
  cudaError_t error_;
};

/// Throws CudaError unless the call succeeded. Also clears CUDA's last error, so that the next
/// launch does not report it.
inline void require(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw CudaError(call, error);
}

/// Throws CudaError if the launch just before failed; `kernel` names it.
inline void require_launched(const char* kernel) { require(cudaGetLastError(), kernel); }

/// `size` elements of device memory, undefined at first.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>, "a device's memory holds plain bytes");

 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    // NOLINTBEGIN(bugprone-sizeof-expression): elements may be pointers.
    if (size > SIZE_MAX / sizeof(T)) throw CudaError("cudaMalloc", cudaErrorMemoryAllocation);
    void* bytes = nullptr;
    require(cudaMalloc(&bytes, size * sizeof(T)), "cudaMalloc");
    // NOLINTEND(bugprone-sizeof-expression)
    data_ = static_cast<T*>(bytes);
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { set(values); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

  /// Copies from the host. Throws std::invalid_argument if the size differs.
  void set(std::span<const T> values) {
    if (values.size() != size_) throw std::invalid_argument("a device array keeps its size");
    const std::size_t bytes = size_ * sizeof(T);  // NOLINT(bugprone-sizeof-expression): likewise
    require(cudaMemcpy(data_, values.data(), bytes, cudaMemcpyHostToDevice),
            "cudaMemcpy to the device");
  }
  /// Copies to the host, after all work on the default stream.
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    require(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
            "cudaMemcpy from the device");
    return copy;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace bankproof::cuda
