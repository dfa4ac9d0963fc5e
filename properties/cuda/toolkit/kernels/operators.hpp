// The operators of the scans and reductions, for the kernels and for the oracles on the host.
#pragma once

#include <type_traits>

#ifdef __CUDACC__
#define BANKPROOF_BOTH_SIDES __host__ __device__
#else
#define BANKPROOF_BOTH_SIDES
#endif

/// x ↦ factor · x + added, modulo 2^(8 · sizeof(Number)).
template <class Number>
struct Affine {
  Number factor;
  Number added;
};

template <class Number>
BANKPROOF_BOTH_SIDES bool operator==(const Affine<Number>& a, const Affine<Number>& b) {
  return a.factor == b.factor && a.added == b.added;
}

/// 8 bytes: CUB holds a tile's status and its value in separate words, as for any struct.
using Map = Affine<unsigned>;
/// 16 bytes.
using WideMap = Affine<unsigned long long>;

/// Applies one map after the other. This is associative and not commutative, so a wrong order
/// shows.
struct Compose {
  template <class Number>
  BANKPROOF_BOTH_SIDES Affine<Number> operator()(const Affine<Number>& first,
                                                 const Affine<Number>& second) const {
    return {first.factor * second.factor, second.factor * first.added + second.added};
  }
};

/// Sums in the type itself; sums of integers wrap.
struct Plus {
  template <class T>
  BANKPROOF_BOTH_SIDES T operator()(const T& a, const T& b) const {
    if constexpr (std::is_integral_v<T>) {
      using Word = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Word>(a) + static_cast<Word>(b));
    } else {
      return a + b;
    }
  }
};

struct Maximum {
  template <class T>
  BANKPROOF_BOTH_SIDES T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
