// cuFFT's plans whose numbers are named by cudaDataType, for one device. 16-bit numbers are
// refused.
#include <array>
#include <optional>

#include "../../headers/cufftXt.h"
#include "plans.hpp"

namespace bankproof::cuda::fft {
namespace {

struct Types {
  cudaDataType in, out, computed;
  bool operator==(const Types&) const = default;
};

bool is_narrow(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_C_16F || type == CUDA_R_16BF || type == CUDA_C_16BF;
}

/// The transform of these types; numbers are computed in the complex type of their size.
std::optional<cufftType> type_of(const Types& types) {
  struct Known {
    Types types;
    cufftType type;
  };
  constexpr std::array all = {Known{{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F}, CUFFT_C2C},
                              Known{{CUDA_R_32F, CUDA_C_32F, CUDA_C_32F}, CUFFT_R2C},
                              Known{{CUDA_C_32F, CUDA_R_32F, CUDA_C_32F}, CUFFT_C2R},
                              Known{{CUDA_C_64F, CUDA_C_64F, CUDA_C_64F}, CUFFT_Z2Z},
                              Known{{CUDA_R_64F, CUDA_C_64F, CUDA_C_64F}, CUFFT_D2Z},
                              Known{{CUDA_C_64F, CUDA_R_64F, CUDA_C_64F}, CUFFT_Z2D}};
  for (const Known& one : all) {
    if (one.types == types) return one.type;
  }
  return std::nullopt;
}

/// Calls use(type), if the machine has such a transform.
template <class Use>
cufftResult with_types(const char* call, const Types& types, const Use& use) {
  if (is_narrow(types.in) || is_narrow(types.out) || is_narrow(types.computed)) {
    return fail(call, CUFFT_NOT_SUPPORTED, "transforms of 16-bit numbers are not modelled");
  }
  const auto type = type_of(types);
  if (!type) return fail(call, CUFFT_INVALID_TYPE, "there is no transform of these types");
  return use(*type);
}

}  // namespace
}  // namespace bankproof::cuda::fft

using namespace bankproof::cuda::fft;

extern "C" {
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType in,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType out, long long batch, size_t* bytes,
                                cudaDataType computed) {
  constexpr const char* call = "cufftXtMakePlanMany";
  return with_types(call, {in, out, computed}, [&](cufftType type) {
    return make<long long>(call, plan,
                           {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
                           bytes);
  });
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType in,
                               long long* onembed, long long ostride, long long odist,
                               cudaDataType out, long long batch, size_t* bytes,
                               cudaDataType computed) {
  constexpr const char* call = "cufftXtGetSizeMany";
  return with_plan(call, plan, [&](const Plan&) {
    return with_types(call, {in, out, computed}, [&](cufftType type) {
      return estimate<long long>(
          call, {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch}, bytes);
    });
  });
}
/// The direction of a transform between real and complex numbers does not matter.
cufftResult cufftXtExec(cufftHandle handle, void* in, void* out, int direction) {
  constexpr const char* call = "cufftXtExec";
  cufftType type = CUFFT_C2C;
  int sign = direction;
  const cufftResult found = with_plan(call, handle, [&](const Plan& plan) {
    type = plan.type;
    if (plan.reads_real()) sign = CUFFT_FORWARD;
    if (plan.writes_real()) sign = CUFFT_INVERSE;
    return CUFFT_SUCCESS;
  });
  if (found != CUFFT_SUCCESS) return found;
  return execute_plan(call, handle, type, in, out, sign);
}
}
