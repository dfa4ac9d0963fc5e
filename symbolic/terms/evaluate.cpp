// Evaluates terms; see evaluate.hpp.
#include "evaluate.hpp"

#include <algorithm>
#include <bit>

namespace bankproof::symbolic {

std::uint64_t Values::operator()(Term term) {
  if (const auto known = known_.find(term); known != known_.end()) return known->second;
  // Terms may be deep: operands first, without recursion.
  std::vector<Term> waiting{term};
  while (!waiting.empty()) {
    const Term next = waiting.back();
    const Node& node = pool_.node(next);
    const std::size_t before = waiting.size();
    for (const Term operand : node.operands) {
      if (known_.count(operand) == 0) waiting.push_back(operand);
    }
    if (waiting.size() != before) continue;
    known_.emplace(next, compute(node, next) & mask_of(node.width));
    waiting.pop_back();
  }
  return known_.at(term);
}

std::uint64_t Values::compute(const Node& node, Term term) {
  const auto at = [&](std::size_t i) { return known_.at(node.operands[i]); };
  const auto bits_of = [&](std::size_t i) { return pool_.width(node.operands[i]); };
  const auto with_sign = [&](std::size_t i) { return signed_value(at(i), bits_of(i)); };
  switch (node.op) {
    case Operator::constant:
      return node.value;
    case Operator::unknown:
      return of_(term);
    case Operator::sum: {
      std::uint64_t total = node.value;
      for (std::size_t i = 0; i < node.operands.size(); ++i) total += node.coefficients[i] * at(i);
      return total;
    }
    case Operator::product: {
      std::uint64_t product = 1;
      for (std::size_t i = 0; i < node.operands.size(); ++i) product *= at(i);
      return product;
    }
    case Operator::high_product:
      return static_cast<std::uint64_t>(static_cast<Wide>(at(0)) * at(1) >> node.width);
    case Operator::high_product_signed:
      return static_cast<std::uint64_t>(
          static_cast<Wide>(static_cast<SignedWide>(with_sign(0)) * with_sign(1) >> node.width));
    case Operator::quotient:
      return at(1) == 0 ? ~std::uint64_t{0} : at(0) / at(1);
    case Operator::quotient_signed:
      if (at(1) == 0) return ~std::uint64_t{0};
      return with_sign(1) == -1 ? 0 - at(0)
                                : static_cast<std::uint64_t>(with_sign(0) / with_sign(1));
    case Operator::remainder:
      return at(1) == 0 ? at(0) : at(0) % at(1);
    case Operator::remainder_signed:
      if (at(1) == 0) return at(0);
      return with_sign(1) == -1 ? 0 : static_cast<std::uint64_t>(with_sign(0) % with_sign(1));
    case Operator::bits_and: {
      std::uint64_t all = ~std::uint64_t{0};
      for (std::size_t i = 0; i < node.operands.size(); ++i) all &= at(i);
      return all;
    }
    case Operator::bits_or: {
      std::uint64_t all = 0;
      for (std::size_t i = 0; i < node.operands.size(); ++i) all |= at(i);
      return all;
    }
    case Operator::bits_exclusive_or: {
      std::uint64_t all = 0;
      for (std::size_t i = 0; i < node.operands.size(); ++i) all ^= at(i);
      return all;
    }
    case Operator::negation:
      return at(0) ^ 1U;
    case Operator::shift_left:
      return at(1) >= node.width ? 0 : at(0) << at(1);
    case Operator::shift_right:
      return at(1) >= node.width ? 0 : at(0) >> at(1);
    case Operator::shift_right_signed:
      return static_cast<std::uint64_t>(with_sign(0) >> std::min<std::uint64_t>(at(1), 63));
    case Operator::part:
      return at(0) >> node.value;
    case Operator::zero_extended:
      return at(0);
    case Operator::sign_extended:
      return static_cast<std::uint64_t>(with_sign(0));
    case Operator::count_ones:
      return static_cast<std::uint64_t>(std::popcount(at(0)));
    case Operator::count_leading_zeros:
      return bits_of(0) - static_cast<unsigned>(std::bit_width(at(0)));
    case Operator::equal:
      return at(0) == at(1) ? 1 : 0;
    case Operator::below:
      return at(0) < at(1) ? 1 : 0;
    case Operator::below_signed:
      return with_sign(0) < with_sign(1) ? 1 : 0;
    case Operator::choice:
      return at(0) != 0 ? at(1) : at(2);
  }
  return 0;
}

}  // namespace bankproof::symbolic
