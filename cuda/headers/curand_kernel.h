// cuRAND's device code: the generators XORWOW, Philox, MRG32k3a and Sobol's, and the distributions
// of their numbers. The integers and the uniform numbers are those of cuRAND for the same seeds,
// sequences and offsets. The states have cuRAND's layout. Facts are from cuRAND's documentation and
// the papers that the parts name; seeds and orders of operations were found by comparing results.
#pragma once
#pragma GCC system_header

#define CURAND_KERNEL_H_

#if __has_include("curand.h")
#include "curand.h"
#endif
#include "parts/random/discrete.h"
#include "parts/random/log_normal.h"
#include "parts/random/mtgp32.h"
#include "parts/random/poisson.h"
