// What solvers are told of a term is true of its value: for random terms and values of the
// unknowns, the value of the term is possible, and where an encoding is exact, no other value is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    switch (below(11)) {
      case 0:
        return pool_.add(a, b);
      case 1:
        return pool_.subtract(a, b);
      case 2:
        return pool_.scale(a, below(9));
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
      default:
        return pool_.multiply(a, b);
    }
  }

  Pool& pool_;
  std::mt19937_64 engine_;
  std::vector<Term> known_;
};

struct Case {
  Pool pool;
  RandomTerm random;
  Term is_value;

  explicit Case(std::uint64_t seed) : random(pool, seed) {
    Values values(pool, [&](Term unknown) { return random.inputs.at(unknown); });
    const Term term = random.last();
    is_value = pool.equal(term, pool.constant(values(term), pool.width(term)));
  }
  std::vector<Term> inputs() {
    std::vector<Term> all;
    all.reserve(random.inputs.size());
    for (const auto& [unknown, value] : random.inputs) {
      all.push_back(pool.equal(unknown, pool.constant(value, pool.width(unknown))));
    }
    return all;
  }
};

z3::check_result asked(z3::context& context, const std::vector<z3::expr>& statements) {
  z3::solver solver(context);
  z3::params limits(context);
  limits.set("timeout", 1000U);
  solver.set(limits);
  for (const z3::expr& statement : statements) solver.add(statement);
  return solver.check();
}

TEST(Encodings, of_bits_are_exact) {
  testing::check_property(
      [] {
        Case one(*rc::gen::arbitrary<std::uint64_t>());
        z3::context context;
        BitVectors bits(context, one.pool);
        std::vector<z3::expr> statements;
        for (const Term input : one.inputs()) statements.push_back(bits.statement(input));
        statements.push_back(bits.statement(one.is_value));
        RC_ASSERT(asked(context, statements) == z3::sat);
        statements.back() = !statements.back();
        RC_ASSERT(asked(context, statements) == z3::unsat);
      },
      "", 5);
}

TEST(Encodings, of_integers_exclude_no_value_that_is) {
  testing::check_property(
      [] {
        Case one(*rc::gen::arbitrary<std::uint64_t>());
        z3::context context;
        Integers integers(context, one.pool);
        std::vector<z3::expr> statements;
        for (const Term input : one.inputs()) statements.push_back(integers.statement(input));
        const z3::expr claim = integers.statement(one.is_value);
        statements.insert(statements.end(), integers.definitions().begin(),
                          integers.definitions().end());
        statements.push_back(claim);
        RC_LOG() << text_of(one.pool, one.is_value) << '\n';
        const z3::check_result possible = asked(context, statements);
        RC_ASSERT(possible != z3::unsat);
        statements.back() = !claim;
        const z3::check_result other = asked(context, statements);
        RC_TAG(possible == z3::unknown || other == z3::unknown ? "unknown"
               : other == z3::unsat                            ? "exact"
                                                               : "open");
        // Products are unknowns, of which lemmas say only something.
        const bool multiplies = [&] {
          for (const z3::expr& statement : statements) {
            if (statement.to_string().find("product") != std::string::npos) return true;
          }
          return false;
        }();
        if (integers.is_exact() && !multiplies) RC_ASSERT(other != z3::sat);
      },
      "", 5);
}

}  // namespace
}  // namespace bankproof::symbolic
