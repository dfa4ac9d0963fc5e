// Summed area tables on a device: they give the oracle's result with the accesses of the model's
// algorithms.
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"

#include <tuple>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../cuda/kernels/support/graph.hpp"
#include "../../../oracles/summed_area_table.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

const std::vector<TableVariant> all_table_variants = {
    TableVariant::r2w2, TableVariant::r4w4,   TableVariant::r4w1,     TableVariant::r2w1,
    TableVariant::r1w1, TableVariant::hybrid, TableVariant::look_back};

template <class T>
std::vector<T> oracle_table(const std::vector<T>& a, std::size_t rows, std::size_t columns) {
  return converted<T>(oracle::summed_area_table_2r2w(converted<Word<T>>(a), rows, columns));
}

/// The table of a, computed in place or into another array.
template <class T>
std::vector<T> table_on_device(const std::vector<T>& a, std::size_t rows, std::size_t columns,
                               const TableOptions& options, bool in_place = false) {
  GuardedArray<T> in(a);
  GuardedArray<T> out(a.size());
  GuardedArray<std::byte> scratch(summed_area_table_scratch_bytes<T>(rows, columns, options));
  GuardedArray<T>& table = in_place ? in : out;
  summed_area_table<T>(in.in(), table.data(), rows, columns, scratch.span(), options);
  return table.values();
}

/// The same numbers each time; all sums in the tests are exact.
template <class T>
std::vector<T> fixed_numbers_of_table(std::size_t size) {
  std::vector<T> values(size);
  for (std::size_t k = 0; k < size; ++k) values[k] = static_cast<T>(k * k % 1009);
  return values;
}

template <class T>
class DeviceSummedAreaTable : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceSummedAreaTable, Numbers);

TYPED_TEST(DeviceSummedAreaTable, is_the_oracles_in_place_too) {
  check([] {
    using T = TypeParam;
    const TableOptions options = {.variant = *rc::gen::elementOf(all_table_variants),
                                  .triangle = *rc::gen::inRange<std::size_t>(0, 5)};
    // 4R1W needs a launch for each diagonal of elements.
    const std::size_t most = options.variant == TableVariant::r4w1 ? 40 : 150;
    const std::size_t rows = *rc::gen::inRange<std::size_t>(0, most);
    const std::size_t columns = *rc::gen::inRange<std::size_t>(0, most);
    const auto a = numbers<T>(rows * columns);
    const bool in_place = *rc::gen::arbitrary<bool>();
    const DrawnTurns turns(*rc::gen::inRange<std::uint64_t>(0, 6),
                           *rc::gen::arbitrary<std::uint64_t>());
    require_equal(table_on_device(a, rows, columns, options, in_place),
                  oracle_table(a, rows, columns), of_table(options.variant, rows, columns));
  });
}

// Diagonals, columns and rows have more elements than a block has threads, and there are more tiles
// than one block sums, also in the triangles of hybrid.
TEST(DeviceSummedAreaTables, of_many_blocks_are_the_oracles) {
  struct Case {
    std::size_t rows;
    std::size_t columns;
    TableOptions options;
  };
  const std::vector<Case> cases = {{131, 140, {.variant = TableVariant::r4w1}},
                                   {40, 1100, {.variant = TableVariant::r2w1}},
                                   {1090, 66, {.variant = TableVariant::hybrid}},
                                   {70, 2400, {.variant = TableVariant::hybrid, .triangle = 37}}};
  for (const auto& [rows, columns, options] : cases) {
    take_launches_of_machine();
    const auto a = fixed_numbers_of_table<std::int32_t>(rows * columns);
    EXPECT_EQ(table_on_device(a, rows, columns, options), oracle_table(a, rows, columns))
        << rows << " x " << columns;
    take_counts();
  }
}

TYPED_TEST(DeviceSummedAreaTable, has_the_sums_of_rectangles) {
  check([] {
    using T = TypeParam;
    const std::size_t rows = *rc::gen::inRange<std::size_t>(1, 30);
    const std::size_t columns = *rc::gen::inRange<std::size_t>(1, 30);
    const auto a = numbers<T>(rows * columns);
    const auto span_in = [](std::size_t length) {
      const auto first = *rc::gen::inRange<std::size_t>(0, length);
      return std::pair(static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(*rc::gen::inRange<std::size_t>(first, length)));
    };
    std::vector<Rectangle> rectangles(*rc::gen::inRange<std::size_t>(0, 300));
    std::vector<Word<T>> expected;
    expected.reserve(rectangles.size());
    for (Rectangle& of : rectangles) {
      std::tie(of.top, of.bottom) = span_in(rows);
      std::tie(of.left, of.right) = span_in(columns);
      expected.push_back(oracle::rectangle_sum(converted<Word<T>>(a), columns, of.top, of.left,
                                               of.bottom, of.right));
    }
    GuardedArray<T> table(oracle_table(a, rows, columns));
    GuardedArray<Rectangle> queries(rectangles);
    GuardedArray<T> sums(rectangles.size());
    rectangle_sums<T>(table.in(), rows, columns, queries.in(), sums.data());
    require_equal(sums.values(), converted<T>(expected), a_thread_each(128));
  });
}

