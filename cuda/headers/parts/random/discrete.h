// Numbers of a discrete distribution that the library has made: from its alias table (Walker, "An
// efficient method for generating discrete random variables with general distributions", 1977), or
// as rounded normal numbers.
#pragma once
#pragma GCC system_header

#include "normal.h"

namespace bankproof_random {

/// CURAND_M2 of curandMethod_t: there is an alias table.
constexpr int method_of_tables = 5;

template <class Word>
BANKPROOF_RANDOM unsigned int from_table(Word x, curandDistributionM2Shift_t table) {
  const double u = uniform_double(x);
  const int column = static_cast<int>(floor(table->length * u));
  const bool is_own = u < table->histogram->V[column];
  return table->shift + (is_own ? static_cast<unsigned int>(column) : table->histogram->K[column]);
}

BANKPROOF_RANDOM unsigned int discrete_of_normal(double normal, curandDiscreteDistribution_t of) {
  return static_cast<unsigned int>(of->stddev * normal + of->mean + 0.5);
}

}  // namespace bankproof_random

#define BANKPROOF_DISCRETE(State)                                                                \
  BANKPROOF_RANDOM unsigned int curand_discrete(State* state, curandDiscreteDistribution_t of) { \
    using namespace bankproof_random;                                                            \
    if (of->method == method_of_tables) return from_table(curand(state), of->M2);                \
    return discrete_of_normal(curand_normal_double(state), of);                                  \
  }
BANKPROOF_DISCRETE(curandStateXORWOW_t)
BANKPROOF_DISCRETE(curandStatePhilox4_32_10_t)
BANKPROOF_DISCRETE(curandStateMRG32k3a_t)
BANKPROOF_DISCRETE(curandStateSobol32_t)
BANKPROOF_DISCRETE(curandStateScrambledSobol32_t)
BANKPROOF_DISCRETE(curandStateSobol64_t)
BANKPROOF_DISCRETE(curandStateScrambledSobol64_t)
#undef BANKPROOF_DISCRETE

BANKPROOF_RANDOM uint4 curand_discrete4(curandStatePhilox4_32_10_t* state,
                                        curandDiscreteDistribution_t of) {
  using namespace bankproof_random;
  if (of->method == method_of_tables) {
    const uint4 x = curand4(state);
    return uint4{from_table(x.x, of->M2), from_table(x.y, of->M2), from_table(x.z, of->M2),
                 from_table(x.w, of->M2)};
  }
  const double4 v = curand_normal4_double(state);
  return uint4{discrete_of_normal(v.x, of), discrete_of_normal(v.y, of),
               discrete_of_normal(v.z, of), discrete_of_normal(v.w, of)};
}
