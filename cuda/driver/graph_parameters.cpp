// Nodes of kernels and copies, whose parameters the two APIs write differently.
//
// A kernel is a CUfunction or, if this is null, a CUkernel; both are handles of the runtime. A copy
// says for each side in which memory it lies (copies.hpp).
#include <optional>

#include "copies.hpp"
#include "forward.hpp"
#include "modules.hpp"

namespace bankproof::cuda::driver {

namespace {

template <class Parameters>
std::optional<cudaKernelNodeParams> of_runtime(const Parameters* of) {
  if (of == nullptr) return {};
  void* kernel = of->func;
  if constexpr (requires { of->kern; }) {
    if (kernel == nullptr) kernel = of->kern;
  }
  return cudaKernelNodeParams{kernel,
                              {of->gridDimX, of->gridDimY, of->gridDimZ},
                              {of->blockDimX, of->blockDimY, of->blockDimZ},
                              of->sharedMemBytes,
                              of->kernelParams,
                              of->extra};
}

template <class Parameters>
CUresult read_kernel(CUgraphNode node, Parameters* to) {
  constexpr const char* call = "cuGraphKernelNodeGetParams";
  return when_initialized(call, {to}, [&] {
    cudaKernelNodeParams of{};
    const cudaError_t error = cudaGraphKernelNodeGetParams(node, &of);
    if (error != cudaSuccess) return error;
    *to = {};
    to->func =
        reinterpret_cast<CUfunction>(const_cast<EmbeddedName*>(Runtime::get().kernel_of(of.func)));
    to->gridDimX = of.gridDim.x;
    to->gridDimY = of.gridDim.y;
    to->gridDimZ = of.gridDim.z;
    to->blockDimX = of.blockDim.x;
    to->blockDimY = of.blockDim.y;
    to->blockDimZ = of.blockDim.z;
    to->sharedMemBytes = of.sharedMemBytes;
    to->kernelParams = of.kernelParams;
    return cudaSuccess;
  });
}

/// Calls use(&translated), or use(nullptr) for no parameters.
template <class Parameters, class Use>
CUresult with_kernel(const char* call, const Parameters* of, Use use) {
  auto translated = of_runtime(of);
  return when_initialized(call, {}, [&] { return use(translated ? &*translated : nullptr); });
}
template <class Use>
CUresult with_copy(const char* call, const CUDA_MEMCPY3D* of, Use use) {
  return when_initialized(call, {of}, [&] {
    cudaMemcpy3DParms translated{};
    const CUresult error = copy_of_runtime(call, *of, translated);
    return error == CUDA_SUCCESS ? as_result(use(&translated)) : error;
  });
}

template <class Parameters>
CUresult add_kernel(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                    const Parameters* parameters) {
  return with_kernel("cuGraphAddKernelNode", parameters, [&](const cudaKernelNodeParams* of) {
    return cudaGraphAddKernelNode(node, graph, after, count, of);
  });
}
template <class Parameters>
CUresult set_kernel(CUgraphNode node, const Parameters* parameters) {
  return with_kernel("cuGraphKernelNodeSetParams", parameters, [&](const cudaKernelNodeParams* of) {
    return cudaGraphKernelNodeSetParams(node, of);
  });
}
template <class Parameters>
CUresult set_kernel(CUgraphExec executable, CUgraphNode node, const Parameters* parameters) {
  return with_kernel("cuGraphExecKernelNodeSetParams", parameters,
                     [&](const cudaKernelNodeParams* of) {
                       return cudaGraphExecKernelNodeSetParams(executable, node, of);
                     });
}

}  // namespace
}  // namespace bankproof::cuda::driver

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

extern "C" {
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return add_kernel(node, graph, after, count, parameters);
}
CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return add_kernel(node, graph, after, count, parameters);
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return read_kernel(node, parameters);
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return read_kernel(node, parameters);
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                       const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return set_kernel(node, parameters);
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                    const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return set_kernel(node, parameters);
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return set_kernel(executable, node, parameters);
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return set_kernel(executable, node, parameters);
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                              size_t count, const CUDA_MEMCPY3D* parameters, CUcontext) {
  return with_copy("cuGraphAddMemcpyNode", parameters, [&](const cudaMemcpy3DParms* of) {
    return cudaGraphAddMemcpyNode(node, graph, after, count, of);
  });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  return with_copy("cuGraphMemcpyNodeSetParams", parameters, [&](const cudaMemcpy3DParms* of) {
    return cudaGraphMemcpyNodeSetParams(node, of);
  });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* parameters, CUcontext) {
  return with_copy("cuGraphExecMemcpyNodeSetParams", parameters, [&](const cudaMemcpy3DParms* of) {
    return cudaGraphExecMemcpyNodeSetParams(executable, node, of);
  });
}
}
