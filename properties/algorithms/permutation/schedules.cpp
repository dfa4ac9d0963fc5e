// Scheduled permutation (rows H3 to H8): every permutation has a schedule in every shape with room
// for it. The verifier accepts the schedule, and it moves an array on the HMM in the rounds and
// times of THS table 5.1. The verifier refuses every schedule with one changed number.
#include "../../../testing/schedules.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../../algorithms/permutation/conflicts.hpp"
#include "../../../algorithms/permutation/named.hpp"
#include "../../../model/observers/races.hpp"
#include "../../../model/observers/statistics.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../../testing/structured.hpp"

namespace bankproof::testing {
namespace {

/// A permutation, a width, and a matrix with room for it.
struct Scheduling {
  Permutation permutation;
  Width width;
  MatrixShape shape;
};

std::ostream& operator<<(std::ostream& out, const Scheduling& drawn) {
  out << PermutedWarps{drawn.width, drawn.permutation} << " as " << drawn.shape.rows << " x "
      << drawn.shape.columns;
  return out;
}

rc::Gen<Scheduling> any_scheduling() {
  return rc::gen::exec([] {
    const auto width = *rc::gen::inRange<Width>(1, 17);
    const Permutation permutation =
        *rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<PermutedWarps>(),
                                     [](const PermutedWarps& drawn) { return drawn.permutation; }),
                        structured_permutation());
    const auto columns = *rc::gen::inRange<std::uint64_t>(1, 40);
    const auto spare = *rc::gen::inRange<std::uint64_t>(0, 3);
    const std::uint64_t rows = ceil_div(permutation.size(), columns) + spare;
    return Scheduling{permutation, width, {std::max<std::uint64_t>(rows, 1), columns}};
  });
}

BANKPROOF_PROPERTY(Schedules, are_right_for_every_permutation_and_shape, ()) {
  const Scheduling drawn = *any_scheduling();
  const auto& [permutation, width, shape] = drawn;
  const ScheduleOf16 schedule = schedule_of(permutation, shape, width);
  RC_ASSERT(!defect_of(permutation, schedule));

  const auto dmms = *rc::gen::inRange<std::uint64_t>(1, 4);
  Hmm machine({.dmms = dmms, .width = width, .shared_latency = 2, .global_latency = 5});
  Races races;
  machine.attach(races);
  std::vector<std::int64_t> values = tags(permutation.size());
  const std::vector<std::int64_t> expected =
      oracle::permuted(values, {permutation.begin(), permutation.end()});
  run_schedule(machine, schedule, values);
  values.resize(permutation.size());
  RC_ASSERT(values == expected);
}

BANKPROOF_PROPERTY(Schedules, with_one_number_changed_are_refused, ()) {
  const Scheduling drawn = *rc::gen::suchThat(
      any_scheduling(), [](const Scheduling& d) { return !d.permutation.empty(); });
  ScheduleOf16 schedule = schedule_of(drawn.permutation, drawn.shape, drawn.width);
  auto& pass = schedule.passes[*rc::gen::inRange<std::size_t>(0, 3)];
  auto& lanes = *rc::gen::arbitrary<bool>() ? pass.s : pass.d;
  auto& changed = lanes[*rc::gen::inRange<std::size_t>(0, lanes.size())];
  const auto value = *rc::gen::suchThat(
      rc::gen::oneOf(rc::gen::arbitrary<std::uint16_t>(), rc::gen::inRange<std::uint16_t>(0, 50)),
      [&](std::uint16_t other) { return other != changed; });
  changed = value;
  const auto defect = defect_of(drawn.permutation, schedule);
  RC_ASSERT(defect.has_value());
  RC_ASSERT(!describe(*defect).empty());
}

