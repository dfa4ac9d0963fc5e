// GoogleMock matchers that decide whether an access or a permutation conflicts. A failure names the
// threads, the words and the bank.
//
//     EXPECT_THAT(swizzled_column, IsConflictFree(32));
//     EXPECT_THAT(fragment, TakesStages(shared_rule("sm_90", 16), 4));
//     EXPECT_THAT(order, IsPermutation());
//     EXPECT_THAT(order, EachWarpTakes(Designation::destination, dmm_rule(32), Le(6)));
//
// An access is a range of integers, Lanes or a Progression: the elements that the threads of one
// warp touch, in the order of threads. A thread that makes no request has −1, or no value in a
// range of optional integers. A permutation is a range of integers. Any other argument throws
// std::invalid_argument, so that Not(…) does not accept it. Examples are a range with more elements
// than a warp has threads, and a range without a request.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <ostream>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../algorithms/permutation/conflicts.hpp"
#include "../../algorithms/permutation/validate.hpp"
#include "../../model/gpu/chips.hpp"
#include "../../model/progression.hpp"

namespace bankproof {

/// For GoogleTest's messages.
template <class T>
void PrintTo(const Lanes<T>& lanes, std::ostream* out) {
  *out << ::testing::PrintToString(std::vector<T>(lanes.begin(), lanes.end()));
}
inline void PrintTo(const Progression& progression, std::ostream* out) {
  PrintTo(progression.lanes(), out);
}
inline void PrintTo(const Mask& mask, std::ostream* out) {
  *out << "lanes {";
  const char* separator = " ";
  for_each_lane(mask, [&](Width lane) {
    *out << separator << lane;
    separator = ", ";
  });
  *out << " }";
}

}  // namespace bankproof

