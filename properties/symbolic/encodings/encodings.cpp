// Each encoding is compared with evaluate.hpp, on random terms and random values of their unknowns.
// A solver must find the term's value possible. Where the encoding is exact, the solver must find
// every other value impossible.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../../../symbolic/encodings/bits.hpp"
#include "../../../symbolic/encodings/integers.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../symbolic/terms/text.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

class RandomTerm {
 public:
  RandomTerm(Pool& pool, std::uint64_t seed) : pool_(pool), engine_(seed) {
    for (const unsigned width : {8U, 32U, 32U, 64U}) {
      const Term unknown = pool.unknown("x", width);
      static constexpr std::uint64_t corners[] = {0, 1, 31, 0x7f, 0x7fffffff, 0xffffffff, ~0ULL};
      const std::uint64_t value = below(3) == 0   ? corners[below(std::size(corners))]
                                  : below(2) == 0 ? below(100)
                                                  : engine_();
      inputs[unknown] = value & mask_of(width);
      known_.push_back(unknown);
    }
    for (int k = 0; k < 10; ++k) known_.push_back(made());
  }

  Term last() const { return known_.back(); }
  std::map<Term, std::uint64_t> inputs;

 private:
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  Term any() { return known_[known_.size() - 1 - below(std::min<std::size_t>(known_.size(), 6))]; }
  Term of_width(unsigned width) {
    const Term one = any();
    if (below(4) == 0) return pool_.constant(below(2) == 0 ? below(40) : engine_(), width);
    return pool_.resized(one, width, below(2) == 0);
  }

  Term made() {
    const Term a = any();
    const unsigned width = pool_.width(a);
    if (width == 1) return pool_.choice(a, of_width(32), of_width(32));
    const Term b = of_width(width);
    switch (below(12)) {
      case 0:
        return pool_.add(a, b);
      case 1:
        return pool_.subtract(a, b);
      case 2:
        return pool_.scale(a, below(2) == 0 ? below(9) : std::uint64_t{1} << below(64));
      case 3: {
        const auto begin = static_cast<unsigned>(below(width));
        return pool_.part(a, begin, 1 + static_cast<unsigned>(below(width - begin)));
      }
      case 4:
        return pool_.sign_extended(a, 64);
      case 5:
        return pool_.quotient(a, pool_.constant(1 + below(20), width), below(2) == 0);
      case 6:
        return pool_.remainder(a, pool_.constant(1 + below(20), width), below(2) == 0);
      case 7:
        return pool_.choice(pool_.below(a, b, below(2) == 0), a, b);
      case 8:
        return pool_.choice(pool_.equal(a, b), pool_.add(a, b), a);
      case 9:
        return below(2) == 0 ? pool_.bits_and(a, b) : pool_.bits_exclusive_or(a, b);
      case 10:
        return pool_.high_product(a, b, false);
      default:
        return pool_.multiply(a, b);
    }
  }

  Pool& pool_;
  std::mt19937_64 engine_;
  std::vector<Term> known_;
};

/// A term, and values of its unknowns.
struct Case {
  Pool pool;
  std::vector<Term> inputs;  // that each unknown has its value
  Term is_value{};           // that the term has the value that evaluate.hpp gives
  Term is_other{};           // that it has the next one

  explicit Case(std::uint64_t seed) {
    const RandomTerm random(pool, seed);
    set(random.last(), random.inputs);
  }

  /// A term of one unknown that has this value.
  Case(const std::function<Term(Pool&, Term)>& made, std::uint64_t value) {
    const Term unknown = pool.unknown("x", 64);
    set(made(pool, unknown), {{unknown, value}});
  }

 private:
  void set(Term term, const std::map<Term, std::uint64_t>& drawn) {
    const unsigned width = pool.width(term);
    const std::uint64_t value = Values(pool, [&](Term unknown) { return drawn.at(unknown); })(term);
    is_value = pool.equal(term, pool.constant(value, width));
    is_other = pool.equal(term, pool.constant(value + 1, width));
    inputs.reserve(drawn.size());
    for (const auto& [unknown, one] : drawn) {
      inputs.push_back(pool.equal(unknown, pool.constant(one, pool.width(unknown))));
    }
  }
};