TEST(Schedules, of_another_permutation_are_refused) {
  const auto permutation = parse_named("random:300,seed=5").generate<std::uint32_t>();
  const Permutation inverse = inverse_of(std::span<const std::uint32_t>(permutation));
  const ScheduleOf16 schedule = schedule_of(permutation, {20, 15}, 4);
  EXPECT_FALSE(defect_of(permutation, schedule));
  const auto defect = defect_of(inverse, schedule);
  ASSERT_TRUE(defect);
  EXPECT_EQ(defect->pass, 3U);
  EXPECT_THAT(describe(*defect), ::testing::StartsWith("after the three passes, place "));
}

// Covers rows so long that several threads color their plans, more threads than rows, and widths
// that peeling does not support.
TEST(Schedules, are_right_when_rows_and_their_colors_are_planned_in_parallel) {
  tbb::task_arena arena(8);
  for (int run = 0; run < 3; ++run) {
    const auto permutation =
        parse_named("random:1056000,seed=" + std::to_string(run)).generate<std::uint32_t>();
    ScheduleOf16 schedule;
    arena.execute([&] { schedule = schedule_of(permutation, {64, 16500}, 100); });
    const auto defect = defect_of(permutation, schedule);
    ASSERT_FALSE(defect) << describe(*defect);
  }
}

TEST(Schedules, name_the_column_that_moves_twice) {
  const Permutation p = {0, 1, 2, 3};
  ScheduleOf16 schedule = schedule_of(p, {1, 4}, 4);
  schedule.passes[0].s = {0, 1, 0, 3};
  schedule.passes[0].d = {0, 1, 2, 3};
  EXPECT_EQ(describe(*defect_of(p, schedule)),
            "pass 1, row 0: warp 0, lane 2: element 0 is moved a second time");
}

TEST(Schedules, need_room_and_cells_that_number_the_lanes) {
  const Permutation ten = parse_named("identity:10").generate<std::uint32_t>();
  EXPECT_THROW(schedule_of(ten, {3, 3}, 4), std::invalid_argument);
  EXPECT_THROW(schedule_of(ten, {0, 3}, 4), std::invalid_argument);
  EXPECT_THROW(schedule_of(ten, {1, 65535}, 4), std::length_error);
  EXPECT_THROW(schedule<std::uint8_t>(std::span<const std::uint32_t>(ten), {1, 255}, 4),
               std::length_error);
}

TEST(Schedules, have_square_shapes_of_whole_warps_where_there_are_some) {
  EXPECT_EQ(shape_for(1 << 20, 32), (MatrixShape{1024, 1024}));
  EXPECT_EQ(shape_for(1 << 21, 32), (MatrixShape{1024, 2048}));
  EXPECT_EQ(shape_for(3 << 20, 32), (MatrixShape{1536, 2048}));
  EXPECT_EQ(shape_for(1000, 32), (MatrixShape{32, 32}));
  EXPECT_EQ(shape_for(1025, 32), (MatrixShape{32, 64}));
  EXPECT_EQ(shape_for(1, 32), (MatrixShape{32, 32}));
  EXPECT_EQ(shape_for(0, 4), (MatrixShape{4, 4}));
  for (std::uint64_t n = 1; n < 3000; ++n) {
    const auto [rows, columns] = shape_for(n, 8);
    ASSERT_GE(rows * columns, n);
    ASSERT_TRUE(rows % 8 == 0 && columns % 8 == 0) << n;
  }
}

/// More threads than any launch of these tests has.
constexpr std::uint64_t all = 1U << 20U;

Hmm machine_of(const MachineParameters& hmm, Mode mode = Mode::lockstep) {
  return Hmm({.dmms = hmm.d,
              .width = static_cast<Width>(hmm.w),
              .shared_latency = hmm.l,
              .global_latency = hmm.L,
              .resident_threads = rounded_up(hmm.p, hmm.w)},
             {.mode = mode});
}

/// A matrix of whole tiles, and an HMM that permutes it.
struct Matrix {
  Transposing shape;
  MachineParameters hmm;
};

