// Makes the terms of accesses; see instance.hpp.
#include "instance.hpp"

#include <algorithm>

#include "relations.hpp"
#include "simple.hpp"

namespace bankproof::proofs {
namespace {

bool is_added_up(const WrittenNode& node) {
  return node.form == Form::plus || node.form == Form::minus;
}

bool is_constant(const Written& formula) { return formula.node()->form == Form::number; }

void add_factors(const Written& sum, std::vector<Written>& all) {
  const WrittenNode& node = *sum.node();
  if (!is_added_up(node) && node.form != Form::times) return;
  const bool is_multiple = node.form == Form::times && (is_constant(Written(node.parts[0])) ||
                                                        is_constant(Written(node.parts[1])));
  for (const WrittenPointer& part : node.parts) {
    if (is_added_up(node) || is_multiple) add_factors(Written(part), all);
    if (is_added_up(node) || !part->places.empty() || is_number(Written(part), 1)) continue;
    const bool is_known = std::any_of(
        all.begin(), all.end(), [&](const Written& one) { return are_alike(one.node(), part); });
    if (!is_known) all.emplace_back(part);
  }
}

/// A turn of a loop of xy turns is a number with two digits, as in its quotient by y.
void know_digits(Query& q, FormulaTerms& terms, const std::vector<WrittenLoop>& loops,
                 const WrittenPointer& formula) {
  for (const WrittenPointer& part : formula->parts) know_digits(q, terms, loops, part);
  if (formula->form != Form::quotient) return;
  for (const WrittenLoop& loop : loops) {
    const WrittenNode& limit = *loop.limit.node();
    const bool is_turn = formula->parts[0] == loop.place.node() && limit.form == Form::times;
    if (!is_turn || !are_alike(limit.parts[1], formula->parts[1])) continue;
    q.compare_multiples(terms(limit.parts[1]), terms(formula), terms(limit.parts[0]));
  }
}

}  // namespace

std::vector<Written> factors_in(const Written& sum) {
  std::vector<Written> all;
  add_factors(sum, all);
  return all;
}

std::optional<Written> times_of(const Written& sum, const Written& factor) {
  const WrittenNode& node = *sum.node();
  if (is_added_up(node)) {
    auto left = times_of(Written(node.parts[0]), factor);
    const auto right = times_of(Written(node.parts[1]), factor);
    if (!right) return left;
    if (node.form == Form::minus) return left.value_or(Written(0)) - *right;
    return left ? *left + *right : right;
  }
  if (node.form != Form::times) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const Written other(node.parts[1 - k]);
    if (are_alike(node.parts[k], factor.node())) return other;
    if (!is_constant(Written(node.parts[k]))) continue;
    if (const auto times = times_of(other, factor)) return Written(node.parts[k]) * *times;
  }
  return std::nullopt;
}

std::optional<Instance> Instances::any(const WrittenAccess& access,
                                       FormulaTerms::Places turns) const {
  const bool never_runs =
      std::any_of(access.loops.begin(), access.loops.end(), [](const WrittenLoop& loop) {
        return loop.form == Form::over_powers && is_number(loop.limit, 1);
      });
  if (never_runs || is_number(access.times, 0)) return std::nullopt;
  Instance made{.places = std::move(turns)};
  KnownSweeps known = sweeps;
  for (const WrittenLoop& loop : access.loops) {
    const WrittenNumber place = loop.place.node()->value;
    if (made.places.count(place) == 0) {
      FormulaTerms terms(q, names, made.places);
      const IntTerm limit = terms(loop.limit.node());
      const bool is_power = loop.form == Form::over_powers;
      const IntTerm turn = q.fresh(is_power ? "power" : "turn", is_power ? 1 : 0);
      q.guard(turn < limit);
      made.places.insert_or_assign(place, turn);
    }
    known = known.at_turn(q, names, made.places, loop);
  }
  const auto one_of = [&](const Written& first, const Written& count, const std::string& name) {
    if (is_number(count, 1)) return first;
    FormulaTerms terms(q, names, made.places);
    const IntTerm least = terms(first.node());
    if (!least.constant()) q.claim_step("the first " + name, least >= 0);
    const IntTerm one = q.fresh(name);
    q.guard(least <= one && one < least + terms(count.node()));
    Written place = Written::new_place();
    made.places.insert_or_assign(place.node()->value, one);
    return place;
  };
  const Written row = one_of(access.first_row, access.rows, "row");
  const Written lane = one_of(access.first, access.count, "lane");
  made.word = access.index.word(row, lane);
  made.digits = {made.word};
  if (const auto& diagonal = access.index.diagonal) {
    made.digits.push_back(diagonal->i.word(row, lane));
    made.digits.push_back(diagonal->j.word(row, lane));
  }
  made.thread = plus(product_of(access.row_threads, row), lane);
  FormulaTerms terms(q, names, made.places);
  if (!is_number(access.times, 1)) q.guard(terms(access.times.node()) >= 1);
  know_digits(q, terms, access.loops, made.word.node());
  return made;
}

}  // namespace bankproof::proofs
