// Numbers of every type become the bytes that C++ gives them; half precision is compared with its
// definition.
#include "../../../cuda/session/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace bankproof::cuda {

namespace {

using ::testing::HasSubstr;

std::uint64_t bits(const char* type, const char* text) {
  return parse_number(find_element_type(type), text);
}

std::string element_error(const char* type, const char* text) {
  try {
    bits(type, text);
  } catch (const ArgumentError& caught) {
    return caught.what();
  }
  return "none";
}

TEST(KernelNumbers, have_the_bytes_of_their_type) {
  EXPECT_EQ(bits("i8", "-1"), 0xffU);
  EXPECT_EQ(bits("i8", "-128"), 0x80U);
  EXPECT_EQ(bits("i16", "0xffff"), 0xffffU);
  EXPECT_EQ(bits("i32", "-2147483648"), 0x80000000U);
  EXPECT_EQ(bits("i64", "-9223372036854775808"), 0x8000000000000000U);
  EXPECT_EQ(bits("u64", "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(bits("f32", "0.1"), std::bit_cast<std::uint32_t>(0.1F));
  EXPECT_EQ(bits("f32", "1e-45"), 1U);
  EXPECT_EQ(bits("f32", "0x3f800000"), 0x3f800000U);
  EXPECT_EQ(bits("f64", "-inf"),
            std::bit_cast<std::uint64_t>(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(bits("f16", "1"), 0x3c00U);
  EXPECT_EQ(bits("f16", "65504"), 0x7bffU);
  EXPECT_EQ(bits("f16", "65520"), 0x7c00U) << "halfway to 65536, which is infinity";
  EXPECT_EQ(bits("f16", "5.960464477539063e-08"), 1U);
  EXPECT_EQ(bits("f16", "-0"), 0x8000U);
  EXPECT_EQ(bits("bf16", "1"), 0x3f80U);
  EXPECT_EQ(bits("bf16", "3.3895313892515355e38"), 0x7f7fU);
  EXPECT_EQ(bits("bf16", "nan"), 0x7fc0U);
}

TEST(KernelNumbers, that_do_not_fit_are_refused) {
  EXPECT_EQ(element_error("i8", "128"), "'128' is not a number of type i8");
  for (const auto& [type, text] : {std::pair{"i8", "-129"},
                                   {"u8", "-1"},
                                   {"u32", "4294967296"},
                                   {"u16", "0x10000"},
                                   {"i32", ""},
                                   {"i32", "1.5"},
                                   {"i32", "5 "},
                                   {"f32", "1e99"},
                                   {"f32", "x"},
                                   {"u8", "0x"},
                                   {"i64", "9223372036854775808"},
                                   {"u64", "99999999999999999999"}}) {
    EXPECT_THAT(element_error(type, text), HasSubstr("is not a number of type"))
        << type << ":" << text;
  }
  try {
    find_element_type("float32");
    ADD_FAILURE();
  } catch (const ArgumentError& caught) {
    EXPECT_THAT(caught.what(), HasSubstr("unknown type 'float32'"));
    EXPECT_THAT(caught.what(), HasSubstr("f16, bf16, f32, f64"));
  }
}

// The value of a half or bfloat16 by the definition of IEEE 754.
double value_of(std::uint64_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto field = static_cast<int>(bits >> fraction_bits & ((1U << exponent_bits) - 1));
  const auto fraction = static_cast<double>(bits & ((1U << fraction_bits) - 1));
  const double one = std::ldexp(1, fraction_bits);
  const double magnitude = field == 0 ? std::ldexp(fraction / one, 1 - bias)
                                      : std::ldexp(1 + fraction / one, field - bias);
  return (bits >> (exponent_bits + fraction_bits) & 1U) != 0 ? -magnitude : magnitude;
}

TEST(KernelNumbers, of_16_bits_come_back_all_of_them) {
  for (std::uint64_t k = 0; k < 0x10000; ++k) {
    if ((k & 0x7c00U) != 0x7c00U) {
      ASSERT_EQ(bits_of(find_element_type("f16"), value_of(k, 5, 10)), k);
    }
    if ((k & 0x7f80U) != 0x7f80U) {
      ASSERT_EQ(bits_of(find_element_type("bf16"), value_of(k, 8, 7)), k);
    }
  }
}

RC_GTEST_PROP(KernelNumbers, of_16_bits_are_the_nearest, ()) {
  const auto below = *rc::gen::inRange<std::uint64_t>(0, 0x7bff);
  const double low = value_of(below, 5, 10);
  const double high = value_of(below + 1, 5, 10);
  const double part = *rc::gen::element(0.25, 0.49, 0.5, 0.51, 0.75);
  const std::uint64_t got = bits_of(find_element_type("f16"), low + part * (high - low));
  const std::uint64_t even = below % 2 == 0 ? below : below + 1;
  RC_ASSERT(got == (part < 0.5 ? below : part > 0.5 ? below + 1 : even));
}

RC_GTEST_PROP(KernelNumbers, of_32_bits_are_those_of_cpp, (double value)) {
  RC_ASSERT(bits_of(find_element_type("f32"), value) ==
            std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

TEST(KernelNumbers, count_up_or_are_drawn_at_random) {
  const auto iota = iota_bytes(find_element_type("i16"), 300);
  ASSERT_EQ(iota.size(), 600U);
  EXPECT_EQ(iota[598], std::byte{299 & 0xff});
  EXPECT_EQ(iota[599], std::byte{299 >> 8});
  const auto& f32 = find_element_type("f32");
  EXPECT_EQ(random_bytes(f32, 9, {1, {}, {}}), random_bytes(f32, 9, {1, {}, {}}));
  EXPECT_NE(random_bytes(f32, 9, {1, {}, {}}), random_bytes(f32, 9, {2, {}, {}}));
  const auto few = random_bytes(find_element_type("i8"), 4000, {7, -2, 3});
  std::array<int, 5> seen{};
  for (const std::byte one : few)
    ++seen.at(static_cast<std::size_t>(static_cast<signed char>(one) + 2));
  for (const int times : seen) EXPECT_GT(times, 600);
  const auto& bf16 = find_element_type("bf16");
  const auto coarse = random_bytes(bf16, 4000, {5, {}, {}});
  for (std::size_t k = 0; k < coarse.size(); k += 2) {
    ASSERT_NE(std::to_integer<int>(coarse[k]) | std::to_integer<int>(coarse[k + 1]) << 8, 0x3f80);
  }
  for (std::size_t k = 0; k < 1000; ++k) {
    float value = 0;
    std::memcpy(&value, random_bytes(f32, 1, {k, {}, {}}).data(), 4);
    ASSERT_TRUE(value >= 0 && value < 1);
  }
}

}  // namespace

}  // namespace bankproof::cuda
