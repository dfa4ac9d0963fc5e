// Control divergence of the convolution of a line (CONV 7.2): its threads test whether an element
// is a ghost cell, and near the ends some threads of a warp find a ghost cell and others do not.
// This file counts the divergence on a machine that runs the kernel, and in closed form.
//
// Example: 64 elements, a mask of five, w = 32: threads 0, 1, 62 and 63 skip 2 + 1 + 1 + 2 terms;
// both warps diverge, each in two of five turns of the loop.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>

#include "../../model/machine.hpp"
#include "../number.hpp"

namespace bankproof {

/// Counts for a line of `length` elements, a mask of radius v, and blocks of whole warps. Warps
/// begin every w elements. The last warp may have fewer threads with an output; only threads with
/// an output count.
struct Divergence {
  std::uint64_t threads = 0;  ///< threads that skip a term
  std::uint64_t skipped = 0;  ///< terms that all threads together skip
  std::uint64_t warps = 0;    ///< warps in which only some threads skip a term
  std::uint64_t turns = 0;    ///< turns of the loop over the mask in which a warp diverges

  bool operator==(const Divergence&) const = default;

  /// In a turn whose terms lie s elements to one side, 1 ≤ s ≤ v, the threads of the s elements
  /// nearest to the end on that side skip their terms. So there is a border between threads that
  /// skip and threads that do not: at thread s for the left end, at thread length − s for the right
  /// end. The warp around this border diverges, unless the border is a multiple of w.
  static Divergence of(std::uint64_t length, std::uint64_t v, std::uint64_t w) {
    Divergence all;
    const std::uint64_t within = std::min(v, length);
    all.threads = std::min(length, 2 * v);
    all.skipped = within * (within + 1) + 2 * (v - within) * length;
    const std::uint64_t borders = std::min(v, minus_or_zero(length, std::uint64_t{1}));
    if (borders == 0 || w == 1) return all;
    const std::uint64_t end = length - 1;  // the last border at the right end
    all.turns = 2 * borders - borders / w - (end / w - (end - borders) / w);
    const std::uint64_t left = ceil_div(borders, w);  // warps 0 … left − 1
    const std::uint64_t from = (length - borders) / w;
    const std::uint64_t to = ceil_div(end, w);  // and warps from … to − 1
    all.warps = left + minus_or_zero(to, std::max(from, std::min(left, to)));
    return all;
  }
};

/// Counts the divergence of a run: the accesses of N in which some thread with an output takes no
/// part.
class DivergenceCounter : public Observer {
 public:
  DivergenceCounter(std::uint64_t length, std::uint64_t v) : length_(length), side_(2 * v + 1) {}

  void launch_begins(const LaunchEvent& event) override { threads_ = event.launch.threads; }
  void accessed(const AccessEvent& event) override {
    if (event.array().name() != "N") return;
    const std::uint64_t width = event.warp.width();
    const std::uint64_t first = event.warp.block() * threads_ + event.warp.index() * width;
    for_each_lane(event.access.mask, [&](Width lane) { ++terms_[first + lane]; });
    const auto taking = static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
    if (taking < std::min(width, length_ - first)) {
      ++turns_;
      warps_.insert(first / width);
    }
  }

  Divergence counted() const {
    Divergence all{.warps = warps_.size(), .turns = turns_};
    for (std::uint64_t thread = 0; thread < length_; ++thread) {
      const auto found = terms_.find(thread);
      const std::uint64_t terms = found == terms_.end() ? 0 : found->second;
      all.threads += terms < side_ ? 1 : 0;
      all.skipped += side_ - terms;
    }
    return all;
  }
  /// Terms that a thread skips.
  std::uint64_t skipped_by(std::uint64_t thread) const { return side_ - terms_.at(thread); }

 private:
  std::uint64_t length_;
  std::uint64_t side_;
  std::uint64_t threads_ = 0;
  std::map<std::uint64_t, std::uint64_t> terms_;  ///< by thread
  std::set<std::uint64_t> warps_;
  std::uint64_t turns_ = 0;
};

}  // namespace bankproof
