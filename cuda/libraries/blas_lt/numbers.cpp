// See numbers.hpp.
#include "numbers.hpp"

namespace bankproof::cuda::blas_lt {

double decoded(const Eight& of, std::uint8_t bits) {
  const int fraction = bits & ((1 << of.fraction_bits) - 1);
  const int exponent = (bits >> of.fraction_bits) & ((1 << of.exponent_bits) - 1);
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  if (of.exponent_bits == 5 && exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if ((bits & 0x7f) == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  const int whole = exponent != 0 ? fraction + (1 << of.fraction_bits) : fraction;
  return sign * std::ldexp(whole, std::max(exponent, 1) - of.bias() - of.fraction_bits);
}

std::uint8_t encoded(const Eight& of, double value) {
  if (std::isnan(value)) return 0x7f;
  const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
  const double size = std::min(std::abs(value), of.largest());
  const int least = 1 - of.bias();
  int exponent = size == 0 ? least : std::max(std::ilogb(size), least);
  // A multiple of the last place, to the nearest, of two the even one.
  auto whole = static_cast<int>(std::nearbyint(std::ldexp(size, of.fraction_bits - exponent)));
  if (whole == 2 << of.fraction_bits) {
    whole /= 2;
    ++exponent;
  }
  const int hidden = 1 << of.fraction_bits;
  const int bits =
      whole < hidden ? whole : ((exponent + of.bias()) << of.fraction_bits) + whole - hidden;
  return static_cast<std::uint8_t>(sign | bits);
}

}  // namespace bankproof::cuda::blas_lt
