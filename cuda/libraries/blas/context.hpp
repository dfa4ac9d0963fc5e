// The handle of cuBLAS, and what all its calls share: checks of arguments, scalars in memory of the
// host or of the device, and results.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../../headers/cublas_v2.h"
#include "../../runtime/handles.hpp"
#include "../support/operation.hpp"

// cuBLAS lets the library define this type.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  int sm_count = 0;
  // For a call of cublasXt: its name. Its operands may lie in memory of the host, and it
  // waits.
  const char* called_as = nullptr;
};

namespace bankproof::cuda::blas {

using libraries::Operation;

/// The handles outlive the program's static variables, whose destructors may use them.
Handles<cublasContext>& handles();

/// Ends a call.
struct Refused {
  cublasStatus_t status = CUBLAS_STATUS_INVALID_VALUE;
  std::string why;
};

inline void require(bool holds, const std::string& why) {
  if (!holds) throw Refused{CUBLAS_STATUS_INVALID_VALUE, why};
}

/// The status for an error of CUDA's runtime.
cublasStatus_t status_of(int error);

/// A scalar that a call reads when it is made, or that its operation reads from the device.
template <class V>
class Scalar {
 public:
  explicit Scalar(V value) : value_(value) {}
  Scalar(const char* name, const void* pointer) : name_(name), pointer_(pointer) {}
  V get(Operation& on) const { return pointer_ ? on.read_one<V>(name_, pointer_) : value_; }

 private:
  V value_{};
  const char* name_ = nullptr;
  const void* pointer_ = nullptr;
};

class Call {
 public:
  Call(const char* name, const cublasContext& context)
      : name_(context.called_as != nullptr ? context.called_as : name), context_(&context) {}

  const cublasContext& context() const { return *context_; }
  const char* name() const { return name_; }
  bool is_host_mode() const { return context_->pointer_mode == CUBLAS_POINTER_MODE_HOST; }

  template <class V>
  Scalar<V> scalar(const char* what, const void* pointer) const {
    require(pointer != nullptr, fmt::format("{} is null", what));
    if (!is_host_mode()) return Scalar<V>(what, pointer);
    return Scalar<V>(read_from_host<V>(what, pointer));
  }
  template <class V>
  V read_from_host(const char* what, const void* pointer) const {
    V value{};
    check_host(libraries::read_host(name_, what, pointer, sizeof(V), &value));
    return value;
  }
  template <class V>
  void write_to_host(const char* what, void* pointer, const V& value) const {
    check_host(libraries::write_host(name_, what, pointer, sizeof(V), &value));
  }

  cublasStatus_t perform(std::function<void(Operation&)> act) const {
    if (context_->called_as == nullptr) {
      return status_of(libraries::perform(name_, context_->stream, std::move(act)));
    }
    const int error = libraries::perform(name_, context_->stream, std::move(act),
                                         libraries::Reach::device_or_host);
    return error != 0 ? status_of(error) : wait();
  }
  /// The operation computes one number, which goes to the device, or to the host, which waits.
  template <class V>
  cublasStatus_t give(void* result, std::function<V(Operation&)> compute) const {
    require(result != nullptr, "the address for the result is null");
    if (!is_host_mode()) {
      return perform([=](Operation& on) { on.write_one("the result", result, compute(on)); });
    }
    const auto computed = std::make_shared<std::optional<V>>();
    cublasStatus_t status = perform([=](Operation& on) { *computed = compute(on); });
    if (status == CUBLAS_STATUS_SUCCESS) status = wait();
    if (status == CUBLAS_STATUS_SUCCESS && *computed) {
      write_to_host("the result", result, **computed);
    }
    return status;
  }
  cublasStatus_t wait() const { return status_of(bankproof_library_wait(context_->stream)); }

 private:
  static void check_host(int error) {
    if (error != 0) throw Refused{CUBLAS_STATUS_INVALID_VALUE, "the host has no such memory"};
  }
  const char* name_;
  const cublasContext* context_;
};

/// Fails unless the handle is live.
const cublasContext* live(const char* name, cublasHandle_t handle);
cublasStatus_t tell(const char* name, const Refused& refused);

/// Calls body(Call), whose errors end the call.
template <class Body>
cublasStatus_t make_call(const char* name, cublasHandle_t handle, const Body& body) {
  const cublasContext* const context = live(name, handle);
  if (context == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Call call(name, *context);
  try {
    return body(call);
  } catch (const Refused& refused) {
    return tell(call.name(), refused);
  }
}

}  // namespace bankproof::cuda::blas