Matrix any_matrix() {
  const std::uint64_t w = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto sides = rc::gen::inRange<std::uint64_t>(1, 7);
  Matrix matrix{{*sides * w, *sides * w, w},
                {.w = w,
                 .l = *rc::gen::inRange<std::uint64_t>(1, 6),
                 .L = *rc::gen::inRange<std::uint64_t>(1, 50),
                 .d = *rc::gen::inRange<std::uint64_t>(1, 5),
                 .p = all}};
  if (*rc::gen::arbitrary<bool>()) matrix.hmm.p = *rc::gen::inRange<std::uint64_t>(w, 12 * w);
  return matrix;
}

BANKPROOF_PROPERTY(Transposes, take_the_times_of_their_closed_forms, ()) {
  const auto [matrix, hmm] = any_matrix();
  const std::uint64_t n = matrix.rows * matrix.columns;
  Hmm machine = machine_of(hmm);
  Array<std::int64_t> a(machine.global(), tags(n), "a");
  Array<std::int64_t> b(machine.global(), n, "b");
  const Time time = machine.launch(matrix.launch(hmm.p), transpose<std::int64_t>, a, b, matrix);
  RC_ASSERT(time == lockstep_time(transpose_cost(hmm, matrix), hmm));
  for (std::uint64_t row = 0; row < matrix.rows; ++row) {
    for (std::uint64_t column = 0; column < matrix.columns; ++column) {
      RC_ASSERT(b.values()[column * matrix.rows + row] ==
                a.values()[row * matrix.columns + column]);
    }
  }
}

BANKPROOF_PROPERTY(Transposes, of_any_shape_move_every_element, ()) {
  const auto w = *rc::gen::inRange<std::uint64_t>(1, 9);
  const Transposing matrix{*rc::gen::inRange<std::uint64_t>(1, 30),
                           *rc::gen::inRange<std::uint64_t>(1, 30), w};
  Hmm machine = machine_of({.w = w, .l = 2, .L = 5, .d = 2, .p = all});
  Array<std::int64_t> a(machine.global(), tags(matrix.rows * matrix.columns), "a");
  Array<std::int64_t> b(machine.global(), a.size(), "b");
  machine.launch(matrix.launch(), transpose<std::int64_t>, a, b, matrix);
  for (std::uint64_t row = 0; row < matrix.rows; ++row) {
    for (std::uint64_t column = 0; column < matrix.columns; ++column) {
      RC_ASSERT(b.values()[column * matrix.rows + row] ==
                a.values()[row * matrix.columns + column]);
    }
  }
}

BANKPROOF_PROPERTY(Schedules, of_rows_and_columns_take_the_times_of_their_closed_forms, ()) {
  const auto [matrix, hmm] = any_matrix();
  const std::uint64_t n = matrix.rows * matrix.columns;
  const auto permutation = parse_named("random:" + std::to_string(n)).generate<std::uint32_t>();
  const ScheduleOf16 schedule =
      schedule_of(permutation, {matrix.rows, matrix.columns}, static_cast<Width>(matrix.w));
  Hmm machine = machine_of(hmm);
  Array<std::int64_t> a(machine.global(), tags(n), "a");
  Array<std::int64_t> b(machine.global(), n, "b");
  Array<std::int64_t> other(machine.global(), n, "other");
  auto passes = arrays_of(machine.global(), schedule);
  const PermutingRows rows{matrix.rows, matrix.columns, matrix.w};
  RC_ASSERT(machine.launch(rows.launch(hmm.p), permute_rows<std::int64_t>, a, b, passes[0].s,
                           passes[0].d, rows) == lockstep_time(rows.cost(hmm), hmm));
  RC_ASSERT(permute_columns(machine, a, b, other, passes[1], matrix, hmm.p) ==
            lockstep_time(permute_columns_cost(hmm, matrix), hmm));
}

