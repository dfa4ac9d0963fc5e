// Matrix products of a warp: nvcuda::wmma (Programming Guide, "Warp Matrix Functions"), by clang's
// builtins for the instructions wmma.load, wmma.mma and wmma.store.
//
// Left out: elements of 4 bits and of 1 bit.
#pragma once
#pragma GCC system_header

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

}  // namespace wmma
}  // namespace nvcuda

namespace bankproof_parts {

/// The elements of a matrix that a lane holds. CUDA does not specify which elements these are.
template <class T, int count>
struct FragmentElements {
  enum { num_elements = count, num_storage_elements = count };
  typedef T element_type;
  typedef T storage_element_type;
  T x[count];
};

template <class Layout>
struct LayoutNumber {
  static constexpr int value = 0;
};
template <>
struct LayoutNumber<nvcuda::wmma::col_major> {
  static constexpr int value = 1;
};

// The builtins for a shape and its element types: Factors has those for a and b, Sums those for c
// and d, Products those for products. The operands of builtins are words, and their layout and
// saturation must be constants.
template <class T, int m, int n, int k>
struct Factors;
template <class T, int m, int n, int k>
struct Sums;
template <class T, class D, class C, int m, int n, int k>
struct Products;

#define BANKPROOF_FACTORS(T, InMemory, Of, m, n, k, in_a, in_b, builtin_a, builtin_b) \
  template <>                                                                         \
  struct Factors<T, m, n, k> {                                                        \
    typedef InMemory Element;                                                         \
    typedef Of Word;                                                                  \
    enum { of_a = in_a, of_b = in_b };                                                \
    template <int layout>                                                             \
    BANKPROOF_DEVICE void load_a(Word* to, const Word* from, int stride) {            \
      builtin_a(to, from, stride, layout);                                            \
    }                                                                                 \
    template <int layout>                                                             \
    BANKPROOF_DEVICE void load_b(Word* to, const Word* from, int stride) {            \
      builtin_b(to, from, stride, layout);                                            \
    }                                                                                 \
  };

#define BANKPROOF_SUMS(T, Of, m, n, k, in_sum, builtin_load, builtin_store) \
  template <>                                                               \
  struct Sums<T, m, n, k> {                                                 \
    typedef Of Word;                                                        \
    enum { count = in_sum };                                                \
    template <int layout>                                                   \
    BANKPROOF_DEVICE void load(Word* to, const Word* from, int stride) {    \
      builtin_load(to, from, stride, layout);                               \
    }                                                                       \
    template <int layout>                                                   \
    BANKPROOF_DEVICE void store(Word* to, Word* from, int stride) {         \
      builtin_store(to, from, stride, layout);                              \
    }                                                                       \
  };

#define BANKPROOF_PRODUCTS(T, D, C, m, n, k, builtin)                                        \
  template <>                                                                                \
  struct Products<T, D, C, m, n, k> {                                                        \
    template <int layouts, int saturated, class WordD, class Word, class WordC>              \
    BANKPROOF_DEVICE void multiply(WordD* d, const Word* a, const Word* b, const WordC* c) { \
      builtin(d, a, b, c, layouts, saturated);                                               \
    }                                                                                        \
  };

#define BANKPROOF_SHAPE(m, n, k, shape, in_a, in_b)                                               \
  BANKPROOF_FACTORS(__half, __half, int, m, n, k, 16, 16, __hmma_##shape##_ld_a,                  \
                    __hmma_##shape##_ld_b)                                                        \
  BANKPROOF_FACTORS(__nv_bfloat16, __nv_bfloat16, int, m, n, k, in_a, in_b,                       \
                    __mma_bf16_##shape##_ld_a, __mma_bf16_##shape##_ld_b)                         \
  BANKPROOF_FACTORS(signed char, signed char, int, m, n, k, in_a, in_b, __imma_##shape##_ld_a_s8, \
                    __imma_##shape##_ld_b_s8)                                                     \
  BANKPROOF_FACTORS(unsigned char, unsigned char, int, m, n, k, in_a, in_b,                       \
                    __imma_##shape##_ld_a_u8, __imma_##shape##_ld_b_u8)                           \
  BANKPROOF_SUMS(__half, int, m, n, k, 8, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)   \
  BANKPROOF_SUMS(float, float, m, n, k, 8, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)  \
  BANKPROOF_SUMS(int, int, m, n, k, 8, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)          \
  BANKPROOF_PRODUCTS(__half, __half, __half, m, n, k, __hmma_##shape##_mma_f16f16)                \
  BANKPROOF_PRODUCTS(__half, __half, float, m, n, k, __hmma_##shape##_mma_f16f32)                 \
  BANKPROOF_PRODUCTS(__half, float, __half, m, n, k, __hmma_##shape##_mma_f32f16)                 \
  BANKPROOF_PRODUCTS(__half, float, float, m, n, k, __hmma_##shape##_mma_f32f32)                  \
  BANKPROOF_PRODUCTS(__nv_bfloat16, float, float, m, n, k, __mma_bf16_##shape##_mma_f32)          \
  BANKPROOF_PRODUCTS(signed char, int, int, m, n, k, __imma_##shape##_mma_s8)                     \
  BANKPROOF_PRODUCTS(unsigned char, int, int, m, n, k, __imma_##shape##_mma_u8)

BANKPROOF_SHAPE(16, 16, 16, m16n16k16, 8, 8)
BANKPROOF_SHAPE(8, 32, 16, m8n32k16, 4, 16)
BANKPROOF_SHAPE(32, 8, 16, m32n8k16, 16, 4)
BANKPROOF_FACTORS(nvcuda::wmma::precision::tf32, float, int, 16, 16, 8, 4, 4,
                  __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b)
BANKPROOF_SUMS(float, float, 16, 16, 8, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
BANKPROOF_PRODUCTS(nvcuda::wmma::precision::tf32, float, float, 16, 16, 8,
                   __mma_tf32_m16n16k8_mma_f32)
BANKPROOF_FACTORS(double, double, double, 8, 8, 4, 1, 1, __dmma_m8n8k4_ld_a, __dmma_m8n8k4_ld_b)
BANKPROOF_SUMS(double, double, 8, 8, 4, 2, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
BANKPROOF_PRODUCTS(double, double, double, 8, 8, 4, __dmma_m8n8k4_mma_f64)

#undef BANKPROOF_FACTORS
#undef BANKPROOF_SUMS
#undef BANKPROOF_PRODUCTS
#undef BANKPROOF_SHAPE

}  // namespace bankproof_parts

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_a, m, n, k, T, Layout>
    : public bankproof_parts::FragmentElements<
          typename bankproof_parts::Factors<T, m, n, k>::Element,
          bankproof_parts::Factors<T, m, n, k>::of_a> {};
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_b, m, n, k, T, Layout>
    : public bankproof_parts::FragmentElements<
          typename bankproof_parts::Factors<T, m, n, k>::Element,
          bankproof_parts::Factors<T, m, n, k>::of_b> {};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T, void>
    : public bankproof_parts::FragmentElements<T, bankproof_parts::Sums<T, m, n, k>::count> {};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
BANKPROOF_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& to, const Value& value) {
  typedef typename fragment<Use, m, n, k, T, Layout>::element_type Element;
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = static_cast<Element>(value);
}

template <int m, int n, int k, class T, class Layout>
BANKPROOF_DEVICE void load_matrix_sync(
    fragment<matrix_a, m, n, k, T, Layout>& to,
    const typename bankproof_parts::Factors<T, m, n, k>::Element* from, unsigned int stride) {
  typedef bankproof_parts::Factors<T, m, n, k> Builtins;
  typedef typename Builtins::Word Word;
  Word words[sizeof to.x / sizeof(Word)];
  Builtins::template load_a<bankproof_parts::LayoutNumber<Layout>::value>(
      words, reinterpret_cast<const Word*>(from), static_cast<int>(stride));
  __builtin_memcpy(to.x, words, sizeof words);
}

template <int m, int n, int k, class T, class Layout>
BANKPROOF_DEVICE void load_matrix_sync(
    fragment<matrix_b, m, n, k, T, Layout>& to,
    const typename bankproof_parts::Factors<T, m, n, k>::Element* from, unsigned int stride) {
  typedef bankproof_parts::Factors<T, m, n, k> Builtins;
  typedef typename Builtins::Word Word;
  Word words[sizeof to.x / sizeof(Word)];
  Builtins::template load_b<bankproof_parts::LayoutNumber<Layout>::value>(
      words, reinterpret_cast<const Word*>(from), static_cast<int>(stride));
  __builtin_memcpy(to.x, words, sizeof words);
}

template <int m, int n, int k, class T>
BANKPROOF_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from,
                                       unsigned int stride, layout_t layout) {
  typedef bankproof_parts::Sums<T, m, n, k> Builtins;
  typedef typename Builtins::Word Word;
  Word words[sizeof to.x / sizeof(Word)];
  const Word* const source = reinterpret_cast<const Word*>(from);
  if (layout == mem_row_major) {
    Builtins::template load<0>(words, source, static_cast<int>(stride));
  } else {
    Builtins::template load<1>(words, source, static_cast<int>(stride));
  }
  __builtin_memcpy(to.x, words, sizeof words);
}

template <int m, int n, int k, class T>
BANKPROOF_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from,
                                        unsigned int stride, layout_t layout) {
  typedef bankproof_parts::Sums<T, m, n, k> Builtins;
  typedef typename Builtins::Word Word;
  Word words[sizeof from.x / sizeof(Word)];
  __builtin_memcpy(words, from.x, sizeof words);
  Word* const target = reinterpret_cast<Word*>(to);
  if (layout == mem_row_major) {
    Builtins::template store<0>(target, words, static_cast<int>(stride));
  } else {
    Builtins::template store<1>(target, words, static_cast<int>(stride));
  }
}

}  // namespace wmma
}  // namespace nvcuda

namespace bankproof_parts {

template <int saturated, int m, int n, int k, class T, class D, class C, class OfA, class OfB>
BANKPROOF_DEVICE void multiply_fragments(
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, m, n, k, D>& d,
    const nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, m, n, k, T, OfA>& a,
    const nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, m, n, k, T, OfB>& b,
    const nvcuda::wmma::fragment<nvcuda::wmma::accumulator, m, n, k, C>& c) {
  typedef typename Factors<T, m, n, k>::Word Word;
  typedef typename Sums<C, m, n, k>::Word WordC;
  typedef typename Sums<D, m, n, k>::Word WordD;
  constexpr int layouts = 2 * LayoutNumber<OfA>::value + LayoutNumber<OfB>::value;
  Word of_a[sizeof a.x / sizeof(Word)];
  Word of_b[sizeof b.x / sizeof(Word)];
  WordC of_c[sizeof c.x / sizeof(WordC)];
  WordD of_d[sizeof d.x / sizeof(WordD)];
  __builtin_memcpy(of_a, a.x, sizeof of_a);
  __builtin_memcpy(of_b, b.x, sizeof of_b);
  __builtin_memcpy(of_c, c.x, sizeof of_c);
  Products<T, D, C, m, n, k>::template multiply<layouts, saturated>(of_d, of_a, of_b, of_c);
  __builtin_memcpy(d.x, of_d, sizeof of_d);
}

}  // namespace bankproof_parts

namespace nvcuda {
namespace wmma {

template <int m, int n, int k, class T, class D, class C, class OfA, class OfB>
BANKPROOF_DEVICE void mma_sync(fragment<accumulator, m, n, k, D>& d,
                               const fragment<matrix_a, m, n, k, T, OfA>& a,
                               const fragment<matrix_b, m, n, k, T, OfB>& b,
                               const fragment<accumulator, m, n, k, C>& c) {
  bankproof_parts::multiply_fragments<0>(d, a, b, c);
}
template <int m, int n, int k, class T, class OfA, class OfB>
BANKPROOF_DEVICE void mma_sync(fragment<accumulator, m, n, k, int>& d,
                               const fragment<matrix_a, m, n, k, T, OfA>& a,
                               const fragment<matrix_b, m, n, k, T, OfB>& b,
                               const fragment<accumulator, m, n, k, int>& c, bool saturates) {
  if (saturates) {
    bankproof_parts::multiply_fragments<1>(d, a, b, c);
  } else {
    bankproof_parts::multiply_fragments<0>(d, a, b, c);
  }
}

BANKPROOF_DEVICE float __float_to_tf32(float x) {
  unsigned int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

}  // namespace wmma
}  // namespace nvcuda
