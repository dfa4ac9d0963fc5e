// Looks at samples; see relations.hpp.
#include "relations.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace bankproof::proofs {
namespace {

/// The parts of a sum of formulas.
void add_parts(const WrittenPointer& formula, std::vector<WrittenPointer>& all) {
  if (formula->form != Form::plus) return all.push_back(formula);
  for (const WrittenPointer& part : formula->parts) add_parts(part, all);
}

/// Another sum of the group that adds these numbers.
std::optional<std::size_t> other_with(const std::vector<SampledValues>& values, std::size_t sum,
                                      const SampledValues& numbers) {
  for (std::size_t other = 0; other < values.size(); ++other) {
    if (other != sum && values[other] == numbers) return other;
  }
  return std::nullopt;
}

/// Whether these sums cancel in each of the relations that are to be shown.
bool cancel(const std::vector<const FoundSum*>& group, const std::vector<std::size_t>& some) {
  for (std::size_t r = 0; r < group.front()->multiples.size(); ++r) {
    std::int64_t total = 0;
    for (const std::size_t k : some) total += group[k]->multiples[r];
    if (total != 0) return false;
  }
  return true;
}

/// Sums whose terms are equal, in chains of which all are to be shown equal. The rounds of two
/// accesses may be as many, but not for the same reason: so sums whose terms have equal parts, too,
/// come first, and sums that do not cancel stay `single`.
std::vector<std::vector<std::size_t>> chains_of(const Samples& samples,
                                                const std::vector<const FoundSum*>& group,
                                                const std::vector<std::size_t>& equal,
                                                std::vector<std::size_t>& single) {
  std::map<std::vector<SampledValues>, std::vector<std::size_t>> with_parts;
  for (const std::size_t k : equal) {
    with_parts[values_of_parts(samples, *group[k]->node->parts[2])].push_back(k);
  }
  std::vector<std::vector<std::size_t>> chains;
  std::vector<std::size_t> others;
  for (const auto& [_, some] : with_parts) {
    if (some.size() > 1 && cancel(group, some)) {
      chains.push_back(some);
    } else {
      others.insert(others.end(), some.begin(), some.end());
    }
  }
  std::sort(others.begin(), others.end());
  const bool is_asked = !group.front()->multiples.empty();
  if (!is_asked || !cancel(group, others) || (others.size() == 1 && chains.empty())) {
    single.insert(single.end(), others.begin(), others.end());
  } else if (others.size() == 1) {
    chains.front().push_back(others.front());
  } else if (!others.empty()) {
    chains.push_back(std::move(others));
  }
  return chains;
}

}  // namespace

bool is_sum(const WrittenNode& node) {
  return node.form == Form::over_numbers || node.form == Form::over_powers;
}

bool depends_on(const WrittenPointer& formula, WrittenNumber place) {
  const std::vector<WrittenNumber>& places = formula->places;
  return std::find(places.begin(), places.end(), place) != places.end();
}

namespace {

/// Compares formulas; each pair of parts once.
class Alike {
 public:
  bool operator()(const WrittenPointer& a, const WrittenPointer& b) {
    if (a == b && !has_places_) return true;
    if (a->form != b->form || a->parts.size() != b->parts.size()) return false;
    if (a->form == Form::place) {
      const auto known = places_.find(a->value);
      return known == places_.end() ? a->value == b->value : known->second == b->value;
    }
    if (!met_.emplace(a.get(), b.get()).second) return true;
    if (is_sum(*a)) {
      has_places_ = true;
      places_[a->parts[1]->value] = b->parts[1]->value;
    } else if (a->value != b->value || a->name != b->name) {
      return false;
    }
    for (std::size_t k = 0; k < a->parts.size(); ++k) {
      if (!(*this)(a->parts[k], b->parts[k])) return false;
    }
    return true;
  }

 private:
  bool has_places_ = false;
  std::map<WrittenNumber, WrittenNumber> places_;
  std::set<std::pair<const WrittenNode*, const WrittenNode*>> met_;
};

}  // namespace

