// Claims that accesses lie in their arrays; see inside.hpp.
#include "inside.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "relations.hpp"

namespace bankproof::proofs {
namespace {

/// The sum of the other factors of the products of a sum that have this factor: b + c of
/// ab + (d + ca), for the factor a. Nothing if there are none.
std::optional<Written> times_of(const Written& sum, const Written& factor) {
  const WrittenNode& node = *sum.node();
  if (node.form == Form::plus) {
    const auto left = times_of(Written(node.parts[0]), factor);
    const auto right = times_of(Written(node.parts[1]), factor);
    if (left && right) return *left + *right;
    return left ? left : right;
  }
  if (node.form != Form::times) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    if (are_alike(node.parts[k], factor.node())) return Written(node.parts[1 - k]);
  }
  return std::nullopt;
}

/// Whether a formula is made of sizes, which are positive.
bool is_size(const WrittenNode& formula) {
  switch (formula.form) {
    case Form::number:
      return formula.value > 0;
    case Form::plus:
    case Form::times:
      return is_size(*formula.parts[0]) && is_size(*formula.parts[1]);
    case Form::ceiling:
      return formula.places.empty();
    default:
      return formula.form == Form::name;
  }
}

/// The sizes among the factors of the products of a sum, each one once.
void add_factors(const Written& sum, std::vector<Written>& all) {
  const WrittenNode& node = *sum.node();
  if (node.form != Form::plus && node.form != Form::times) return;
  for (const WrittenPointer& part : node.parts) {
    if (node.form == Form::plus) {
      add_factors(Written(part), all);
    } else if (part->form != Form::number && is_size(*part) &&
               std::none_of(all.begin(), all.end(),
                            [&](const Written& one) { return are_alike(one.node(), part); })) {
      all.emplace_back(part);
    }
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

bool is_number(const Written& formula, WrittenNumber number) {
  return formula.node()->form == Form::number && formula.node()->value == number;
}

struct Thread {
  IntTerm row;
  IntTerm lane;
};

/// In a matrix, the pitch times the row is at most the pitch times the last row.
void know_products(Query& q, FormulaTerms& terms, const WrittenIndex& index, const Written& size,
                   const Thread& thread) {
  const auto term = [&](const Written& formula) { return terms(formula.node()); };
  std::vector<Written> factors;
  for (const Written& step : {index.row_step, index.step}) {
    if (!is_number(step, 0) && !is_number(step, 1)) factors.push_back(step);
  }
  add_factors(index.first, factors);
  for (const Written& factor : factors) {
    const auto times = times_of(index.first, factor);
    IntTerm all = times ? term(*times) : IntTerm(0);
    if (are_alike(index.row_step.node(), factor.node())) all += thread.row;
    if (are_alike(index.step.node(), factor.node())) all += thread.lane;
    q.scale(term(factor), 0, all);
    if (const auto rows = times_of(size, factor)) q.scale(term(factor), all, term(*rows) - 1);
  }
  // An array of several rows has as many words as a row, at least.
  const WrittenNode& product = *size.node();
  if (product.form == Form::times) {
    q.scale(terms(product.parts[1]), 1, terms(product.parts[0]));
  }
}

}  // namespace

void claim_inside(Query& q, const FormulaTerms::Names& names, const KnownSweeps& sweeps,
                  const WrittenAccess& access, const std::string& what) {
  const bool never_runs =
      std::any_of(access.loops.begin(), access.loops.end(), [](const WrittenLoop& loop) {
        return loop.form == Form::over_powers && is_number(loop.limit, 1);
      });
  if (never_runs || is_number(access.times, 0)) return;
  const Query::Scope scope(q);
  FormulaTerms::Places places;
  KnownSweeps known = sweeps;
  for (const WrittenLoop& loop : access.loops) {
    FormulaTerms terms(q, names, places);
    const IntTerm limit = terms(loop.limit.node());
    const bool is_power = loop.form == Form::over_powers;
    const IntTerm place = q.fresh(is_power ? "power" : "turn", is_power ? 1 : 0);
    q.guard(place < limit);
    places.insert_or_assign(loop.place.node()->value, place);
    known = known.at_turn(q, names, places, loop);
  }
  FormulaTerms terms(q, names, places);
  const auto term = [&](const Written& formula) { return terms(formula.node()); };
  const auto one_of = [&](const Written& count, const std::string& name) {
    if (is_number(count, 1)) return IntTerm(0);
    IntTerm one = q.fresh(name);
    q.guard(one < term(count));
    return one;
  };
  const IntTerm row = term(access.first_row) + one_of(access.rows, "row");
  const IntTerm lane = term(access.first) + one_of(access.count, "lane");
  if (!is_number(access.times, 1)) q.guard(term(access.times) >= 1);
  WrittenIndex index = access.index;
  index.row_step = step_of(index.row_step);
  index.step = step_of(index.step);
  know_digits(q, terms, access.loops, index.first.node());
  know_products(q, terms, index, access.size, {row, lane});
  const IntTerm word = term(index.first) + term(index.row_step) * row + term(index.step) * lane;
  q.claim(what, word >= 0 && word < term(access.size));
}

}  // namespace bankproof::proofs
