// Proves formulas the same; see same.hpp.
#include "same.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "../builder/sums.hpp"
#include "formula_terms.hpp"

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
constexpr std::size_t few_names = 5;
constexpr std::size_t most_sums = 8;

using Values = std::vector<WrittenNumber>;
using Places = FormulaTerms::Places;
using Names = FormulaTerms::Names;

bool is_sum(const WrittenNode& node) {
  return node.form == Form::over_numbers || node.form == Form::over_powers;
}

bool depends_on(const WrittenPointer& formula, WrittenNumber place) {
  const std::vector<WrittenNumber>& places = formula->places;
  return std::find(places.begin(), places.end(), place) != places.end();
}

/// Whether a sum adds the same number again and again.
bool is_constant(const WrittenNode& sum) {
  return sum.form == Form::over_numbers && !depends_on(sum.parts[2], sum.parts[1]->value);
}

/// The parts of a sum of formulas.
void add_parts(const WrittenPointer& formula, std::vector<WrittenPointer>& all) {
  if (formula->form != Form::plus) return all.push_back(formula);
  for (const WrittenPointer& part : formula->parts) add_parts(part, all);
}
/// Those of the term of a sum: the ones that no turn changes, and the others.
struct Parts {
  std::vector<WrittenPointer> constant;
  std::vector<WrittenPointer> others;

  explicit Parts(const WrittenNode& sum) {
    std::vector<WrittenPointer> all;
    add_parts(sum.parts[2], all);
    for (const WrittenPointer& one : all) {
      (depends_on(one, sum.parts[1]->value) ? others : constant).push_back(one);
    }
  }
};

/// A linear relation of sums: these multiples of them add up to 0.
using Relation = std::vector<std::pair<std::size_t, std::int64_t>>;

