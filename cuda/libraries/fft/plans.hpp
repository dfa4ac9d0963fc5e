// The program's plans, and how calls make, estimate and execute them. Plans are numbers, which are
// not used again.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "plan.hpp"

namespace bankproof::cuda::fft {

/// The program's plans. They outlive its static variables.
struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, Plan> live;
  cufftHandle next = 1;
};
inline Plans& plans() {
  static auto* const all = new Plans;
  return *all;
}

inline cufftResult fail(const char* call, cufftResult result, const std::string& why) {
  libraries::say(call, why);
  return result;
}

/// Calls use(plan), if there is such a plan.
template <class Use>
cufftResult with_plan(const char* call, cufftHandle handle, const Use& use) {
  const std::lock_guard lock(plans().mutex);
  const auto found = plans().live.find(handle);
  if (found == plans().live.end()) {
    return fail(call, CUFFT_INVALID_PLAN, "the plan does not exist; was it destroyed?");
  }
  return use(found->second);
}

inline bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
         type == CUFFT_D2Z || type == CUFFT_Z2D;
}

/// The arguments with which a program describes a plan, with integers of type I.
template <class I>
struct Described {
  int rank = 0;
  const I* n = nullptr;
  const I* inembed = nullptr;
  I istride = 1;
  I idist = 0;
  const I* onembed = nullptr;
  I ostride = 1;
  I odist = 0;
  cufftType type = CUFFT_C2C;
  I batch = 1;
};

/// Sets the parts of the plan that are described.
template <class I>
cufftResult describe(const char* call, const Described<I>& of, Plan& plan) {
  constexpr int most_rank = 3;
  if (of.rank < 1 || of.rank > most_rank || of.n == nullptr) {
    return fail(call, CUFFT_INVALID_VALUE, "a transform has 1 to 3 dimensions");
  }
  if (!is_type(of.type)) return fail(call, CUFFT_INVALID_TYPE, "there is no such type");
  plan.sizes.assign(of.n, of.n + of.rank);
  for (const std::int64_t size : plan.sizes) {
    if (size < 1) return fail(call, CUFFT_INVALID_SIZE, "a size is below 1");
  }
  if (of.batch < 1) return fail(call, CUFFT_INVALID_SIZE, "the batch is below 1");
  plan.type = of.type;
  plan.batch = of.batch;
  plan.has_layouts = of.inembed != nullptr && of.onembed != nullptr;
  if (plan.has_layouts) {
    if (of.istride < 1 || of.ostride < 1 || of.idist < 0 || of.odist < 0) {
      return fail(call, CUFFT_INVALID_VALUE, "a stride is below 1, or a distance below 0");
    }
    plan.in = {{of.inembed, of.inembed + of.rank}, of.istride, of.idist};
    plan.out = {{of.onembed, of.onembed + of.rank}, of.ostride, of.odist};
  }
  plan.is_made = true;
  return CUFFT_SUCCESS;
}

template <class I>
cufftResult make(const char* call, cufftHandle handle, const Described<I>& of, std::size_t* bytes) {
  return with_plan(call, handle, [&](Plan& plan) {
    if (plan.is_made) return fail(call, CUFFT_INVALID_PLAN, "the plan is made already");
    Plan made = plan;
    const cufftResult result = describe(call, of, made);
    if (result != CUFFT_SUCCESS) return result;
    plan = made;
    if (bytes != nullptr) *bytes = plan.work_bytes();
    return CUFFT_SUCCESS;
  });
}

template <class I>
cufftResult estimate(const char* call, const Described<I>& of, std::size_t* bytes) {
  if (bytes == nullptr) return fail(call, CUFFT_INVALID_VALUE, "the address for the size is null");
  Plan plan;
  const cufftResult result = describe(call, of, plan);
  if (result == CUFFT_SUCCESS) *bytes = plan.work_bytes();
  return result;
}

inline cufftResult execute_plan(const char* call, cufftHandle handle, cufftType type,
                                const void* in, void* out, int sign) {
  Plan plan;
  const cufftResult found = with_plan(call, handle, [&](const Plan& one) {
    plan = one;
    return CUFFT_SUCCESS;
  });
  if (found != CUFFT_SUCCESS) return found;
  if (!plan.is_made) return fail(call, CUFFT_INVALID_PLAN, "the plan is not made");
  if (plan.type != type) return fail(call, CUFFT_INVALID_VALUE, "the plan is of another type");
  if (in == nullptr || out == nullptr) return fail(call, CUFFT_INVALID_VALUE, "a pointer is null");
  if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE) {
    return fail(call, CUFFT_INVALID_VALUE, "there is no such direction");
  }
  const int error = libraries::perform(
      call, plan.stream, [=](libraries::Operation& on) { execute(on, plan, in, out, sign); });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

}  // namespace bankproof::cuda::fft
