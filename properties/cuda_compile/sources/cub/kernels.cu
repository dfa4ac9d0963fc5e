// Scans and reductions of CUB, of a block and of the device.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

template <int threads>
__global__ void block_scan(const int* in, int* out) {
  using Scan = cub::BlockScan<int, threads>;
  __shared__ typename Scan::TempStorage storage;
  int sum;
  Scan(storage).InclusiveSum(in[threadIdx.x], sum);
  out[threadIdx.x] = sum;
}

template <int threads>
__global__ void block_reduce(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, threads>;
  __shared__ typename Reduce::TempStorage storage;
  const float sum = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  block_scan<256><<<1, 256>>>(nullptr, nullptr);
  block_reduce<128><<<1, 128>>>(nullptr, nullptr);
  int *in = nullptr, *out = nullptr;
  std::size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, 1 << 20);
  cub::DeviceReduce::Sum(nullptr, bytes, in, out, 1 << 20);
}
