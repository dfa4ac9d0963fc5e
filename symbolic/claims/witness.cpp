// Takes addresses apart; see witness.hpp.
#include "witness.hpp"

#include <algorithm>
#include <utility>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

constexpr unsigned bits_of_offset = 64;

/// A digit of the offset: some bits of an unknown, and what one of them counts.
struct Digit {
  Term unknown{};
  unsigned first_bit = 0;
  Term weight{};
  bool is_constant = false;
};

class Digits {
 public:
  Digits(Subject& subject, const std::vector<Term>& unknowns)
      : pool_(subject.pool), unknowns_(unknowns) {}

  std::optional<Witness> of(Term offset, Term wanted) {
    if (!add(offset, pool_.constant(1, bits_of_offset))) return std::nullopt;
    // The highest digits first: those that count in unknown sizes, and the others by their weights.
    std::stable_sort(digits_.begin(), digits_.end(), [&](const Digit& a, const Digit& b) {
      if (a.is_constant != b.is_constant) return b.is_constant;
      return a.is_constant && pool_.node(a.weight).value > pool_.node(b.weight).value;
    });
    Term rest = pool_.subtract(wanted, others_);
    Witness witness;
    for (std::size_t k = 0; k < digits_.size(); ++k) {
      const Digit& digit = digits_[k];
      const Term value = pool_.quotient(rest, digit.weight, false);
      if (k + 1 < digits_.size()) rest = pool_.remainder(rest, digit.weight, false);
      const unsigned width = pool_.width(digit.unknown);
      const Term part =
          pool_.scale(pool_.resized(value, width, false), std::uint64_t{1} << digit.first_bit);
      const auto [place, is_new] = witness.try_emplace(digit.unknown, part);
      if (!is_new) place->second = pool_.add(place->second, part);
    }
    return witness;
  }

 private:
  bool has_unknown(Term term) const {
    bool has = false;
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, term, met, [&](Term unknown) {
      has = has || std::find(unknowns_.begin(), unknowns_.end(), unknown) != unknowns_.end();
    });
    return has;
  }

  /// Adds term · weight; false if it is no sum of digits.
  bool add(Term term, Term weight) {
    const Node node = pool_.node(term);
    if (!has_unknown(term)) {
      others_ = pool_.add(others_, pool_.multiply(widened(term), weight));
      return true;
    }
    if (node.op == Operator::zero_extended || node.op == Operator::sign_extended) {
      return add(node.operands[0], weight);
    }
    if (node.op == Operator::sum) {
      const auto constant = static_cast<std::uint64_t>(signed_value(node.value, node.width));
      others_ = pool_.add(others_, pool_.scale(weight, constant));
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const std::int64_t factor = signed_value(node.coefficients[i], node.width);
        const Term of_part = pool_.scale(weight, static_cast<std::uint64_t>(factor));
        if (!add(node.operands[i], of_part)) return false;
      }
      return true;
    }
    if (node.op == Operator::product) {
      std::optional<Term> digit;
      for (const Term factor : node.operands) {
        if (!has_unknown(factor)) {
          weight = pool_.multiply(weight, widened(factor));
        } else if (digit) {
          return false;
        } else {
          digit = factor;
        }
      }
      return add(*digit, weight);
    }
    unsigned first_bit = 0;
    if (node.op == Operator::part) {
      first_bit = static_cast<unsigned>(node.value);
      term = node.operands[0];
    }
    if (std::find(unknowns_.begin(), unknowns_.end(), term) == unknowns_.end()) return false;
    digits_.push_back({term, first_bit, weight, pool_.is_constant(weight)});
    return true;
  }

  Term widened(Term term) { return pool_.resized(term, bits_of_offset, false); }

  Pool& pool_;
  const std::vector<Term>& unknowns_;
  std::vector<Digit> digits_;
  Term others_ = pool_.constant(0, bits_of_offset);
};

}  // namespace

std::optional<Witness> witness_of(Subject& subject, Term offset, Term wanted,
                                  const std::vector<Term>& unknowns) {
  return Digits(subject, unknowns).of(offset, wanted);
}

}  // namespace bankproof::symbolic
