// Adds 1 to an array by CUDA's driver API. The last copy is one line too late.
#include <cuda.h>

#include <cstdio>

constexpr const char* increment = R"(
.version 7.5
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 array) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [array];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.u32 %r3, %r2, 1;
  st.global.u32 [%rd4], %r3;
  ret;
}
)";

void require(CUresult result) {
  const char* name = nullptr;
  if (result != CUDA_SUCCESS && cuGetErrorName(result, &name) == CUDA_SUCCESS) std::puts(name);
}

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr array = 0;
  unsigned numbers[64] = {};
  require(cuInit(0));
  require(cuDeviceGet(&device, 0));
  require(cuDevicePrimaryCtxRetain(&context, device));
  require(cuCtxSetCurrent(context));
  require(cuModuleLoadData(&module, increment));
  require(cuModuleGetFunction(&kernel, module, "increment"));
  require(cuMemAlloc(&array, sizeof numbers));
  require(cuMemcpyHtoD(array, numbers, sizeof numbers));
  void* arguments[] = {&array};
  require(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  require(cuMemFree(array));
  require(cuMemcpyDtoH(numbers, array, sizeof numbers));
}
