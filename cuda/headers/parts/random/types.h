// Types that cuRAND's device code shares with its library.
#pragma once
#pragma GCC system_header

/// Direction vectors of a Sobol sequence.
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

// A discrete distribution, which the library makes: an alias table, or a normal distribution whose
// numbers are rounded.
typedef double curandDistribution_st;
typedef curandDistribution_st* curandDistribution_t;
typedef unsigned int curandHistogramM2K_st;
typedef curandHistogramM2K_st* curandHistogramM2K_t;
typedef curandDistribution_st curandHistogramM2V_st;
typedef curandHistogramM2V_st* curandHistogramM2V_t;
typedef struct curandHistogramM2_st* curandHistogramM2_t;
typedef struct curandDistributionM2Shift_st* curandDistributionM2Shift_t;
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

struct curandHistogramM2_st {
  curandHistogramM2V_t V, host_V;
  curandHistogramM2K_t K, host_K;
  unsigned int host_gen;
};
struct curandDistributionM2Shift_st {
  curandHistogramM2_t histogram, host_histogram;
  unsigned int shift, length, host_gen;
};
struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_t self_host_ptr;
  curandDistributionM2Shift_t M2, host_M2;
  double stddev, mean;
  int method;  // curandMethod_t
  unsigned int host_gen;
};
