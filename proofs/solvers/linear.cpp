// Converts expressions to polynomials and back, and selects the multiples of facts that can help.
#include "linear.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace bankproof::proofs {
namespace {

std::int64_t exact_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw std::logic_error("a factor of more than 64 bits");
  return sum;
}
std::int64_t exact_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw std::logic_error("a factor of more than 64 bits");
  }
  return product;
}

/// sum ← sum + k·p.
void add(Polynomial& sum, const Polynomial& p, std::int64_t k) {
  for (const auto& [monomial, factor] : p) {
    std::int64_t& there = sum[monomial];
    there = exact_sum(there, exact_product(k, factor));
    if (there == 0) sum.erase(monomial);
  }
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial all;
  for (const auto& [x, of_x] : a) {
    for (const auto& [y, of_y] : b) {
      Monomial both;
      std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
      add(all, {{both, of_y}}, of_x);
    }
  }
  return all;
}

/// Splits a statement into statements that together say the same: "a and b" becomes two statements,
/// also in the conclusion of an implication.
void split(const z3::expr& statement, std::vector<z3::expr>& all) {
  const auto kind = statement.decl().decl_kind();
  if (kind == Z3_OP_AND) {
    for (unsigned i = 0; i < statement.num_args(); ++i) split(statement.arg(i), all);
  } else if (kind == Z3_OP_IMPLIES) {
    std::vector<z3::expr> conclusions;
    split(statement.arg(1), conclusions);
    for (const z3::expr& one : conclusions) all.push_back(z3::implies(statement.arg(0), one));
  } else {
    all.push_back(statement);
  }
}

}  // namespace

Polynomial Linearizer::polynomial(const z3::expr& e) {
  if (const auto known = polynomials_.find(e.id()); known != polynomials_.end()) {
    return known->second;
  }
  Polynomial p;
  if (e.is_numeral()) {
    std::int64_t value = 0;
    if (!e.is_numeral_i64(value)) throw std::logic_error("a number of more than 64 bits");
    if (value != 0) p[{}] = value;
    return p;
  }
  switch (e.decl().decl_kind()) {
    case Z3_OP_ADD:
      for (unsigned i = 0; i < e.num_args(); ++i) add(p, polynomial(e.arg(i)), 1);
      break;
    case Z3_OP_SUB:
      for (unsigned i = 0; i < e.num_args(); ++i) add(p, polynomial(e.arg(i)), i == 0 ? 1 : -1);
      break;
    case Z3_OP_UMINUS:
      add(p, polynomial(e.arg(0)), -1);
      break;
    case Z3_OP_MUL:
      p[{}] = 1;
      for (unsigned i = 0; i < e.num_args(); ++i) p = product(p, polynomial(e.arg(i)));
      break;
    case Z3_OP_UNINTERPRETED: {
      // A constant, or the value of a function. Its arguments become polynomials, so that equal
      // arguments are the same expression.
      z3::expr_vector arguments(*context_);
      for (unsigned i = 0; i < e.num_args(); ++i) {
        const z3::expr argument = e.arg(i);
        arguments.push_back(argument.is_int() ? expression(polynomial(argument)) : argument);
      }
      const z3::expr unknown = e.num_args() == 0 ? e : e.decl()(arguments);
      unknowns_.emplace(unknown.id(), unknown);
      p[{unknown.id()}] = 1;
      break;
    }
    default:
      throw std::logic_error("no polynomial: " + e.to_string());
  }
  kept_.push_back(e);
  return polynomials_.emplace(e.id(), p).first->second;
}

z3::expr Linearizer::of(const Monomial& monomial) {
  if (monomial.size() == 1) return unknowns_.at(monomial[0]);
  auto known = products_.find(monomial);
  if (known == products_.end()) {
    std::string name;
    for (const unsigned id : monomial) {
      name += (name.empty() ? "" : "*") + unknowns_.at(id).to_string();
    }
    known = products_.emplace(monomial, context_->int_const(name.c_str())).first;
  }
  met_.insert(known->second.id());
  return known->second;
}

