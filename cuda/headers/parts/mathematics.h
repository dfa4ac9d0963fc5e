// The functions of <cmath> under CUDA's names: NAME for double, with an overload for float, and
// NAMEf for float, also in namespace std. A function for which PTX has an instruction is this
// instruction.
//
// Left out: the Bessel functions and the norms of arrays. A use of these does not compile, because
// it calls a host function.
#pragma once
#pragma GCC system_header

#include "attributes.h"
#include "error_function.h"
#include "functions.h"
#include "gamma_function.h"
#include "representation.h"

// Integer arguments become doubles, as in <cmath>.
namespace bankproof_parts {
template <class T>
struct IsInteger {
  static constexpr bool value = __is_integral(T);
};
template <bool condition>
struct DoubleIf {};
template <>
struct DoubleIf<true> {
  using Type = double;
};
}  // namespace bankproof_parts

#define BANKPROOF_INTEGERS(name)                                                                  \
  template <class T>                                                                              \
  BANKPROOF_DEVICE typename bankproof_parts::DoubleIf<bankproof_parts::IsInteger<T>::value>::Type \
  name(T x) {                                                                                     \
    return name(static_cast<double>(x));                                                          \
  }
#define BANKPROOF_STD(name) \
  namespace std {           \
  using ::name;             \
  }

