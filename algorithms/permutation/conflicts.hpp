// Does a permutation conflict? This is the analysis of `bankproof check`: an access rule prices
// every warp's access, destination-designated b[P(i)] ← a[i] or source-designated b[i] ← a[P⁻¹(i)]
// (THS 4.1, 4.5 and 5.2; model/gpu/chips.hpp).
//
// `visit_warps` calls back with each warp's stages; `analyze` sums them up; `look_at_warp` shows
// one warp lane by lane. The rest of this file chooses between the passes that count:
// conflicts/plain.hpp is the reference, conflicts/banks.hpp and conflicts/groups.hpp are faster
// where they apply (bench/check.cpp).
//
// Example: transpose of 4×4 words on a DMM of width 4: each of the 4 warps writes one column of b,
// all in one bank, so stages = 16, ideal = 4, max = 4, histogram {4: 4}.
//
// Cost: O(n) on the pure machines with one-word elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "conflicts/banks.hpp"
#include "conflicts/groups.hpp"
#include "conflicts/plain.hpp"

namespace bankproof {

/// The stages of all warps of one access, added up.
struct ConflictReport {
  std::uint64_t warps = 0;
  std::uint64_t stages = 0;
  std::uint64_t ideal = 0;               ///< the fewest stages that this many elements can take
  std::uint32_t max = 0;                 ///< the most stages of a warp
  std::uint64_t worst_warp = 0;          ///< the first warp that takes `max`
  std::vector<std::uint64_t> histogram;  ///< [k]: warps that take k stages; max+1 entries

  std::uint64_t excess() const { return stages - ideal; }

  /// Mean stages of a warp; 0 if there is no warp.
  double mean() const {
    return warps == 0 ? 0.0 : static_cast<double>(stages) / static_cast<double>(warps);
  }

  /// Warps that take more than `limit` stages.
  std::uint64_t warps_over(std::uint64_t limit) const {
    std::uint64_t over = 0;
    for (std::uint64_t k = 0; k < histogram.size(); ++k) over += k > limit ? histogram[k] : 0;
    return over;
  }

  bool operator==(const ConflictReport&) const = default;
};

/// Counts one warp after another into a report. The caller, who knows the rule, sets `ideal`.
class ConflictTally {
 public:
  void operator()(std::uint64_t warp, std::uint32_t stages) {
    if (stages >= histogram_.size()) histogram_.resize(std::size_t{stages} + 1);
    ++histogram_[stages];
    if (stages > max_) {
      max_ = stages;
      worst_warp_ = warp;
    }
  }

  ConflictReport report() const {
    ConflictReport report;
    report.max = max_;
    report.worst_warp = worst_warp_;
    report.histogram = histogram_;
    for (std::size_t k = 0; k < histogram_.size(); ++k) {
      report.warps += histogram_[k];
      report.stages += k * histogram_[k];
    }
    return report;
  }

