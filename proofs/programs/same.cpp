// Proves formulas the same; see same.hpp.
#include "same.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "../builder/sums.hpp"
#include "equal_parts.hpp"
#include "formula_terms.hpp"
#include "relations.hpp"

namespace bankproof::proofs {

/// Several sums with the same number of terms, which one induction adds up.
template <std::size_t count>
struct SideBySide {
  std::array<IntTerm, count> sums{};

  SideBySide& operator+=(const SideBySide& other) {
    for (std::size_t k = 0; k < count; ++k) sums[k] += other.sums[k];
    return *this;
  }
};
template <std::size_t count, class F>
void each_number(SideBySide<count>& sum, F f) {
  for (std::size_t k = 0; k < count; ++k) f(sum.sums[k], "sum");
}

namespace {

/// Few samples of many numbers have several rows in a turn, or several turns.
constexpr std::size_t samples_of_few = 100;
constexpr std::size_t samples_of_many = 400;
constexpr std::size_t few_names = 3;
constexpr std::size_t most_sums = 8;

using Places = FormulaTerms::Places;
using Names = FormulaTerms::Names;

/// The terms of formulas, in one scope of a proof.
class Comparison {
 public:
  Comparison(Query& q, const Names& names, const KnownSweeps& sweeps, const Places& places,
             Samples samples, const FormulaTerms* around = nullptr)
      : q_(q),
        names_(names),
        sweeps_(sweeps),
        places_(places),
        samples_(std::move(samples)),
        terms_(q, names, places) {
    if (around != nullptr) terms_.know_sums_of(*around);
  }

  /// The terms of several formulas, and what is needed to show that these relations of them hold.
  std::vector<IntTerm> of(const std::vector<WrittenPointer>& formulas,
                          const std::vector<Relation>& relations) {
    for (const WrittenPointer& formula : formulas) collect_sums(formula);
    for (FoundSum& sum : sums_) sum.multiples.resize(relations.size());
    for (std::size_t r = 0; r < relations.size(); ++r) {
      for (const auto& [k, multiple] : relations[r]) add_multiples(formulas[k], multiple, r);
    }
    prove_sums();
    std::vector<IntTerm> all;
    all.reserve(formulas.size());
    for (const WrittenPointer& formula : formulas) all.push_back(terms_(formula));
    EqualParts(q_, terms_, samples_).claim(formulas, relations);
    return all;
  }

 private:
  void collect_sums(const WrittenPointer& node) {
    if (!met_.insert(node.get()).second) return;
    if (is_sum(*node)) {
      if (terms_.knows_sum(node)) return;
      // Sums in parts that no turn changes are proved in front of the loop.
      if (node->form == Form::over_numbers) {
        for (const WrittenPointer& part : AddedParts(*node).constant) collect_sums(part);
      }
      const auto known = std::find_if(sums_.begin(), sums_.end(), [&](const FoundSum& one) {
        return are_alike(one.node, node);
      });
      if (known == sums_.end()) {
        sums_.push_back({node});
      } else {
        alike_.emplace_back(node, static_cast<std::size_t>(known - sums_.begin()));
      }
      return;
    }
    for (const WrittenPointer& part : node->parts) collect_sums(part);
  }

  /// How often the formula has sums that it only adds and multiplies by numbers.
  void add_multiples(const WrittenPointer& node, std::int64_t multiple, std::size_t relation) {
    if (is_sum(*node)) {
      for (FoundSum& sum : sums_) {
        if (sum.node == node) sum.multiples[relation] += multiple;
      }
      for (const auto& [other, sum] : alike_) {
        if (other == node) sums_[sum].multiples[relation] += multiple;
      }
    } else if (node->form == Form::plus || node->form == Form::minus) {
      add_multiples(node->parts[0], multiple, relation);
      add_multiples(node->parts[1], node->form == Form::plus ? multiple : -multiple, relation);
    } else if (node->form == Form::times) {
      for (const std::size_t k : {0U, 1U}) {
        const WrittenNode& factor = *node->parts[k];
        if (factor.form != Form::number) continue;
        const auto by = static_cast<std::int64_t>(factor.value);
        return add_multiples(node->parts[1 - k], multiple * by, relation);
      }
    }
  }

