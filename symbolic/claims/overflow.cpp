// Asks whether an index wraps around before it is widened to an address, divided, shifted to the
// right or compared; see question.hpp.
//
// The sum or product is computed a second time, with 64 bits. Its factors have at most 32, but for
// counters of loops; where a product could leave 64 bits, nothing is claimed.
#include <bit>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <tuple>
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
  return node.op == Operator::sum || node.op == Operator::product ||
         node.op == Operator::shift_left;
}

/// Whether a register holds the term, perhaps shifted to the right. Those of other widths are what
/// the program takes modulo a power of two, as in (row + column) % 32, and have no carry on
/// purpose.
bool has_width_of_registers(const Node& node) {
  constexpr unsigned least_shifted = 25;
  return node.width == 16 || node.width >= least_shifted;
}

class Widening {
 public:
  explicit Widening(Pool& pool) : pool_(pool) {}

  /// Where an offset in an array, or an address, is widened, and what is compared in a condition.
  std::vector<Widened> of(const std::vector<Term>& terms) {
    for (const Term one : terms) find(one);
    met_.clear();
    leaves_.clear();
    return std::exchange(found_, {});
  }
  /// The unknowns that were met since the last call, and whether they count as signed.
  std::set<std::pair<Term, bool>> unknowns() { return std::exchange(unknowns_, {}); }

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
    if (node.op == Operator::unknown) unknowns_.emplace(term, is_signed);
    if (is_computed(node) && has_width_of_registers(node)) {
      found_.push_back({term, is_signed, when_});
      return observe_leaves(term, is_signed);
    }
    if (node.op == Operator::choice) {
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

  /// What a sum or a product is computed from, up to what is neither.
  void observe_leaves(Term term, bool is_signed) {
    if (!leaves_.emplace(term, is_signed, when_).second) return;
    const Node node = pool_.node(term);
    for (const Term operand : node.operands) {
      if (is_computed(pool_.node(operand))) {
        observe_leaves(operand, is_signed);
      } else {
        observe(operand, is_signed);
      }
    }
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
    if (node.op == Operator::shift_left) {
      const Exact one = value(node.operands[0], is_signed);
      const Term by = pool_.resized(node.operands[1], wide, false);
      exact.fits = one.fits;
      exact.fits.push_back(is_small(one.value, 32));
      exact.fits.push_back(pool_.below(by, pool_.constant(32, wide), false));
      exact.value = pool_.shift_left(one.value, by);
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
  std::set<std::tuple<Term, bool, std::vector<Term>>> leaves_;
  std::set<std::pair<Term, bool>> unknowns_;
  std::vector<Widened> found_;
};

class Overflow {
 public:
  explicit Overflow(Subject& subject)
      : subject_(subject),
        pool_(subject.pool),
        threads_(subject, Which::of_one_block, 1),
        widening_(pool_) {
    for (const LoopInstance& loop : subject.trace().loops) {
      for (const LoopInstance::Open& one : loop.open) {
        open_[one.value] = {&loop, &one};
        for (const auto& [inside, outside] : loop.renamed) {
          if (inside == one.value) open_[outside] = {&loop, &one};
        }
      }
    }
  }

  Asked all() {
    for (const Access& access : subject_.trace().accesses) {
      if (access.is_echo) continue;
      const auto places = places_of(pool_, subject_.inputs(), access.address);
      if (!places) {
        ask(access, {access.address}, {});
        continue;
      }
      for (const Place& place : *places) {
        if (!pool_.is_constant(place.condition, 0)) {
          ask(access, {offset_of(place), place.condition}, place);
        }
      }
    }
    return std::move(asked_);
  }

 private:
  /// Addresses in shared and in local memory have 32 bits, and are no indices.
  Term offset_of(const Place& place) const {
    const auto space = subject_.inputs().object(place.object)->space;
    const bool is_short = space == ptx::Space::shared || space == ptx::Space::local;
    const Node& node = pool_.node(place.offset);
    return is_short && node.op == Operator::zero_extended ? node.operands[0] : place.offset;
  }

  void ask(const Access& access, const std::vector<Term>& terms, std::optional<Place> place) {
    std::vector<Term> guard = access.guard.parts();
    if (place) guard.push_back(place->condition);
    for (const Widened& widened : widening_.of(terms)) ask(access, widened, guard, place);
    if (access.first_of_arrays) {  // its guard says which array is chosen
      for (const Widened& widened : widening_.of(guard)) ask(access, widened, {}, {});
    }
    ask_about_registers(access);
  }

  /// In a loop, a register that follows no rule is what it was in the iteration before.
  void ask_about_registers(const Access& access) {
    for (bool more = true; more;) {
      more = false;
      for (const auto& [unknown, is_signed] : widening_.unknowns()) {
        const auto found = open_.find(unknown);
        if (found == open_.end() || !asked_about_.emplace(unknown, is_signed).second) continue;
        more = true;
        const auto& [loop, register_of] = found->second;
        std::vector<Term> guard = loop->entered;
        for (const Term value : {register_of->start, register_of->next}) {
          // As if it were widened to 64 bits.
          if (pool_.width(value) == wide) continue;
          const Term widened =
              is_signed ? pool_.sign_extended(value, wide) : pool_.zero_extended(value, wide);
          for (const Widened& one : widening_.of({widened})) ask(access, one, guard, {});
          guard.insert(guard.end(), loop->went_on.begin(), loop->went_on.end());
        }
      }
    }
  }

  void ask(const Access& access, const Widened& widened, const std::vector<Term>& guard,
           const std::optional<Place>& place) {
    if (!seen_.emplace(widened, guard).second) return;
    asked_.about(*access.instruction);
    const Term is_exact = widening_.is_exact(widened);
    if (pool_.is_constant(is_exact, 1)) return;
    Participant one = threads_.participant(0, *access.instruction);
    std::vector<Term> statements{pool_.negation(is_exact)};
    statements.insert(statements.end(), widened.when.begin(), widened.when.end());
    statements.insert(statements.end(), guard.begin(), guard.end());
    if (place) {
      one.object = place->object;
      one.offset = place->offset;
    }
    Question question = Question::can(threads_.with_facts(statements), {one});
    if (place) {
      // What wraps around to a negative number is what the machine shows.
      statements.push_back(pool_.below(place->offset, pool_.constant(0, wide), true));
      question.reached = Possibility{threads_.with_facts(statements),
                                     {threads_.participant(0, *access.instruction)}};
    }
    asked_.questions.push_back(std::move(question));
  }

  Subject& subject_;
  Pool& pool_;
  Threads threads_;
  Widening widening_;
  /// Registers that follow no rule, by what they are in a loop, or behind it.
  std::map<Term, std::pair<const LoopInstance*, const LoopInstance::Open*>> open_;
  std::set<std::pair<Term, bool>> asked_about_;
  std::set<std::pair<Widened, std::vector<Term>>> seen_;
  Asked asked_{.claim = Claim::overflow};
};

}  // namespace

Asked ask_overflow(Subject& subject) { return Overflow(subject).all(); }

}  // namespace bankproof::symbolic
