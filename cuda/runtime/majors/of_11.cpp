// What libcudart.so.11.0 has beside of_earlier.cpp: functions whose signatures CUDA 12 changed, and
// those that it has no more.
#include <cstring>

#include "../majors.hpp"
#include "../refuse.hpp"
#include "earlier_layouts.hpp"

namespace bankproof::cuda {

int version() { return 11080; }

}  // namespace bankproof::cuda

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's names.
cudaError_t bankproof_of_13_cudaCreateTextureObject(cudaTextureObject_t* texture,
                                                    const cudaResourceDesc* resource,
                                                    const cudaTextureDesc* sampling,
                                                    const cudaResourceViewDesc* view);
cudaError_t bankproof_of_13_cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling,
                                                            cudaTextureObject_t texture);
cudaError_t bankproof_of_13_cudaFuncGetAttributes(cudaFuncAttributes* of, const void* kernel);
cudaError_t bankproof_of_13_cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                 unsigned long long flags);
cudaError_t bankproof_of_13_cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                                cudaGraphExecUpdateResultInfo* result);

cudaError_t cudaFuncGetAttributes(void* given, const void* kernel) {
  cudaFuncAttributes of = {};
  const cudaError_t error = bankproof_of_13_cudaFuncGetAttributes(&of, kernel);
  std::memcpy(given, &of, bankproof::cuda::bytes_of_function_attributes_of_11);
  return error;
}
// The text about an error stays empty: the runtime prints its messages.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* text, size_t size) {
  if (error_node != nullptr) *error_node = nullptr;
  if (text != nullptr && size > 0) text[0] = '\0';
  return bankproof_of_13_cudaGraphInstantiate(executable, graph, 0);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo told = {};
  const cudaError_t error = bankproof_of_13_cudaGraphExecUpdate(executable, graph, &told);
  if (error_node != nullptr) *error_node = told.errorNode;
  if (result != nullptr) *result = told.result;
  return error;
}
// CUDA 11 has textures without `seamlessCubemap`.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const void* given, const cudaResourceViewDesc* view) {
  cudaTextureDesc sampling = {};
  if (given == nullptr) {
    return bankproof_of_13_cudaCreateTextureObject(texture, resource, nullptr, view);
  }
  std::memcpy(&sampling, given, bankproof::cuda::bytes_of_texture_of_11);
  return bankproof_of_13_cudaCreateTextureObject(texture, resource, &sampling, view);
}
cudaError_t cudaGetTextureObjectTextureDesc(void* given, cudaTextureObject_t texture) {
  cudaTextureDesc sampling = {};
  const cudaError_t error = bankproof_of_13_cudaGetTextureObjectTextureDesc(
      given == nullptr ? nullptr : &sampling, texture);
  if (error == cudaSuccess && given != nullptr) {
    std::memcpy(given, &sampling, bankproof::cuda::bytes_of_texture_of_11);
  }
  return error;
}
#define reference(name)                                                                     \
  int name() {                                                                              \
    return bankproof::cuda::refuse(#name,                                                   \
                                   "references to textures and surfaces are not modelled; " \
                                   "objects replace them");                                 \
  }
reference(__cudaRegisterSurface) reference(cudaBindSurfaceToArray) reference(cudaBindTexture)
    reference(cudaBindTexture2D) reference(cudaBindTextureToArray)
        reference(cudaBindTextureToMipmappedArray) reference(cudaGetSurfaceReference)
            reference(cudaGetTextureAlignmentOffset) reference(cudaGetTextureReference)
                reference(cudaUnbindTexture)
#undef reference
                    int cudaProfilerInitialize() {
  return 0;
}  // the machine counts everything
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
