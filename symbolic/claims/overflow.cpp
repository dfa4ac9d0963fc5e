// Asks whether an index wraps around before it is widened to an address, divided, shifted to the
// right or compared; see question.hpp.
//
// The sum or product is computed a second time, with 64 bits. Its factors have at most 32, but for
// counters of loops; where a product could leave 64 bits, nothing is claimed.
#include <bit>
#include <cstdlib>
#include <set>
#include <utility>

#include "../execution/objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

namespace {

constexpr unsigned wide = 64;
/// A product of this size or a larger one is taken for one that wraps around. So a sum of several
/// is exact.
constexpr unsigned product_bits = 58;
constexpr std::size_t most_products = 16;

/// A term that is widened, and when.
struct Widened {
  Term term{};
  bool is_signed = false;
  std::vector<Term> when{};
  auto operator<=>(const Widened&) const = default;
};

/// A value of 64 bits, and statements without which it may have wrapped around.
struct Exact {
  Term value{};
  std::vector<Term> fits{};
};

bool is_computed(const Node& node) {
  return node.op == Operator::sum || node.op == Operator::product;
}

/// Whether a register holds the term. Those of other widths are what the program takes modulo a
/// power of two, as in (row + column) % 32, and have no carry on purpose.
bool has_width_of_registers(const Node& node) {
  return node.width == 16 || node.width == 32 || node.width == 64;
}

class Widening {
 public:
  explicit Widening(Pool& pool) : pool_(pool) {}

  std::vector<Widened> of(Term offset) {
    const Node node = pool_.node(offset);
    // Addresses in shared memory have 32 bits, and are no indices.
    find(node.op == Operator::zero_extended ? node.operands[0] : offset);
    met_.clear();
    return std::exchange(found_, {});
  }

  Term is_exact(const Widened& widened) {
    const Exact exact = value(widened.term, widened.is_signed);
    Term all = pool_.equal(pool_.resized(widened.term, wide, widened.is_signed), exact.value);
    for (const Term fits : exact.fits) all = pool_.both(all, fits);
    return all;
  }

 private:
  void find(Term term) {
    if (!met_.emplace(term, when_).second) return;
    const Node node = pool_.node(term);
    switch (node.op) {
      case Operator::zero_extended:
      case Operator::sign_extended:
        observe(node.operands[0], node.op == Operator::sign_extended);
        break;
      case Operator::quotient:
      case Operator::remainder:
      case Operator::below:
      case Operator::quotient_signed:
      case Operator::remainder_signed:
      case Operator::below_signed:
        for (const Term operand : node.operands) observe(operand, is_signed(node.op));
        break;
      case Operator::shift_right:
      case Operator::shift_right_signed:
        observe(node.operands[0], node.op == Operator::shift_right_signed);
        find(node.operands[1]);
        break;
      case Operator::choice:
        find(node.operands[0]);
        in_branches(node, [&](Term branch) { find(branch); });
        break;
      case Operator::equal:
      case Operator::high_product:
      case Operator::count_ones:
      case Operator::count_leading_zeros:
        for (const Term operand : node.operands) observe(operand, false);
        break;
      case Operator::high_product_signed:
        for (const Term operand : node.operands) observe(operand, true);
        break;
      case Operator::part:
        // The upper bits, such as the sign.
        if (node.value > 0 && is_upper_part(node)) {
          observe(node.operands[0], true);
        } else {
          find(node.operands[0]);
        }
        break;
      default:
        // Modulo a power of two, a sum needs no carry: but something inside may.
        for (const Term operand : node.operands) find(operand);
        break;
    }
  }

  /// All bits of this term are used, and those that it would have if it were wider.
  void observe(Term term, bool is_signed) {
    const Node node = pool_.node(term);
    if (is_computed(node) && has_width_of_registers(node)) {
      found_.push_back({term, is_signed, when_});
    } else if (node.op == Operator::choice) {
      find(node.operands[0]);
      return in_branches(node, [&](Term branch) { observe(branch, is_signed); });
    } else if (node.op == Operator::part && node.value > 0 && is_upper_part(node)) {
      return observe(node.operands[0], is_signed);  // shifted right
    } else if (has_width_of_registers(node) && is_of_bits(node.op)) {
      // Bits of what wraps around are those of another number, too.
      for (const Term operand : node.operands) observe(operand, is_signed);
      return;
    }
    find(term);
  }

  template <class Visit>
  void in_branches(const Node& choice, Visit visit) {
    for (const bool yes : {true, false}) {
      when_.push_back(yes ? choice.operands[0] : pool_.negation(choice.operands[0]));
      visit(choice.operands[yes ? 1 : 2]);
      when_.pop_back();
    }
  }