namespace bankproof::testing {

namespace detail {

[[noreturn]] inline void reject_access(const std::string& why) {
  throw std::invalid_argument("no access of a warp: " + why);
}

/// The elements of an access. Requires at most as many threads as the rule has.
template <std::ranges::range R>
  requires std::integral<std::ranges::range_value_t<R>>
std::vector<Address> elements_of(const R& access, const AccessRule& rule) {
  std::vector<Address> elements;
  for (const auto element : access) {
    // An unsigned −1 more likely comes from a mistake in the program's arithmetic than from a
    // masked thread.
    if (std::cmp_less(element, -1) || std::cmp_equal(element, no_request)) {
      reject_access("lane " + std::to_string(elements.size()) + " touches element " +
                    std::to_string(element) + ", expected at least 0, or a signed -1 for none");
    }
    elements.push_back(static_cast<Address>(element));  // −1 becomes no_request
  }
  if (elements.size() > width_of(rule)) {
    reject_access(std::to_string(elements.size()) + " lanes, expected at most " +
                  std::to_string(width_of(rule)));
  }
  if (std::count(elements.begin(), elements.end(), no_request) == std::ssize(elements)) {
    reject_access("no lane makes a request, expected at least one");
  }
  return elements;
}
inline std::vector<Address> elements_of(const Progression& access, const AccessRule& rule) {
  return elements_of(access.lanes(), rule);
}
/// The elements of an access as optional integers, in the form of WarpAccess::lanes.
template <std::ranges::range R>
  requires std::integral<typename std::ranges::range_value_t<R>::value_type>
std::vector<Address> elements_of(const R& access, const AccessRule& rule) {
  std::vector<std::int64_t> elements;
  elements.reserve(std::ranges::size(access));
  for (const auto& element : access) {
    elements.push_back(element ? static_cast<std::int64_t>(*element) : -1);
  }
  return elements_of(elements, rule);
}

/// "bank 3 is asked for elements 7 (lane 0), 15 (lane 2)", for the busiest bank; for groups, an
/// element of each group. Empty if one stage is enough.
inline std::string bottleneck(const AccessRule& rule, const std::vector<Address>& elements) {
  constexpr std::size_t most_shown = 8;
  const bool in_groups = conflicts_in_groups(rule);
  const auto places = places_of(rule, elements);
  // For each bank, the first lane that asks for each element; for groups, the first lane that
  // touches each group.
  std::map<std::uint64_t, std::map<Address, std::size_t>> lanes_of;
  for (std::size_t lane = 0; lane < places.size(); ++lane) {
    if (!places[lane]) continue;
    const std::uint64_t where = in_groups ? 0 : places[lane]->bank;
    lanes_of[where].emplace(in_groups ? places[lane]->group : elements[lane], lane);
  }
  const auto busiest = std::max_element(
      lanes_of.begin(), lanes_of.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const auto& lanes = busiest->second;
  if (lanes.size() == 1) return "";
  std::string list;
  std::size_t shown = 0;
  for (const auto& [what, lane] : lanes) {
    if (++shown > most_shown) break;
    list += (list.empty() ? "" : ", ") + std::to_string(elements[lane]) + " (lane " +
            std::to_string(lane) + (in_groups ? ", group " + std::to_string(what) : "") + ")";
  }
  if (lanes.size() > most_shown) {
    list += " and " + std::to_string(lanes.size() - most_shown) + " more";
  }
  return (in_groups ? "it touches elements "
                    : "bank " + std::to_string(busiest->first) + " is asked for elements ") +
         list;
}

/// "takes 2 stages: bank 3 is asked for …"
inline std::string verdict(AccessRule rule, const std::vector<Address>& elements) {
  const std::uint32_t stages = stages_of(rule, elements);
  const std::string why = bottleneck(rule, elements);
  return "takes " + std::to_string(stages) + (stages == 1 ? " stage" : " stages") +
         (why.empty() ? "" : ": " + why);
}

/// Whether `matcher` accepts the number of stages that the access takes.
template <class R>
bool stages_match(const R& access, AccessRule rule,
                  const ::testing::Matcher<std::uint32_t>& matcher,
                  ::testing::MatchResultListener& listener) {
  const std::vector<Address> elements = elements_of(access, rule);
  listener << "which " << verdict(rule, elements);
  return matcher.Matches(stages_of(rule, elements));
}

/// A permutation in the form that the analysis takes, or the reason why the range is not a
/// permutation.
struct Permuted {
  std::vector<std::uint64_t> permutation;
  std::string defect;
};

inline std::string describe(const Defect& defect) {
  std::string text = "element " + std::to_string(defect.index) + " is " +
                     (defect.kind == Defect::Kind::negative ? "-" : "") +
                     std::to_string(defect.value);
  if (defect.kind == Defect::Kind::repeated) {
    text += ", as is element " + std::to_string(defect.first_index);
  }
  return text + "; expected each of 0 to " + std::to_string(defect.size - 1) + " once" +
         (defect.missing ? ", and " + std::to_string(*defect.missing) + " is missing" : "");
}

template <std::ranges::range R>
Permuted permuted_by(const R& range) {
  using Value = std::ranges::range_value_t<R>;
  static_assert(std::integral<Value>, "a permutation is a range of integers");
  using Widest = std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>;
  const std::vector<Widest> values(std::ranges::begin(range), std::ranges::end(range));
  if (const auto defect = validate_permutation(std::span<const Widest>(values))) {
    return {{}, describe(*defect)};
  }
  return {{values.begin(), values.end()}, ""};
}

/// Whether `matcher` accepts the stages of all warps; explains the first warp that it rejects.
template <class R>
bool each_warp_matches(const R& range, Designation designation, const AccessRule& rule,
                       const ::testing::Matcher<std::uint32_t>& matcher,
                       ::testing::MatchResultListener& listener) {
  const Permuted permuted = permuted_by(range);
  if (!permuted.defect.empty()) throw std::invalid_argument("no permutation: " + permuted.defect);
  if (permuted.permutation.empty()) throw std::invalid_argument("a permutation of no elements");
  std::uint64_t warps = 0;
  std::vector<std::uint64_t> wrong;
  const std::span<const std::uint64_t> permutation(permuted.permutation);
  visit_warps(permutation, designation, rule, [&](std::uint64_t warp, std::uint32_t stages) {
    ++warps;
    if (!matcher.Matches(stages)) wrong.push_back(warp);
  });
  if (wrong.empty()) {
    listener << "of whose " << warps << " warps each does";
    return true;
  }
  std::vector<Address> elements;
  for (const auto& lane : look_at_warp(permutation, designation, rule, wrong.front())) {
    elements.push_back(lane.element);
  }
  listener << "of whose " << warps << " warps " << wrong.size() << " "
           << (wrong.size() == 1 ? "does" : "do") << " not: warp " << wrong.front() << " "
           << verdict(rule, elements);
  return false;
}

inline Width checked(Width width) {
  if (width < 1 || width > widest_access) {
    throw std::invalid_argument("a matcher of width " + std::to_string(width) + ", expected 1 to " +
                                std::to_string(widest_access));
  }
  return width;
}

inline std::string described(const WordMemoryRule& rule) {
  const std::string width = std::to_string(rule.width());
  return rule.conflicts_in_groups() ? "address groups of " + width + " words" : width + " banks";
}
inline std::string described(const SharedMemoryRule& rule) {
  return "the shared memory of " + std::string(rule.chip().name);
}
inline std::string described(const GlobalMemoryRule&) { return "a global memory"; }
inline std::string described(const AccessRule& rule) {
  return std::visit([](const auto& r) { return described(r); }, rule);
}

inline std::string described(const ::testing::Matcher<std::uint32_t>& stages, bool negation) {
  return ::testing::DescribeMatcher<std::uint32_t>(stages, negation);
}

}  // namespace detail

/// Accepts one warp's access if `stages`, a number or a matcher such as Le(2), accepts the number
/// of stages that the access takes by `rule`.
MATCHER_P2(TakesStages, rule, stages,
           "an access to " + detail::described(rule) + " that takes a number of stages that " +
               detail::described(::testing::SafeMatcherCast<std::uint32_t>(stages), negation)) {
  return detail::stages_match(arg, rule, ::testing::SafeMatcherCast<std::uint32_t>(stages),
                              *result_listener);
}

/// Accepts one warp's access if its distinct elements, a word each, lie in distinct banks of
/// `width` banks.
inline auto IsConflictFree(Width width) {
  return TakesStages(dmm_rule(detail::checked(width)), ::testing::Le(1U));
}

/// Accepts one warp's access if its elements lie in one address group of `width` words.
inline auto IsCoalesced(Width width) {
  return TakesStages(umm_rule(detail::checked(width)), ::testing::Le(1U));
}

/// Accepts a range of n integers that has each of 0 … n−1 once.
MATCHER(IsPermutation, negation ? "is not a permutation" : "is a permutation") {
  const detail::Permuted permuted = detail::permuted_by(arg);
  *result_listener << permuted.defect;
  return permuted.defect.empty();
}

/// Accepts a permutation P if `stages` accepts the number of stages of every warp's access by
/// `rule`. The access is b[P(i)] ← a[i] for the destination, and b[i] ← a[P⁻¹(i)] for the source.
MATCHER_P3(EachWarpTakes, designation, rule, stages,
           std::string(negation ? "a permutation of which not" : "a permutation of which") +
               " every warp, on " + detail::described(rule) + ", takes a number of stages that " +
               detail::described(::testing::SafeMatcherCast<std::uint32_t>(stages), false)) {
  return detail::each_warp_matches(
      arg, designation, rule, ::testing::SafeMatcherCast<std::uint32_t>(stages), *result_listener);
}

}  // namespace bankproof::testing
