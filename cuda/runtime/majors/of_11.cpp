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
#define refused(name, why) \
  int name() { return bankproof::cuda::refuse(#name, why); }
refused(__cudaRegisterSurface, "there are no arrays, textures and surfaces yet")
    refused(__cudaRegisterTexture, "there are no arrays, textures and surfaces yet")
        refused(cudaBindSurfaceToArray, "there are no arrays, textures and surfaces yet")
            refused(cudaBindTexture, "there are no arrays, textures and surfaces yet")
                refused(cudaBindTexture2D, "there are no arrays, textures and surfaces yet")
                    refused(cudaBindTextureToArray,
                            "there are no arrays, textures and surfaces yet")
                        refused(cudaBindTextureToMipmappedArray,
                                "there are no arrays, textures and surfaces yet")
                            refused(cudaGetSurfaceReference,
                                    "there are no arrays, textures and surfaces yet")
                                refused(cudaGetTextureAlignmentOffset,
                                        "there are no arrays, textures and surfaces yet")
                                    refused(cudaGetTextureReference,
                                            "there are no arrays, textures and surfaces yet")
                                        refused(cudaUnbindTexture,
                                                "there are no arrays, textures and surfaces yet")
#undef refused
                                            int cudaProfilerInitialize() {
  return 0;
}  // the machine counts everything
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