/// The terms of formulas, in one scope of a proof.
class Comparison {
 public:
  Comparison(Query& q, const Names& names, const std::vector<SweptTurns>& sweeps,
             const Places& places, Samples samples, const FormulaTerms* around = nullptr)
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
    std::vector<std::vector<WrittenPointer>> parts(formulas.size());
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      all.push_back(terms_(formulas[k]));
      std::unordered_set<const WrittenNode*> met;
      collect_parts(formulas[k], met, parts[k]);
    }
    for (const std::vector<WrittenPointer>& of_one : parts) {
      for (const WrittenPointer& part : of_one) {
        know_factors_of_one(part);
        know_round(part);
      }
    }
    for (std::size_t k = 1; k < formulas.size(); ++k) {
      for (std::size_t before = 0; before < k; ++before) claim_same(parts[before], parts[k]);
    }
    return all;
  }

 private:
  struct FoundSum {
    WrittenPointer node;
    Values values;
    std::vector<std::int64_t> multiples{};  // in each of the relations
  };

  void collect_sums(const WrittenPointer& node) {
    if (!met_.insert(node.get()).second) return;
    if (is_sum(*node)) {
      if (terms_.knows_sum(node)) return;
      // What no turn changes is known in front of the loop.
      if (node->form == Form::over_numbers) {
        for (const WrittenPointer& part : Parts(*node).constant) collect_sums(part);
      }
      sums_.push_back({node, values_at(samples_, node)});
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
      for (const WrittenPointer& part : limit->parts) terms_.know_positive(part);
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

  static bool are_zero(const Values& values) {
    return std::all_of(values.begin(), values.end(), [](auto v) { return v == 0; });
  }

  /// Which of the sums are 0, which are equal, and whether the others cancel.
  std::vector<Relation> relations_of(const std::vector<std::size_t>& group) const {
    std::vector<Relation> all;
    std::vector<std::size_t> single;
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (are_zero(sums_[group[k]].values)) {
        all.push_back({{k, 1}});
        continue;
      }
      bool is_alone = true;
      for (std::size_t other = 0; other < group.size(); ++other) {
        if (other == k || sums_[group[other]].values != sums_[group[k]].values) continue;
        is_alone = false;
        if (other > k) {
          all.push_back({{k, 1}, {other, -1}});
          break;
        }
      }
      if (is_alone) single.push_back(k);
    }
    for (std::size_t r = 0; !single.empty() && r < sums_.front().multiples.size(); ++r) {
      Values total(samples_.size());
      Relation cancels;
      for (const std::size_t k : single) {
        const FoundSum& sum = sums_[group[k]];
        if (sum.multiples[r] == 0) continue;
        cancels.emplace_back(k, sum.multiples[r]);
        for (std::size_t s = 0; s < total.size(); ++s) total[s] += sum.multiples[r] * sum.values[s];
      }
      if (cancels.size() > 1 && are_zero(total)) all.push_back(std::move(cancels));
    }
    return all;
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
    const std::vector<Relation> relations = relations_of(group);
    const bool is_induction = !limit.constant();
    const bool over_numbers = sums_[group.front()].node->form == Form::over_numbers;
    const std::map<std::size_t, IntTerm> constant =
        is_induction && over_numbers ? constant_terms(group) : std::map<std::size_t, IntTerm>{};
    const std::vector<Multiple> multiples =
        is_induction ? multiples_in(group) : std::vector<Multiple>{};
    const auto hold = [relations, multiples](const SideBySide<count>& sum) {
      Truth all = IntTerm(0) == IntTerm(0);
      bool is_first = true;
      for (const Relation& relation : relations) {
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
      for (const auto& [k, factor, of] : multiples) {
        all = all && sum.sums[k] == factor * sum.sums[of];
      }
      return all;
    };
    const auto of_term = [&](const IntTerm& place) {
      const WrittenNode& sum = *sums_[group.front()].node;
      // All sums have the same places.
      Samples samples = samples_of_term(samples_, sum);
      Places places = places_;
      std::vector<WrittenPointer> terms;
      for (const std::size_t k : group) {
        const WrittenNode& one = *sums_[k].node;
        const WrittenNumber own = one.parts[1]->value;
        places.insert_or_assign(own, place);
        for (Sample& sample : samples) sample.places[own] = sample.places[sum.parts[1]->value];
        terms.push_back(one.parts[2]);
      }
      know_place(sum, places, limit);
      const std::vector<IntTerm> all =
          Comparison(q_, names_, sweeps_, places, std::move(samples), &terms_).of(terms, relations);
      SideBySide<count> result;
      std::copy(all.begin(), all.end(), result.sums.begin());
      return result;
    };
    SideBySide<count> sum;
    if (over_numbers) {
      if (is_induction) {
        const std::vector<More> more = more_in(group);
        q_.give(OverNumbers<SideBySide<count>>("turns").holds([=](auto& terms, auto& so_far) {
          Truth all = hold(so_far);
          for (const auto& [k, each, than] : more) {
            all = all && so_far.sums[k] == terms * each + so_far.sums[than];
          }
          for (const auto& [k, term] : constant) all = all && so_far.sums[k] == terms * term;
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
    }
  }

  bool is_one(const WrittenPointer& formula) const {
    const Values values = values_at(samples_, formula);
    return std::all_of(values.begin(), values.end(), [](auto v) { return v == 1; });
  }

  /// A sum that is a multiple of another one, by a factor that no turn changes.
  struct Multiple {
    std::size_t sum = 0;
    IntTerm factor;
    std::size_t of = 0;
  };
  std::vector<Multiple> multiples_in(const std::vector<std::size_t>& group) {
    std::vector<Multiple> all;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const WrittenNode& sum = *sums_[group[k]].node;
      const WrittenNode& term = *sum.parts[2];
      if (term.form != Form::times || are_zero(sums_[group[k]].values)) continue;
      for (const std::size_t f : {0U, 1U}) {
        const bool changes = depends_on(term.parts[f], sum.parts[1]->value);
        if (changes || is_one(term.parts[f])) continue;
        const Written rest = Written::of(
            sum.form, {Written(sum.parts[0]), Written(sum.parts[1]), Written(term.parts[1 - f])});
        const Values values = values_at(samples_, rest.node());
        for (std::size_t other = 0; other < group.size(); ++other) {
          if (other == k || sums_[group[other]].values != values) continue;
          all.push_back({k, terms_(term.parts[f]), other});
          break;
        }
        break;
      }
    }
    return all;
  }

  /// A sum that adds the same number in each turn to the terms of another one.
  struct More {
    std::size_t sum = 0;
    IntTerm each;
    std::size_t than = 0;
  };
  std::vector<More> more_in(const std::vector<std::size_t>& group) {
    std::vector<More> all;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const WrittenNode& sum = *sums_[group[k]].node;
      const Parts parts(sum);
      if (parts.constant.empty() || parts.others.empty()) continue;
      Written rest(parts.others.front());
      for (std::size_t p = 1; p < parts.others.size(); ++p) rest += Written(parts.others[p]);
      const Values values = values_at(
          samples_,
          Written::of(sum.form, {Written(sum.parts[0]), Written(sum.parts[1]), rest}).node());
      for (std::size_t other = 0; other < group.size(); ++other) {
        if (other == k || sums_[group[other]].values != values) continue;
        IntTerm each(0);
        for (const WrittenPointer& part : parts.constant) each += terms_(part);
        all.push_back({k, each, other});
        break;
      }
    }
    return all;
  }

  /// The terms of the sums that add the same number again and again.
  std::map<std::size_t, IntTerm> constant_terms(const std::vector<std::size_t>& group) {
    std::map<std::size_t, IntTerm> all;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const WrittenNode& sum = *sums_[group[k]].node;
      if (is_constant(sum) && !are_zero(sums_[group[k]].values))
        all.emplace(k, terms_(sum.parts[2]));
    }
    return all;
  }

  /// In a loop of ⌈n/p⌉ turns, turn k begins below n: p·k is at least p less than p·⌈n/p⌉.
  void know_place(const WrittenNode& sum, const Places& places, const IntTerm& limit) {
    const IntTerm& place = places.at(sum.parts[1]->value);
    if (!place.has_query()) return;
    FormulaTerms terms(q_, names_, places);
    const WrittenNode& count = *sum.parts[0];
    if (count.form == Form::ceiling) q_.compare_multiples(terms_(count.parts[1]), place, limit);
    for (const SweptTurns& sweep : sweeps_) {
      const Written own(sum.parts[1]);
      if (is_same_term(sweep.count(terms), limit)) sweep.know_turn(q_, terms, own);
    }
  }

  /// The parts that the solvers know as new numbers, each one behind its own parts.
  void collect_parts(const WrittenPointer& node, std::unordered_set<const WrittenNode*>& met,
                     std::vector<WrittenPointer>& parts) const {
    if (is_sum(*node) || !met.insert(node.get()).second) return;
    for (const WrittenPointer& part : node->parts) collect_parts(part, met, parts);
    switch (node->form) {
      case Form::quotient:
      case Form::rest:
      case Form::ceiling:
      case Form::choice:
      case Form::divisor:
      case Form::logarithm:
        parts.push_back(node);
        break;
      default:
        if (is_product(*node)) parts.push_back(node);
        break;
    }
  }

  /// Products by a number of rounds that is always 1, as that of a wave's blocks over the DMMs.
  void know_factors_of_one(const WrittenPointer& part) {
    if (!is_product(*part) || !met_products_.insert(terms_.id_of(part)).second) return;
    for (const std::size_t k : {0U, 1U}) {
      if (part->parts[k]->form != Form::ceiling || !is_one(part->parts[k])) continue;
      const IntTerm factor = terms_(part->parts[k]);
      q_.compare_multiples(terms_(part->parts[k]->parts[1]), factor, 1);
      q_.claim_step("a factor of 1", factor == 1);
      q_.multiply_equals(terms_(part->parts[1 - k]), factor, 1);
      return;
    }
  }

  /// A round in which some thread takes part: smaller(stages, 1) is 1.
  void know_round(const WrittenPointer& part) {
    if (part->form != Form::choice || part->places.empty()) return;
    const WrittenNode& one = *part->parts[2];
    const Form stages = part->parts[1]->form;
    const bool is_of_rows =
        stages == Form::times || stages == Form::ceiling || stages == Form::over_numbers;
    if (one.form != Form::number || one.value != 1 || !is_of_rows || !is_one(part)) return;
    if (!met_products_.insert(terms_.id_of(part)).second) return;
    if (know_at_least_one(part->parts[1])) q_.claim_step("a round", terms_(part) == 1);
  }
  /// Whether it is easy to show.
  bool know_at_least_one(const WrittenPointer& formula) {
    const auto scale = [&](const IntTerm& a, const IntTerm& b) {
      q_.claim_step("some rows, some stages", a >= 1 && b >= 1);
      q_.scale(a, 1, b);
    };
    switch (formula->form) {
      case Form::times:
        if (!know_at_least_one(formula->parts[0]) || !know_at_least_one(formula->parts[1])) {
          return false;
        }
        scale(terms_(formula->parts[0]), terms_(formula->parts[1]));
        return true;
      case Form::ceiling:
        q_.apply(multiples_are_apart(), {terms_(formula->parts[1]), terms_(formula), 1});
        return true;
      case Form::over_numbers:
        if (!is_constant(*formula) || !know_at_least_one(formula->parts[2])) return false;
        scale(terms_(formula->parts[0]), terms_(formula->parts[2]));
        return true;
      default:
        return true;
    }
  }

  /// Parts that only one of two formulas has may still be the same as a part of the other one.
  void claim_same(const std::vector<WrittenPointer>& of_one,
                  const std::vector<WrittenPointer>& of_other) {
    const auto ids = [&](const std::vector<WrittenPointer>& parts) {
      std::set<unsigned> all;
      for (const WrittenPointer& part : parts) all.insert(terms_.id_of(part));
      return all;
    };
    const std::set<unsigned> ids_of_one = ids(of_one);
    const std::set<unsigned> ids_of_other = ids(of_other);
    std::vector<std::pair<WrittenPointer, Values>> own;
    for (const WrittenPointer& part : of_one) {
      if (ids_of_other.count(terms_.id_of(part)) == 0)
        own.emplace_back(part, values_at(samples_, part));
    }
    for (const WrittenPointer& part : of_other) {
      if (own.empty() || ids_of_one.count(terms_.id_of(part)) != 0) continue;
      const Values values = values_at(samples_, part);
      const auto found = std::find_if(own.begin(), own.end(), [&](const auto& one) {
        return one.first->form == part->form && one.second == values;
      });
      if (found != own.end()) claim_same(found->first, part);
    }
  }

  void claim_same(const WrittenPointer& a, const WrittenPointer& b) {
    if (!is_product(*a)) {
      q_.claim_step("equal parts", terms_(a) == terms_(b));
      return;
    }
    // Products with a common factor.
    for (const std::size_t k : {0U, 1U}) {
      for (const std::size_t l : {0U, 1U}) {
        if (!is_product(*b) || terms_.id_of(a->parts[k]) != terms_.id_of(b->parts[l])) continue;
        const IntTerm x = terms_(a->parts[1 - k]);
        const IntTerm y = terms_(b->parts[1 - l]);
        q_.claim_step("equal factors", x == y);
        q_.multiply_equals(terms_(a->parts[k]), x, y);
        return;
      }
    }
  }

  static bool is_product(const WrittenNode& node) {
    return node.form == Form::times && node.parts[0]->form != Form::number &&
           node.parts[1]->form != Form::number;
  }

  Query& q_;
  const Names& names_;
  const std::vector<SweptTurns>& sweeps_;
  Places places_;
  Samples samples_;
  std::unordered_set<const WrittenNode*> met_;
  std::vector<FoundSum> sums_;
  std::set<unsigned> met_products_;
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

void SameFormulas::know_sweep(const SweepShape<Written>& shape) {
  if (names_.empty()) return;
  sweeps_.emplace_back(shape);
  FormulaTerms terms(q_, names_, {});
  sweeps_.back().know_shape(q_, terms);
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
