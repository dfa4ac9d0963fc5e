// HMM tables I and II (rows D6 and D7): the times of the sum and of the direct convolution on each
// machine, and their lower limits. The times come from the closed forms, which random machines in
// lockstep meet exactly; the sequential times count the operations of the plain oracles. HMM writes
// l for L, and p for dp; its shared latency is 1, so its log n is l log n here.
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/convolution.hpp"
#include "../../algorithms/sum.hpp"
#include "../../oracles/convolution.hpp"
#include "../../oracles/operations.hpp"
#include "../../oracles/sums.hpp"
#include "limits.hpp"

namespace bankproof::cli {
namespace {

template <class A>
double time_of(const Task& task) {
  return static_cast<double>(lockstep_time(A::cost(task), task.machine));
}

Task summing(std::string_view variant, MachineKind machine) {
  return {variant, Sizes(Sum::size_keys), {.machine = machine}};
}
Task convolving(std::string_view variant, MachineKind machine) {
  return {variant, Sizes(Convolution::size_keys), {.machine = machine}};
}

constexpr std::uint64_t K = 1024;
constexpr std::uint64_t M = K * K;

/// A row of the table, and a function that returns tasks for it with a given n.
struct Problem {
  LimitRow row;
  std::function<std::vector<Task>(std::uint64_t n)> tasks;
};

Problem sum_on_pram() {
  const Task task = with(summing("columns", MachineKind::pram), {{'w', widest_warp}});
  return {{"Sum, PRAM",
           time_of<Sum>,
           "np",
           {{"speed-up, bandwidth", "n/p", with(task, {{'n', 16 * M}, {'p', 256}})},
            {"reduction", "log n", with(task, {{'n', 256}, {'p', std::uint64_t{1} << 40}})}}},
          [task](std::uint64_t n) {
            return grid(with(task, {{'n', n}}), {{'p', {1, 16, 256, 4096}}},
                        [](const Task&) { return true; });
          }};
}

Problem sum_on_umm() {
  const Task task = summing("pairwise", MachineKind::umm);
  return {
      {"Sum, DMM and UMM",
       time_of<Sum>,
       "nwlp",
       {{"bandwidth", "n/w", with(task, {{'n', M}, {'w', 4}, {'l', 1}, {'p', 4 * K}})},
        {"latency", "nl/p", with(task, {{'n', 16 * M}, {'w', 256}, {'l', 64 * K}, {'p', K}})},
        {"reduction", "l log n", with(task, {{'n', 256}, {'w', M * M}, {'l', M}, {'p', M * M}})}}},
      [task](std::uint64_t n) {
        return grid(with(task, {{'n', n}}),
                    {{'w', {4, 32}}, {'l', {1, 20, 400}}, {'p', {32, 256, 4096}}},
                    [](const Task&) { return true; });
      }};
}

Problem sum_on_hmm() {
  const Task task = with(summing("all-dmms", MachineKind::hmm), {{'l', 1}});
  constexpr std::uint64_t many = std::uint64_t{1} << 57;
  return {{"Sum, HMM",
           time_of<Sum>,
           "nwlLdp",
           {{"bandwidth", "n/w", with(task, {{'n', M}, {'w', 4}, {'L', 1}, {'d', 4}, {'p', K}})},
            {"latency", "nL/(dp)",
             with(task, {{'n', 16 * M}, {'w', 64}, {'L', 64 * K}, {'d', 4}, {'p', 256}})},
            {"latency of one access", "L",
             with(task, {{'n', K}, {'w', K}, {'L', M}, {'d', 4}, {'p', K}})},
            {"reduction", "l log n",
             with(task, {{'n', 16 * K}, {'w', many}, {'l', M}, {'L', 1}, {'d', 4}, {'p', many}})}}},
          [task](std::uint64_t n) {
            return grid(with(task, {{'n', n}}),
                        {{'w', {4, 32}}, {'L', {1, 20, 400}}, {'d', {1, 4, 16}}, {'p', {32, 256}}},
                        [](const Task& one) {
                          const auto d = one.machine.d;
                          return letter_of(one, 'n') >= d * d;  // theorem 7
                        });
          }};
}

Problem convolution_on_pram() {
  const Task task = with(convolving("pram", MachineKind::pram), {{'w', widest_warp}});
  return {
      {"Direct convolution, PRAM",
       time_of<Convolution>,
       "mnp",
       {{"speed-up", "mn/p", with(task, {{'n', 64 * K}, {'m', K}, {'p', 64}})},
        {"reduction", "log m", with(task, {{'n', 4}, {'m', 32}, {'p', std::uint64_t{1} << 40}})}}},
      [task](std::uint64_t n) {
        return grid(with(task, {{'n', n}}), {{'m', {1, 8, 64}}, {'p', {1, 64, 4096}}},
                    [](const Task&) { return true; });
      }};
}

Problem convolution_on_umm() {
  const Task task = convolving("pieces", MachineKind::umm);
  return {
      {"Direct convolution, DMM and UMM",
       time_of<Convolution>,
       "mnwlp",
       {{"speed-up", "mn/w",
         with(task, {{'n', 4 * K}, {'m', 256}, {'w', 4}, {'l', 1}, {'p', 16 * K}})},
        {"latency", "mnl/p", with(task, {{'n', K}, {'m', K}, {'w', 256}, {'l', M}, {'p', 4 * K}})},
        {"reduction", "l log m",
         with(task, {{'n', 4}, {'m', 32}, {'w', 4}, {'l', M * M}, {'p', 16 * M}})}}},
      [task](std::uint64_t n) {
        return grid(with(task, {{'n', n}}),
                    {{'m', {2, 8, 64}}, {'w', {4, 32}}, {'l', {1, 20, 400}}, {'p', {256, 4096}}},
                    [](const Task&) { return true; });
      }};
}

Problem convolution_on_hmm() {
  const Task task = with(convolving("shares", MachineKind::hmm), {{'l', 1}});
  return {
      {"Direct convolution, HMM",
       time_of<Convolution>,
       "mnwlLdp",
       {{"bandwidth", "n/w",
         with(task, {{'n', 256 * K}, {'m', 1}, {'w', 4}, {'L', 1}, {'d', K}, {'p', 256}})},
        {"speed-up", "mn/(dw)",
         with(task, {{'n', 16 * K}, {'m', 512}, {'w', 4}, {'L', 1}, {'d', 2}, {'p', 512}})},
        {"latency", "nL/(dp)",
         with(task, {{'n', 256 * K}, {'m', 4}, {'w', 32}, {'L', M}, {'d', 2}, {'p', 64}})},
        {"latency of one access", "L",
         with(task, {{'n', K}, {'m', 4}, {'w', 64}, {'L', M * K}, {'d', 4}, {'p', 4 * K}})},
        {"reduction", "l log m",
         with(task,
              {{'n', 4}, {'m', 32}, {'w', 4}, {'l', M * M}, {'L', 1}, {'d', 1}, {'p', 16 * M}})}}},
      [task](std::uint64_t n) {
        return grid(with(task, {{'n', n}}),
                    {{'m', {1, 8, 64}},
                     {'w', {4, 32}},
                     {'L', {1, 20, 400}},
                     {'d', {1, 4}},
                     {'p', {32, 256}}},
                    [](const Task& one) {  // corollary 10
                      const auto share = letter_of(one, 'n') / one.machine.d;
                      return letter_of(one, 'm') <= share && share >= one.machine.w &&
                             one.machine.p >= one.machine.w;
                    });
      }};
}

/// The operations of a sequential algorithm.
double operations_of_sum(const Task& task) {
  oracle::Operations counts;
  oracle::sum(oracle::counted(std::vector<std::uint64_t>(task.sizes["n"]), counts));
  return static_cast<double>(counts.all());
}
double operations_of_convolution(const Task& task) {
  const auto numbers = [](std::uint64_t count, oracle::Operations& counts) {
    return oracle::counted(std::vector<std::uint64_t>(count), counts);
  };
  const std::uint64_t m = task.sizes["m"];
  oracle::Operations counts;
  oracle::direct_convolution(numbers(m, counts), numbers(task.sizes["n"] + m - 1, counts));
  return static_cast<double>(counts.all());
}

std::vector<LimitRow> sequential_rows() {
  const Task sum = with(summing("columns", MachineKind::pram), {{'n', K}});
  const Task convolution = with(convolving("pram", MachineKind::pram), {{'n', K}, {'m', 16}});
  return {{"Sum, sequential", operations_of_sum, "n", {{"operations", "n", sum}}},
          {"Direct convolution, sequential",
           operations_of_convolution,
           "mn",
           {{"operations", "mn", convolution}}}};
}

std::vector<Problem> problems() {
  return {sum_on_pram(),         sum_on_umm(),         sum_on_hmm(),
          convolution_on_pram(), convolution_on_umm(), convolution_on_hmm()};
}

}  // namespace

SourceTable table_hmm_i() {
  SourceTable table{
      "HMM:I",
      "The computing time of the sum and the direct convolution",
      "each term shows how the exact time in lockstep grows with each letter where the term "
      "dominates; in sequential rows, how the operations of the plain algorithm grow. L and dp are "
      "the source's l and p on the HMM, whose shared latency l is 1",
      {}};
  const auto add = [&](const LimitRow& row) {
    table.cells.push_back({row.name, "time", row.printed(), row.measured(), ""});
  };
  for (const LimitRow& row : sequential_rows()) add(row);
  for (const Problem& problem : problems()) add(problem.row);
  return table;
}

SourceTable table_hmm_ii() {
  SourceTable table{
      "HMM:II",
      "The lower bound of the computing time",
      "each limit shows how the exact time in lockstep grows where the limit dominates, so that "
      "the time meets the limit. No task that was tried takes less than any limit; the limits are "
      "for programs that fetch both factors of each product, see docs/errata.md. Chart: for many "
      "machines, the least and the greatest ratio of the time to the sum of the limits",
      {},
      {{"n"}, {"time / sum of limits"}, {}}};
  for (const Problem& problem : problems()) {
    std::vector<Task> all;
    Series least{problem.row.name + ": min", {}};
    Series greatest{problem.row.name + ": max", {}};
    for (std::uint64_t n = 256; n <= 16 * K; n *= 4) {
      const std::vector<Task> tasks = problem.tasks(n);
      all.insert(all.end(), tasks.begin(), tasks.end());
      const Point extremes = problem.row.extremes(tasks);
      least.points.push_back({static_cast<double>(n), extremes.x});
      greatest.points.push_back({static_cast<double>(n), extremes.y});
    }
    problem.row.append_limits(table.cells, all);
    table.chart.lines.push_back(least);
    table.chart.lines.push_back(greatest);
  }
  return table;
}

}  // namespace bankproof::cli