  void prove_sums() {
    std::vector<bool> is_done(sums_.size());
    for (std::size_t first = 0; first < sums_.size(); ++first) {
      if (is_done[first]) continue;
      const WrittenPointer& limit = sums_[first].node->parts[0];
      // A choice may have a part that is not positive.
      if (limit->form != Form::choice) {
        for (const WrittenPointer& part : limit->parts) terms_.know_positive(part);
      }
      const IntTerm of_first = terms_(limit);
      std::vector<std::size_t> group;
      for (std::size_t k = first; k < sums_.size(); ++k) {
        if (is_done[k] || sums_[k].node->form != sums_[first].node->form) continue;
        if (!is_same_term(terms_(sums_[k].node->parts[0]), of_first)) continue;
        is_done[k] = true;
        group.push_back(k);
      }
      prove_group(group, of_first);
    }
  }

  bool is_same_term(const IntTerm& a, const IntTerm& b) {
    return z3::eq(a.expression(q_.context()), b.expression(q_.context()));
  }

  void prove_group(const std::vector<std::size_t>& group, const IntTerm& limit) {
    prove_group<1>(group, limit);
  }
  template <std::size_t count>
  void prove_group(const std::vector<std::size_t>& group, const IntTerm& limit) {
    if constexpr (count > most_sums) {
      throw std::logic_error("too many sums with the same number of terms");
    } else if (group.size() != count) {
      prove_group<count + 1>(group, limit);
    } else {
      prove_side_by_side<count>(group, limit);
    }
  }

  template <std::size_t count>
  void prove_side_by_side(const std::vector<std::size_t>& group, const IntTerm& limit) {
    std::vector<const FoundSum*> found;
    found.reserve(group.size());
    for (const std::size_t k : group) found.push_back(&sums_[k]);
    const WrittenNode& first = *sums_[group.front()].node;
    // All sums have the same places.
    Samples samples = samples_of_term(samples_, first);
    for (const std::size_t k : group) {
      const WrittenNumber own = sums_[k].node->parts[1]->value;
      for (Sample& sample : samples) sample.places[own] = sample.places[first.parts[1]->value];
    }
    const SumRelations relations(samples, found);
    const bool is_induction = !limit.constant();
    const bool over_numbers = sums_[group.front()].node->form == Form::over_numbers;
    const Related related = is_induction ? related_by(relations, found) : Related{};
    const auto hold = [related](const SideBySide<count>& sum) {
      Truth all = IntTerm(0) == IntTerm(0);
      bool is_first = true;
      for (const Relation& relation : related.linear) {
        IntTerm left(0);
        IntTerm right(0);
        for (const auto& [k, multiple] : relation) {
          IntTerm& side = multiple > 0 ? left : right;
          side += IntTerm(multiple > 0 ? multiple : -multiple) * sum.sums[k];
        }
        const Truth one = left == right;
        all = is_first ? one : all && one;
        is_first = false;
      }
      for (const auto& [k, factor, of] : related.multiples) {
        all = all && sum.sums[k] == factor * sum.sums[of];
      }
      return all;
    };
    const auto of_term = [&](const IntTerm& place) {
      Places places = places_;
      std::vector<WrittenPointer> terms;
      for (const std::size_t k : group) {
        const WrittenNode& one = *sums_[k].node;
        places.insert_or_assign(one.parts[1]->value, place);
        terms.push_back(one.parts[2]);
      }
      const KnownSweeps sweeps =
          place.has_query()
              ? sweeps_.at_turn(q_, names_, places,
                                {first.form, Written(first.parts[0]), Written(first.parts[1])})
              : sweeps_;
      const std::vector<IntTerm> all =
          Comparison(q_, names_, sweeps, places, samples, &terms_).of(terms, relations.linear);
      SideBySide<count> result;
      std::copy(all.begin(), all.end(), result.sums.begin());
      return result;
    };
    SideBySide<count> sum;
    if (over_numbers) {
      if (is_induction) {
        q_.give(OverNumbers<SideBySide<count>>("turns").holds([=](auto& terms, auto& so_far) {
          Truth all = hold(so_far);
          for (const auto& [k, each, than] : related.more) {
            all = all && so_far.sums[k] == terms * each + so_far.sums[than];
          }
          for (const auto& [k, term] : related.constant)
            all = all && so_far.sums[k] == terms * term;
          return all;
        }));
      }
      sum = sum_over(limit, of_term);
    } else {
      if (is_induction) {
        q_.give(OverPowers<SideBySide<count>>("powers").holds(
            [=](auto&, auto&, auto& so_far) { return hold(so_far); }));
      }
      sum = sum_over_powers(limit, of_term);
    }
    for (std::size_t k = 0; k < count; ++k) {
      terms_.know_sum(sums_[group[k]].node, sum.sums[k]);
      for (const auto& [other, like] : alike_) {
        if (like == group[k]) terms_.know_sum(other, sum.sums[k]);
      }
    }
  }

