// Looks at samples; see relations.hpp.
#include "relations.hpp"

#include <algorithm>
#include <iterator>
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

using Multiples = std::vector<std::int64_t>;
/// A sum, and how often the sums that are equal to it are in each of the relations.
struct Single {
  std::size_t sum = 0;
  Multiples multiples;
};

Multiples multiples_of(const std::vector<const FoundSum*>& group,
                       const std::vector<std::size_t>& some) {
  Multiples total(group.front()->multiples.size());
  for (const std::size_t k : some) {
    for (std::size_t r = 0; r < total.size(); ++r) total[r] += group[k]->multiples[r];
  }
  return total;
}
bool are_zero(const Multiples& multiples) {
  return std::all_of(multiples.begin(), multiples.end(), [](auto one) { return one == 0; });
}

/// Sums whose terms are equal, in chains of which all are to be shown equal. The rounds of two
/// accesses may be as many, but not for the same reason: so sums whose terms have equal parts, too,
/// are in one chain, and others only if they cancel. The rest, and the first sum of a chain that
/// does not cancel, is `single`.
std::vector<std::vector<std::size_t>> chains_of(const Samples& samples,
                                                const std::vector<const FoundSum*>& group,
                                                const std::vector<std::size_t>& equal,
                                                std::vector<Single>& single) {
  std::map<std::vector<SampledValues>, std::vector<std::size_t>> with_parts;
  for (const std::size_t k : equal) {
    with_parts[values_of_parts(samples, *group[k]->node->parts[2])].push_back(k);
  }
  std::vector<std::vector<std::size_t>> chains;
  std::vector<Single> others;
  for (const auto& [_, some] : with_parts) {
    Single first{some.front(), multiples_of(group, some)};
    if (some.size() == 1 || !are_zero(first.multiples)) others.push_back(std::move(first));
    if (some.size() > 1) chains.push_back(some);
  }
  std::vector<std::size_t> firsts;
  firsts.reserve(others.size());
  for (const Single& one : others) firsts.push_back(one.sum);
  std::sort(firsts.begin(), firsts.end());
  const bool is_asked = !group.front()->multiples.empty();
  if (is_asked && firsts.size() > 1 && are_zero(multiples_of(group, equal))) {
    chains.push_back(std::move(firsts));
  } else {
    std::move(others.begin(), others.end(), std::back_inserter(single));
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
  std::vector<Single> single;
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
    for (const auto& [k, multiples] : single) {
      const std::int64_t multiple = multiples[r];
      if (multiple == 0) continue;
      cancels.emplace_back(k, multiple);
      for (std::size_t s = 0; s < total.size(); ++s) total[s] += multiple * values[k][s];
    }
    if (cancels.size() > 1 && are_all(total, 0)) linear.push_back(std::move(cancels));
  }
}

}  // namespace bankproof::proofs
