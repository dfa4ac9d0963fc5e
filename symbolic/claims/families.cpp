// Finds what addresses have in common; see families.hpp.
#include "families.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "../execution/objects.hpp"
#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// Fewer accesses are asked about one by one.
constexpr std::size_t fewest_members = 3;
/// The unknowns may have so many values for each member, and no more.
constexpr std::size_t most_values_of_member = 2;

/// Puts unknowns where some terms differ.
class Generalizing {
 public:
  explicit Generalizing(Subject& subject) : subject_(subject), pool_(subject.pool) {}

  /// A term that is each of the terms for some numbers in place of its new unknowns; nothing if
  /// none is found. The terms have one width.
  std::optional<Term> operator()(const std::vector<Term>& terms) {
    const Term first = terms.front();
    const auto all = [&](const auto& is) { return std::all_of(terms.begin(), terms.end(), is); };
    if (all([&](Term one) { return one == first; })) return first;
    const Node& node = pool_.node(first);
    if (node.op == Operator::zero_extended || node.op == Operator::sign_extended) {
      const auto is_alike = [&](Term one) {
        const Node& other = pool_.node(one);
        return other.op == node.op &&
               pool_.width(other.operands[0]) == pool_.width(node.operands[0]);
      };
      if (!all(is_alike)) return std::nullopt;
      std::vector<Term> inner;
      inner.reserve(terms.size());
      for (const Term one : terms) inner.push_back(pool_.node(one).operands[0]);
      const auto general = (*this)(inner);
      if (!general) return std::nullopt;
      return pool_.rebuilt(first, std::vector<Term>{*general});
    }
    return sum(terms);
  }

  std::vector<Term> bounds;
  /// How many values the new unknowns have in all.
  std::size_t values = 1;

 private:
  /// Adds to the parts that all terms share an unknown number of each product of sizes in which
  /// they differ. One further part may differ, and is generalized itself.
  std::optional<Term> sum(const std::vector<Term>& terms) {
    std::vector<Polynomial> rests;
    rests.reserve(terms.size());
    for (const Term one : terms) rests.push_back(pool_.polynomial(one));
    Polynomial common = rests.front();
    for (const Polynomial& one : rests) {
      std::erase_if(common, [&](const auto& part) {
        const auto found = one.find(part.first);
        return found == one.end() || found->second != part.second;
      });
    }
    std::vector<Polynomial> numbers(terms.size());
    std::vector<Term> inner;
    std::optional<std::uint64_t> times;
    for (std::size_t m = 0; m < terms.size(); ++m) {
      add_to(rests[m], common, ~std::uint64_t{0});
      for (const auto& [factors, coefficient] : rests[m]) {
        if ((coefficient & mask_of(pool_.width(terms[m]))) == 0) continue;
        if (is_of_launch(factors)) {
          numbers[m][factors] = coefficient;
          continue;
        }
        if (factors.size() != 1 || inner.size() > m) return std::nullopt;
        if (times.value_or(coefficient) != coefficient) return std::nullopt;
        times = coefficient;
        inner.push_back(factors.front());
      }
      if (inner.size() != (times ? m + 1 : 0)) return std::nullopt;
    }
    Term general = pool_.of(common, pool_.width(terms.front()));
    if (times) {
      if (inner == terms) return std::nullopt;
      const auto within = (*this)(inner);
      if (!within) return std::nullopt;
      general = pool_.add(general, pool_.scale(*within, *times));
    }
    return pool_.add(general, any_of(numbers, pool_.width(terms.front())));
  }

  bool is_of_launch(const Monomial& factors) const {
    bool all = true;
    std::unordered_map<Term, bool> met;
    for (const Term factor : factors) {
      each_unknown(pool_, factor, met, [&](Term unknown) {
        all = all && subject_.inputs().scope(unknown) == Scope::launch;
      });
    }
    return all;
  }