  /// The relations of a group of sums, with terms in place of formulas.
  struct Related {
    struct Pair {
      std::size_t sum = 0;
      IntTerm by;
      std::size_t other = 0;
    };
    std::vector<Relation> linear{};
    std::vector<Pair> multiples{};
    std::vector<Pair> more{};
    std::vector<std::pair<std::size_t, IntTerm>> constant{};
  };
  Related related_by(const SumRelations& relations, const std::vector<const FoundSum*>& group) {
    Related made{.linear = relations.linear};
    for (const auto& [k, factor, of] : relations.multiples) {
      made.multiples.push_back({k, terms_(factor), of});
    }
    for (const auto& [k, parts, than] : relations.more) {
      IntTerm each(0);
      for (const WrittenPointer& part : parts) each += terms_(part);
      made.more.push_back({k, each, than});
    }
    for (const std::size_t k : relations.constant) {
      made.constant.emplace_back(k, terms_(group[k]->node->parts[2]));
    }
    return made;
  }

  Query& q_;
  const Names& names_;
  const KnownSweeps& sweeps_;
  Places places_;
  Samples samples_;
  std::unordered_set<const WrittenNode*> met_;
  std::vector<FoundSum> sums_;
  std::vector<std::pair<WrittenPointer, std::size_t>> alike_;  // a sum like one of `sums_`
  FormulaTerms terms_;
};

}  // namespace

SameFormulas::SameFormulas(Query& q, const std::vector<IntTerm>& numbers) : q_(q) {
  for (const IntTerm& number : numbers) {
    const WrittenNode& node = *number.written().node();
    if (node.form == Form::name) names_.insert_or_assign(node.name, number);
  }
  std::vector<std::string> names;
  names.reserve(names_.size());
  for (const auto& [name, number] : names_) names.push_back(name);
  samples_ = drawn_samples(names, names.size() <= few_names ? samples_of_few : samples_of_many);
}

void SameFormulas::know_levels(std::function<SweepShape<Written>(const Written& power)> of_level) {
  sweeps_.of_level = std::move(of_level);
}

void SameFormulas::know_sweep(const SweepShape<Written>& shape) {
  if (names_.empty()) return;
  sweeps_.all.emplace_back(shape);
  FormulaTerms terms(q_, names_, {});
  sweeps_.all.back().know_shape(q_, terms);
}

Truth SameFormulas::holds(const Written& a, const Written& b) {
  if (names_.empty()) {  // at stated values, both are numbers
    const auto value = [&](const Written& formula) {
      return q_.constant(static_cast<std::uint64_t>(value_of(*formula.node(), {})));
    };
    return value(a) == value(b);
  }
  const std::vector<IntTerm> both =
      Comparison(q_, names_, sweeps_, {}, samples_).of({a.node(), b.node()}, {{{0, 1}, {1, -1}}});
  return both[0] == both[1];
}

}  // namespace bankproof::proofs
