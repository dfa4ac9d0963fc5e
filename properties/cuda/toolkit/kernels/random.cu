// Every generator and every distribution of curand_kernel.h. A thread has a seed, a subsequence and
// an offset; its results are integers, whose bits have to be right, then floats and doubles.
#include <curand_kernel.h>

#include <initializer_list>

constexpr int integers = 24, numbers = 12;

/// An alias table of four columns, and a rounded normal distribution.
__device__ double columns[4] = {0.2, 0.5, 0.55, 1.0};
__device__ unsigned aliases[4] = {3, 0, 3, 1};

__device__ unsigned bits(float x) { return __float_as_uint(x); }

struct Out {
  unsigned long long* exact;
  float* floats;
  double* doubles;
};

template <class State>
__device__ void distributions(State state, Out out) {
  curandHistogramM2_st histogram{};
  curandDistributionM2Shift_st table{};
  curandDiscreteDistribution_st of{};
  histogram.V = columns;
  histogram.K = aliases;
  table.histogram = &histogram;
  table.shift = 100;
  table.length = 4;
  of.M2 = &table;
  of.method = static_cast<decltype(of.method)>(5);
  unsigned long long* exact = out.exact;
  for (int k = 0; k < 6; ++k) *exact++ = curand(&state);
  *exact++ = bits(curand_uniform(&state));
  *exact++ = __double_as_longlong(curand_uniform_double(&state));
  for (const double lambda : {0.7, 30.0, 100.0, 2500.0, 8000.0}) {
    for (int k = 0; k < 2; ++k) *exact++ = curand_poisson(&state, lambda);
  }
  for (int k = 0; k < 3; ++k) *exact++ = curand_discrete(&state, &of);
  of.method = static_cast<decltype(of.method)>(0);
  of.mean = 50;
  of.stddev = 7;
  for (int k = 0; k < 3; ++k) *exact++ = curand_discrete(&state, &of);
  for (int k = 0; k < 3; ++k) *out.floats++ = curand_normal(&state);
  for (int k = 0; k < 3; ++k) *out.floats++ = curand_log_normal(&state, 0.5f, 0.25f);
  for (int k = 0; k < 3; ++k) *out.doubles++ = curand_normal_double(&state);
  for (int k = 0; k < 3; ++k) *out.doubles++ = curand_log_normal_double(&state, 0.5, 0.25);
  *exact++ = curand(&state);  // the state is what it has to be
}

template <class State>
__device__ void pairs(State state, Out out) {
  const float2 a = curand_normal2(&state), b = curand_log_normal2(&state, 1.0f, 0.5f);
  const double2 c = curand_normal2_double(&state), d = curand_log_normal2_double(&state, 1.0, 0.5);
  for (const float x : {a.x, a.y, b.x, b.y}) *out.floats++ = x;
  for (const double x : {c.x, c.y, d.x, d.y}) *out.doubles++ = x;
}

__device__ void fours(const unsigned long long* of, Out out, unsigned long long*) {
  curandStatePhilox4_32_10_t state;
  curand_init(of[0], of[1], of[2], &state);
  const auto four = [&](uint4 x) {
    for (const unsigned word : {x.x, x.y, x.z, x.w}) *out.exact++ = word;
  };
  four(curand4(&state));
  const float4 u = curand_uniform4(&state);
  for (const float x : {u.x, u.y, u.z, u.w}) *out.exact++ = bits(x);
  const double2 v = curand_uniform2_double(&state);
  const double4 w = curand_uniform4_double(&state);
  for (const double x : {v.x, v.y, w.x, w.w}) *out.exact++ = __double_as_longlong(x);
  for (const double lambda : {9.0, 500.0, 5000.0}) four(curand_poisson4(&state, lambda));
  const float4 a = curand_normal4(&state), b = curand_log_normal4(&state, 0.0f, 1.0f);
  const double4 c = curand_normal4_double(&state), d = curand_log_normal4_double(&state, 0.0, 1.0);
  for (const float x : {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}) *out.floats++ = x;
  for (const double x : {c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w}) *out.doubles++ = x;
}

/// Jumps of one state; the last results of its integers are the numbers behind them.
template <class State>
__device__ void pseudo(const unsigned long long* of, Out out, unsigned long long* jumps) {
  State state;
  curand_init(of[0], of[1], of[2], &state);
  distributions(state, out);
  pairs(state, {nullptr, out.floats + 6, out.doubles + 6});
  skipahead(of[0], &state);
  jumps[0] = curand(&state);
  skipahead_sequence(of[0] ^ of[1], &state);
  jumps[1] = curand(&state);
}

template <class Word, class State>
__device__ void begin_plain(Word* vectors, const unsigned long long* of, State* state) {
  curand_init(vectors, static_cast<Word>(of[2]), state);
}
template <class Word, class State>
__device__ void begin_scrambled(Word* vectors, const unsigned long long* of, State* state) {
  curand_init(vectors, static_cast<Word>(of[1]), static_cast<Word>(of[2]), state);
}
__device__ void begin(unsigned* vectors, const unsigned long long* of,
                      curandStateSobol32_t* state) {
  begin_plain(vectors, of, state);
}
__device__ void begin(unsigned long long* vectors, const unsigned long long* of,
                      curandStateSobol64_t* state) {
  begin_plain(vectors, of, state);
}
template <class Word, class State>
__device__ void begin(Word* vectors, const unsigned long long* of, State* state) {
  begin_scrambled(vectors, of, state);
}

template <class State, class Word, int bits>
__device__ void quasi(const unsigned long long* of, Out out, unsigned long long* jumps) {
  // Direction vectors of a dimension: each has a highest bit of its own.
  Word vectors[bits];
  for (int k = 0; k < bits; ++k) {
    vectors[k] = (Word{1} << (bits - 1 - k)) | static_cast<Word>(of[0] << (bits - k)) >> 1;
  }
  State state;
  begin(vectors, of, &state);
  distributions(state, out);
  skipahead(static_cast<Word>(of[0]), &state);
  jumps[0] = curand(&state);
  jumps[1] = curand(&state);
}

/// The places of a generator's results, which begin as zeros.
__device__ Out place(int generator, unsigned long long* exact, float* floats, double* doubles) {
  const int k = threadIdx.x * 8 + generator;
  const Out out = {exact + k * (integers + 2), floats + k * numbers, doubles + k * numbers};
  for (int i = 0; i < integers + 2; ++i) out.exact[i] = 0;
  for (int i = 0; i < numbers; ++i) out.floats[i] = out.doubles[i] = 0;
  return out;
}

#define KERNEL(name, generator, function)                                                         \
  __global__ void name(const unsigned long long* cases, unsigned long long* exact, float* floats, \
                       double* doubles) {                                                         \
    const Out out = place(generator, exact, floats, doubles);                                     \
    function(cases + 3 * threadIdx.x, out, out.exact + integers);                                 \
  }
KERNEL(xorwow, 0, pseudo<curandStateXORWOW_t>)
KERNEL(philox, 1, pseudo<curandStatePhilox4_32_10_t>)
KERNEL(mrg32k3a, 2, pseudo<curandStateMRG32k3a_t>)
KERNEL(sobol32, 3, (quasi<curandStateSobol32_t, unsigned, 32>))
KERNEL(scrambled32, 4, (quasi<curandStateScrambledSobol32_t, unsigned, 32>))
KERNEL(sobol64, 5, (quasi<curandStateSobol64_t, unsigned long long, 64>))
KERNEL(scrambled64, 6, (quasi<curandStateScrambledSobol64_t, unsigned long long, 64>))
KERNEL(philox_by_fours, 7, fours)
