// Operations on numbers of 16 bits, which both headers compute from the same bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// 16 results for each pair, and 16 results of functions of the first number.
__global__ void bfloats(const __nv_bfloat16* first, const __nv_bfloat16* second,
                        __nv_bfloat16* results, float* functions, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 a = first[i % count], b = second[i % count];
  __nv_bfloat16* const out = results + 16 * (i % count);
  const __nv_bfloat162 pair = __halves2bfloat162(a, b);
  __nv_bfloat162 sum = pair;
  sum += __bfloat162bfloat162(b);
  __nv_bfloat16 product = a;
  product *= b;
  const __nv_bfloat16 other = __shfl_xor_sync(0xffffffff, a, 1);
  const __nv_bfloat162 others = __shfl_down_sync(0xffffffff, pair, 3);
  if (i >= count) return;
  out[0] = a + b;
  out[1] = a - b;
  out[2] = product;
  out[3] = __hfma(a, b, a);
  out[4] = sum.x;
  out[5] = __high2bfloat16(pair * __nv_bfloat162(b, b));
  out[6] = -a;
  out[7] = __habs(a);
  out[8] = __hneg2(pair).y;
  out[9] = other;
  out[10] = others.y;
  out[11] = __double2bfloat16(static_cast<double>(__low2float(pair)) * 1.00390625);
  out[12] = __float2bfloat16(a > b ? 1.0f : __hle(a, b) ? 2.0f : 3.0f);
  out[13] = __hbeq2(pair, __nv_bfloat162(b, b)) ? 1.0f : 0.0f;
  out[14] = __float22bfloat162_rn(make_float2(1.0f, __bfloat1622float2(pair).y + 1.0f)).y;
  out[15] = __ushort_as_bfloat16(__bfloat16_as_ushort(__hmax(a, b)));
  const __nv_bfloat162 above = h2exp2(pair);
  functions[16 * i] = above.x;
  functions[16 * i + 1] = hsqrt(__habs(a));
  functions[16 * i + 2] = hexp(a);
  functions[16 * i + 3] = hlog(__habs(a));
  functions[16 * i + 4] = hsin(a);
  functions[16 * i + 5] = hrcp(a);
  functions[16 * i + 6] = hcos(a);
  functions[16 * i + 7] = a / b;
  functions[16 * i + 8] = hfloor(a);
  functions[16 * i + 9] = hceil(a);
  functions[16 * i + 10] = hrint(a);
  functions[16 * i + 11] = h2trunc(pair).x;
  functions[16 * i + 12] = hexp10(a);
  functions[16 * i + 13] = hlog10(__habs(a));
  functions[16 * i + 14] = htanh(a);
  functions[16 * i + 15] = h2tanh(__floats2half2_rn(0, a)).y;
}

/// 4 comparisons of each pair with the next pair, and 4 functions of the first number.
__global__ void halves(const __half* first, const __half* second, float* results, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const __half2 a(first[i], second[i]), b(second[i], second[i]);
  const __half2 less = __hlt2(a, b), equal = __heq2(a, b);
  const __half2 sine = h2sin(a), above = h2exp10(a);
  const float found[] = {__low2float(less),
                         __high2float(less),
                         __low2float(equal),
                         __high2float(equal),
                         __low2float(sine),
                         __low2float(above),
                         __half2float(hcos(first[i])),
                         __half2float(hlog10(__habs(first[i])))};
  for (int k = 0; k < 8; ++k) results[8 * i + k] = found[k];
}

/// Each thread adds the number 1 to the first number, and (2, 0.5) to the pair.
__global__ void atomic_sums(__nv_bfloat16* number, __nv_bfloat162* pair) {
  atomicAdd(number, __nv_bfloat16(1.0f));
  atomicAdd(pair, __nv_bfloat162(__nv_bfloat16(2.0f), __nv_bfloat16(0.5f)));
}
