// The numbers of cuBLAS's operands, and the numbers in which the machine computes.
//
// The machine computes in float, double, and complex numbers of these. Operands of 16 bits become
// float, and are rounded once when a result is stored; operands of 8 bits are computed in double,
// where sums of their products are exact. A chip that computes in less precision, as cuBLAS's math
// modes allow, rounds more.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../../../ptx/alu/half.hpp"
#include "../../headers/library_types.h"
#include "../support/operation.hpp"

namespace bankproof::cuda::blas {

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

template <class V>
constexpr bool is_complex = false;
template <class R>
constexpr bool is_complex<std::complex<R>> = true;

template <class V>
struct RealOf {
  using Type = V;
};
template <class R>
struct RealOf<std::complex<R>> {
  using Type = R;
};
template <class V>
using Real = typename RealOf<V>::Type;
/// Sums are computed in this type.
template <class V>
using Wide = std::conditional_t<is_complex<V>, DoubleComplex, double>;

template <class V>
V conjugate(V x) {
  if constexpr (is_complex<V>) {
    return std::conj(x);
  } else {
    return x;
  }
}
/// |re| + |im|, by which BLAS compares complex numbers.
template <class V>
Real<V> size_of(V x) {
  if constexpr (is_complex<V>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

template <class V>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
inline constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType type_of<Complex> = CUDA_C_32F;
template <>
inline constexpr cudaDataType type_of<DoubleComplex> = CUDA_C_64F;

struct Half16 {
  std::uint16_t bits = 0;
};
struct Brain16 {
  std::uint16_t bits = 0;
};

/// Calls use(T{}) with the type of the stored numbers; false if the machine has no such type.
template <class Use>
bool with_type(cudaDataType type, const Use& use) {
  switch (type) {
    case CUDA_R_32F:
      return use(float{}), true;
    case CUDA_R_64F:
      return use(double{}), true;
    case CUDA_C_32F:
      return use(Complex{}), true;
    case CUDA_C_64F:
      return use(DoubleComplex{}), true;
    case CUDA_R_16F:
      return use(Half16{}), true;
    case CUDA_R_16BF:
      return use(Brain16{}), true;
    case CUDA_R_8I:
      return use(std::int8_t{}), true;
    case CUDA_R_32I:
      return use(std::int32_t{}), true;
    default:
      return false;
  }
}

inline bool is_known(cudaDataType type) {
  return with_type(type, [](auto) {});
}
inline std::size_t bytes_of(cudaDataType type) {
  std::size_t bytes = 0;
  with_type(type, [&](auto stored) { bytes = sizeof stored; });
  return bytes;
}

/// A stored number in the type of a computation. A complex number has no real type.
template <class V, class T>
V computed(T stored) {
  if constexpr (std::is_same_v<T, Half16>) {
    return V(static_cast<Real<V>>(ptx::lanes::widened(ptx::lanes::Half{stored.bits})));
  } else if constexpr (std::is_same_v<T, Brain16>) {
    return V(static_cast<Real<V>>(ptx::lanes::widened(ptx::lanes::Brain{stored.bits})));
  } else if constexpr (is_complex<T> && is_complex<V>) {
    return V(static_cast<Real<V>>(stored.real()), static_cast<Real<V>>(stored.imag()));
  } else if constexpr (is_complex<T>) {
    return static_cast<V>(stored.real());
  } else {
    return V(static_cast<Real<V>>(stored));
  }
}

template <class I>
I rounded_integer(double x) {
  constexpr auto least = static_cast<double>(std::numeric_limits<I>::min());
  constexpr auto most = static_cast<double>(std::numeric_limits<I>::max());
  return std::isnan(x) ? I{0}
                       : static_cast<I>(std::fmin(std::fmax(std::nearbyint(x), least), most));
}

/// The inverse of computed().
template <class T, class V>
T stored(V value) {
  if constexpr (is_complex<T>) {
    return computed<T>(value);
  } else {
    Real<V> real;
    if constexpr (is_complex<V>) {
      real = value.real();
    } else {
      real = value;
    }
    if constexpr (std::is_same_v<T, Half16>) {
      return {ptx::lanes::narrowed<ptx::lanes::Half>(static_cast<float>(real)).bits};
    } else if constexpr (std::is_same_v<T, Brain16>) {
      return {ptx::lanes::narrowed<ptx::lanes::Brain>(static_cast<float>(real)).bits};
    } else if constexpr (std::is_integral_v<T>) {
      return rounded_integer<T>(static_cast<double>(real));
    } else {
      return static_cast<T>(real);
    }
  }
}

/// An operand whose type the call names.
struct Typed {
  const char* name = "";
  void* pointer = nullptr;
  cudaDataType type = CUDA_R_32F;

  /// The pointer may be wrong, so that it is moved as a number.
  Typed moved_by(long long elements) const {
    const auto distance = static_cast<std::uintptr_t>(elements) * bytes_of(type);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer) + distance;
    return {name, reinterpret_cast<void*>(address), type};  // NOLINT(performance-no-int-to-ptr)
  }
};
inline Typed typed(const char* name, const void* pointer, cudaDataType type) {
  return {name, const_cast<void*>(pointer), type};
}
template <class V>
Typed operand(const char* name, const void* pointer) {
  return typed(name, pointer, type_of<V>);
}

/// The elements that the shape says, in the order of memory.
template <class V, class Shape>
std::vector<V> read(libraries::Operation& on, const Typed& from, const Shape& shape) {
  std::vector<V> values;
  with_type(from.type, [&](auto kind) {
    using T = decltype(kind);
    if constexpr (std::is_same_v<T, V>) {
      values = on.read<V>(from.name, from.pointer, segments_of(shape, sizeof(T)));
    } else {
      const auto stored = on.read<T>(from.name, from.pointer, segments_of(shape, sizeof(T)));
      values.reserve(stored.size());
      for (const T& one : stored) values.push_back(computed<V>(one));
    }
  });
  return values;
}
template <class V, class Shape>
void write(libraries::Operation& on, const Typed& to, const Shape& shape,
           const std::vector<V>& values) {
  with_type(to.type, [&](auto kind) {
    using T = decltype(kind);
    if constexpr (std::is_same_v<T, V>) {
      on.write(to.name, to.pointer, segments_of(shape, sizeof(T)), values);
    } else {
      std::vector<T> all;
      all.reserve(values.size());
      for (const V& one : values) all.push_back(stored<T>(one));
      on.write(to.name, to.pointer, segments_of(shape, sizeof(T)), all);
    }
  });
}

}  // namespace bankproof::cuda::blas