 private:
  std::uint32_t max_ = 0;
  std::uint64_t worst_warp_ = 0;
  std::vector<std::uint64_t> histogram_;
};

/// The fewest stages that an access to n distinct elements can take.
inline std::uint64_t ideal_of_all(std::uint64_t n, const AccessRule& rule) {
  const Width width = width_of(rule);
  const std::uint64_t full = n / width;
  const std::uint64_t partial = ideal_of_distinct(rule, static_cast<Width>(n % width));
  return full == 0 ? partial : full * ideal_of_distinct(rule, width) + partial;
}

namespace detail {

/// Runs a fast pass if there is one for this rule; returns whether it did.
template <class Index, class Rule, class Visit>
bool visit_warps_fast(std::span<const Index> permutation, Designation designation, const Rule& rule,
                      Visit& visit) {
  const bool to_destination = designation == Designation::destination;
  if (!rule.conflicts_in_groups()) {
    if (!rule.one_word_elements()) return false;
    if (to_destination) {
      visit_destination_banks(permutation, rule.width(), std::ref(visit));
    } else {
      visit_source_banks(permutation, rule.width(), std::ref(visit));
    }
    return true;
  }
  if constexpr (!std::is_same_v<Rule, SharedMemoryRule>) {
    const std::optional<std::uint64_t> per_group = rule.elements_per_group();
    // The passes number warps and groups from 1, and the numbers have to fit in Index.
    if (!per_group || permutation.size() >= std::numeric_limits<Index>::max()) return false;
    if (to_destination) {
      visit_destination_groups(permutation, rule.width(), *per_group, rule.turns(),
                               std::ref(visit));
    } else {
      visit_source_groups(permutation, rule.width(), *per_group, rule.turns(), std::ref(visit));
    }
    return true;
  }
  return false;
}

}  // namespace detail

/// Calls visit(warp, stages) for each warp, in order. Requires a permutation of 0 … n−1.
template <class Index, class Visit>
void visit_warps(std::span<const Index> permutation, Designation designation,
                 const AccessRule& rule, Visit visit) {
  static_assert(sizeof(Index) == 4 || sizeof(Index) == 8, "indices have 32 or 64 bits");
  const bool done = std::visit(
      [&](const auto& r) { return detail::visit_warps_fast(permutation, designation, r, visit); },
      rule);
  if (!done) visit_warps_plainly(permutation, designation, rule, std::ref(visit));
}

/// The report of one access. Requires a permutation of 0 … n−1.
template <class Index>
ConflictReport analyze(std::span<const Index> permutation, Designation designation,
                       const AccessRule& rule) {
  ConflictTally tally;
  visit_warps(permutation, designation, rule, std::ref(tally));
  ConflictReport report = tally.report();
  report.ideal = ideal_of_all(permutation.size(), rule);
  return report;
}

/// The report of one access, by the plain reference.
template <class Index>
ConflictReport analyze_plainly(std::span<const Index> permutation, Designation designation,
                               const AccessRule& rule) {
  ConflictTally tally;
  visit_warps_plainly(permutation, designation, rule, std::ref(tally));
  ConflictReport report = tally.report();
  report.ideal = ideal_of_all(permutation.size(), rule);
  return report;
}

/// D_w(P): the number of distinct pairs (⌊i/w⌋, ⌊P(i)/w⌋), which is the stages of P on a UMM (THS
/// 5.2).
template <class Index>
std::uint64_t distribution(std::span<const Index> permutation, Width width) {
  return analyze(permutation, Designation::destination, umm_rule(width)).stages;
}

/// The access of one thread of a warp.
struct LaneReport {
  Width lane = 0;
  std::uint64_t index = 0;    ///< i, the thread's number
  std::uint64_t element = 0;  ///< P(i) or P⁻¹(i)
  LanePlace place;
};

/// The lanes of one warp, in order, where thread i touches element touched[i]. The warp must exist.
template <class Index>
std::vector<LaneReport> look_at_access(std::span<const Index> touched, const AccessRule& rule,
                                       std::uint64_t warp) {
  const std::uint64_t first = warp * width_of(rule);
  const std::uint64_t lanes = std::min<std::uint64_t>(width_of(rule), touched.size() - first);
  const std::span<const Index> own = touched.subspan(first, lanes);
  const std::vector<Address> elements(own.begin(), own.end());
  const std::vector<std::optional<LanePlace>> places = places_of(rule, elements);
  std::vector<LaneReport> report;
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    report.push_back({static_cast<Width>(lane), first + lane, elements[lane], *places[lane]});
  }
  return report;
}

/// The lanes of one warp in a permutation's access. The source direction looks through all of P
/// once.
template <class Index>
std::vector<LaneReport> look_at_warp(std::span<const Index> permutation, Designation designation,
                                     const AccessRule& rule, std::uint64_t warp) {
  if (designation == Designation::destination) return look_at_access(permutation, rule, warp);
  const std::uint64_t first = warp * width_of(rule);
  const std::uint64_t lanes = std::min<std::uint64_t>(width_of(rule), permutation.size() - first);
  std::vector<Index> sources(lanes);
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    const std::uint64_t target = permutation[i];
    if (target >= first && target - first < lanes) sources[target - first] = static_cast<Index>(i);
  }
  std::vector<LaneReport> report = look_at_access(std::span<const Index>(sources), rule, 0);
  for (LaneReport& lane : report) lane.index += first;
  return report;
}

}  // namespace bankproof