/// What Z3 answers when the claim, or its negation, is added to what is known.
struct Answers {
  z3::check_result claim;
  z3::check_result negation;
};

Answers asked(z3::context& context, std::vector<z3::expr> known, const z3::expr& claim) {
  const auto ask = [&](const z3::expr& last) {
    z3::solver solver(context);
    z3::params limits(context);
    limits.set("timeout", 1000U);
    solver.set(limits);
    for (const z3::expr& statement : known) solver.add(statement);
    solver.add(last);
    return solver.check();
  };
  return {ask(claim), ask(!claim)};
}

Answers of_bits(const Case& one, Term claim) {
  z3::context context;
  BitVectors bits(context, one.pool);
  std::vector<z3::expr> known;
  known.reserve(one.inputs.size());
  for (const Term input : one.inputs) known.push_back(bits.statement(input));
  return asked(context, known, bits.statement(claim));
}

struct OfIntegers : Answers {
  bool is_exact;
};

OfIntegers of_integers(const Case& one, Term claim) {
  z3::context context;
  Integers integers(context, one.pool);
  std::vector<z3::expr> known;
  known.reserve(one.inputs.size());
  for (const Term input : one.inputs) known.push_back(integers.statement(input));
  const z3::expr statement = integers.statement(claim);
  // Products are unknowns, of which lemmas say only something.
  bool multiplies = false;
  for (const z3::expr& definition : integers.definitions()) {
    multiplies = multiplies || definition.to_string().find("product") != std::string::npos;
    known.push_back(definition);
  }
  return {asked(context, known, statement), integers.is_exact() && !multiplies};
}

TEST(Encodings, of_bits_are_exact) {
  testing::check_property(
      [] {
        const Case one(*rc::gen::arbitrary<std::uint64_t>());
        const Answers answers = of_bits(one, one.is_value);
        RC_ASSERT(answers.claim == z3::sat);
        RC_ASSERT(answers.negation == z3::unsat);
      },
      "", 5);
}

TEST(Encodings, of_integers_exclude_no_value_that_is) {
  testing::check_property(
      [] {
        const Case one(*rc::gen::arbitrary<std::uint64_t>());
        RC_LOG() << text_of(one.pool, one.is_value) << '\n';
        const OfIntegers answers = of_integers(one, one.is_value);
        RC_ASSERT(answers.claim != z3::unsat);
        if (answers.is_exact) RC_ASSERT(answers.negation != z3::sat);
      },
      "", 5);
}

// Sums of numbers that are far larger than 64 bits, to which a constant is added.
TEST(Encodings, of_integers_exclude_no_value_of_a_far_sum) {
  for (const unsigned shift : {36U, 40U, 62U, 63U}) {
    for (const std::uint64_t more : {std::uint64_t{5}, ~std::uint64_t{4}}) {
      const auto made = [&](Pool& pool, Term x) {
        const Term scaled = pool.scale(x, std::uint64_t{1} << shift);
        return pool.add(scaled, pool.constant(more, 64));
      };
      for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        const Case one(made, value);
        EXPECT_NE(of_integers(one, one.is_value).claim, z3::unsat) << shift << ' ' << value;
        EXPECT_EQ(of_bits(one, one.is_value).claim, z3::sat) << shift << ' ' << value;
      }
    }
  }
}

