// See limits.hpp.
#include "limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bankproof::cli {
namespace {

std::string measured_limit(const LimitRow& row, const Limit& limit) {
  return Growth::measured(row.time, limit.regime, row.letters, Growth(limit.printed).log()).text();
}

}  // namespace

std::string LimitRow::measured() const {
  std::string sum;
  for (const Limit& limit : limits) {
    sum += (sum.empty() ? "" : " + ") + measured_limit(*this, limit);
  }
  return sum;
}

std::string LimitRow::printed() const {
  std::string sum;
  for (const Limit& limit : limits) {
    sum += (sum.empty() ? "" : " + ") + std::string(limit.printed);
  }
  return sum;
}

void LimitRow::append_limits(std::vector<TableCell>& cells, const std::vector<Task>& tasks) const {
  for (const Limit& limit : limits) {
    const Growth term(limit.printed);
    double least = std::numeric_limits<double>::infinity();
    for (const Task& task : tasks) least = std::min(least, time(task) / term.value(task));
    const std::string here = least >= 1
                                 ? measured_limit(*this, limit)
                                 : fmt::format("a time of {:.2f} times {}", least, limit.printed);
    cells.push_back({name, std::string(limit.kind), std::string(limit.printed), here, ""});
  }
}

Point LimitRow::extremes(const std::vector<Task>& tasks) const {
  std::vector<Growth> terms;
  terms.reserve(limits.size());
  for (const Limit& limit : limits) terms.emplace_back(limit.printed);
  Point least_and_greatest{std::numeric_limits<double>::infinity(), 0};
  for (const Task& task : tasks) {
    double sum = 0;
    for (const Growth& term : terms) sum += term.value(task);
    const double ratio = time(task) / sum;
    least_and_greatest.x = std::min(least_and_greatest.x, ratio);
    least_and_greatest.y = std::max(least_and_greatest.y, ratio);
  }
  return least_and_greatest;
}

std::vector<Task> grid(const Task& task,
                       const std::vector<std::pair<char, std::vector<std::uint64_t>>>& letters,
                       const std::function<bool(const Task&)>& wanted) {
  std::vector<Task> tasks = {task};
  for (const auto& [letter, values] : letters) {
    std::vector<Task> more;
    for (const Task& one : tasks) {
      for (const std::uint64_t value : values) more.push_back(with(one, {{letter, value}}));
    }
    tasks = more;
  }
  std::erase_if(tasks, [&](const Task& one) { return !wanted(one); });
  return tasks;
}

}  // namespace bankproof::cli
