// Vector accesses and a structure as parameter: positions move by a step in double precision.
#ifdef __clang__
#include "clang.cuh"
#endif

struct Step {
  float4 velocity;
  double seconds;
  int count;
  signed char sign;
};

__global__ void particles(float4* positions, Step step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= step.count) return;
  float4 p = positions[i];
  const double seconds = step.sign * step.seconds * 0.5;
  p.x += static_cast<float>(step.velocity.x * seconds);
  p.y += static_cast<float>(step.velocity.y * seconds);
  p.z += static_cast<float>(step.velocity.z * seconds);
  positions[i] = p;
}
