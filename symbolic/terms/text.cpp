// Writes terms; see text.hpp.
#include "text.hpp"

namespace bankproof::symbolic {

namespace {

std::string joined(const Pool& pool, const Node& node, const char* between) {
  std::string all;
  for (const Term operand : node.operands) {
    if (!all.empty()) all += between;
    all += text_of(pool, operand);
  }
  return "(" + all + ")";
}

std::string sum_of(const Pool& pool, const Node& node) {
  std::string all;
  const auto add = [&](std::int64_t factor, const std::string& text) {
    if (!all.empty()) all += factor < 0 ? " - " : " + ";
    if (all.empty() && factor < 0) all += "-";
    const std::uint64_t size =
        factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
    if (text.empty()) {
      all += std::to_string(size);
    } else {
      all += size == 1 ? text : std::to_string(size) + "·" + text;
    }
  };
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    add(signed_value(node.coefficients[i], node.width), text_of(pool, node.operands[i]));
  }
  if (node.value != 0) add(signed_value(node.value, node.width), "");
  return "(" + all + ")";
}

}  // namespace

std::string text_of(const Pool& pool, Term term) {
  const Node& node = pool.node(term);
  const auto at = [&](std::size_t i) { return text_of(pool, node.operands[i]); };
  switch (node.op) {
    case Operator::constant:
      return std::to_string(signed_value(node.value, node.width));
    case Operator::unknown:
      return pool.name(term);
    case Operator::sum:
      return sum_of(pool, node);
    case Operator::product:
      return joined(pool, node, "·");
    case Operator::high_product:
    case Operator::high_product_signed:
      return "high" + joined(pool, node, "·");
    case Operator::quotient:
    case Operator::quotient_signed:
      return joined(pool, node, " / ");
    case Operator::remainder:
    case Operator::remainder_signed:
      return joined(pool, node, " % ");
    case Operator::bits_and:
      return joined(pool, node, node.width == 1 ? " and " : " & ");
    case Operator::bits_or:
      return joined(pool, node, node.width == 1 ? " or " : " | ");
    case Operator::bits_exclusive_or:
      return joined(pool, node, " ^ ");
    case Operator::negation:
      return "not " + at(0);
    case Operator::shift_left:
      return joined(pool, node, " << ");
    case Operator::shift_right:
    case Operator::shift_right_signed:
      return joined(pool, node, " >> ");
    case Operator::part: {
      const std::string moved =
          node.value == 0 ? at(0) : "(" + at(0) + " >> " + std::to_string(node.value) + ")";
      const unsigned whole = pool.width(node.operands[0]);
      return node.value + node.width == whole ? moved
                                              : moved + " mod 2^" + std::to_string(node.width);
    }
    case Operator::zero_extended:
      return at(0);
    case Operator::sign_extended:
      return "signed " + at(0);
    case Operator::count_ones:
      return "popc " + at(0);
    case Operator::count_leading_zeros:
      return "clz " + at(0);
    case Operator::equal:
      return joined(pool, node, " = ");
    case Operator::below:
    case Operator::below_signed:
      return joined(pool, node, node.op == Operator::below ? " < " : " <s ");
    case Operator::choice:
      return "(" + at(0) + " ? " + at(1) + " : " + at(2) + ")";
  }
  return "";
}

}  // namespace bankproof::symbolic
