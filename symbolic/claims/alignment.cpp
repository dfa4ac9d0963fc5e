// Reads alignments; see alignment.hpp.
#include "alignment.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace bankproof::symbolic {

namespace {

class Alignments {
 public:
  explicit Alignments(Subject& subject) : pool_(subject.pool) {
    for (const Term premise : subject.premises) read(premise);
  }

  Substitution made() {
    Substitution all(pool_);
    for (const auto& [unknown, bits] : known_) {
      const unsigned width = pool_.width(unknown);
      const Term zeros = pool_.constant(0, std::min(bits, width));
      all.put(unknown,
              bits >= width ? zeros : pool_.joined(pool_.part(unknown, bits, width - bits), zeros));
    }
    return all;
  }

 private:
  void read(Term premise) {
    const Node node = pool_.node(premise);
    if (node.op == Operator::bits_and) {
      for (const Term part : node.operands) read(part);
    }
    if (node.op != Operator::equal) return;
    for (const bool first : {true, false}) {
      const Term one = node.operands[first ? 0 : 1];
      const Term other = node.operands[first ? 1 : 0];
      if (const auto unknown = extended_unknown(one)) add(*unknown, zeros_of(other));
      if (pool_.is_constant(other, 0)) add_remainder(one);
    }
  }

  /// x or a sign or zeros in front of it.
  std::optional<Term> extended_unknown(Term term) const {
    const Node& node = pool_.node(term);
    if (node.op == Operator::unknown) return term;
    const bool is_extended =
        node.op == Operator::sign_extended || node.op == Operator::zero_extended;
    if (!is_extended || pool_.node(node.operands[0]).op != Operator::unknown) return std::nullopt;
    return node.operands[0];
  }

  /// This is 0: the lowest bits of an unknown, or its remainder.
  void add_remainder(Term term) {
    const Node node = pool_.node(term);
    if (node.op == Operator::zero_extended) {
      add_remainder(node.operands[0]);
    } else if (node.op == Operator::part && node.value == 0) {
      if (const auto unknown = extended_unknown(node.operands[0])) add(*unknown, node.width);
    } else if (node.op == Operator::remainder || node.op == Operator::remainder_signed) {
      const auto unknown = extended_unknown(node.operands[0]);
      if (unknown && pool_.is_constant(node.operands[1])) {
        add(*unknown, zeros_of(node.operands[1]));
      }
    }
  }

  /// How many of the lowest bits are 0, whatever the unknowns are.
  unsigned zeros_of(Term term) const {
    const Node& node = pool_.node(term);
    const std::uint64_t possible =
        node.op == Operator::constant ? node.value : pool_.possible_bits(term);
    return possible == 0 ? node.width : static_cast<unsigned>(std::countr_zero(possible));
  }

  void add(Term unknown, unsigned bits) {
    if (bits != 0) known_[unknown] = std::max(known_[unknown], bits);
  }

  Pool& pool_;
  std::map<Term, unsigned> known_;
};

}  // namespace

Substitution by_alignment(Subject& subject) { return Alignments(subject).made(); }

}  // namespace bankproof::symbolic
