// Permutations on a device by rows, by columns and by a schedule: they give the oracle's result
// with the accesses of the model's algorithms.
#include "../../../cuda/kernels/permutation/scheduled_permutation.hpp"

#include "../../../algorithms/permutation/offline.hpp"
#include "permutations.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceScheduledPermutation : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceScheduledPermutation, Numbers);

/// Random plans [row][column] that permute each row separately, and the permutations of the whole
/// matrix that result from them.
struct DrawnRows {
  RowPlans<std::uint32_t> plans;
  Permutation of_rows;     // of the matrix
  Permutation of_columns;  // of the transposed matrix

  DrawnRows(std::size_t rows, std::size_t columns, Width width) {
    Permutation permutations;
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    of_rows.resize(rows * columns);
    of_columns.resize(rows * columns);
    for (std::uint32_t row = 0; row < rows; ++row) {
      const Permutation own = shuffled_permutation(columns, seed + row);
      permutations.insert(permutations.end(), own.begin(), own.end());
      for (std::uint32_t column = 0; column < columns; ++column) {
        const auto wide = static_cast<std::uint32_t>(columns);
        const auto high = static_cast<std::uint32_t>(rows);
        of_rows[row * wide + column] = row * wide + own[column];
        of_columns[column * high + row] = own[column] * high + row;
      }
    }
    plans = bankproof::detail::plan_rows(permutations, rows, columns, width);
  }
};

/// Says which thread writes an element if each row has a block of whole warps.
WriterOf writer_of_rows(std::size_t columns) {
  return a_block_a_row(columns, std::min<std::size_t>(ceil_div(columns, 32) * 32, 1024));
}

TYPED_TEST(DeviceScheduledPermutation, of_rows_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const auto rows = *rc::gen::inRange<std::size_t>(0, 20);
    const auto columns = rows == 0 ? 5 : any_size(200) + 1;
    const auto values = numbers<T>(rows * columns);
    const DrawnRows drawn(rows, columns, plan_width<T>);
    DevicePlan<std::int16_t> plans(drawn.plans);
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    permute_rows<T>(a.in(), b.data(), rows, columns, plans.tables());
    require_equal(b.values(), oracle_permuted(values, drawn.of_rows), writer_of_rows(columns));
    permute_rows<T>(a.in(), a.data(), rows, columns, plans.tables());
    require_equal(a.values(), oracle_permuted(values, drawn.of_rows), writer_of_rows(columns));
  });
}

// Rows up to the largest number of items per thread that kernels support.
TYPED_TEST(DeviceScheduledPermutation, of_long_rows_is_the_oracles) {
  using T = TypeParam;
  check([] {
    const auto columns = std::vector<std::size_t>{
        5000, 20000, sizeof(T) == 4 ? 36000U : 25000U}[*rc::gen::inRange<std::size_t>(0, 3)];
    const auto values = numbers<T>(columns);
    const DrawnRows drawn(1, columns, plan_width<T>);
    DevicePlan<std::uint32_t> plans(drawn.plans);
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    permute_rows<T>(a.in(), b.data(), 1, columns, plans.tables());
    require_equal(b.values(), oracle_permuted(values, drawn.of_rows), writer_of_rows(columns));
  });
}

TYPED_TEST(DeviceScheduledPermutation, of_columns_is_the_oracles) {
  check([] {
    using T = TypeParam;
    // With few rows a block moves whole lines; with more rows it moves sectors, and parts of
    // sectors.
    const auto kind = *rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}});
    const auto rows = kind == 0   ? any_size(100) + 1
                      : kind == 1 ? 1000 + any_size(300)
                                  : 7000 + any_size(1000);
    const auto columns = *rc::gen::inRange<std::size_t>(1, kind == 0 ? 100 : 6);
    const auto values = numbers<T>(rows * columns);
    const DrawnRows drawn(columns, rows, plan_width<T>);
    DevicePlan<std::int16_t> plans(drawn.plans);
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    permute_columns_in_one_launch<T>(a.in(), b.data(), rows, columns, plans.tables());
    require_equal(b.values(), oracle_permuted(values, drawn.of_columns));

    GuardedArray<T> c(values.size());
    GuardedArray<std::byte> scratch(permute_columns_scratch_bytes<T>(rows, columns));
    permute_columns<T>(a.in(), c.data(), rows, columns, plans.tables(), scratch.span());
    require_equal(c.values(), oracle_permuted(values, drawn.of_columns),
                  transposing(columns, rows));
  });
}

