// Intervals of a sequence, for sums whose order matters (Chong, Donaldson, Ketema 2014). An
// interval stands for the sum of its elements in order, and can be added to the interval that
// begins where it ends. One run of a data-oblivious algorithm on [0, 1), [1, 2), … decides for the
// values of all monoids: [i, j) stands for the sum of values i … j − 1. A sum of parts that do not
// touch is broken and stays broken; an algorithm that makes such a sum may be right only if +
// commutes.
//
// Example: [0, 2) + [2, 5) is [0, 5), and [2, 5) + [0, 2) is broken.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

namespace bankproof::testing {

struct Interval {
  std::uint64_t begin = 0;  ///< empty if begin = end
  std::uint64_t end = 0;
  bool broken = false;  ///< a sum of parts that do not touch

  friend Interval operator+(const Interval& a, const Interval& b) {
    if (a.begin == a.end && !a.broken) return b;
    if (b.begin == b.end && !b.broken) return a;
    return {a.begin, b.end, a.broken || b.broken || a.end != b.begin};
  }
  /// Programs must not compare values; only code that judges results does.
  bool operator==(const Interval&) const = delete;
  friend bool is_same(const Interval& a, const Interval& b) {
    return a.begin == b.begin && a.end == b.end && a.broken == b.broken;
  }
};
inline std::ostream& operator<<(std::ostream& out, const Interval& interval) {
  return out << (interval.broken ? "broken " : "") << "[" << interval.begin << ", " << interval.end
             << ")";
}

/// [0, 1), [1, 2), … [n − 1, n).
inline std::vector<Interval> unit_intervals(std::uint64_t n) {
  std::vector<Interval> intervals;
  for (std::uint64_t i = 0; i < n; ++i) intervals.push_back({i, i + 1});
  return intervals;
}

}  // namespace bankproof::testing