BANKPROOF_PROPERTY(Schedules, take_the_times_of_their_closed_forms, ()) {
  const auto [matrix, hmm] = any_matrix();
  const std::uint64_t n = matrix.rows * matrix.columns;
  const auto permutation = parse_named("random:" + std::to_string(n)).generate<std::uint32_t>();
  const ScheduleOf16 schedule =
      schedule_of(permutation, {matrix.rows, matrix.columns}, static_cast<Width>(matrix.w));
  Hmm machine = machine_of(hmm);
  std::vector<std::int64_t> values(n);
  RC_ASSERT(run_schedule(machine, schedule, values, hmm.p) ==
            lockstep_time(permute_scheduled_cost(hmm, matrix), hmm));
}

// Row H8: the HMM reads every element once, w elements per time unit, and the last element arrives
// after the latency L.
BANKPROOF_PROPERTY(Schedules, take_at_least_the_lower_bound, ()) {
  const auto [matrix, hmm] = any_matrix();
  const std::uint64_t n = matrix.rows * matrix.columns;
  const auto permutation = parse_named("random:" + std::to_string(n)).generate<std::uint32_t>();
  const ScheduleOf16 schedule =
      schedule_of(permutation, {matrix.rows, matrix.columns}, static_cast<Width>(matrix.w));
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    Hmm machine = machine_of(hmm, mode);
    const std::uint64_t bound = n / matrix.w + hmm.L;
    std::vector<std::int64_t> values(n);
    RC_ASSERT(run_schedule(machine, schedule, values, hmm.p) >= bound);
    Array<std::int64_t> a(machine.global(), tags(n), "a");
    Array<std::int64_t> b(machine.global(), n, "b");
    Array<Address> p(machine.global(), addresses_of(permutation), "p");
    const Launch launch{.blocks = hmm.d, .threads = matrix.w};
    RC_ASSERT(machine.launch(launch, permute_destination_designated<std::int64_t>, a, b, p) >=
              bound);
  }
}

TEST(Schedules, meet_the_printed_times) {
  for (const std::uint64_t w : {4U, 8U, 32U}) {
    for (const std::uint64_t L : {1U, 100U, 400U}) {
      const std::uint64_t side = w * 8;
      const std::uint64_t n = side * side;
      const Transposing matrix{side, side, w};
      const PermutingRows rows{side, side, w};
      const MachineParameters one{.w = w, .L = L, .p = all};
      EXPECT_EQ(lockstep_time(transpose_cost(one, matrix), one), 4 * (n / w) + 2 * L - 2);
      EXPECT_EQ(lockstep_time(rows.cost(one), one), 8 * (n / w) + 4 * L - 4);
      EXPECT_EQ(lockstep_time(permute_columns_cost(one, matrix), one), 16 * (n / w) + 8 * L - 8);
      EXPECT_EQ(lockstep_time(permute_scheduled_cost(one, matrix), one),
                32 * (n / w) + 16 * L - 16);
      for (const std::uint64_t k : {2U, 4U, 8U}) {
        const MachineParameters several{.w = w, .L = L, .d = k, .p = all};
        EXPECT_EQ(lockstep_time(permute_scheduled_cost(several, matrix), several),
                  16 * (n / w) + 16 * (n / (k * w)) + 16 * L - 16);
      }
    }
  }
}

/// The number of rounds of each kind, in the order of the columns of table 5.1.
using Rounds = std::array<std::uint64_t, 6>;

template <class Run>
Rounds rounds_of(const Run& run) {
  Hmm machine({.dmms = 1, .width = 4, .shared_latency = 1, .global_latency = 10});
  Statistics statistics;
  machine.attach(statistics);
  run(machine);
  const MemoryStatistics global = statistics.of(machine.global());
  const MemoryStatistics shared = statistics.of_banks();
  return {global.declared_reading.casual,        global.declared_writing.casual,
          global.declared_reading.coalesced,     global.declared_writing.coalesced,
          shared.declared_reading.conflict_free, shared.declared_writing.conflict_free};
}