// Functions of one argument: first those that are instructions or builtins, then those of
// functions.h and its like.
#define BANKPROOF_INSTRUCTION1(name)                                         \
  BANKPROOF_DEVICE double name(double x) { return __builtin_##name(x); }     \
  BANKPROOF_DEVICE float name##f(float x) { return __builtin_##name##f(x); } \
  BANKPROOF_DEVICE float name(float x) { return __builtin_##name##f(x); }    \
  BANKPROOF_INTEGERS(name)                                                   \
  BANKPROOF_STD(name)                                                        \
  BANKPROOF_STD(name##f)
BANKPROOF_INSTRUCTION1(fabs)
BANKPROOF_INSTRUCTION1(floor)
BANKPROOF_INSTRUCTION1(ceil)
BANKPROOF_INSTRUCTION1(trunc)
BANKPROOF_INSTRUCTION1(rint)
BANKPROOF_INSTRUCTION1(nearbyint)
BANKPROOF_INSTRUCTION1(round)
BANKPROOF_INSTRUCTION1(sqrt)
#undef BANKPROOF_INSTRUCTION1

#define BANKPROOF_SERIES1(name)                                               \
  BANKPROOF_DEVICE double name(double x) { return bankproof_parts::name(x); } \
  BANKPROOF_DEVICE float name##f(float x) {                                   \
    return static_cast<float>(bankproof_parts::name(static_cast<double>(x))); \
  }                                                                           \
  BANKPROOF_DEVICE float name(float x) { return name##f(x); }                 \
  BANKPROOF_INTEGERS(name)                                                    \
  BANKPROOF_STD(name)                                                         \
  BANKPROOF_STD(name##f)
BANKPROOF_SERIES1(exp)
BANKPROOF_SERIES1(exp2)
BANKPROOF_SERIES1(expm1)
BANKPROOF_SERIES1(log)
BANKPROOF_SERIES1(log2)
BANKPROOF_SERIES1(log10)
BANKPROOF_SERIES1(log1p)
BANKPROOF_SERIES1(sin)
BANKPROOF_SERIES1(cos)
BANKPROOF_SERIES1(tan)
BANKPROOF_SERIES1(asin)
BANKPROOF_SERIES1(acos)
BANKPROOF_SERIES1(atan)
BANKPROOF_SERIES1(sinh)
BANKPROOF_SERIES1(cosh)
BANKPROOF_SERIES1(tanh)
BANKPROOF_SERIES1(asinh)
BANKPROOF_SERIES1(acosh)
BANKPROOF_SERIES1(atanh)
BANKPROOF_SERIES1(cbrt)
BANKPROOF_SERIES1(erf)
BANKPROOF_SERIES1(erfc)
BANKPROOF_SERIES1(tgamma)
BANKPROOF_SERIES1(lgamma)
BANKPROOF_SERIES1(logb)

// CUDA has the next functions, but <cmath> does not.
#undef BANKPROOF_STD
#define BANKPROOF_STD(name)
BANKPROOF_SERIES1(exp10)
BANKPROOF_SERIES1(sinpi)
BANKPROOF_SERIES1(cospi)
BANKPROOF_SERIES1(erfcx)
BANKPROOF_SERIES1(erfinv)
BANKPROOF_SERIES1(erfcinv)
BANKPROOF_SERIES1(normcdf)
BANKPROOF_SERIES1(normcdfinv)
#undef BANKPROOF_SERIES1
#undef BANKPROOF_INTEGERS
#undef BANKPROOF_STD
#define BANKPROOF_STD(name) \
  namespace std {           \
  using ::name;             \
  }

// Functions of two arguments; a float and a double are computed as doubles.
#define BANKPROOF_TWO(name, of_double, of_float)                                                  \
  BANKPROOF_DEVICE double name(double x, double y) { return of_double(x, y); }                    \
  BANKPROOF_DEVICE float name##f(float x, float y) { return static_cast<float>(of_float(x, y)); } \
  BANKPROOF_DEVICE float name(float x, float y) { return name##f(x, y); }                         \
  BANKPROOF_DEVICE double name(float x, double y) { return name(static_cast<double>(x), y); }     \
  BANKPROOF_DEVICE double name(double x, float y) { return name(x, static_cast<double>(y)); }     \
  BANKPROOF_STD(name)                                                                             \
  BANKPROOF_STD(name##f)
BANKPROOF_TWO(fmin, __builtin_fmin, __builtin_fminf)
BANKPROOF_TWO(fmax, __builtin_fmax, __builtin_fmaxf)
BANKPROOF_TWO(copysign, __builtin_copysign, __builtin_copysignf)
BANKPROOF_TWO(fmod, bankproof_parts::fmod, bankproof_parts::fmod)
BANKPROOF_TWO(pow, bankproof_parts::pow, bankproof_parts::pow)
BANKPROOF_TWO(atan2, bankproof_parts::atan2, bankproof_parts::atan2)
BANKPROOF_TWO(hypot, bankproof_parts::hypot, bankproof_parts::hypot)
BANKPROOF_TWO(remainder, bankproof_parts::remainder, bankproof_parts::remainder)
BANKPROOF_TWO(nextafter, bankproof_parts::nextafter, bankproof_parts::nextafter)
#undef BANKPROOF_TWO
BANKPROOF_DEVICE double pow(double x, int y) { return pow(x, static_cast<double>(y)); }
BANKPROOF_DEVICE float pow(float x, int y) { return powf(x, static_cast<float>(y)); }

BANKPROOF_DEVICE double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }
BANKPROOF_DEVICE float fdimf(float x, float y) { return x <= y ? 0.0F : x - y; }
BANKPROOF_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
BANKPROOF_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
BANKPROOF_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
BANKPROOF_DEVICE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
BANKPROOF_DEVICE float rsqrt(float x) { return rsqrtf(x); }
BANKPROOF_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
BANKPROOF_DEVICE float rcbrtf(float x) { return static_cast<float>(rcbrt(static_cast<double>(x))); }
BANKPROOF_DEVICE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
BANKPROOF_DEVICE float rhypotf(float x, float y) {
  return static_cast<float>(rhypot(static_cast<double>(x), static_cast<double>(y)));
}

// Norms of vectors of three and four numbers, and their reciprocals.
BANKPROOF_DEVICE double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
BANKPROOF_DEVICE double norm4d(double x, double y, double z, double w) {
  return hypot(hypot(x, y), hypot(z, w));
}
BANKPROOF_DEVICE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
BANKPROOF_DEVICE double rnorm4d(double x, double y, double z, double w) {
  return 1.0 / norm4d(x, y, z, w);
}
#define BANKPROOF_NORMS(name)                                                              \
  BANKPROOF_DEVICE float name##3df(float x, float y, float z) {                            \
    return static_cast<float>(                                                             \
        name##3d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))); \
  }                                                                                        \
  BANKPROOF_DEVICE float name##4df(float x, float y, float z, float w) {                   \
    return static_cast<float>(name##4d(static_cast<double>(x), static_cast<double>(y),     \
                                       static_cast<double>(z), static_cast<double>(w)));   \
  }
BANKPROOF_NORMS(norm)
BANKPROOF_NORMS(rnorm)
#undef BANKPROOF_NORMS
BANKPROOF_DEVICE float fdividef(float x, float y) { return x / y; }

#define BANKPROOF_WHOLE(name, Type, round)                                                      \
  BANKPROOF_DEVICE Type name(double x) { return static_cast<Type>(__builtin_##round(x)); }      \
  BANKPROOF_DEVICE Type name##f(float x) { return static_cast<Type>(__builtin_##round##f(x)); } \
  BANKPROOF_DEVICE Type name(float x) { return name##f(x); }                                    \
  BANKPROOF_STD(name)                                                                           \
  BANKPROOF_STD(name##f)
BANKPROOF_WHOLE(lrint, long, rint)
BANKPROOF_WHOLE(llrint, long long, rint)
BANKPROOF_WHOLE(lround, long, round)
BANKPROOF_WHOLE(llround, long long, round)
#undef BANKPROOF_WHOLE

BANKPROOF_DEVICE void sincos(double x, double* sine, double* cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
BANKPROOF_DEVICE void sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
BANKPROOF_DEVICE void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
BANKPROOF_DEVICE void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
BANKPROOF_DEVICE double ldexp(double x, int exponent) {
  return bankproof_parts::scaled(x, exponent);
}
BANKPROOF_DEVICE float ldexpf(float x, int exponent) {
  return static_cast<float>(bankproof_parts::scaled(static_cast<double>(x), exponent));
}
BANKPROOF_DEVICE float ldexp(float x, int exponent) { return ldexpf(x, exponent); }
BANKPROOF_DEVICE double scalbn(double x, int exponent) { return ldexp(x, exponent); }
BANKPROOF_DEVICE float scalbnf(float x, int exponent) { return ldexpf(x, exponent); }
BANKPROOF_DEVICE double scalbln(double x, long exponent) {
  return ldexp(x, static_cast<int>(exponent < -9999 ? -9999 : exponent > 9999 ? 9999 : exponent));
}
BANKPROOF_DEVICE float scalblnf(float x, long exponent) {
  return static_cast<float>(scalbln(static_cast<double>(x), exponent));
}
BANKPROOF_DEVICE double frexp(double x, int* exponent) {
  return bankproof_parts::frexp(x, exponent);
}
BANKPROOF_DEVICE float frexpf(float x, int* exponent) {
  return static_cast<float>(frexp(static_cast<double>(x), exponent));
}
BANKPROOF_DEVICE float frexp(float x, int* exponent) { return frexpf(x, exponent); }
BANKPROOF_DEVICE int ilogb(double x) { return bankproof_parts::ilogb(x); }
BANKPROOF_DEVICE int ilogbf(float x) { return ilogb(static_cast<double>(x)); }
BANKPROOF_DEVICE int ilogb(float x) { return ilogbf(x); }
BANKPROOF_DEVICE double remquo(double x, double y, int* quotient) {
  return bankproof_parts::remquo(x, y, quotient);
}
BANKPROOF_DEVICE float remquof(float x, float y, int* quotient) {
  return static_cast<float>(remquo(static_cast<double>(x), static_cast<double>(y), quotient));
}
BANKPROOF_DEVICE float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
// The text is ignored.
BANKPROOF_DEVICE double nan(const char*) { return bankproof_parts::not_a_number(); }
BANKPROOF_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
BANKPROOF_DEVICE double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  const double rest = __builtin_isinf(x) ? 0.0 : x - *whole;
  return __builtin_copysign(rest, x);
}
BANKPROOF_DEVICE float modff(float x, float* whole) {
  double above;
  const double rest = modf(static_cast<double>(x), &above);
  *whole = static_cast<float>(above);
  return static_cast<float>(rest);
}
BANKPROOF_STD(fdim)
BANKPROOF_STD(fdimf)
BANKPROOF_STD(fma)
BANKPROOF_STD(fmaf)
BANKPROOF_STD(ldexp)
BANKPROOF_STD(ldexpf)
BANKPROOF_STD(scalbn)
BANKPROOF_STD(scalbnf)
BANKPROOF_STD(scalbln)
BANKPROOF_STD(scalblnf)
BANKPROOF_STD(frexp)
BANKPROOF_STD(frexpf)
BANKPROOF_STD(ilogb)
BANKPROOF_STD(ilogbf)
BANKPROOF_STD(remquo)
BANKPROOF_STD(remquof)
BANKPROOF_STD(nan)
BANKPROOF_STD(nanf)
BANKPROOF_STD(modf)
BANKPROOF_STD(modff)
#undef BANKPROOF_STD
