// Checks of schedules for property suites: the verifier accepts the schedule, and the schedule
// moves an array on an HMM, where its shared accesses are conflict-free and its global accesses
// coalesced.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../algorithms/permutation/schedule.hpp"
#include "../algorithms/permutation/scheduled.hpp"
#include "../algorithms/permutation/verify_schedule.hpp"
#include "plans.hpp"

namespace bankproof::testing {

using ScheduleOf16 = Schedule<std::uint16_t>;

inline ScheduleOf16 schedule_of(const Permutation& permutation, MatrixShape shape, Width width) {
  return schedule<std::uint16_t>(std::span<const std::uint32_t>(permutation), shape, width);
}

inline std::optional<ScheduleDefect> defect_of(const Permutation& permutation,
                                               const ScheduleOf16& schedule) {
  std::array<PassToVerify<std::uint16_t>, 3> passes;
  for (std::size_t pass = 0; pass < 3; ++pass) {
    passes[pass] = {schedule.passes[pass].s, schedule.passes[pass].d};
  }
  return verify_schedule(std::span<const std::uint32_t>(permutation), schedule.rows,
                         schedule.columns, schedule.passes[0].width, passes);
}

inline std::array<RowPlanArrays, 3> arrays_of(Memory& memory, const ScheduleOf16& schedule) {
  const auto arrays = [&](const RowPlans<std::uint16_t>& pass) {
    return RowPlanArrays(memory, std::span<const std::uint16_t>(pass.s),
                         std::span<const std::uint16_t>(pass.d));
  };
  return {arrays(schedule.passes[0]), arrays(schedule.passes[1]), arrays(schedule.passes[2])};
}

/// Permutes `values` by the schedule on a machine with p resident threads for each DMM; returns the
/// time.
template <class Machine>
Time run_schedule(Machine& machine, const ScheduleOf16& schedule, std::vector<std::int64_t>& values,
                  std::uint64_t p = unlimited) {
  values.resize(schedule.rows * schedule.columns);
  Array<std::int64_t> a(machine.global(), values, "a");
  Array<std::int64_t> b(machine.global(), values.size(), "b");
  Array<std::int64_t> other(machine.global(), values.size(), "other");
  auto passes = arrays_of(machine.global(), schedule);
  const Transposing matrix{schedule.rows, schedule.columns, schedule.passes[0].width};
  const Time time = permute_scheduled(machine, a, b, other, passes, matrix, p);
  values.assign(b.values().begin(), b.values().end());
  return time;
}

}  // namespace bankproof::testing