TYPED_TEST(DeviceScheduledPermutation, is_the_oracles_in_place_too) {
  check([] {
    using T = TypeParam;
    const auto n = any_size(4000);
    const auto values = numbers<T>(n);
    const Permutation permutation = any_permutation(n);
    const MatrixShape shape = *rc::gen::element(
        shape_for(n, plan_width<T>), shape_for(n, plan_width<T>, 40), MatrixShape{n / 40 + 1, 40});
    DeviceSchedule<std::int16_t> schedule(schedule_for(permutation, shape, plan_width<T>));
    const auto permute = [&](T* a, T* b) {
      if (*rc::gen::arbitrary<bool>()) {
        GuardedArray<std::byte> scratch(permute_scheduled_scratch_bytes<T>(n, schedule.tables()));
        permute_scheduled<T>({a, n}, b, schedule.tables(), scratch.span());
      } else {
        GuardedArray<std::byte> scratch(
            permute_scheduled_in_three_launches_scratch_bytes<T>(n, schedule.tables()));
        permute_scheduled_in_three_launches<T>({a, n}, b, schedule.tables(), scratch.span());
      }
    };
    GuardedArray<T> a(values);
    GuardedArray<T> b(n);
    permute(a.data(), b.data());
    const WriterOf writer = writer_of_rows(shape.columns);
    require_equal(b.values(), oracle_permuted(values, permutation), writer);
    permute(a.data(), a.data());
    require_equal(a.values(), oracle_permuted(values, permutation), writer);
  });
}

/// The cost of the model's programs for rows or columns; calls `launch(machine, a, b, other,
/// plans)`.
template <class Launch>
MachineCounts counts_of_passes(const RowPlans<std::uint32_t>& plans, std::size_t n, Launch launch) {
  Hmm machine({.dmms = 1, .width = 32, .shared_latency = 1, .global_latency = 1});
  Statistics statistics;
  machine.attach(statistics);
  Array<std::uint32_t> a(machine.global(), std::vector<std::uint32_t>(n), "a");
  Array<std::uint32_t> b(machine.global(), n, "b");
  Array<std::uint32_t> other(machine.global(), n, "other");
  RowPlanArrays arrays(machine.global(), std::span(plans.s), std::span(plans.d));
  launch(machine, a, b, other, arrays);
  MachineCounts counts;
  counts.wavefronts = statistics.of_banks().stages;
  counts.lines = statistics.of_kind(MemoryKind::groups).stages;
  return counts;
}

TEST(DeviceScheduledPermutationOnMachine, makes_the_accesses_of_the_model_by_rows_and_columns) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 80);
    const auto columns = *rc::gen::inRange<std::size_t>(1, 80);
    const std::size_t n = rows * columns;
    GuardedArray<float> a(std::vector<float>(n, 1));
    GuardedArray<float> b(n);
    {
      const DrawnRows drawn(rows, columns, 32);
      DevicePlan<std::uint32_t> plans(drawn.plans);
      permute_rows<float>(a.in(), b.data(), rows, columns, plans.tables());
      const MachineCounts counts = take_counts();
      const PermutingRows matrix{rows, columns, 32};
      const auto model = counts_of_passes(
          drawn.plans, n, [&](Hmm& machine, auto& from, auto& to, auto&, RowPlanArrays& of) {
            machine.launch(matrix.launch(1024), bankproof::permute_rows<std::uint32_t>, from, to,
                           of.s, of.d, matrix);
          });
      RC_ASSERT(counts.wavefronts == model.wavefronts);
      RC_ASSERT(counts.lines == model.lines);
    }
    const DrawnRows drawn(columns, rows, 32);
    DevicePlan<std::uint32_t> plans(drawn.plans);
    GuardedArray<std::byte> scratch(permute_columns_scratch_bytes<float>(rows, columns));
    permute_columns<float>(a.in(), b.data(), rows, columns, plans.tables(), scratch.span());
    const MachineCounts counts = take_counts();
    const auto model = counts_of_passes(
        drawn.plans, n, [&](Hmm& machine, auto& from, auto& to, auto& other, RowPlanArrays& of) {
          bankproof::permute_columns(machine, from, to, other, of, Transposing{rows, columns, 32},
                                     1024);
        });
    RC_ASSERT(counts.launches == 3U);
    RC_ASSERT(counts.lines == model.lines);
    if (rows % 32 == 0 && columns % 32 == 0) RC_ASSERT(counts.wavefronts == model.wavefronts);
  });
}

TEST(DeviceScheduledPermutationOnMachine, makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const MatrixShape shape = *rc::gen::element(MatrixShape{32, 32}, MatrixShape{64, 64},
                                                MatrixShape{32, 64}, MatrixShape{32, 96});
    const std::size_t n = shape.rows * shape.columns;
    RC_ASSERT((shape_for(n, 32) == shape));
    const Permutation permutation = any_permutation(n);
    DeviceSchedule<std::uint32_t> schedule(schedule_for(permutation, shape, 32));
    GuardedArray<float> a(std::vector<float>(n, 1));
    GuardedArray<float> b(n);
    GuardedArray<std::byte> scratch(n * sizeof(float));
    permute_scheduled<float>(a.in(), b.data(), schedule.tables(), scratch.span());
    const MachineCounts in_five = take_counts();
    Task task = bankproof::testing::task_of<OfflinePermutation>(
        "scheduled", {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = 1, .p = 1024},
        {{"n", n}});
    task.permutation = permutation;
    const MachineCounts model = counts_of_model<OfflinePermutation>(task);
    RC_ASSERT(in_five.launches == 5U);
    RC_ASSERT(in_five.wavefronts == model.wavefronts);
    RC_ASSERT(in_five.lines == model.lines);

    // Without the transposes, each pass makes four accesses to either memory.
    permute_scheduled_in_three_launches<float>(a.in(), b.data(), schedule.tables(), {});
    const MachineCounts in_three = take_counts();
    RC_ASSERT(in_three.launches == 3U);
    RC_ASSERT(in_three.wavefronts == 12 * n / 32);
    RC_ASSERT(in_three.lines == 12 * n / 32);
  });
}

