"""Sources and helpers for the tests of `bankproof nvcc`.

By default clang compiles; with BANKPROOF_TOOLKIT, the toolkit's nvcc does.
"""

import os
import subprocess

from program import BANKPROOF, CLEAN, Folder, run

COMPILER = "nvcc" if os.environ.get("BANKPROOF_TOOLKIT") == "installed" else "clang"
WITH_NVCC = COMPILER == "nvcc"
BESIDE = os.path.join(os.path.dirname(BANKPROOF), "bankproof-nvcc")
LIMIT = 300

# A static kernel and a static variable, which the compilers name in their own ways.
ADD = r"""
#include <cstdio>
#ifndef N
#define N 64
#endif
static __constant__ int step;
static __global__ void add(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += step;
}
template <class F>
__global__ void apply(F f) { f(threadIdx.x); }
int main(int count, char**) {
  int host[N], *p, one = count;
  for (int i = 0; i < N; ++i) host[i] = i;
  cudaMalloc(&p, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(step, &one, sizeof one);
  add<<<(N + 31) / 32, 32>>>(p, N);
  apply<<<1, N>>>([=] __device__(int i) { p[i] *= 10; });
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("%d\n", host[N - 1]);
  return 0;
}
"""

RACE = """__global__ void race(int* p) {
  *p = threadIdx.x;
}
int main() {
  int* p;
  cudaMalloc(&p, 4);
  race<<<1, 64>>>(p);
  cudaFree(p);
}
"""

LIBRARY = """#include "scale.h"
static __global__ void kernel(int* p) { p[threadIdx.x] *= FACTOR; }
int scaled(int x) {
  int* p;
  cudaMalloc(&p, 4);
  cudaMemcpy(p, &x, 4, cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(p);
  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return x;
}
"""

MAIN = """#include <cstdio>
#include "scale.h"
int main() { std::printf("%d\\n", scaled(5)); return 0; }
"""

DEVICE_FUNCTION = "__device__ int offset = 5;\n__device__ int twice(int x) { return 2 * x + offset; }\n"
CALLS_IT = """#include <cstdio>
extern __device__ int twice(int);
__global__ void kernel(int* p) { *p = twice(*p); }
int main() {
  int x = 7, *p;
  cudaMalloc(&p, 4);
  cudaMemcpy(p, &x, 4, cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(p);
  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("%d\\n", x);
}
"""

# Another thread's launch and fill, then those of the main thread.
THREADS = """#include <cstdio>
#include <thread>
__global__ void add(int* a, int n) { a[threadIdx.x] += n; }
int main(int argc, char**) {
  int *a, *b, sum[64];
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  auto work = [=](int n) {
    cudaMemsetAsync(b, n, 256);
    add<<<1, 64>>>(a, n);
    if (argc > 1) cudaStreamSynchronize(0);
  };
  cudaMemset(a, 0, 256);
  cudaDeviceSynchronize();
  std::thread(work, 1).join();
  work(2);
  cudaStreamSynchronize(0);
  cudaMemcpy(sum, a, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", sum[5]);
}
"""

# References to textures: of linear memory that is bound twice, and of an array of normalized bytes.
REFERENCES = """#include <cstdio>
texture<float, 1, cudaReadModeElementType> numbers;
texture<uchar2, 2, cudaReadModeNormalizedFloat> bytes;
__global__ void sum(float* out, int n) {
  out[0] += tex1Dfetch(numbers, n);
  out[1] += tex2D(bytes, 1.5f, 0.5f).y;
}
int main(int argc, char**) {
  float host[4] = {1, 2, 3, 4}, *a, *out;
  unsigned char pixels[4] = {0, 0, 0, 255};
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar2>();
  cudaArray_t array;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&out, 8);
  cudaMemset(out, 0, 8);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMallocArray(&array, &channels, 2, 1);
  cudaMemcpy2DToArray(array, 0, 0, pixels, 4, 4, 1, cudaMemcpyHostToDevice);
  bytes.addressMode[0] = cudaAddressModeClamp;
  cudaBindTextureToArray(bytes, array, channels);
  cudaBindTexture(nullptr, numbers, a, sizeof host);
  sum<<<1, 1>>>(out, 3);
  cudaBindTexture(nullptr, numbers, a, 8);
  sum<<<1, 1>>>(out, 1);
  cudaUnbindTexture(numbers);
  if (argc > 1) sum<<<1, 1>>>(out, 0);
  cudaMemcpy(host, out, 8, cudaMemcpyDeviceToHost);
  std::printf("%g %g\\n", host[0], host[1]);
}
"""


def environment():
    kept = {name: value for name, value in os.environ.items()
            if name not in ("NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS", "CUDACXX", "NVCC_CCBIN")}
    return {**kept, "BANKPROOF_CUDA_COMPILER": COMPILER, "LC_ALL": "C"}


def can_compile():
    return run("nvcc", "--version", env=environment()).returncode == CLEAN


CAN_COMPILE = can_compile()


class NvccFolder(Folder):
    def nvcc(self, *arguments, code=CLEAN, **more):
        result = run("nvcc", *arguments, cwd=self.folder, env={**environment(), **more},
                     timeout=LIMIT)
        self.assertEqual(result.returncode, code, result.stderr.decode())
        return result

    def call(self, *words, code=CLEAN, **more):
        result = subprocess.run(words, cwd=self.folder, env={**environment(), **more}, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
        self.assertEqual(result.returncode, code, (result.stdout + result.stderr).decode())
        return result.stdout.decode()

    def there(self, *names):
        return [name for name in names if os.path.exists(os.path.join(self.folder, name))]

    def text(self, name):
        return self.read(os.path.join(self.folder, name)).decode()
