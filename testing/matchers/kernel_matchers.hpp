// GoogleMock matchers for the report of a kernel's run (cuda/session/kernel.hpp), and for plain
// layouts:
//
//     EXPECT_THAT(report, ConflictFree());
//     EXPECT_THAT(report, ExcessWavefronts(Le(64)));
//     EXPECT_THAT(report, CoalescedWithin(1.25));
//     EXPECT_THAT(report, RaceFree());
//     EXPECT_THAT(report, FaultFree());
//
// A layout is a range of integers: the element of 4 bytes that thread i touches, or −1 for no
// element. Each 32 consecutive threads are a warp. So a permutation is a layout, and the access of
// one warp is a layout, too. Any other argument throws std::invalid_argument. Suppressed findings
// do not count.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../model/gpu/chips.hpp"
#include "../../ptx/report/report.hpp"
#include "matchers.hpp"

namespace bankproof::testing {

namespace detail {

inline constexpr std::size_t threads_of_warp = 32;

/// The cost and the ideal cost of a line of a report, or of a warp of a layout.
struct Cost {
  std::string where;  // "tile.cu:12", "warp 3"
  std::uint64_t actual = 0;
  std::uint64_t ideal = 0;

  std::uint64_t excess() const { return actual > ideal ? actual - ideal : 0; }
};

enum class CostedMemory { shared, global };

inline std::string place_of(const ptx::SourceLine& at) {
  return at.file + ":" + std::to_string(at.line);
}

inline std::vector<Cost> costs_of(const ptx::KernelReport& report, CostedMemory memory) {
  std::vector<Cost> costs;
  costs.reserve(report.lines.size());
  const bool shared = memory == CostedMemory::shared;
  for (const ptx::LineReport& line : report.lines) {
    if (shared ? line.shared_suppressed : line.global_suppressed) continue;
    costs.push_back({place_of(line.at), shared ? line.counts.wavefronts : line.counts.sectors,
                     shared ? line.counts.ideal_wavefronts : line.counts.ideal_sectors});
  }
  return costs;
}

/// The elements of each warp of a layout.
template <std::ranges::range R>
std::vector<std::vector<std::int64_t>> warps_of(const R& layout) {
  static_assert(std::integral<std::ranges::range_value_t<R>>, "a layout is a range of integers");
  std::vector<std::vector<std::int64_t>> warps;
  std::size_t thread = 0;
  for (const auto element : layout) {
    if (thread++ % threads_of_warp == 0) warps.emplace_back();
    if (std::cmp_less(element, -1) || std::cmp_greater(element, std::int64_t{1} << 60)) {
      throw std::invalid_argument("no layout: thread " + std::to_string(thread - 1) +
                                  " touches element " + std::to_string(element));
    }
    warps.back().push_back(static_cast<std::int64_t>(element));
  }
  if (warps.empty()) throw std::invalid_argument("a layout of no threads");
  return warps;
}
inline std::vector<std::vector<std::int64_t>> warps_of(const Progression& layout) {
  return warps_of(layout.lanes());
}

template <class R>
std::vector<Cost> costs_of(const R& layout, CostedMemory memory) {
  AccessRule rule = memory == CostedMemory::shared
                        ? dmm_rule(threads_of_warp)
                        : GlobalMemoryRule(word_bytes, GlobalMemoryRule::sector_bytes);
  std::vector<Cost> costs;
  for (const auto& warp : warps_of(layout)) {
    const bool idle = std::ranges::all_of(warp, [](std::int64_t element) { return element < 0; });
    const std::string where = "warp " + std::to_string(costs.size());
    if (idle) {
      costs.push_back({where});
      continue;
    }
    const std::vector<Address> elements = elements_of(warp, rule);
    costs.push_back({where, stages_of(rule, elements), ideal_of(rule, elements)});
  }
  return costs;
}

/// "tile.cu:12 has 1024 wavefronts where 32 would do, …", worst first.
inline std::string listed(std::vector<Cost> costs, const std::string& unit) {
  constexpr std::size_t most = 5;
  std::erase_if(costs, [](const Cost& cost) { return cost.excess() == 0; });
  std::ranges::stable_sort(costs,
                           [](const Cost& a, const Cost& b) { return a.excess() > b.excess(); });
  std::string text;
  for (std::size_t k = 0; k < costs.size() && k < most; ++k) {
    text += (k == 0 ? "" : ", ") + costs[k].where + " has " + std::to_string(costs[k].actual) +
            " " + unit + " where " + std::to_string(costs[k].ideal) + " would do";
  }
  if (costs.size() > most) text += " and " + std::to_string(costs.size() - most) + " more";
  return text;
}

template <class A>
bool excess_matches(const A& argument, const ::testing::Matcher<std::uint64_t>& matcher,
                    ::testing::MatchResultListener& listener) {
  const std::vector<Cost> costs = costs_of(argument, CostedMemory::shared);
  std::uint64_t excess = 0;
  for (const Cost& cost : costs) excess += cost.excess();
  const std::string list = listed(costs, "wavefronts");
  listener << "with " << excess << " excess wavefronts" << (list.empty() ? "" : ": ") << list;
  return matcher.Matches(excess);
}

template <class A>
bool is_coalesced_within(const A& argument, double factor,
                         ::testing::MatchResultListener& listener) {
  if (!(factor >= 1))
    throw std::invalid_argument("CoalescedWithin(factor) needs a factor of 1 or more");
  std::vector<Cost> over = costs_of(argument, CostedMemory::global);
  std::erase_if(over, [&](const Cost& cost) {
    return static_cast<double>(cost.actual) <= factor * static_cast<double>(cost.ideal);
  });
  if (!over.empty()) listener << "where " << listed(over, "sectors");
  return over.empty();
}

/// Whether every fault of the report is suppressed or does not count.
template <class Counts>
bool has_none(const ptx::KernelReport& report, const Counts& counts,
              ::testing::MatchResultListener& listener) {
  std::size_t found = 0;
  for (const ptx::FaultReport& fault : report.faults) {
    if (fault.suppressed || !counts(fault.kind)) continue;
    listener << (found++ == 0 ? "with " : ", ") << name_of(fault.kind) << " at "
             << place_of(fault.at) << ": " << fault.message;
  }
  return found == 0;
}

/// A launch that stops early hides later races, so an early stop counts as a fault here.
inline bool is_race_free(const ptx::KernelReport& report,
                         ::testing::MatchResultListener& listener) {
  using ptx::FaultKind;
  const auto counts = [](FaultKind kind) {
    return kind == FaultKind::race || kind == FaultKind::colliding_writes ||
           kind == FaultKind::deadlock || kind == FaultKind::trap ||
           kind == FaultKind::barrier_divergence || kind == FaultKind::instruction_limit;
  };
  return has_none(report, counts, listener);
}

/// Whether no two threads touch the same element; each thread writes its element.
template <class R>
bool is_race_free(const R& layout, ::testing::MatchResultListener& listener) {
  std::map<std::int64_t, std::size_t> writer;
  std::size_t thread = 0;
  for (const auto& warp : warps_of(layout)) {
    for (const std::int64_t element : warp) {
      if (element >= 0) {
        const auto [first, is_new] = writer.emplace(element, thread);
        if (!is_new) {
          listener << "in which threads " << first->second << " and " << thread << " touch element "
                   << element;
          return false;
        }
      }
      ++thread;
    }
  }
  return true;
}

}  // namespace detail

/// No access of shared memory takes more wavefronts than necessary.
MATCHER(ConflictFree, negation ? "has bank conflicts" : "has no bank conflicts") {
  return detail::excess_matches(arg, ::testing::Eq(0U), *result_listener);
}

/// The number of wavefronts of shared memory beyond the ideal matches `excess`, which is a number
/// or a matcher such as Le(64).
MATCHER_P(ExcessWavefronts, excess,
          std::string(negation ? "does not have" : "has") + " a number of excess wavefronts that " +
              ::testing::DescribeMatcher<std::uint64_t>(excess, false)) {
  return detail::excess_matches(arg, ::testing::SafeMatcherCast<std::uint64_t>(excess),
                                *result_listener);
}

/// Each line (of a layout, each warp) touches at most `factor` times the sectors of global memory
/// that are necessary.
MATCHER_P(CoalescedWithin, factor,
          std::string(negation ? "does not touch" : "touches") + " at most " +
              ::testing::PrintToString(factor) + " times the sectors that would do") {
  return detail::is_coalesced_within(arg, factor, *result_listener);
}

/// The report has no faults, except suppressed ones. For reports only, not for layouts.
MATCHER(FaultFree, negation ? "is at fault" : "is without fault") {
  return detail::has_none(
      arg, [](ptx::FaultKind) { return true; }, *result_listener);
}

/// There are no races, no two lanes of one store write different values to one place, and the
/// launch came to its end. For a layout: no two threads touch the same element.
MATCHER(RaceFree, negation ? "has races" : "has no races") {
  return detail::is_race_free(arg, *result_listener);
}

}  // namespace bankproof::testing
