// A call of a library: an operation of a stream that reads some operands and writes others.
//
//     return perform("cublasSscal_v2", stream, [=](Operation& on) {
//       auto values = on.read<float>("x", x, segments);
//       for (float& value : values) value *= 2;
//       on.write("x", x, segments, values);
//     });
//
// The function is called when the operation is performed: at once, or later with a schedule or from
// a graph. Each operand is checked by the runtime (cuda/runtime/library_calls.hpp). An operand
// whose memory is not there ends the operation before it writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shapes.hpp"

namespace bankproof::cuda::libraries {

/// Ends an operation with an error of CUDA's runtime.
struct OperationError {
  int error = 0;
};

/// Where operands may lie.
enum class Reach : std::uint8_t { device, device_or_host };

class Operation {
 public:
  explicit Operation(std::string call, Reach reach = Reach::device)
      : call_(std::move(call)), reach_(reach) {}

  /// The elements of all segments, one after the other. Throws OperationError.
  template <class T>
  std::vector<T> read(const char* name, const void* pointer, const Segments& segments) {
    std::vector<T> values(bytes_of(segments) / sizeof(T));
    read_bytes(name, pointer, segments, values.data());
    return values;
  }
  template <class T>
  std::vector<T> read(const char* name, const void* pointer, const VectorShape& shape) {
    return read<T>(name, pointer, segments_of(shape, sizeof(T)));
  }
  template <class T>
  T read_one(const char* name, const void* pointer) {
    return read<T>(name, pointer, VectorShape{1, 1}).front();
  }
  template <class T>
  void write(const char* name, void* pointer, const Segments& segments,
             const std::vector<T>& values) {
    write_bytes(name, pointer, segments, values.data());
  }
  template <class T>
  void write(const char* name, void* pointer, const VectorShape& shape,
             const std::vector<T>& values) {
    write_bytes(name, pointer, segments_of(shape, sizeof(T)), values.data());
  }
  template <class T>
  void write_one(const char* name, void* pointer, const T& value) {
    write_bytes(name, pointer, {{0, sizeof(T)}}, &value);
  }
  void read_bytes(const char* name, const void* pointer, const Segments& segments, void* into);
  void write_bytes(const char* name, void* pointer, const Segments& segments, const void* from);

  /// An index that an operand holds is wrong. Ends the operation.
  [[noreturn]] void refuse_index(const std::string& what) const;

  static std::size_t bytes_of(const Segments& segments);

 private:
  bool is_of_host(const void* pointer) const;

  std::string call_;
  Reach reach_;
};

/// Enqueues the operation; returns its error of CUDA's runtime if it is performed at once, else 0.
int perform(const std::string& call, cudaStream_t stream, std::function<void(Operation&)> act,
            Reach reach = Reach::device);

/// The call itself reads a scalar in memory of the host, or writes it. Returns an error of CUDA's
/// runtime.
int read_host(const char* call, const char* name, const void* pointer, std::size_t bytes,
              void* into);
int write_host(const char* call, const char* name, void* pointer, std::size_t bytes,
               const void* from);

/// The call failed.
void say(const std::string& call, const std::string& why);

}  // namespace bankproof::cuda::libraries
