// cuFFT's functions.
#include <array>

#include "plans.hpp"

namespace bankproof::cuda::fft {
namespace {

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
