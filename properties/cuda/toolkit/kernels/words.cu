// All operations on the parts of words, and the extremes of cuda/headers/parts/extremes.h.

#define ONE(name) out[count++] = name(x);
#define TWO(name) out[count++] = name(x, y);
#define THREE(name) out[count++] = name(x, y, z);
#define COMPARISONS(prefix, parts) \
  TWO(prefix##eq##parts)           \
  TWO(prefix##ne##parts)           \
  TWO(prefix##lts##parts)          \
  TWO(prefix##ltu##parts)          \
  TWO(prefix##les##parts)          \
  TWO(prefix##leu##parts)          \
  TWO(prefix##gts##parts) TWO(prefix##gtu##parts) TWO(prefix##ges##parts) TWO(prefix##geu##parts)
#define OF_PARTS(parts)   \
  ONE(__vabs##parts)      \
  ONE(__vabsss##parts)    \
  ONE(__vneg##parts)      \
  ONE(__vnegss##parts)    \
  TWO(__vadd##parts)      \
  TWO(__vaddss##parts)    \
  TWO(__vaddus##parts)    \
  TWO(__vsub##parts)      \
  TWO(__vsubss##parts)    \
  TWO(__vsubus##parts)    \
  TWO(__vavgs##parts)     \
  TWO(__vavgu##parts)     \
  TWO(__vhaddu##parts)    \
  TWO(__vabsdiffs##parts) \
  TWO(__vabsdiffu##parts) \
  TWO(__vsads##parts)     \
  TWO(__vsadu##parts)     \
  TWO(__vmins##parts)     \
  TWO(__vminu##parts)     \
  TWO(__vmaxs##parts) TWO(__vmaxu##parts) COMPARISONS(__vcmp, parts) COMPARISONS(__vset, parts)
#define TELLS(name)            \
  out[count] = name(x, y, &p); \
  out[count++] ^= p ? 1U : 0U;
#define TELLS_TWICE(name)          \
  out[count] = name(x, y, &p, &q); \
  out[count++] ^= (p ? 1U : 0U) ^ (q ? 0x10000U : 0U);
#define EXTREMES(extreme)              \
  THREE(__vi##extreme##3_s32)          \
  THREE(__vi##extreme##3_u32)          \
  THREE(__vi##extreme##3_s16x2)        \
  THREE(__vi##extreme##3_u16x2)        \
  THREE(__vi##extreme##3_s32_relu)     \
  THREE(__vi##extreme##3_s16x2_relu)   \
  THREE(__viadd##extreme##_s32)        \
  THREE(__viadd##extreme##_u32)        \
  THREE(__viadd##extreme##_s16x2)      \
  THREE(__viadd##extreme##_u16x2)      \
  THREE(__viadd##extreme##_s32_relu)   \
  THREE(__viadd##extreme##_s16x2_relu) \
  TWO(__vi##extreme##_s32_relu)        \
  TWO(__vi##extreme##_s16x2_relu)      \
  TELLS(__vib##extreme##_s32)          \
  TELLS(__vib##extreme##_u32)          \
  TELLS_TWICE(__vib##extreme##_s16x2) TELLS_TWICE(__vib##extreme##_u16x2)

/// 128 results for each number, and for those that follow it.
__global__ void of_words(const unsigned* numbers, unsigned* results, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const unsigned x = numbers[i], y = numbers[(i + 1) % size], z = numbers[(7 * i + 3) % size];
  unsigned* out = results + 128 * i;
  int count = 0;
  bool p, q;
  OF_PARTS(2) OF_PARTS(4) EXTREMES(max) EXTREMES(min) while (count < 128) out[count++] = 0;
}