// A graph repeats what the stream captured, with the data at the time of its launch.
TEST(DeviceSummedAreaTables, are_the_same_as_a_graph) {
  check([] {
    using T = std::int32_t;
    const TableVariant variant = *rc::gen::elementOf(
        std::vector<TableVariant>{TableVariant::r1w1, TableVariant::r4w1, TableVariant::look_back});
    const std::size_t rows = *rc::gen::inRange<std::size_t>(1, 70);
    const std::size_t columns = *rc::gen::inRange<std::size_t>(1, 70);
    GuardedArray<T> in(numbers<T>(rows * columns));
    GuardedArray<T> out(rows * columns);
    GuardedArray<std::byte> scratch(
        summed_area_table_scratch_bytes<T>(rows, columns, {.variant = variant}));
    const Graph graph([&](cudaStream_t stream) {
      summed_area_table<T>(in.in(), out.data(), rows, columns, scratch.span(), {.variant = variant},
                           stream);
    });
    for (int run = 0; run < 2; ++run) {
      const auto a = numbers<T>(rows * columns);
      require(cudaMemcpy(in.data(), a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice),
              "cudaMemcpy");
      graph.launch();
      require_equal(out.values(), oracle_table(a, rows, columns), of_table(variant, rows, columns));
    }
  });
}

/// The name of the model's variant; the model has no look_back.
const char* variant_of_table(TableVariant variant) {
  switch (variant) {
    case TableVariant::r2w2:
      return "2R2W";
    case TableVariant::r4w4:
      return "4R4W";
    case TableVariant::r4w1:
      return "4R1W";
    case TableVariant::r2w1:
      return "2R1W";
    case TableVariant::r1w1:
      return "1R1W";
    case TableVariant::hybrid:
      return "hybrid";
    case TableVariant::look_back:
      break;
  }
  throw std::invalid_argument("the model has no such variant");
}

MachineCounts counts_of_table(const TableOptions& options, std::size_t rows, std::size_t columns,
                              Width width = 32) {
  const Task task = bankproof::testing::task_of<SummedAreaTable>(
      variant_of_table(options.variant),
      {.machine = MachineKind::hmm, .w = width, .l = 1, .L = 1, .d = 1, .p = 128},
      {{"rows", rows}, {"columns", columns}, {"t", options.triangle}});
  return tests::counts_of_model<SummedAreaTable>(task);
}

/// Stages of the model that the kernels omit: they sum the rows of a tile only where another tile
/// needs the sums, and skip rows beyond the end in a tile of tile sums.
std::uint64_t left_out_of(const Part& part) {
  if (part.empty()) return 0;
  std::uint64_t stages = 0;
  for (std::uint64_t y = 0; y < part.down; ++y) {
    for (std::uint64_t x = 0; x < part.across; ++x) {
      if (part.has(y, x) && SumPlaces(part, y, x).rows == 0) stages += 32;
    }
  }
  if (part.has_corners()) {
    const Summing sums = part.corners();
    for (std::uint64_t i = 0; i < 32; ++i) {
      if (i >= sums.rows || sums.begin(i) >= sums.end(i)) ++stages;
    }
  }
  return stages;
}
std::uint64_t left_out_of(const TableOptions& options, std::size_t rows, std::size_t columns) {
  const Tiling tiling{{rows, columns}, 32};
  if (options.variant == TableVariant::r2w1) return left_out_of(Part(tiling));
  if (options.variant != TableVariant::hybrid) return 0;
  const TrianglesOf<std::uint64_t> triangles(tiling, options.triangle);
  return left_out_of(triangles.first) + left_out_of(triangles.last);
}

