// A CUDA program that needs no GPU: prefix sums of numbers by a kernel in one pass.
#include "bankproof/cuda/kernels/prefix_sums/prefix_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bankproof/cuda/kernels/support/device.hpp"

namespace cuda = bankproof::cuda;

int main() {
  const std::vector<std::int64_t> numbers(100000, 3);
  cuda::DeviceArray<std::int64_t> in(numbers);
  cuda::DeviceArray<std::int64_t> out(in.size());
  cuda::DeviceArray<std::byte> scratch(cuda::prefix_sums_scratch_bytes<std::int64_t>(in.size()));
  cuda::prefix_sums<std::int64_t>(in.span(), out.data(), scratch.span());
  std::printf("the last one is %lld\n", static_cast<long long>(out.values().back()));
}