/// An index below 2^20, taken apart by divisors from 1 to 40 in some way, and put together again.
class Digits {
 public:
  Digits(Pool& pool, std::mt19937_64& engine) : pool_(pool), engine_(engine) {
    for (int k = 0; k < 2; ++k) divisors_.push_back(input("d", 40, 1));
  }
  Term rearranged() {
    const Term i = input("i", std::uint64_t{1} << 20, 0);
    std::vector<Term> parts{i};
    for (int k = 0; k < 4; ++k) {
      const Term a = parts[engine_() % parts.size()];
      Term d = divisors_[engine_() % divisors_.size()];
      if (engine_() % 3 == 0) d = pool_.multiply(divisors_[0], divisors_[1]);
      if (engine_() % 4 == 0) d = pool_.constant(1 + engine_() % 40, 32);
      switch (engine_() % 6) {
        case 0:
          parts.push_back(pool_.shift_right(a, pool_.constant(engine_() % 4, 32), false));
          break;
        case 1:
          parts.push_back(pool_.choice(pool_.below(a, d, false), d, a));
          break;
        case 2:
        case 3:
          parts.push_back(pool_.quotient(a, d, engine_() % 2 == 0));
          break;
        default:
          parts.push_back(pool_.remainder(a, d, engine_() % 2 == 0));
      }
    }
    Term whole = parts.back();
    for (int k = 0; k < 2; ++k) {
      whole = pool_.add(pool_.multiply(whole, divisors_[engine_() % 2]),
                        parts[engine_() % parts.size()]);
    }
    return whole;
  }
  /// An unknown about which nothing is said, at most 2 away from a number.
  Term near(std::uint64_t value) {
    const Term made = pool_.unknown("n", 32);
    values[made] = (value + engine_() % 5 - 2) & mask_of(32);
    return made;
  }
  std::map<Term, std::uint64_t> values;
  std::vector<Term> bounds;

 private:
  Term input(const std::string& name, std::uint64_t most, std::uint64_t least) {
    const Term made = pool_.unknown(name, 32);
    values[made] = least + engine_() % (most - least + 1);
    bounds.push_back(pool_.at_most(made, pool_.constant(most, 32), false));
    bounds.push_back(pool_.at_most(pool_.constant(least, 32), made, false));
    return made;
  }

  Pool& pool_;
  std::mt19937_64& engine_;
  std::vector<Term> divisors_;
};

// Only the bounds and the claim are learned: what is said of digits holds for all numbers within
// them.
TEST(Encodings, of_integers_exclude_no_digits_that_are) {
  testing::check_property(
      [] {
        std::mt19937_64 engine(*rc::gen::arbitrary<std::uint64_t>());
        Pool pool;
        Digits digits(pool, engine);
        const Term one = digits.rearranged();
        Values value(pool, [&](Term unknown) { return digits.values.at(unknown); });
        const Term other = engine() % 2 == 0 ? digits.rearranged() : digits.near(value(one));
        Term claim =
            engine() % 2 == 0 ? pool.below(one, other, engine() % 2 == 0) : pool.equal(one, other);
        if (value(claim) == 0) claim = pool.negation(claim);
        RC_LOG() << text_of(pool, claim) << '\n';
        std::vector<Term> statements = digits.bounds;
        statements.push_back(claim);
        z3::context context;
        Integers integers(context, pool);
        integers.learn(statements);
        std::vector<z3::expr> known;
        known.reserve(statements.size());
        for (const Term statement : statements) known.push_back(integers.statement(statement));
        for (const auto& [unknown, number] : digits.values) {
          known.push_back(integers.statement(pool.equal(unknown, pool.constant(number, 32))));
        }
        for (const z3::expr& fact : integers.definitions()) known.push_back(fact);
        z3::solver solver(context);
        z3::params limits(context);
        limits.set("timeout", 1000U);
        solver.set(limits);
        for (const z3::expr& fact : known) solver.add(fact);
        RC_ASSERT(solver.check() != z3::unsat);
      },
      "", 5);
}

// Z3 may give up on some of these queries, but not on many. A planted bug: the claim is about
// another value than that of the term.
TEST(Encodings, of_integers_are_decided_and_tell_values_apart) {
  int decided = 0;
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Case one(seed);
    const OfIntegers answers = of_integers(one, one.is_value);
    if (answers.claim == z3::unknown || answers.negation == z3::unknown) continue;
    ++decided;
    if (!answers.is_exact) continue;
    ++exact;
    EXPECT_EQ(of_integers(one, one.is_other).claim, z3::unsat) << seed;
    EXPECT_EQ(of_bits(one, one.is_other).claim, z3::unsat) << seed;
  }
  EXPECT_GE(decided, 22);
  EXPECT_GE(exact, 5);
}

}  // namespace
}  // namespace bankproof::symbolic
