// Conversions of cuda_fp8.h, of every code of 8 bits and of many other numbers.
#include <cuda_fp8.h>

/// The codes of a number in both formats, with and without saturation, from every type.
__global__ void to_fp8(const float* numbers, unsigned* codes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = numbers[i];
  const float other = numbers[(i + 1) % count];
  unsigned* out = codes + 16 * i;
  for (int k = 0; k < 4; ++k) {
    const __nv_saturation_t saturation = k % 2 == 0 ? __NV_NOSAT : __NV_SATFINITE;
    const __nv_fp8_interpretation_t format = k / 2 == 0 ? __NV_E4M3 : __NV_E5M2;
    out[k] = __nv_cvt_float_to_fp8(x, saturation, format) |
             __nv_cvt_double_to_fp8(x * 1.0000000001, saturation, format) << 8 |
             __nv_cvt_halfraw_to_fp8(__half_raw(__half(x)), saturation, format) << 16 |
             __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(__nv_bfloat16(x)), saturation, format)
                 << 24;
    out[4 + k] = __nv_cvt_float2_to_fp8x2(float2{x, other}, saturation, format) |
                 __nv_cvt_double2_to_fp8x2(double2{x, other}, saturation, format) << 16;
  }
  out[8] = __nv_fp8_e4m3(x).__x | __nv_fp8_e5m2(x).__x << 8 | __nv_fp8_e4m3(double(x)).__x << 16 |
           __nv_fp8_e5m2(__half(x)).__x << 24;
  out[9] = __nv_fp8_e4m3(i).__x | __nv_fp8_e5m2(i).__x << 8 |
           __nv_fp8_e4m3(-static_cast<long long>(i)).__x << 16 |
           __nv_fp8_e5m2(static_cast<unsigned short>(i)).__x << 24;
  out[10] = __nv_fp8x2_e4m3(float2{x, other}).__x | __nv_fp8x2_e5m2(float2{x, other}).__x << 16;
  out[11] = __nv_fp8x2_e4m3(__half2(__half(x), __half(other))).__x |
            __nv_fp8x2_e5m2(double2{x, other}).__x << 16;
  out[12] = __nv_fp8x4_e4m3(float4{x, other, -x, 1.0F}).__x;
  out[13] = __nv_fp8x4_e5m2(float4{x, other, -x, 1.0F}).__x;
  out[14] = __nv_fp8x4_e5m2(__half2(__half(x), __half(other)), __half2(__half(1), __half(x))).__x;
  out[15] = __nv_fp8_e4m3(__nv_bfloat16(x)).__x;
}

__device__ unsigned bits(float x) { return __float_as_uint(x); }

template <class Type>
__device__ void store(Type x, unsigned* out) {
  out[0] = bits(static_cast<float>(x));
  out[1] = __half_raw(static_cast<__half>(x)).x;
  out[2] = __nv_bfloat16_raw(static_cast<__nv_bfloat16>(x)).x;
  out[3] = bits(static_cast<float>(static_cast<double>(x)));
  out[4] = static_cast<unsigned>(static_cast<int>(x));
  out[5] = static_cast<unsigned>(x);
  out[6] = static_cast<unsigned>(static_cast<short>(x)) & 0xffffU;
  out[7] = static_cast<unsigned short>(x);
  out[8] = static_cast<unsigned>(static_cast<signed char>(x)) & 0xffU;
  out[9] = static_cast<unsigned char>(x);
  out[10] = static_cast<unsigned>(static_cast<long long>(x) >> 32);
  out[11] = static_cast<unsigned>(static_cast<unsigned long long>(x) >> 32);
  out[12] = static_cast<unsigned>(static_cast<long>(x));
  out[13] = static_cast<unsigned>(static_cast<unsigned long>(x));
  out[14] = static_cast<unsigned>(static_cast<char>(x)) & 0xffU;
  out[15] = static_cast<bool>(x);
}

/// What the numbers of all codes are in the other types; 64 words for each code.
__global__ void from_fp8(unsigned* numbers) {
  const unsigned code = threadIdx.x;
  unsigned* out = numbers + 64 * code;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = static_cast<__nv_fp8_storage_t>(code);
  store(a, out);
  store(b, out + 16);
  __nv_fp8x2_e4m3 pair;
  pair.__x = static_cast<__nv_fp8x2_storage_t>(code << 8 | (code ^ 0xffU));
  const float2 two = static_cast<float2>(pair);
  const __half2 halves = static_cast<__half2>(pair);
  __nv_fp8x4_e5m2 quadruple;
  quadruple.__x = code << 24 | (code ^ 0xffU) << 16 | 0x3c00U | code;
  const float4 four = static_cast<float4>(quadruple);
  out[32] = bits(two.x);
  out[33] = bits(two.y);
  out[34] = __half_raw(halves.x).x;
  out[35] = __half_raw(halves.y).x;
  out[36] = bits(four.x);
  out[37] = bits(four.y);
  out[38] = bits(four.z);
  out[39] = bits(four.w);
  for (int k = 40; k < 64; ++k) out[k] = 0;
}
