// Threads of a warp diverge: Collatz steps until 1, a switch, breaks and an early return.
#ifdef __clang__
#include "clang.cuh"
#endif

__global__ void divergence(const unsigned* in, unsigned* out, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i];
  if (value == 0) return;
  unsigned steps = 0;
  while (value != 1) {
    if (value % 2 == 0) {
      value /= 2;
    } else {
      value = 3 * value + 1;
    }
    if (++steps == limit) break;
  }
  switch (i % 8) {
    case 0:
      steps += 7;
      break;
    case 1:
      steps *= 5;
      break;
    case 2:
      steps ^= value;
      break;
    case 3:
      out[i + 1] = 1;
      [[fallthrough]];
    case 4:
      steps -= 3;
      break;
    case 5:
      out[i + 2] = value;
      break;
    case 6:
      steps = ~steps;
      break;
    default:
      return;
  }
  out[i] = steps;
}