  /// For each product, as many of it as one of the sums has.
  Term any_of(const std::vector<Polynomial>& sums, unsigned width) {
    std::map<Monomial, std::vector<std::int64_t>> all;
    for (const Polynomial& one : sums) {
      for (const auto& [factors, coefficient] : one) all.try_emplace(factors);
    }
    Term total = pool_.constant(0, width);
    for (auto& [factors, coefficients] : all) {
      for (const Polynomial& one : sums) {
        const auto found = one.find(factors);
        const std::uint64_t coefficient = found == one.end() ? 0 : found->second;
        coefficients.push_back(
            static_cast<std::int64_t>(signed_value(coefficient & mask_of(width), width)));
      }
      const auto [least, most] = std::minmax_element(coefficients.begin(), coefficients.end());
      std::uint64_t step = 0;
      for (const std::int64_t one : coefficients) {
        step = std::gcd(step, static_cast<std::uint64_t>(one) - static_cast<std::uint64_t>(*least));
      }
      Term many = pool_.constant(static_cast<std::uint64_t>(*least), width);
      if (step != 0) {
        const std::uint64_t last =
            (static_cast<std::uint64_t>(*most) - static_cast<std::uint64_t>(*least)) / step;
        many = pool_.add(many, pool_.scale(up_to(last, width), step));
      }
      total = pool_.add(total, pool_.multiply(pool_.of({{factors, 1}}, width), many));
    }
    return total;
  }

  /// An unknown from 0 to `last`.
  Term up_to(std::uint64_t last, unsigned width) {
    // No family has so many members: `values` says that there are too many.
    constexpr std::size_t too_many = std::numeric_limits<std::size_t>::max();
    const bool is_more = last >= too_many / values;
    values = is_more ? too_many : values * (last + 1);
    const auto bits = static_cast<unsigned>(std::bit_width(last));
    const Term which = subject_.inputs().unknown("member", bits, Scope::thread);
    if (last != mask_of(bits)) {
      bounds.push_back(pool_.at_most(which, pool_.constant(last, bits), false));
    }
    return pool_.zero_extended(which, width);
  }

  Subject& subject_;
  Pool& pool_;
};

bool can_be_member(const Access& access) {
  return !access.is_strong() && access.row_lanes == 0 && !access.is_echo &&
         !access.first_of_arrays && !access.may_be_shorter;
}

/// Nothing if the members' addresses have too little in common.
std::optional<Family> family_of(Subject& subject, const std::vector<std::size_t>& members) {
  const std::vector<Access>& all = subject.trace().accesses;
  if (members.size() < fewest_members) return std::nullopt;
  std::vector<Term> addresses;
  addresses.reserve(members.size());
  for (const std::size_t member : members) addresses.push_back(all[member].address);
  Generalizing generalize(subject);
  const auto general = generalize(addresses);
  if (!general || generalize.values > most_values_of_member * members.size()) return std::nullopt;
  Family family{members, all[members.front()], generalize.bounds};
  family.access.address = *general;
  return family;
}

}  // namespace

std::vector<Family> families_of(Subject& subject) {
  const std::vector<Access>& all = subject.trace().accesses;
  using Key = std::tuple<std::vector<Term>, std::optional<std::size_t>, AccessKind,
                         std::optional<ptx::Space>, std::uint32_t, std::optional<Term>>;
  std::map<Key, std::vector<std::size_t>> alike;
  std::vector<Family> families;
  for (std::size_t a = 0; a < all.size(); ++a) {
    const Access& one = all[a];
    const auto places = places_of(subject.pool, subject.inputs(), one.address);
    if (!can_be_member(one) || !places || places->size() != 1) {
      families.push_back({{a}, one});
      continue;
    }
    alike[{one.guard.parts(), one.loop, one.kind, one.space, one.bytes, places->front().object}]
        .push_back(a);
  }
  for (const auto& [key, members] : alike) {
    if (auto family = family_of(subject, members)) {
      families.push_back(std::move(*family));
      continue;
    }
    // Compilers add some numbers before they extend an index, and others behind it.
    std::map<std::uint64_t, std::vector<std::size_t>> by_constant;
    for (const std::size_t member : members) {
      const Polynomial parts = subject.pool.polynomial(all[member].address);
      const auto constant = parts.find({});
      by_constant[constant == parts.end() ? 0 : constant->second].push_back(member);
    }
    for (const auto& [constant, some] : by_constant) {
      if (auto family = family_of(subject, some)) {
        families.push_back(std::move(*family));
        continue;
      }
      for (const std::size_t member : some) families.push_back({{member}, all[member]});
    }
  }
  std::sort(families.begin(), families.end(),
            [](const Family& a, const Family& b) { return a.members < b.members; });
  return families;
}

}  // namespace bankproof::symbolic
