// One instruction while its results are made: the parts of its opcode, and its operands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "../../ptx/syntax/types.hpp"
#include "../terms/pool.hpp"

namespace bankproof::symbolic {

using Results = std::vector<Term>;

struct Form {
  Pool& pool;
  std::string_view base;
  std::vector<std::string_view> modifiers;
  std::span<const Term> sources;
  std::size_t destinations = 1;

  bool has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
  }
  /// The modifier that is so many places before the last one; empty if there is none.
  std::string_view type(std::size_t from_last = 0) const {
    return from_last < modifiers.size() ? modifiers[modifiers.size() - 1 - from_last]
                                        : std::string_view();
  }
  bool is_signed(std::size_t from_last = 0) const { return type(from_last).starts_with('s'); }

  Term number(std::uint64_t value, unsigned width) const { return pool.constant(value, width); }
  Term is_negative(Term a) const { return pool.part(a, pool.width(a) - 1, 1); }
  Term smaller(Term a, Term b, bool is_signed_type) const {
    return pool.choice(pool.below(a, b, is_signed_type), a, b);
  }
  Term larger(Term a, Term b, bool is_signed_type) const {
    return pool.choice(pool.below(b, a, is_signed_type), a, b);
  }
  /// The lowest n bits; n may exceed the width.
  Term low_bits(Term n, unsigned width) const {
    return pool.subtract(pool.shift_left(number(1, width), n), number(1, width));
  }
  /// The nearest number of 32 bits with a sign to one of 64.
  Term clamped_to_s32(Term a) const {
    const Term least = number(std::uint64_t{0} - (std::uint64_t{1} << 31U), 64);
    const Term most = number((std::uint64_t{1} << 31U) - 1, 64);
    return pool.part(smaller(larger(a, least, true), most, true), 0, 32);
  }
};

// The families, one for each file. Each gives nothing for an opcode of another family.
std::optional<Results> integers(const Form& form);
std::optional<Results> products(const Form& form);
std::optional<Results> carries(const Form& form);
std::optional<Results> bit_fields(const Form& form);
std::optional<Results> logic(const Form& form);
std::optional<Results> bytes(const Form& form);
std::optional<Results> comparisons(const Form& form);
std::optional<Results> moves(const Form& form);
std::optional<Results> conversions(const Form& form);
std::optional<Results> floats(const Form& form);

}  // namespace bankproof::symbolic