z3::expr Linearizer::expression(const Polynomial& polynomial) {
  z3::expr_vector terms(*context_);
  for (const auto& [monomial, factor] : polynomial) {
    const z3::expr number = context_->int_val(factor);
    terms.push_back(monomial.empty() ? number : factor == 1 ? of(monomial) : number * of(monomial));
  }
  if (terms.empty()) return context_->int_val(0);
  return terms.size() == 1 ? terms[0] : z3::sum(terms);
}

z3::expr Linearizer::linear(const z3::expr& e, const z3::expr& factor) {
  const auto all = [&](auto combine) {
    z3::expr_vector parts(*context_);
    for (unsigned i = 0; i < e.num_args(); ++i) parts.push_back(linear(e.arg(i), factor));
    return combine(parts);
  };
  const z3::expr one = context_->int_val(1);
  switch (e.decl().decl_kind()) {
    case Z3_OP_AND:
      return all([](const z3::expr_vector& v) { return z3::mk_and(v); });
    case Z3_OP_OR:
      return all([](const z3::expr_vector& v) { return z3::mk_or(v); });
    case Z3_OP_NOT:
      return !linear(e.arg(0), one);
    case Z3_OP_IMPLIES:
      return z3::implies(linear(e.arg(0), one), linear(e.arg(1), factor));
    default:
      break;
  }
  if (e.num_args() != 2 || !e.arg(0).is_int()) return e;
  const Polynomial times = polynomial(factor);
  const auto side = [&](unsigned i) { return expression(product(polynomial(e.arg(i)), times)); };
  switch (e.decl().decl_kind()) {
    case Z3_OP_EQ:
      return side(0) == side(1);
    case Z3_OP_LE:
      return side(0) <= side(1);
    case Z3_OP_GE:
      return side(0) >= side(1);
    default:
      throw std::logic_error("no statement over whole numbers: " + e.to_string());
  }
}

const Linearizer::Part& Linearizer::part(const z3::expr& statement, const z3::expr& factor) {
  const std::pair key(statement.id(), factor.id());
  if (const auto known = parts_.find(key); known != parts_.end()) return known->second;
  kept_.insert(kept_.end(), {statement, factor});
  met_.clear();
  const z3::expr rewritten = linear(statement, factor);
  return parts_.emplace(key, Part{rewritten, met_}).first->second;
}

std::vector<Linearizer::Statement> Linearizer::negation(const Goal& goal) {
  const z3::expr one = context_->int_val(1);
  struct Candidate {
    const Part* part;
    bool needed;
    std::optional<FactNumber> fact;
    std::optional<std::size_t> factor;
  };
  std::vector<Candidate> candidates;
  std::set<unsigned> parts_met;  // a fact about a choice may be assumed several times
  const auto keep = [&](const Candidate& candidate) {
    if (parts_met.insert(candidate.part->statement.id()).second) candidates.push_back(candidate);
  };
  std::vector<std::pair<z3::expr, FactNumber>> statements;
  for (const Fact& fact : goal.facts) {
    std::vector<z3::expr> parts;
    split(fact.expression, parts);
    for (const z3::expr& each : parts) statements.emplace_back(each, fact.number);
  }
  for (const auto& [fact, number] : statements) keep({&part(fact, one), true, number, {}});
  for (const auto& [fact, number] : statements) {
    const bool has_cases = fact.decl().decl_kind() == Z3_OP_OR;  // each case may help
    for (std::size_t k = 0; k < goal.multipliers.size(); ++k) {
      keep({&part(fact, goal.multipliers[k].expression), has_cases, number, k});
    }
  }
  candidates.push_back({&part(!goal.claim, one), true, {}, {}});
  // A statement with a product that occurs nowhere else is useless, since that product can take any
  // value.
  std::size_t left_out = 0;
  do {
    std::map<unsigned, unsigned> uses;
    for (const Candidate& candidate : candidates) {
      for (const unsigned product : candidate.part->products) ++uses[product];
    }
    left_out = std::erase_if(candidates, [&](const Candidate& candidate) {
      const std::set<unsigned>& products = candidate.part->products;
      return !candidate.needed && std::any_of(products.begin(), products.end(),
                                              [&](unsigned product) { return uses[product] == 1; });
    });
  } while (left_out > 0);
  std::vector<Statement> all;
  all.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    all.push_back({candidate.part->statement, candidate.fact, candidate.factor});
  }
  return all;
}

}  // namespace bankproof::proofs