// The accesses take as many wavefronts as accesses in order would.
TEST(DeviceScheduledPermutationOnMachine, of_8_bytes_has_no_conflict) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const std::size_t rows = 32 * *rc::gen::inRange<std::size_t>(1, 4);
    const std::size_t columns = 32 * *rc::gen::inRange<std::size_t>(1, 4);
    const std::size_t n = rows * columns;
    const DrawnRows by_rows(rows, columns, 16);
    const DrawnRows by_columns(columns, rows, 16);
    DevicePlan<std::int16_t> rows_plans(by_rows.plans);
    DevicePlan<std::int16_t> columns_plans(by_columns.plans);
    GuardedArray<double> a(std::vector<double>(n, 1));
    GuardedArray<double> b(n);
    permute_rows<double>(a.in(), b.data(), rows, columns, rows_plans.tables());
    RC_ASSERT(take_counts().wavefronts == 4 * wavefronts_in_order<double>(n));
    permute_columns_in_one_launch<double>(a.in(), b.data(), rows, columns, columns_plans.tables());
    RC_ASSERT(take_counts().wavefronts == 4 * wavefronts_in_order<double>(n));
  });
}

// The number of rows is the largest for which the shared memory of a block suffices.
TEST(DeviceScheduledPermutationOnMachine, of_few_rows_moves_whole_sectors) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  EXPECT_EQ(most_rows_in_three_launches<float>(), 7236U);
  EXPECT_EQ(most_rows_in_three_launches<double>(), 7252U);
  EXPECT_EQ((shape_for(std::uint64_t{1} << 28, 32, 7236)), (MatrixShape{7232, 37120}));
  const auto sectors = [](std::size_t rows) {
    const DrawnRows drawn(8, rows, 32);
    DevicePlan<std::int16_t> plans(drawn.plans);
    GuardedArray<float> a(std::vector<float>(8 * rows, 1));
    GuardedArray<float> b(8 * rows);
    permute_columns_in_one_launch<float>(a.in(), b.data(), rows, 8, plans.tables());
    return take_counts().sectors - 2 * plans.s.in().size_bytes() / 32;
  };
  bankproof::testing::check_property(
      [&] {
        take_launches_of_machine();
        RC_ASSERT(sectors(7236) == 2U * 7236U);
        RC_ASSERT(sectors(7237) > 2U * 7237U);
      },
      {}, 1'000'000);
}

TEST(DeviceScheduledPermutationErrors, name_what_is_wrong) {
  GuardedArray<double> a(std::vector<double>(100, 1));
  GuardedArray<double> b(100);
  GuardedArray<std::int16_t> s(3200);
  const PlanTables tables{s.in(), s.in()};
  const auto in = a.in();
  const auto with = [&](std::size_t rows, std::size_t columns) {
    return ScheduleTables{rows, columns, {tables, tables, tables}};
  };
  EXPECT_THROW(permute_rows<double>(in, b.data(), 9, 11, tables), std::invalid_argument);
  EXPECT_THROW(permute_rows<double>(in, b.data(), 10, 10, tables), std::invalid_argument);
  EXPECT_THROW(permute_rows<double>(in, b.data(), 100, 1, {s.in(), s.in().first(9)}),
               std::invalid_argument);
  EXPECT_THROW(permute_columns<double>(in, b.data(), 1, 100, tables, {}), std::invalid_argument);
  EXPECT_THROW(permute_scheduled<double>(in, b.data(), with(9, 9), {}), std::invalid_argument);
  EXPECT_THROW(permute_scheduled<double>(in, b.data(), with(10, 10), {}), std::invalid_argument);
  EXPECT_THROW(permute_scheduled_in_three_launches<double>(in, b.data(), with(10, 11), {}),
               std::invalid_argument);
  // A row or column of 240,000 bytes is too long.
  GuardedArray<double> many(30000);
  GuardedArray<std::int16_t> long_table(30016);
  const PlanTables of_many{long_table.in(), long_table.in()};
  EXPECT_THROW(permute_rows<double>(many.in(), many.data(), 1, 30000, of_many),
               std::invalid_argument);
  EXPECT_THROW(permute_columns_in_one_launch<double>(many.in(), many.data(), 30000, 1, of_many),
               std::invalid_argument);
}

}  // namespace
}  // namespace bankproof::cuda::tests
