// Evaluates formulas; see evaluate.hpp.
#include "evaluate.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace bankproof::proofs {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::domain_error(what);
}

class Evaluation {
 public:
  explicit Evaluation(const NamedNumbers& names) : names_(names) {}

  WrittenNumber operator()(const WrittenNode& formula) {
    // Parts that formulas share are evaluated once, for each place that they depend on.
    const WrittenNumber innermost = formula.places.empty() ? 0 : formula.places.back();
    const auto known = known_[innermost].find(&formula);
    if (known != known_[innermost].end()) return known->second;
    const WrittenNumber value = computed(formula);
    known_[innermost][&formula] = value;
    return value;
  }

 private:
  WrittenNumber part(const WrittenNode& formula, std::size_t k) {
    return (*this)(*formula.parts.at(k));
  }

  WrittenNumber computed(const WrittenNode& formula) {
    WrittenNumber result = 0;
    switch (formula.form) {
      case Form::number:
        return formula.value;
      case Form::name:
        return names_.at(formula.name);
      case Form::place:
        return places_.at(formula.value);
      case Form::plus:
        require(!__builtin_add_overflow(part(formula, 0), part(formula, 1), &result), "overflow");
        return result;
      case Form::minus:
        require(!__builtin_sub_overflow(part(formula, 0), part(formula, 1), &result), "overflow");
        return result;
      case Form::times:
        require(!__builtin_mul_overflow(part(formula, 0), part(formula, 1), &result), "overflow");
        return result;
      case Form::quotient:
        return quotient(part(formula, 0), part(formula, 1));
      case Form::rest: {
        const WrittenNumber b = part(formula, 1);
        return part(formula, 0) - quotient(part(formula, 0), b) * b;
      }
      case Form::ceiling:
        return -quotient(-part(formula, 0), part(formula, 1));
      case Form::choice:
        return part(formula, part(formula, 0) != 0 ? 1 : 2);
      case Form::logarithm:
        return logarithm(part(formula, 0));
      case Form::power:
        return power(part(formula, 0));
      case Form::divisor:
        return divisor(part(formula, 0), part(formula, 1));
      case Form::over_numbers: {
        const WrittenNumber count = part(formula, 0);
        for (WrittenNumber k = 0; k < count; ++k) add(result, term(formula, k, 2));
        return result;
      }
      case Form::over_powers: {
        const WrittenNumber end = part(formula, 0);
        for (WrittenNumber power = 1; power < end; power *= 2) add(result, term(formula, power, 2));
        return result;
      }
      case Form::over_chain: {
        for (WrittenNumber number = part(formula, 0); number > 1;) {
          add(result, term(formula, number, 3));
          const WrittenNumber next = term(formula, number, 2);
          require(next < number, "a chain that does not descend");
          number = next;
        }
        return result;
      }
      case Form::equal:
        return part(formula, 0) == part(formula, 1) ? 1 : 0;
      case Form::at_most:
        return part(formula, 0) <= part(formula, 1) ? 1 : 0;
      case Form::both:
        return part(formula, 0) != 0 && part(formula, 1) != 0 ? 1 : 0;
      case Form::either:
        return part(formula, 0) != 0 || part(formula, 1) != 0 ? 1 : 0;
      case Form::negation:
        return part(formula, 0) == 0 ? 1 : 0;
      case Form::implication:
        return part(formula, 0) == 0 || part(formula, 1) != 0 ? 1 : 0;
      case Form::application:
      case Form::of_words:
        break;
    }
    throw std::logic_error("a form that has no value");
  }

  static void add(WrittenNumber& sum, WrittenNumber term) {
    require(!__builtin_add_overflow(sum, term, &sum), "overflow");
  }

  /// A part of a sum, where its place has this value.
  WrittenNumber term(const WrittenNode& formula, WrittenNumber at, std::size_t which) {
    const WrittenNumber place = formula.parts.at(1)->value;
    if (const auto before = places_.find(place); before == places_.end() || before->second != at) {
      places_[place] = at;
      // Sums inside begin later, and what depends on their places may depend on this one.
      for (auto known = known_.lower_bound(place); known != known_.end(); ++known) {
        known->second.clear();
      }
    }
    return part(formula, which);
  }

  static WrittenNumber quotient(WrittenNumber a, WrittenNumber b) {
    require(b > 0, "a divisor that is not positive");
    const WrittenNumber towards_zero = a / b;
    return towards_zero * b > a ? towards_zero - 1 : towards_zero;
  }
  static WrittenNumber logarithm(WrittenNumber n) {
    require(n > 0, "a logarithm of a number that is not positive");
    WrittenNumber log = 0;
    for (WrittenNumber power = 1; power < n; power *= 2) ++log;
    return log;
  }
  static WrittenNumber power(WrittenNumber k) {
    require(k >= 0 && k < 127, "a power of two with a negative exponent, or beyond 127 bits");
    return WrittenNumber{1} << static_cast<unsigned>(k);
  }
  static WrittenNumber divisor(WrittenNumber a, WrittenNumber b) {
    while (b != 0) a = std::exchange(b, a % b);
    return a < 0 ? -a : a;
  }

  const NamedNumbers& names_;
  std::map<WrittenNumber, WrittenNumber> places_;
  std::map<WrittenNumber, std::unordered_map<const WrittenNode*, WrittenNumber>> known_;
};

}  // namespace

bool is_of_numbers(const WrittenNode& formula) {
  return formula.form != Form::name && formula.form != Form::place &&
         std::all_of(formula.parts.begin(), formula.parts.end(),
                     [](const WrittenPointer& part) { return is_of_numbers(*part); });
}

WrittenNumber value_of(const WrittenNode& formula, const NamedNumbers& names) {
  return Evaluation(names)(formula);
}

}  // namespace bankproof::proofs
