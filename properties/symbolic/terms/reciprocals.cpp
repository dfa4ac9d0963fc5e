// Divisions by constants, as compilers write them: terms are quotients, and have the values that
// the machine's instructions give.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

constexpr unsigned bits = 32;

/// The instructions, on terms of x and on its value.
class Both {
 public:
  explicit Both(std::uint32_t value) : x(pool.unknown("x", bits)), value_(value) {}

  Term number(std::uint32_t value) { return pool.constant(value, bits); }
  Term upper(std::uint32_t factor, bool is_signed) {
    return pool.high_product(x, number(factor), is_signed);
  }
  Term shifted(Term term, unsigned by, bool is_signed) {
    return pool.shift_right(term, number(by), is_signed);
  }
  bool is_quotient(Term term, std::uint32_t divisor, bool is_signed) {
    return term == pool.quotient(x, number(divisor), is_signed);
  }
  std::uint32_t value(Term term) {
    return static_cast<std::uint32_t>(Values(pool, [&](Term) { return value_; })(term));
  }

  Pool pool;
  Term x;

 private:
  std::uint64_t value_;
};

std::uint32_t any_number() {
  const auto corner = [](std::uint32_t value) { return rc::gen::just(value); };
  return *rc::gen::oneOf(rc::gen::arbitrary<std::uint32_t>(), rc::gen::inRange(0U, 5000U),
                         corner(std::numeric_limits<std::uint32_t>::max()), corner(0x80000000U),
                         corner(0x7fffffffU), corner(0x80000001U));
}

/// (2^(32 + shift) + e) / divisor for the least shift for which all numbers of so many bits have
/// the right quotient.
struct Reciprocal {
  Wide factor = 0;
  unsigned shift = 0;
};
Reciprocal reciprocal_of(std::uint32_t divisor, unsigned of_bits) {
  for (unsigned shift = 0;; ++shift) {
    const Wide all = Wide{1} << (bits + shift);
    const Wide factor = all / divisor + 1;
    if (factor * divisor - all <= Wide{1} << (bits + shift - of_bits)) return {factor, shift};
  }
}

// x·M >> (32 + s), and where M has 33 bits, (((x - t) >> 1) + t) >> (s - 1).
RC_GTEST_PROP(Reciprocals, of_numbers_without_a_sign_are_quotients, ()) {
  const std::uint32_t divisor = *rc::gen::inRange(3U, 100'000U);
  // For multiples of 641, which divides 2^32 + 1, the upper half is x / 641 already.
  RC_PRE(!std::has_single_bit(divisor) && divisor % 641 != 0);
  const std::uint32_t value = any_number();
  Both both(value);
  const auto [factor, shift] = reciprocal_of(divisor, bits);
  const Term t = both.upper(static_cast<std::uint32_t>(factor), false);
  const bool is_long = factor >> bits != 0;
  const Term half = both.pool.add(both.shifted(both.pool.subtract(both.x, t), 1, false), t);
  const Term quotient =
      is_long ? both.shifted(half, shift - 1, false) : both.shifted(t, shift, false);
  RC_ASSERT(both.is_quotient(quotient, divisor, false));
  RC_ASSERT(both.value(quotient) == value / divisor);
  const Term rest = both.pool.subtract(both.x, both.pool.multiply(quotient, both.number(divisor)));
  RC_ASSERT(rest == both.pool.remainder(both.x, both.number(divisor), false));
}

// mul.hi, the dividend added if the factor is negative, a shift, and the sign.
RC_GTEST_PROP(Reciprocals, of_numbers_with_a_sign_are_quotients, ()) {
  const std::uint32_t divisor = *rc::gen::inRange(3U, 100'000U);
  RC_PRE(!std::has_single_bit(divisor));
  const std::uint32_t value = any_number();
  Both both(value);
  const auto [factor, shift] = reciprocal_of(divisor, bits - 1);
  Term t = both.upper(static_cast<std::uint32_t>(factor), true);
  if (factor >> (bits - 1) != 0) t = both.pool.add(t, both.x);
  const bool by_dividend = *rc::gen::arbitrary<bool>();
  const Term whole = both.shifted(t, shift, true);
  const Term quotient = by_dividend
                            ? both.pool.subtract(whole, both.shifted(both.x, bits - 1, true))
                            : both.pool.add(whole, both.shifted(t, bits - 1, false));
  RC_ASSERT(both.is_quotient(quotient, divisor, true));
  const auto number = static_cast<std::int32_t>(value);
  RC_ASSERT(both.value(quotient) ==
            static_cast<std::uint32_t>(number / static_cast<std::int32_t>(divisor)));
}

RC_GTEST_PROP(Reciprocals, of_powers_of_two_are_shifts_of_a_number_with_its_sign, ()) {
  const unsigned k = *rc::gen::inRange(1U, 31U);
  const std::uint32_t value = any_number();
  Both both(value);
  const Term sign = both.shifted(both.shifted(both.x, bits - 1, true), bits - k, false);
  const Term sum = both.pool.add(both.x, sign);
  const std::uint32_t divisor = 1U << k;
  const Term quotient = both.shifted(sum, k, true);
  RC_ASSERT(both.is_quotient(quotient, divisor, true));
  const auto number = static_cast<std::int32_t>(value);
  RC_ASSERT(static_cast<std::int32_t>(both.value(quotient)) ==
            number / static_cast<std::int32_t>(divisor));
  const Term multiple = both.pool.bits_and(sum, both.number(~(divisor - 1)));
  RC_ASSERT(both.pool.subtract(both.x, multiple) ==
            both.pool.remainder(both.x, both.number(divisor), true));
}

// Numbers of 64 bits, whose product has no term of its own.
RC_GTEST_PROP(Reciprocals, of_64_bits_are_quotients, ()) {
  const std::uint64_t divisor = *rc::gen::inRange(3U, 100'000U);
  RC_PRE(!std::has_single_bit(divisor));
  const bool is_signed = *rc::gen::arbitrary<bool>();
  const std::uint64_t value =
      *rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(),
                      rc::gen::map(rc::gen::inRange(0U, 9000U),
                                   [&](unsigned k) { return std::uint64_t{0} - k * divisor; }));
  // (2^(64 + shift) + e) / divisor
  unsigned shift = 0;
  Wide factor = 0;
  for (;; ++shift) {
    const Wide all = Wide{1} << (64 + shift);
    factor = all / divisor + 1;
    if (factor * divisor - all <= Wide{1} << (is_signed ? shift + 1 : shift)) break;
  }
  RC_PRE(is_signed || factor >> 64U == 0);
  Pool pool;
  const Term x = pool.unknown("x", 64);
  Term t = pool.high_product(x, pool.constant(static_cast<std::uint64_t>(factor), 64), is_signed);
  if (is_signed && factor >> 63U != 0) t = pool.add(t, x);
  Term quotient = pool.shift_right(t, pool.constant(shift, 32), is_signed);
  if (is_signed) quotient = pool.add(quotient, pool.shift_right(t, pool.constant(63, 32), false));
  RC_PRE(is_signed || shift > 0);
  RC_ASSERT(quotient == pool.quotient(x, pool.constant(divisor, 64), is_signed));
  const std::uint64_t found = Values(pool, [&](Term) { return value; })(quotient);
  const auto number = static_cast<std::int64_t>(value);
  RC_ASSERT(found == (is_signed
                          ? static_cast<std::uint64_t>(number / static_cast<std::int64_t>(divisor))
                          : value / divisor));
}

/// The same with any factor and any shift, by arithmetic of more bits.
std::uint32_t plain(std::uint32_t value, std::uint32_t factor, unsigned shift, bool is_signed,
                    bool adds, bool has_sign) {
  if (!is_signed) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) * factor >> bits) >> shift;
  }
  const auto number = std::int64_t{static_cast<std::int32_t>(value)};
  auto t = static_cast<std::uint32_t>(
      static_cast<std::uint64_t>(number * static_cast<std::int32_t>(factor)) >> bits);
  if (adds) t += value;
  const auto whole = static_cast<std::uint32_t>(static_cast<std::int32_t>(t) >> shift);
  return has_sign ? whole + (t >> (bits - 1)) : whole;
}