// In place: otherwise 2R2W and 4R4W write the first row, too.
TEST(DeviceSummedAreaTablesOnMachine, make_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const TableOptions options = {.variant = *rc::gen::elementOf(std::vector<TableVariant>(
                                      all_table_variants.begin(), all_table_variants.end() - 1)),
                                  .triangle = *rc::gen::inRange<std::size_t>(0, 4)};
    const std::size_t most = options.variant == TableVariant::r4w1 ? 3 : 6;
    const std::size_t rows = 32 * *rc::gen::inRange<std::size_t>(1, most);
    const std::size_t columns = 32 * *rc::gen::inRange<std::size_t>(1, most);
    table_on_device(numbers<float>(rows * columns), rows, columns, options, true);
    const MachineCounts counts = take_counts();

    const MachineCounts model = counts_of_table(options, rows, columns);
    RC_ASSERT(counts.wavefronts + left_out_of(options, rows, columns) == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
    if (options.variant == TableVariant::r2w2) {
      RC_ASSERT(counts.sectors == counts_of_table(options, rows, columns, 8).lines);
    }
  });
}

TEST(DeviceSummedAreaTablesErrors, name_what_is_wrong) {
  GuardedArray<float> a(std::vector<float>(1600, 1));
  GuardedArray<std::byte> scratch(4);
  const auto call = [&](std::size_t rows, std::size_t columns, const TableOptions& options) {
    summed_area_table<float>(a.in(), a.data(), rows, columns, scratch.span(), options);
  };
  EXPECT_THROW(call(40, 41, {.variant = TableVariant::r2w2}), std::invalid_argument);
  for (const TableVariant variant : {TableVariant::r4w4, TableVariant::r2w1, TableVariant::r1w1,
                                     TableVariant::hybrid, TableVariant::look_back}) {
    EXPECT_THROW(call(40, 40, {.variant = variant}), std::invalid_argument);
  }
  GuardedArray<Rectangle> rectangles(1);
  GuardedArray<float> sums(1);
  EXPECT_THROW(rectangle_sums<float>(a.in(), 40, 41, rectangles.in(), sums.data()),
               std::invalid_argument);
}

template <class T>
Scenario scenario(const char* name, std::size_t rows, std::size_t columns,
                  const TableOptions& options) {
  return {name,
          [=] {
            const auto a = fixed_numbers_of_table<T>(rows * columns);
            return table_on_device(a, rows, columns, options) == oracle_table(a, rows, columns);
          },
          options.variant == TableVariant::look_back};
}

/// Rectangles of all kinds, one for each pair of entries of a table.
bool has_right_rectangles() {
  constexpr std::uint32_t rows = 5;
  constexpr std::uint32_t columns = 7;
  const auto a = fixed_numbers_of_table<std::int32_t>(std::size_t{rows} * columns);
  std::vector<Rectangle> rectangles;
  std::vector<std::int32_t> expected;
  for (std::uint32_t first = 0; first < rows * columns; ++first) {
    for (std::uint32_t last = first; last < rows * columns; ++last) {
      const Rectangle of = {first / columns, first % columns, last / columns, last % columns};
      if (of.right < of.left) continue;
      rectangles.push_back(of);
      expected.push_back(oracle::rectangle_sum(a, columns, of.top, of.left, of.bottom, of.right));
    }
  }
  GuardedArray<std::int32_t> table(oracle_table(a, rows, columns));
  GuardedArray<Rectangle> queries(rectangles);
  GuardedArray<std::int32_t> sums(rectangles.size());
  rectangle_sums<std::int32_t>(table.in(), rows, columns, queries.in(), sums.data());
  return sums.values() == expected;
}

}  // namespace

std::vector<Scenario> scenarios_of_summed_area_tables() {
  using I = std::int32_t;
  return {
      scenario<I>("sum_down, sum_along.int32", 33, 145, {.variant = TableVariant::r2w2}),
      scenario<I>("sum_down, transpose.int32", 33, 145, {.variant = TableVariant::r4w4}),
      scenario<I>("sum_diagonal.int32", 40, 35, {.variant = TableVariant::r4w1}),
      scenario<I>("two passes.int32", 97, 129, {.variant = TableVariant::r2w1}),
      scenario<I>("two passes, recursive.int32", 65, 1089, {.variant = TableVariant::r2w1}),
      scenario<I>("sum_tile_diagonal.int32", 65, 97, {.variant = TableVariant::r1w1}),
      scenario<double>("sum_tile_diagonal.double", 65, 97, {.variant = TableVariant::r1w1}),
      scenario<I>("hybrid.int32", 129, 161, {.variant = TableVariant::hybrid, .triangle = 3}),
      scenario<I>("look_back, aligned.int32", 129, 132, {.variant = TableVariant::look_back}),
      scenario<I>("look_back.int32", 129, 129, {.variant = TableVariant::look_back}),
      scenario<double>("look_back, aligned.double", 129, 130, {.variant = TableVariant::look_back}),
      {"rectangle_sums.int32", has_right_rectangles},
  };
}

}  // namespace bankproof::cuda::tests
