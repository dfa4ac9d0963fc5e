// Sums, prefix sums and summed area tables of floating-point numbers that round: they stay within
// the bounds of their additions.
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../oracles/summed_area_table.hpp"
#include "../../../oracles/sums.hpp"
#include "float_bounds.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceFloatSums : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceFloatSums, Floats);

TYPED_TEST(DeviceFloatSums, are_within_their_bound) {
  check([] {
    using T = TypeParam;
    const auto values = rounded_numbers<T>(any_size(3000) + 1);
    const std::vector<Bounded<T>> expected = {oracle::sum(bounded(values))};
    GuardedArray<T> in(values);
    GuardedArray<T> result(1);
    GuardedArray<std::byte> scratch(1024 * sizeof(T));
    sum_in_shared_memory<T>(in.in(), result.data(), 96);
    require_near(result.values(), expected);
    sum_by_columns<T>(in.in(), result.data(), scratch.span(), {5, 64});
    require_near(result.values(), expected);
    sum<T>(in.in(), result.data(), scratch.span());
    require_near(result.values(), expected);
  });
}

TYPED_TEST(DeviceFloatSums, of_prefixes_are_within_their_bounds) {
  check([] {
    using T = TypeParam;
    const auto values = rounded_numbers<T>(any_size(3000));
    const std::size_t n = values.size();
    const auto expected = oracle::prefix_sums(bounded(values));
    GuardedArray<T> in(values);
    GuardedArray<T> out(n);
    prefix_sums_simple_in_shared_memory<T>(in.in(), out.data(), 96);
    require_near(out.values(), expected);
    prefix_sums_optimal_in_shared_memory<T>(in.in(), out.data(), 96);
    require_near(out.values(), expected);
    GuardedArray<std::byte> room(prefix_sums_simple_scratch_bytes<T>(n));
    prefix_sums_simple<T>(in.in(), out.data(), room.span());
    require_near(out.values(), expected);
    prefix_sums_optimal<T>(in.in(), out.data(), room.span());
    require_near(out.values(), expected);
    GuardedArray<std::byte> of_tiles(prefix_sums_scratch_bytes<T>(n));
    prefix_sums<T>(in.in(), out.data(), of_tiles.span());
    require_near(out.values(), expected);
  });
}

/// A matrix, and the table that the device computes from it.
template <class T>
struct DrawnTable {
  std::size_t rows = *rc::gen::inRange<std::size_t>(1, 80);
  std::size_t columns = *rc::gen::inRange<std::size_t>(1, 80);
  std::vector<T> a = rounded_numbers<T>(rows * columns);

  std::vector<T> on_device(const TableOptions& options) const {
    GuardedArray<T> in(a);
    GuardedArray<T> out(a.size());
    GuardedArray<std::byte> scratch(summed_area_table_scratch_bytes<T>(rows, columns, options));
    summed_area_table<T>(in.in(), out.data(), rows, columns, scratch.span(), options);
    return out.values();
  }
};

TYPED_TEST(DeviceFloatSums, of_tables_are_within_their_bounds) {
  check([] {
    using T = TypeParam;
    const DrawnTable<T> table;
    const auto variant = *rc::gen::element(TableVariant::r2w2, TableVariant::r4w4,
                                           TableVariant::r2w1, TableVariant::look_back);
    require_near(table.on_device({.variant = variant}),
                 oracle::summed_area_table_2r2w(bounded(table.a), table.rows, table.columns));
  });
}

// Some algorithms compute an entry from differences of other entries, and so pass the errors of
// these entries on:
//
//   b = (above) + (left) − (corner) + (sum of the elements of its tile up to it).
//
// The errors follow the same recurrence, that of a table (6.1): an entry's error is the sum of the
// own errors of all tiles up to and including the entry's tile. A tile's own error is that of its
// additions. If a tile rounds each term at most k times, its own error is at most γₖ times the
// magnitudes that it adds, which are 4S, where S is the table of the magnitudes. Here k is 3 for a
// tile of one element. For a tile of 32 × 32 elements, k counts roundings in two sums of 32
// numbers, in the carry, and in the difference that gives the carry.
TYPED_TEST(DeviceFloatSums, of_tables_from_differences_are_within_their_bounds) {
  check([] {
    using T = TypeParam;
    const DrawnTable<T> table;
    const TableOptions options = {
        .variant = *rc::gen::element(TableVariant::r4w1, TableVariant::r1w1, TableVariant::hybrid),
        .triangle = 1};
    const bool of_elements = options.variant == TableVariant::r4w1;
    const long double rounded = of_elements ? 3 : 70;
    const std::size_t side = of_elements ? 1 : 32;
    const std::vector<long double> exact(table.a.begin(), table.a.end());
    std::vector<long double> magnitudes = exact;
    for (long double& each : magnitudes) each = std::abs(each);
    const auto table_of = [&](const std::vector<long double>& values) {
      return oracle::summed_area_table_2r2w(values, table.rows, table.columns);
    };
    const auto expected = table_of(exact);
    magnitudes = table_of(magnitudes);

    const std::vector<T> actual = table.on_device(options);
    for (std::size_t i = 0; i < table.rows; ++i) {
      for (std::size_t j = 0; j < table.columns; ++j) {
        const std::size_t k = i * table.columns + j;
        const std::size_t tiles = (i / side + 1) * (j / side + 1);
        const long double bound = static_cast<long double>(tiles) * rounded *
                                  std::numeric_limits<T>::epsilon() / 2 * 4 * magnitudes[k] * 1.01L;
        if (std::abs(actual[k] - expected[k]) <= bound) continue;
        RC_FAIL("element " + std::to_string(k) + " is " + std::to_string(actual[k]) + ", not " +
                std::to_string(expected[k]) + " up to " + std::to_string(bound));
      }
    }
  });
}

}  // namespace
}  // namespace bankproof::cuda::tests