  static bool is_of_bits(Operator op) {
    return op == Operator::bits_and || op == Operator::bits_or || op == Operator::bits_exclusive_or;
  }
  static bool is_signed(Operator op) {
    return op == Operator::quotient_signed || op == Operator::remainder_signed ||
           op == Operator::below_signed;
  }
  bool is_upper_part(const Node& part) const {
    return part.value + part.width == pool_.width(part.operands[0]);
  }

  Exact value(Term term, bool is_signed) {
    const Node node = pool_.node(term);
    Exact exact;
    if (node.op == Operator::sum) {
      const auto constant = static_cast<std::uint64_t>(signed_value(node.value, node.width));
      exact.value = pool_.constant(constant, wide);
      if (node.operands.size() > most_products) exact.fits.push_back(pool_.truth(false));
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Exact one = value(node.operands[i], is_signed);
        const std::int64_t factor = signed_value(node.coefficients[i], node.width);
        exact.fits.insert(exact.fits.end(), one.fits.begin(), one.fits.end());
        const auto size = static_cast<std::uint64_t>(std::abs(factor));
        const auto factor_bits = static_cast<unsigned>(std::bit_width(size));
        if (factor_bits > 1) exact.fits.push_back(is_small(one.value, product_bits - factor_bits));
        exact.value =
            pool_.add(exact.value, pool_.scale(one.value, static_cast<std::uint64_t>(factor)));
      }
      return exact;
    }
    if (node.op == Operator::product) {
      exact.value = pool_.constant(1, wide);
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Exact one = value(node.operands[i], is_signed);
        exact.fits.insert(exact.fits.end(), one.fits.begin(), one.fits.end());
        // Two factors of 32 bits have a product of 64.
        if (i >= 2) exact.fits.push_back(is_small(exact.value, 32));
        if (pool_.width(factor_of(one.value)) > 32) exact.fits.push_back(is_small(one.value, 32));
        exact.value = pool_.multiply(exact.value, one.value);
      }
      exact.fits.push_back(is_small(exact.value, product_bits));
      return exact;
    }
    // The lowest bits of the counter of a loop are the counter.
    if (node.op == Operator::part && node.value == 0 && pool_.width(node.operands[0]) == wide &&
        pool_.node(node.operands[0]).op == Operator::unknown) {
      exact.value = node.operands[0];
      exact.fits.push_back(is_small(exact.value, 32));
      return exact;
    }
    exact.value = pool_.resized(term, wide, is_signed);
    return exact;
  }

  /// The term in front of which an extension has put bits; any other term itself.
  Term factor_of(Term value) const {
    const Node& node = pool_.node(value);
    const bool is_widened =
        node.op == Operator::zero_extended || node.op == Operator::sign_extended;
    return is_widened ? node.operands[0] : value;
  }

  /// -2^(bits - 1) ≤ value < 2^(bits - 1), or so much without a sign.
  Term is_small(Term value, unsigned bits) {
    const Term half = pool_.constant(std::uint64_t{1} << (bits - 1), wide);
    const Term all = pool_.constant(std::uint64_t{1} << bits, wide);
    return pool_.below(pool_.add(value, half), all, false);
  }

  Pool& pool_;
  std::vector<Term> when_;
  std::set<std::pair<Term, std::vector<Term>>> met_;
  std::vector<Widened> found_;
};

}  // namespace

Asked ask_overflow(Subject& subject) {
  Pool& pool = subject.pool;
  Threads threads(subject, Which::of_one_block, 1);
  Asked asked{.claim = Claim::overflow};
  std::set<std::pair<Widened, std::vector<Term>>> seen;
  Widening widening(pool);
  for (const Access& access : subject.trace().accesses) {
    if (access.is_echo) continue;
    const auto places = places_of(pool, subject.inputs(), access.address);
    if (!places) continue;
    for (const Place& place : *places) {
      Participant one = threads.participant(0, *access.instruction);
      one.object = place.object;
      one.offset = place.offset;
      for (const Widened& widened : widening.of(place.offset)) {
        if (!seen.emplace(widened, access.guard.parts()).second) continue;
        asked.about(*access.instruction);
        const Term is_exact = widening.is_exact(widened);
        if (pool.is_constant(is_exact, 1) || pool.is_constant(place.condition, 0)) continue;
        std::vector<Term> statements{pool.negation(is_exact), place.condition};
        statements.insert(statements.end(), widened.when.begin(), widened.when.end());
        const std::vector<Term>& guard = access.guard.parts();
        statements.insert(statements.end(), guard.begin(), guard.end());
        Question question = Question::can(threads.with_facts(statements), {one});
        // What wraps around to a negative number is what the machine shows.
        statements.push_back(pool.below(place.offset, pool.constant(0, 64), true));
        question.reached = Possibility{threads.with_facts(statements),
                                       {threads.participant(0, *access.instruction)}};
        asked.questions.push_back(std::move(question));
      }
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
