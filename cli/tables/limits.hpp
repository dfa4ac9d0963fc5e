// Rows of tables that print times as sums of terms, such as O(n/w + nl/p + l log n). Where one term
// dominates, the time must grow with each letter as this term does. Over many tasks, the ratio of
// the time to the sum of the terms must stay bounded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "growth.hpp"
#include "table.hpp"

namespace bankproof::cli {

/// A term, and a task whose time it dominates.
struct Limit {
  std::string_view kind;  ///< bandwidth, latency, …
  std::string_view printed;
  Task regime;
};

/// A problem on a machine.
struct LimitRow {
  std::string name;
  Growth::Quantity time;
  std::string_view letters;
  std::vector<Limit> limits;

  /// The terms with their measured exponents, in the order of the limits.
  std::string measured() const;
  std::string printed() const;

  /// Appends a cell for each limit: its measured exponents, unless some task takes less time than
  /// the limit.
  void append_limits(std::vector<TableCell>& cells, const std::vector<Task>& tasks) const;
  /// The least and the greatest ratio of the time to the sum of the terms.
  Point extremes(const std::vector<Task>& tasks) const;
};

/// All tasks with these values of letters for which `wanted` returns true.
std::vector<Task> grid(const Task& task,
                       const std::vector<std::pair<char, std::vector<std::uint64_t>>>& letters,
                       const std::function<bool(const Task&)>& wanted);

}  // namespace bankproof::cli