bool are_alike(const WrittenPointer& a, const WrittenPointer& b) { return Alike()(a, b); }

bool is_constant(const WrittenNode& sum) {
  return sum.form == Form::over_numbers && !depends_on(sum.parts[2], sum.parts[1]->value);
}

AddedParts::AddedParts(const WrittenNode& sum) {
  std::vector<WrittenPointer> all;
  add_parts(sum.parts[2], all);
  for (const WrittenPointer& one : all) {
    (depends_on(one, sum.parts[1]->value) ? others : constant).push_back(one);
  }
}

std::vector<SampledValues> values_of_parts(const Samples& samples, const WrittenNode& formula) {
  std::vector<SampledValues> all;
  for (const WrittenPointer& part : formula.parts) {
    // The term of a sum has a value in each turn.
    if (all.empty() || !is_sum(formula)) all.push_back(values_at(samples, part));
  }
  return all;
}

bool are_all(const SampledValues& values, WrittenNumber number) {
  return std::all_of(values.begin(), values.end(),
                     [&](WrittenNumber value) { return value == number; });
}

SumRelations::SumRelations(const Samples& samples, const std::vector<const FoundSum*>& group) {
  AllValues values;
  values.reserve(group.size());
  for (const FoundSum* const sum : group) {
    values.push_back(values_at(samples, sum->node->parts[2]));
  }
  find_linear(samples, values, group);
  for (std::size_t k = 0; k < group.size(); ++k) {
    const WrittenNode& sum = *group[k]->node;
    if (are_all(values[k], 0)) continue;
    if (is_constant(sum)) constant.push_back(k);
    const WrittenNode& term = *sum.parts[2];
    for (const std::size_t f : {0U, 1U}) {
      if (term.form != Form::times || depends_on(term.parts[f], sum.parts[1]->value)) continue;
      if (are_all(values_at(samples, term.parts[f]), 1)) continue;
      if (const auto of = other_with(values, k, values_at(samples, term.parts[1 - f]))) {
        multiples.push_back({k, term.parts[f], *of});
      }
      break;
    }
    const AddedParts parts(sum);
    if (parts.constant.empty() || parts.others.empty()) continue;
    Written others(parts.others.front());
    for (std::size_t p = 1; p < parts.others.size(); ++p) others += Written(parts.others[p]);
    if (const auto than = other_with(values, k, values_at(samples, others.node()))) {
      more.push_back({k, parts.constant, *than});
    }
  }
}

/// Which of the sums are 0, which are equal, and whether the others cancel.
void SumRelations::find_linear(const Samples& samples, const AllValues& values,
                               const std::vector<const FoundSum*>& group) {
  std::vector<std::size_t> single;
  std::map<SampledValues, std::vector<std::size_t>> with_values;
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (are_all(values[k], 0)) {
      linear.push_back({{k, 1}});
    } else {
      with_values[values[k]].push_back(k);
    }
  }
  for (const auto& [_, equal] : with_values) {
    for (const std::vector<std::size_t>& chain : chains_of(samples, group, equal, single)) {
      for (std::size_t k = 1; k < chain.size(); ++k) {
        linear.push_back({{chain[k - 1], 1}, {chain[k], -1}});
      }
    }
  }
  for (std::size_t r = 0; !single.empty() && r < group.front()->multiples.size(); ++r) {
    SampledValues total(values.front().size());
    Relation cancels;
    for (const std::size_t k : single) {
      const std::int64_t multiple = group[k]->multiples[r];
      if (multiple == 0) continue;
      cancels.emplace_back(k, multiple);
      for (std::size_t s = 0; s < total.size(); ++s) total[s] += multiple * values[k][s];
    }
    if (cancels.size() > 1 && are_all(total, 0)) linear.push_back(std::move(cancels));
  }
}

}  // namespace bankproof::proofs
