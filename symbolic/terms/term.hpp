// Terms that stand for the values of registers.
//
// A term is a number of 1 to 64 bits, exactly as the machine has it: each operator says what
// happens modulo 2^width. Translations for solvers (encodings/) may see it otherwise, and are
// checked against evaluate.hpp.
//
// Equal terms are one node, and an operand is older than the node that has it. So the numbers of
// nodes are an order in which each node comes behind its operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bankproof::symbolic {

/// The number of a node in its pool.
enum class Term : std::uint32_t {};

enum class Operator : std::uint8_t {
  constant,  // Node::value
  unknown,   // the unknown of the number Node::value

  sum,      // Node::value + Σ coefficient·operand
  product,  // of two or more operands, sorted
  // The upper half of the product of two operands.
  high_product,
  high_product_signed,
  // As the machine divides: x / 0 is all ones, x % 0 is x. Signed ones round towards zero.
  quotient,
  quotient_signed,
  remainder,
  remainder_signed,

  // Two or more operands, sorted. `exclusive_or` of one bit is written with `negation`.
  bits_and,
  bits_or,
  bits_exclusive_or,
  negation,  // of one bit
  // By the second operand, of any width. Shifts by the width or more leave 0, or the sign.
  shift_left,
  shift_right,
  shift_right_signed,
  part,  // bits from the place Node::value on
  zero_extended,
  sign_extended,
  count_ones,
  count_leading_zeros,

  // One bit.
  equal,
  below,         // unsigned
  below_signed,  // signed

  choice,  // the second operand if the first is true, else the third
};

struct Node {
  Operator op = Operator::constant;
  std::uint8_t width = 0;
  std::uint64_t value = 0;
  std::vector<Term> operands{};
  std::vector<std::uint64_t> coefficients{};  // of a sum: one for each operand, not 0
  bool operator==(const Node&) const = default;
};

/// Products of two terms.
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// So many ones, up to 64.
constexpr std::uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
/// The value of these bits as a signed number.
constexpr std::int64_t signed_value(std::uint64_t bits, unsigned width) {
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

}  // namespace bankproof::symbolic
