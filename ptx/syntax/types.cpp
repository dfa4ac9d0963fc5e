// One table for declarations, registers and accesses.
#include "types.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace bankproof::ptx {

namespace {

constexpr std::array types{
    FundamentalType{"b8", 8},
    FundamentalType{"b16", 16},
    FundamentalType{"b32", 32},
    FundamentalType{"b64", 64},
    FundamentalType{"b128", 128},
    FundamentalType{"u8", 8, Number::unsigned_integer},
    FundamentalType{"u16", 16, Number::unsigned_integer},
    FundamentalType{"u32", 32, Number::unsigned_integer},
    FundamentalType{"u64", 64, Number::unsigned_integer},
    FundamentalType{"s8", 8, Number::signed_integer},
    FundamentalType{"s16", 16, Number::signed_integer},
    FundamentalType{"s32", 32, Number::signed_integer},
    FundamentalType{"s64", 64, Number::signed_integer},
    FundamentalType{"f16", 16, Number::floating},
    FundamentalType{"f16x2", 32, Number::floating, true},
    FundamentalType{"bf16", 16, Number::bfloat},
    FundamentalType{"bf16x2", 32, Number::bfloat, true},
    FundamentalType{"f32", 32, Number::floating},
    FundamentalType{"f64", 64, Number::floating},
    FundamentalType{"pred", 1},
};

}  // namespace

const FundamentalType* find_type(std::string_view name) {
  const auto* const found = std::find_if(types.begin(), types.end(),
                                         [&](const FundamentalType& t) { return t.name == name; });
  return found == types.end() ? nullptr : found;
}

std::uint32_t bits_of(const Type& type) {
  const FundamentalType* const found = find_type(type);
  if (found == nullptr) throw std::invalid_argument("no type of this machine: " + type);
  return found->bits;
}

std::uint64_t bytes_of(const Type& type) { return (bits_of(type) + 7) / 8; }

Type bits_type(std::size_t bits) { return std::string("b").append(std::to_string(bits)); }

bool is_signed(const Type& type) {
  const FundamentalType* const found = find_type(type);
  return found != nullptr && found->number == Number::signed_integer;
}

}  // namespace bankproof::ptx
