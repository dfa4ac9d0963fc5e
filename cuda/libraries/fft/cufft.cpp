// cuFFT's functions: plans are numbers, which are not used again.
#include <array>
#include <map>
#include <mutex>
#include <string>

#include "plan.hpp"

namespace bankproof::cuda::fft {
namespace {

/// The program's plans. They outlive its static variables.
struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, Plan> live;
  cufftHandle next = 1;
};
Plans& plans() {
  static auto* const all = new Plans;
  return *all;
}

cufftResult fail(const char* call, cufftResult result, const std::string& why) {
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

bool is_type(cufftType type) {
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

/// A new plan that is made at once; none is left if it cannot be made.
cufftResult create_and_make(const char* call, cufftHandle* handle, const Described<int>& of) {
  cufftResult result = cufftCreate(handle);
  if (result != CUFFT_SUCCESS) return result;
  result = make(call, *handle, of, nullptr);
  if (result != CUFFT_SUCCESS) {
    const std::lock_guard lock(plans().mutex);
    plans().live.erase(*handle);
  }
  return result;
}

cufftResult execute_plan(const char* call, cufftHandle handle, cufftType type, const void* in,
                         void* out, int sign) {
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

template <class I, std::size_t rank>
Described<I> dense(const std::array<I, rank>& n, cufftType type, I batch = 1) {
  Described<I> described;
  described.rank = static_cast<int>(rank);
  described.n = n.data();
  described.type = type;
  described.batch = batch;
  return described;
}

}  // namespace
}  // namespace bankproof::cuda::fft

using bankproof::cuda::fft::create_and_make;
using bankproof::cuda::fft::dense;
using bankproof::cuda::fft::estimate;
using bankproof::cuda::fft::execute_plan;
using bankproof::cuda::fft::make;
using bankproof::cuda::fft::Plan;
using bankproof::cuda::fft::plans;
using bankproof::cuda::fft::with_plan;

extern "C" {
cufftResult cufftCreate(cufftHandle* handle) {
  if (handle == nullptr) {
    bankproof::cuda::libraries::say("cufftCreate", "the address for the plan is null");
    return CUFFT_INVALID_VALUE;
  }
  const std::lock_guard lock(plans().mutex);
  *handle = plans().next++;
  plans().live[*handle] = {};
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  return with_plan("cufftDestroy", handle, [&](const Plan&) {
    plans().live.erase(handle);
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftPlan1d(cufftHandle* plan, int n, cufftType type, int batch) {
  const std::array sizes = {n};
  return create_and_make("cufftPlan1d", plan, dense(sizes, type, batch));
}
cufftResult cufftPlan2d(cufftHandle* plan, int n0, int n1, cufftType type) {
  const std::array sizes = {n0, n1};
  return create_and_make("cufftPlan2d", plan, dense(sizes, type));
}
cufftResult cufftPlan3d(cufftHandle* plan, int n0, int n1, int n2, cufftType type) {
  const std::array sizes = {n0, n1, n2};
  return create_and_make("cufftPlan3d", plan, dense(sizes, type));
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return create_and_make("cufftPlanMany", plan,
                         {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch});
}

cufftResult cufftMakePlan1d(cufftHandle plan, int n, cufftType type, int batch, size_t* bytes) {
  const std::array sizes = {n};
  return make("cufftMakePlan1d", plan, dense(sizes, type, batch), bytes);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int n0, int n1, cufftType type, size_t* bytes) {
  const std::array sizes = {n0, n1};
  return make("cufftMakePlan2d", plan, dense(sizes, type), bytes);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int n0, int n1, int n2, cufftType type,
                            size_t* bytes) {
  const std::array sizes = {n0, n1, n2};
  return make("cufftMakePlan3d", plan, dense(sizes, type), bytes);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* bytes) {
  return make<int>("cufftMakePlanMany", plan,
                   {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch}, bytes);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t* bytes) {
  return make<long long>("cufftMakePlanMany64", plan,
                         {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
                         bytes);
}

cufftResult cufftEstimate1d(int n, cufftType type, int batch, size_t* bytes) {
  const std::array sizes = {n};
  return estimate("cufftEstimate1d", dense(sizes, type, batch), bytes);
}
cufftResult cufftEstimate2d(int n0, int n1, cufftType type, size_t* bytes) {
  const std::array sizes = {n0, n1};
  return estimate("cufftEstimate2d", dense(sizes, type), bytes);
}
cufftResult cufftEstimate3d(int n0, int n1, int n2, cufftType type, size_t* bytes) {
  const std::array sizes = {n0, n1, n2};
  return estimate("cufftEstimate3d", dense(sizes, type), bytes);
}
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* bytes) {
  return estimate<int>("cufftEstimateMany",
                       {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
                       bytes);
}
cufftResult cufftGetSize1d(cufftHandle plan, int n, cufftType type, int batch, size_t* bytes) {
  return with_plan("cufftGetSize1d", plan,
                   [=](const Plan&) { return cufftEstimate1d(n, type, batch, bytes); });
}
cufftResult cufftGetSize2d(cufftHandle plan, int n0, int n1, cufftType type, size_t* bytes) {
  return with_plan("cufftGetSize2d", plan,
                   [=](const Plan&) { return cufftEstimate2d(n0, n1, type, bytes); });
}
cufftResult cufftGetSize3d(cufftHandle plan, int n0, int n1, int n2, cufftType type,
                           size_t* bytes) {
  return with_plan("cufftGetSize3d", plan,
                   [=](const Plan&) { return cufftEstimate3d(n0, n1, n2, type, bytes); });
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, cufftType type,
                             int batch, size_t* bytes) {
  return with_plan("cufftGetSizeMany", plan, [=](const Plan&) {
    return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             bytes);
  });
}
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               size_t* bytes) {
  return with_plan("cufftGetSizeMany64", plan, [=](const Plan&) {
    return estimate<long long>(
        "cufftGetSizeMany64",
        {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch}, bytes);
  });
}
cufftResult cufftGetSize(cufftHandle plan, size_t* bytes) {
  return with_plan("cufftGetSize", plan, [=](const Plan& one) {
    if (bytes == nullptr) return CUFFT_INVALID_VALUE;
    *bytes = one.is_made ? one.work_bytes() : 0;
    return CUFFT_SUCCESS;
  });
}
// The machine's transforms need no memory of the program.
cufftResult cufftSetWorkArea(cufftHandle plan, void*) {
  return with_plan("cufftSetWorkArea", plan, [](const Plan&) { return CUFFT_SUCCESS; });
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return with_plan("cufftSetAutoAllocation", plan, [](const Plan&) { return CUFFT_SUCCESS; });
}
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return with_plan("cufftSetStream", plan, [=](Plan& one) {
    if (bankproof_library_has_stream("cufftSetStream", stream) == 0) return CUFFT_INVALID_VALUE;
    one.stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  return execute_plan("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
  return execute_plan("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return execute_plan("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return execute_plan("cufftExecD2Z", plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  return execute_plan("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return execute_plan("cufftExecZ2D", plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType property, int* value) {
  if (value == nullptr || property < MAJOR_VERSION || property > PATCH_LEVEL) {
    return CUFFT_INVALID_VALUE;
  }
  constexpr std::array values = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = values[static_cast<std::size_t>(property)];
  return CUFFT_SUCCESS;
}
}
