// The parts of CUDA's language and runtime that real files use, host code included. Each compiler
// has to accept this file.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace std;

#define CHECK(call)                                       \
  do {                                                    \
    cudaError_t error = (call);                           \
    if (error != cudaSuccess) {                           \
      fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                 \
    }                                                     \
  } while (0)

__constant__ float coefficients[9];
__device__ int counter;
__device__ volatile float last;

struct Parameters {
  int numbers[10];
  float factor;
};

template <class T, int n = 32>
__global__ void variables(T* out, const T* __restrict__ in, int count) {
  extern __shared__ char dynamic[];
  __shared__ T values[n];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const dim3 size = blockDim;
  const uint3 index = threadIdx;
  const auto smaller = min(threadIdx.x, 5u);
  values[threadIdx.x % n] = in[i];
  __syncthreads();
  atomicAdd(&counter, static_cast<int>(smaller + size.x + index.y + gridDim.z + warpSize));
  out[i] = values[n - 1 - threadIdx.x % n] + T(coefficients[i % 9]) + T(dynamic[count]);
}

__global__ void __launch_bounds__(256, 2)
    structs(Parameters p, const __grid_constant__ Parameters q, float4* out) {
  float4 v = out[threadIdx.x];
  v.x += p.numbers[threadIdx.x % 10];
  v.y *= q.factor;
  out[threadIdx.x] = make_float4(v.y, v.x, v.w, v.z);
  if (v.w > 3.0f) printf("%d\n", q.numbers[0]);
  assert(v.z >= 0.0f);
  last = v.x;
}

__global__ void warps(int* out, float* f, double* d, unsigned long long* u) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x;
  int same;
  int x = __shfl_sync(all, lane, 3) + __shfl_up_sync(all, lane, 1, 16);
  x += __all_sync(all, x) + __any_sync(all, x) + __popc(__ballot_sync(all, x > 2));
  x += __match_any_sync(all, x) + __match_all_sync(all, lane, &same) + same;
  x += __reduce_add_sync(all, x) + __reduce_max_sync(all, x) + __activemask();
  x += __syncthreads_count(x) + __syncthreads_and(x) + __syncthreads_or(x);
  __syncwarp();
  out[lane] = x;
  f[lane] += __shfl_down_sync(all, f[lane], 8);
  d[lane] += __shfl_xor_sync(all, d[lane], 1);
  u[lane] += __shfl_sync(all, u[lane], 31);
}

__global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  atomicAdd(i, 1);
  atomicSub(u, 2u);
  atomicMin(i, 3);
  atomicMax(u, 4u);
  atomicMax(l, 5ull);
  atomicExch(f, 6.0f);
  atomicAdd(f, 7.0f);
  atomicAdd(d, 8.0);
  atomicInc(u, 9u);
  atomicDec(u, 10u);
  atomicAnd(i, 11);
  atomicOr(u, 12u);
  atomicXor(l, 13ull);
  atomicCAS(u, 14u, 15u);
  atomicCAS_system(l, 16ull, 17ull);
  atomicAdd_block(i, 18);
  atomicExch_system(i, 19);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  __nanosleep(20);
}

__global__ void memory(const int* in, int4* wide, unsigned char* bytes, double* d, long long* t) {
  wide[1] = __ldcg(wide);
  __stcs(wide + 2, __ldg(wide + 3));
  bytes[0] = __ldcs(bytes + 1);
  __stwt(d, __ldcv(d + 1));
  wide[3].x = in[0] + __ldca(in + 1) + __ldlu(in + 2);
  t[0] = clock() + clock64();
  t[1] = __isShared(in);
}

__global__ void integers(unsigned* u, int* i, unsigned long long* l) {
  u[0] = __popc(u[1]) + __clz(i[1]) + __ffs(i[2]) + __brev(u[2]) + __popcll(l[1]) + __clzll(i[3]);
  u[1] = __byte_perm(u[2], u[3], 0x5140) + __funnelshift_l(u[4], u[5], 7) + __umulhi(u[6], u[7]);
  i[0] =
      __mulhi(i[1], i[2]) + __mul24(i[3], i[4]) + __sad(i[5], i[6], 7) + __dp4a(i[1], i[2], i[3]);
  l[0] = __umul64hi(l[1], l[2]) + __brevll(l[3]);
  u[8] = __vmins2(u[9], u[10]) + __vmaxu4(u[11], u[12]) + __vadd4(u[13], __vcmpltu2(u[14], u[15]));
  i[7] = static_cast<int>(__match_any_sync(0xffffffffu, l[4])) +
         __match_all_sync(0xffffffffu, u[16], i + 8);
}

template <class T>
struct Device {
  T* data = nullptr;
  explicit Device(size_t n) { CHECK(cudaMalloc(&data, n * sizeof(T))); }
  ~Device() { cudaFree(data); }
};

int main(int argc, char** argv) {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  Device<float> a(1024), b(1024);
  Device<double> d(1024);
  vector<float> host(1024);
  iota(host.begin(), host.end(), 0.0f);
  CHECK(cudaMemcpy(a.data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(coefficients, host.data(), sizeof coefficients));
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin, stream));
  const dim3 grid((1024 + 31) / 32, 1);
  variables<<<grid, 32, 128, stream>>>(b.data, a.data, 3);
  variables<double, 64><<<grid, dim3(32), 128>>>(d.data, d.data, 3);
  CHECK(cudaFuncSetAttribute(variables<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  float* pointers[] = {b.data, a.data};
  int count = argc;
  void* arguments[] = {&pointers[0], &pointers[1], &count};
  CHECK(cudaLaunchKernel((void*)variables<float>, grid, dim3(32), arguments, 128, stream));
  CHECK(cudaEventRecord(end, stream));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamEndCapture(stream, &graph));
  structs<<<1, 32>>>(Parameters(), Parameters(), nullptr);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  printf("%s: %f ms, %f %f\n", properties.name, milliseconds, sin(1.0f), sinf(2.0f));
  const auto shared = std::make_shared<int>(min(3, 4) + max(1, argc));
  map<string, int> names{{argv[0], *shared}};
  thread waiter([] { this_thread::sleep_for(chrono::milliseconds(1)); });
  waiter.join();
  cout << names.size() << abs(-3) << endl;
  return 0;
}