TEST(Schedules, make_the_rounds_of_THS_table_5_1) {
  const Transposing matrix{16, 16, 4};
  const auto permutation = parse_named("random:256,seed=3").generate<std::uint32_t>();
  const ScheduleOf16 schedule = schedule_of(permutation, {16, 16}, 4);
  const std::vector<Address> indices(permutation.begin(), permutation.end());
  using Words = Array<std::int64_t>;
  const auto designated = [&](const auto& program) {
    return [&](Hmm& machine) {
      Words a(machine.global(), 256, "a");
      Words b(machine.global(), 256, "b");
      Array<Address> p(machine.global(), indices, "p");
      machine.launch({.threads = 256}, program, a, b, p);
    };
  };
  EXPECT_EQ(rounds_of(designated(permute_destination_designated<std::int64_t>)),
            (Rounds{0, 1, 2, 0, 0, 0}));
  EXPECT_EQ(rounds_of(designated(permute_source_designated<std::int64_t>)),
            (Rounds{1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(rounds_of([&](Hmm& machine) {
              Words a(machine.global(), 256, "a");
              Words b(machine.global(), 256, "b");
              machine.launch(matrix.launch(), transpose<std::int64_t>, a, b, matrix);
            }),
            (Rounds{0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(rounds_of([&](Hmm& machine) {
              Words a(machine.global(), 256, "a");
              Words b(machine.global(), 256, "b");
              auto passes = arrays_of(machine.global(), schedule);
              const PermutingRows rows{16, 16, 4};
              machine.launch(rows.launch(), permute_rows<std::int64_t>, a, b, passes[0].s,
                             passes[0].d, rows);
            }),
            (Rounds{0, 0, 3, 1, 2, 2}));
  EXPECT_EQ(rounds_of([&](Hmm& machine) {
              Words a(machine.global(), 256, "a");
              Words b(machine.global(), 256, "b");
              Words other(machine.global(), 256, "other");
              auto passes = arrays_of(machine.global(), schedule);
              permute_columns(machine, a, b, other, passes[1], matrix);
            }),
            (Rounds{0, 0, 5, 3, 4, 4}));
  EXPECT_EQ(rounds_of([&](Hmm& machine) {
              std::vector<std::int64_t> values(256);
              run_schedule(machine, schedule, values);
            }),
            (Rounds{0, 0, 11, 5, 8, 8}));
}

TEST(Schedules, leave_the_places_beyond_the_permutation_as_they_are) {
  Permutation identity(6);
  std::iota(identity.begin(), identity.end(), 0U);
  ScheduleOf16 schedule = schedule_of(identity, {2, 4}, 1);
  ASSERT_FALSE(defect_of(identity, schedule));
  // The last pass exchanges positions 6 and 7, which are columns 2 and 3 of the second row.
  RowPlans<std::uint16_t>& pass = schedule.passes[2];
  const auto lane_of = [&](std::uint16_t column) {
    const auto row = pass.s.begin() + static_cast<std::ptrdiff_t>(pass.lanes());
    return static_cast<std::size_t>(std::find(row, pass.s.end(), column) - pass.s.begin());
  };
  std::swap(pass.d.at(lane_of(2)), pass.d.at(lane_of(3)));
  const auto defect = defect_of(identity, schedule);
  ASSERT_TRUE(defect);
  EXPECT_EQ(defect->pass, 3U);
  EXPECT_EQ(std::pair(defect->place, defect->found), std::pair(std::uint64_t{6}, std::uint64_t{7}));
}

TEST(Canary, a_schedule_whose_passes_are_exchanged_is_caught) {
  EXPECT_TRUE(caught([] {
    const Scheduling drawn = *any_scheduling();
    ScheduleOf16 schedule = schedule_of(drawn.permutation, drawn.shape, drawn.width);
    std::swap(schedule.passes[0], schedule.passes[2]);
    RC_ASSERT(!defect_of(drawn.permutation, schedule));
  }));
}

}  // namespace
}  // namespace bankproof::testing
