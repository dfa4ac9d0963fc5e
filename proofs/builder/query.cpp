// Records the steps of a proof, and makes the witnesses for quotients, ceilings, choices and
// logarithms with the facts about them.
#include "query.hpp"

#include <array>
#include <utility>

namespace bankproof::proofs {

FactNumber Query::record(const Truth& fact, Step step) {
  step.formula = fact.written().node();
  step.fact = facts_++;
  open_->push_back(std::move(step));
  return facts_ - 1;
}
FactNumber Query::learn(const Truth& fact, Step step) {
  const FactNumber number = record(fact, std::move(step));
  known_.facts.push_back({fact.expression(context_), number});
  return number;
}
FactNumber Query::know(const Truth& fact, const Law& law) {
  Step step{.kind = Step::Kind::law, .name = law.name};
  for (const IntTerm& term : law.terms) step.terms.push_back(term.written().node());
  return learn(fact, std::move(step));
}
FactNumber Query::pose(const std::string& what, const Truth& fact, Step::Kind kind) {
  goals_.push_back(
      {what, known_.facts, fact.expression(context_), known_.multipliers, fact.written().node()});
  return learn(fact, {.kind = kind, .name = what, .goal = goals_.size() - 1});
}

IntTerm Query::unknown_of(const std::string& name) {
  const std::string own = unique(name);
  IntTerm term(*this, context_.int_const(own.c_str()), Written::name(own));
  kept_.push_back(term.expression());
  written_.insert_or_assign(term.expression().id(), term.written());
  return term;
}
IntTerm Query::number_of_scope(const std::string& name) {
  IntTerm term = unknown_of(name);
  open_->push_back({.kind = Step::Kind::number, .formula = term.written().node()});
  if (open_ != &script_) scope_numbers_.push_back(term.written());
  return term;
}
IntTerm Query::unknown(const std::string& name) {
  if (has_own_numbers_ || scope_numbers_.empty()) return number_of_scope(name);
  const IntTerm named = unknown_of(name);
  const std::string own = named.written().node()->name;
  open_->push_back({.kind = Step::Kind::function,
                    .name = own,
                    .arity = static_cast<unsigned>(scope_numbers_.size())});
  return labelled(named, Written::application(own, scope_numbers_));
}
IntTerm Query::sum_so_far(const std::string& name) {
  IntTerm term = unknown_of(name);
  open_->push_back({.kind = Step::Kind::number, .formula = term.written().node()});
  know_factor(term, learn(term >= 0, {.kind = Step::Kind::guard}));
  return term;
}
IntTerm Query::fresh(const std::string& name, std::uint64_t least) {
  IntTerm term = unknown(name);
  know_factor(term, learn(term >= IntTerm(least), {.kind = Step::Kind::guard}));
  return term;
}
IntTerm Query::place(const std::string& name, std::uint64_t least) {
  const IntTerm named = unknown_of(name);
  IntTerm term(*this, named.expression(), Written::new_place());
  written_.insert_or_assign(named.expression().id(), term.written());
  open_->push_back({.kind = Step::Kind::number, .name = name, .formula = term.written().node()});
  scope_numbers_.push_back(term.written());
  know_factor(term, learn(term >= IntTerm(least), {.kind = Step::Kind::guard}));
  return term;
}

IntTerm Query::define(const std::string& name, const IntTerm& term) {
  IntTerm named = unknown_of(name);
  Step step{.kind = Step::Kind::definition,
            .terms = {named.written().node(), term.written().node()}};
  learn(named == term, std::move(step));
  return named;
}

Function Query::function(const std::string& name, unsigned arity) {
  const z3::sort whole = context_.int_sort();
  z3::sort_vector domain(context_);
  for (unsigned i = 0; i < arity; ++i) domain.push_back(whole);
  const std::string own = unique(name);
  const auto depends_on = static_cast<unsigned>(scope_numbers_.size());
  open_->push_back({.kind = Step::Kind::function, .name = own, .arity = depends_on + arity});
  Function all(*this, own, context_.function(own.c_str(), domain, whole));
  all.depends_on_ = scope_numbers_;
  return all;
}
Function Query::counts(const std::string& name, unsigned arity) {
  Function all = function(name, arity);
  open_->back().counts = all.counts_ = true;
  return all;
}
IntTerm Function::applied(const std::vector<IntTerm>& terms) const {
  z3::expr_vector arguments(function_.ctx());
  std::vector<Written> written = depends_on_;
  for (const IntTerm& term : terms) {
    arguments.push_back(term.expression(function_.ctx()));
    written.push_back(term.written());
  }
  const Written formula = Written::application(name_, written);
  IntTerm value = query_->labelled({*query_, function_(arguments), formula}, formula);
  if (counts_) {
    Step step{.kind = Step::Kind::count, .name = name_, .terms = {}};
    for (const Written& term : written) step.terms.push_back(term.node());
    query_->know_factor(value, query_->learn(value >= 0, std::move(step)));
  }
  return value;
}

IntTerm Query::labelled(const IntTerm& witness, const Written& formula) {
  const z3::expr expression = witness.expression(context_);
  kept_.push_back(expression);
  written_.insert_or_assign(expression.id(), formula);
  open_->push_back({.kind = Step::Kind::label,
                    .name = std::to_string(expression.id()),
                    .formula = formula.node(),
                    .terms = {witness.written().node()}});
  return {*this, expression, formula};
}

void Query::know_factor(const IntTerm& term, FactNumber is_count) {
  const z3::expr factor = term.expression(context_);
  known_.factors.emplace(factor.id(), is_count);
  kept_.push_back(factor);
}
std::optional<std::vector<FactNumber>> Query::factors_of(const z3::expr& e) const {
  if (const auto known = known_.factors.find(e.id()); known != known_.factors.end()) {
    return std::vector{known->second};
  }
  if (e.decl().decl_kind() != Z3_OP_MUL) return std::nullopt;
  std::vector<FactNumber> all;
  for (unsigned k = 0; k < e.num_args(); ++k) {
    const auto some = factors_of(e.arg(k));
    if (!some) return std::nullopt;
    all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

Written Query::written_of(const z3::expr& part) const {
  if (const auto known = written_.find(part.id()); known != written_.end()) return known->second;
  std::int64_t value = 0;
  if (part.is_numeral_i64(value)) return {value};
  const auto kind = part.decl().decl_kind();
  if (part.num_args() == 0 || (kind != Z3_OP_ADD && kind != Z3_OP_MUL)) {
    throw std::logic_error("a part of a product: " + part.to_string());
  }
  Written all = written_of(part.arg(0));
  for (unsigned k = 1; k < part.num_args(); ++k) {
    const Written next = written_of(part.arg(k));
    all = kind == Z3_OP_ADD ? all + next : all * next;
  }
  return all;
}

FactNumber Query::require_not_negative(const std::string& what, const IntTerm& term) {
  const Truth is_count = term >= 0;
  const z3::expr e = term.expression(context_);
  const auto facts_of_factors =
      term.constant() ? std::optional(std::vector<FactNumber>{}) : factors_of(e);
  if (facts_of_factors) {
    return record(is_count, {.kind = Step::Kind::product, .facts = *facts_of_factors});
  }
  if (e.decl().decl_kind() != Z3_OP_MUL) return pose(what, is_count, Step::Kind::goal);
  std::vector<FactNumber> facts;
  for (unsigned k = 0; k < e.num_args(); ++k) {
    const z3::expr part = e.arg(k);
    if (const auto known = factors_of(part)) {
      facts.insert(facts.end(), known->begin(), known->end());
    } else {
      const IntTerm factor(*this, part, written_of(part));
      facts.push_back(pose(what, factor >= 0, Step::Kind::goal));
    }
  }
  return record(is_count, {.kind = Step::Kind::product, .facts = facts});
}

FactNumber Query::count_term(const std::string& what, const IntTerm& term) {
  const Truth is_count = term >= 0;
  const auto facts = term.constant() ? std::optional(std::vector<FactNumber>{})
                                     : factors_of(term.expression(context_));
  if (facts) return record(is_count, {.kind = Step::Kind::product, .facts = *facts});
  goals_.push_back({what, known_.facts, is_count.expression(context_), known_.multipliers,
                    is_count.written().node(), true});
  return record(is_count, {.kind = Step::Kind::goal, .name = what, .goal = goals_.size() - 1});
}

void Query::multiply_by(const std::vector<IntTerm>& terms) {
  known_.multipliers.clear();
  for (const IntTerm& term : terms) {
    const FactNumber is_count = require_not_negative("a factor is not negative", term);
    know_factor(term, is_count);
    known_.multipliers.push_back({term.expression(context_), term.written().node(), is_count});
  }
}
void Query::scale(const IntTerm& b, const IntTerm& x, const IntTerm& y) {
  const Truth is_factor = b >= 0;
  if (const auto facts = factors_of(b.expression(context_))) {
    learn(is_factor, {.kind = Step::Kind::product, .facts = *facts});
  } else {
    pose("a factor is not negative", is_factor, Step::Kind::goal);
  }
  apply(multiples_are_apart(), {b, x, y});
  multiply_equals(b, x, y);
}
void Query::apply(const Lemma& lemma, const Lemma::Terms& terms) {
  if (terms.size() != lemma.arity) throw std::logic_error("lemma " + lemma.name + ": its terms");
  Step step{.kind = Step::Kind::lemma, .name = lemma.name};
  for (const IntTerm& term : terms) step.terms.push_back(term.written().node());
  learn(implies(lemma.premise(terms), lemma.conclusion(terms)), std::move(step));
  used_.insert(&lemma);
}

void Query::compare_multiples(const IntTerm& b, const IntTerm& x, const IntTerm& y) {
  apply(multiples_are_apart(), {b, x, y});
  apply(multiples_are_apart(), {b, y, x});
  multiply_equals(b, x, y);
}

std::pair<IntTerm, IntTerm> Query::quotient(const IntTerm& a, const IntTerm& b) {
  const Written quotient = a.written() / b.written();
  const Written rest = a.written() % b.written();
  const auto named = [&](const std::pair<IntTerm, IntTerm>& of) {
    return std::pair(labelled(of.first, quotient), labelled(of.second, rest));
  };
  const auto dividend = a.constant();
  const auto divisor = b.constant();
  if (dividend && divisor && *divisor > 0) {
    return named({constant(*dividend / *divisor), constant(*dividend % *divisor)});
  }
  const std::pair key(a.expression(context_).id(), b.expression(context_).id());
  const auto found = known_.quotients.find(key);
  if (found != known_.quotients.end()) return named(found->second);
  const auto witnesses = named({unknown_of("quotient"), unknown_of("rest")});
  const auto& [q, r] = witnesses;
  know(implies(b > 0, a == b * q + r && r >= 0 && r < b), {"quotient_law", {a, b}});
  know_quotient_is_count(a, b, q, "quotient_is_count");
  if (dividend && *dividend == 0) {
    know(implies(b > 0, q == 0 && r == 0), {"quotient_of_0", {b}});
  }
  compare_with_others(b, q);
  kept_.insert(kept_.end(), {a.expression(context_), b.expression(context_)});
  return known_.quotients.emplace(key, witnesses).first->second;
}

void Query::know_quotient_is_count(const IntTerm& a, const IntTerm& b, const IntTerm& q,
                                   const std::string& law) {
  const auto facts = factors_of(a.expression(context_));
  if (!facts) {
    know(implies(b > 0 && a >= 0, q >= 0), {law, {a, b}});
    return;
  }
  const FactNumber is_count = record(a >= 0, {.kind = Step::Kind::product, .facts = *facts});
  learn(implies(b > 0, q >= 0), {.kind = Step::Kind::law,
                                 .name = law,
                                 .terms = {a.written().node(), b.written().node()},
                                 .facts = {is_count}});
}

void Query::compare_with_others(const IntTerm& b, const IntTerm& x) {
  const auto compare = [&](unsigned divisor, const IntTerm& other) {
    const bool compared = known_.compared.contains(other.expression().id());
    if (compared && divisor == b.expression(context_).id()) compare_multiples(b, x, other);
  };
  for (const auto& [of, other] : known_.quotients) compare(of.second, other.first);
  for (const auto& [of, other] : known_.ceilings) compare(of.second, other);
  known_.compared.insert(x.expression(context_).id());
}

IntTerm Query::ceiling(const IntTerm& a, const IntTerm& b) {
  const Written formula = ceil_div(a.written(), b.written());
  const auto dividend = a.constant();
  const auto divisor = b.constant();
  if (dividend && divisor && *divisor > 0) {
    return labelled(constant(bankproof::ceil_div(*dividend, *divisor)), formula);
  }
  const std::pair key(a.expression(context_).id(), b.expression(context_).id());
  const auto found = known_.ceilings.find(key);
  if (found != known_.ceilings.end()) return labelled(found->second, formula);
  const IntTerm q = labelled(unknown_of("ceiling"), formula);
  know(implies(b > 0, a <= b * q && b * q < a + b), {"ceiling_law", {a, b}});
  know_quotient_is_count(a, b, q, "ceiling_is_count");
  compare_with_others(b, q);
  kept_.insert(kept_.end(), {a.expression(context_), b.expression(context_)});
  return known_.ceilings.emplace(key, q).first->second;
}

IntTerm Query::power_of_two(const IntTerm& k) {
  const Written formula = bankproof::proofs::power_of_two(k.written());
  if (const auto number = k.constant(); number && *number < 63) {
    return labelled(constant(std::uint64_t{1} << *number), formula);
  }
  const z3::sort whole = context_.int_sort();
  const IntTerm power(
      *this, context_.function("power_of_two", whole, whole)(k.expression(context_)), formula);
  IntTerm named = labelled(power, formula);
  know(implies(k >= 0, named >= 1), {"power_is_positive", {k}});
  return named;
}

IntTerm Query::logarithm(const IntTerm& n) {
  const Written formula = ceil_log2(n.written());
  if (const auto number = n.constant()) {
    return labelled(constant(bankproof::ceil_log2(*number)), formula);
  }
  const auto found = known_.logarithms.find(n.expression(context_).id());
  if (found != known_.logarithms.end()) return labelled(found->second, formula);
  kept_.push_back(n.expression(context_));
  const IntTerm log = labelled(unknown_of("log"), formula);
  know_factor(log, know(log >= 0, {"logarithm_is_count", {n}}));
  const IntTerm power = power_of_two(log);
  know(implies(n >= 1, n <= power && implies(n == 1, log == 0) &&
                           implies(n > 1, log >= 1 && power < 2 * n)),
       {"logarithm_law", {n}});
  for (const auto& [id, other] : known_.logarithms) {
    apply(powers_of_two_grow(), {log, other});
    apply(powers_of_two_grow(), {other, log});
  }
  return known_.logarithms.emplace(n.expression(context_).id(), log).first->second;
}

IntTerm Query::choice(const Truth& condition, const IntTerm& a, const IntTerm& b) {
  const Written formula = select(condition.written(), a.written(), b.written());
  if (condition.is_surely_true()) return labelled(in_query(a), formula);
  if (condition.is_surely_false()) return labelled(in_query(b), formula);
  const std::array key = {condition.expression(context_).id(), a.expression(context_).id(),
                          b.expression(context_).id()};
  const auto found = known_.choices.find(key);
  if (found != known_.choices.end()) return labelled(found->second, formula);
  IntTerm chosen = labelled(unknown_of("chosen"), formula);
  know(implies(condition, chosen == a), {"choice_law", {chosen, a, b}});
  know(implies(!condition, chosen == b), {"choice_law", {chosen, a, b}});
  kept_.insert(kept_.end(),
               {condition.expression(context_), a.expression(context_), b.expression(context_)});
  return known_.choices.emplace(key, chosen).first->second;
}

}  // namespace bankproof::proofs