// Most factors are no reciprocals; others are ones that are a little wrong. Whatever a term is
// taken for, it has the right value.
RC_GTEST_PROP(Reciprocals, that_are_none_keep_their_values, ()) {
  const std::uint32_t divisor = *rc::gen::inRange(3U, 70U);
  const auto [right, least] = reciprocal_of(divisor, bits - 1);
  const bool is_near = *rc::gen::arbitrary<bool>();
  const std::uint32_t factor =
      is_near ? static_cast<std::uint32_t>(right) + *rc::gen::inRange(0U, 9U) - 4 : any_number();
  const unsigned shift = is_near ? least + *rc::gen::inRange(0U, 2U) : *rc::gen::inRange(0U, 31U);
  const bool is_signed = *rc::gen::arbitrary<bool>();
  const bool adds = is_signed && *rc::gen::arbitrary<bool>();
  const bool has_sign = is_signed && *rc::gen::arbitrary<bool>();
  const std::uint32_t multiple = *rc::gen::inRange(1U, 200'000U);
  for (const std::uint32_t value :
       {any_number(), divisor * multiple, divisor * multiple - 1, ~(divisor * multiple) + 1}) {
    Both both(value);
    Term t = both.upper(factor, is_signed);
    if (adds) t = both.pool.add(t, both.x);
    Term term = both.shifted(t, shift, is_signed);
    if (has_sign) term = both.pool.add(term, both.shifted(t, bits - 1, false));
    RC_ASSERT(both.value(term) == plain(value, factor, shift, is_signed, adds, has_sign));
  }
}

// A planted bug: the factor is too small by one, which shows for multiples of the divisor.
TEST(Reciprocals, that_are_too_small_are_no_quotients) {
  for (const std::uint32_t divisor : {3U, 7U, 28U, 784U}) {
    const auto [factor, shift] = reciprocal_of(divisor, bits - 1);
    Both both(divisor);
    Term t = both.upper(static_cast<std::uint32_t>(factor) - 1, true);
    if (factor >> (bits - 1) != 0) t = both.pool.add(t, both.x);
    const Term term = both.pool.add(both.shifted(t, shift, true), both.shifted(t, bits - 1, false));
    EXPECT_FALSE(both.is_quotient(term, divisor, true)) << divisor;
    EXPECT_EQ(both.value(term), 0U) << divisor;
  }
}

}  // namespace
}  // namespace bankproof::symbolic
