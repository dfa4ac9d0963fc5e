// Matrix products on a device: they give the oracle's result with the accesses of the model's
// algorithm.
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"

#include "../../../algorithms/matrix_product.hpp"
#include "float_bounds.hpp"
#include "scenarios.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
class DeviceMatrixProduct : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceMatrixProduct, Numbers);

ProductShape any_product(std::size_t most) {
  const auto side = [most] { return *rc::gen::inRange<std::size_t>(0, most + 1); };
  return {side(), side(), side()};
}
TileShape any_tiles() {
  return {*rc::gen::elementOf(std::vector<std::uint32_t>{1, 5, 16, 32, 33}),
          *rc::gen::elementOf(std::vector<std::uint32_t>{1, 32, 50, 256, 1024}),
          *rc::gen::elementOf(std::vector<std::uint32_t>{0, 1, 3, 50})};
}

template <class T>
std::vector<T> product_by_tiles(const std::vector<T>& a, const std::vector<T>& b,
                                const ProductShape& shape, const TileShape& tiles) {
  GuardedArray<T> a_array(a);
  GuardedArray<T> b_array(b);
  GuardedArray<T> c(shape.rows * shape.columns);
  matrix_product_by_tiles<T>(a_array.in(), b_array.in(), c.data(), shape, tiles);
  return c.values();
}

TYPED_TEST(DeviceMatrixProduct, by_tiles_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const ProductShape shape = any_product(40);
    const auto a = numbers<T>(shape.rows * shape.inner);
    const auto b = numbers<T>(shape.inner * shape.columns);
    const auto expected = oracle::matrix_product(converted<Word<T>>(a), converted<Word<T>>(b),
                                                 shape.rows, shape.inner, shape.columns);
    const TileShape tiles = any_tiles();
    require_equal(product_by_tiles(a, b, shape, tiles), converted<T>(expected),
                  sweeping_tiles(shape.columns, tiles.m, tiles.threads, tiles.blocks));
  });
}

TEST(DeviceMatrixProductOfFloats, by_tiles_is_within_its_bound) {
  check([] {
    const ProductShape shape = any_product(40);
    const auto a = rounded_numbers<float>(shape.rows * shape.inner);
    const auto b = rounded_numbers<float>(shape.inner * shape.columns);
    require_near(
        product_by_tiles(a, b, shape, any_tiles()),
        oracle::matrix_product(bounded(a), bounded(b), shape.rows, shape.inner, shape.columns));
  });
}

/// Even if rows are whole packets, the kernel may write single elements: c need not begin at a
/// multiple of 16 bytes.
template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b,
                       const ProductShape& shape) {
  const std::size_t elements = shape.rows * shape.columns;
  const std::size_t offset = *rc::gen::inRange<std::size_t>(0, 2);
  GuardedArray<T> a_array(a);
  GuardedArray<T> b_array(b);
  GuardedArray<T> c(elements + offset);
  matrix_product<T>(a_array.in(), b_array.in(), c.data() + offset, shape);
  const std::vector<T> all = c.values();
  return {all.begin() + static_cast<std::ptrdiff_t>(offset), all.end()};
}

/// A product of one or two tiles, with sides at or next to multiples of a packet.
ProductShape any_tall_product() {
  const std::size_t wide = *rc::gen::inRange<std::size_t>(0, 40);
  return {*rc::gen::inRange<std::size_t>(0, 150) + 140 * *rc::gen::inRange<std::size_t>(0, 2),
          *rc::gen::inRange<std::size_t>(0, 60),
          *rc::gen::inRange<std::size_t>(0, 2) == 0 ? 4 * wide : 4 * wide + 3};
}

TYPED_TEST(DeviceMatrixProduct, blocked_is_the_oracles) {
  check([] {
    using T = TypeParam;
    const ProductShape shape = any_tall_product();
    const auto a = numbers<T>(shape.rows * shape.inner);
    const auto b = numbers<T>(shape.inner * shape.columns);
    const auto expected = oracle::matrix_product(converted<Word<T>>(a), converted<Word<T>>(b),
                                                 shape.rows, shape.inner, shape.columns);
    require_equal(product(a, b, shape), converted<T>(expected),
                  product_in_registers<T>(shape.columns));
  });
}

TEST(DeviceMatrixProductOfFloats, blocked_is_within_its_bound) {
  check([] {
    const ProductShape shape = any_tall_product();
    const auto a = rounded_numbers<float>(shape.rows * shape.inner);
    const auto b = rounded_numbers<float>(shape.inner * shape.columns);
    require_near(product(a, b, shape), oracle::matrix_product(bounded(a), bounded(b), shape.rows,
                                                              shape.inner, shape.columns));
  });
}

// The model also reads the part of a tile beyond the edge in shared memory, without writing a
// result.
TEST(DeviceMatrixProductOnMachine, by_tiles_makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    ProductShape shape = any_product(25);
    const TileShape tiles = any_tiles();
    const bool whole = *rc::gen::arbitrary<bool>();
    shape.inner += 1;
    shape.rows = whole ? rounded_up<std::size_t>(shape.rows + 1, tiles.m) : shape.rows + 1;
    shape.columns = whole ? rounded_up<std::size_t>(shape.columns + 1, tiles.m) : shape.columns + 1;
    product_by_tiles(std::vector<float>(shape.rows * shape.inner, 1),
                     std::vector<float>(shape.inner * shape.columns, 1), shape, tiles);
    const MachineCounts counts = take_counts();

    const Task task = bankproof::testing::task_of<MatrixProduct>(
        "MUL-HMM",
        {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = 1, .p = tiles.threads},
        {{"rows", shape.rows}, {"inner", shape.inner}, {"columns", shape.columns}, {"m", tiles.m}});
    const MachineCounts model = counts_of_model<MatrixProduct>(task);
    if (whole) RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

/// With whole tiles, a row or a column of tiles reads each word of a and b once, in sectors of 32
/// bytes.
template <class T>
void blocked_moves_no_sector_twice(std::size_t tile_rows, std::size_t tile_columns) {
  const std::size_t down = *rc::gen::inRange<std::size_t>(1, 3);
  const std::size_t across = *rc::gen::inRange<std::size_t>(1, 3);
  const ProductShape shape{down * tile_rows, 8 * *rc::gen::inRange<std::size_t>(1, 4),
                           across * tile_columns};
  GuardedArray<T> a(std::vector<T>(shape.rows * shape.inner, 1));
  GuardedArray<T> b(std::vector<T>(shape.inner * shape.columns, 1));
  GuardedArray<T> c(shape.rows * shape.columns);
  take_counts();
  matrix_product<T>(a.in(), b.in(), c.data(), shape);
  const std::size_t words = shape.rows * shape.inner * across + shape.inner * shape.columns * down +
                            shape.rows * shape.columns;
  RC_ASSERT(take_counts().sectors == words * sizeof(T) / 32);
}

TEST(DeviceMatrixProductOnMachine, blocked_moves_no_sector_twice) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] { blocked_moves_no_sector_twice<float>(256, 128); });
  check([] { blocked_moves_no_sector_twice<double>(128, 128); });
}

TEST(DeviceMatrixProductErrors, name_what_is_wrong) {
  GuardedArray<float> a(std::vector<float>(100, 1));
  GuardedArray<float> c(100);
  const auto by_tiles = [&](std::size_t inner, const TileShape& tiles) {
    matrix_product_by_tiles<float>(a.in(), a.in(), c.data(), {10, inner, 10}, tiles);
  };
  EXPECT_THROW(matrix_product<float>(a.in(), a.in(), c.data(), {10, 9, 10}), std::invalid_argument);
  EXPECT_THROW(by_tiles(9, {}), std::invalid_argument);
  EXPECT_THROW(by_tiles(10, {.m = 0}), std::invalid_argument);
  EXPECT_THROW(by_tiles(10, {.m = 65}), std::invalid_argument);
  EXPECT_THROW(by_tiles(10, {.m = 8, .threads = 2000}), std::invalid_argument);
}

/// Whether call(a, b, c) leaves the product in c.
template <class T, class Call>
bool gives_product(const ProductShape& shape, Call call) {
  const auto a = fixed_numbers<T>(shape.rows * shape.inner);
  const auto b = fixed_numbers<T>(shape.inner * shape.columns);
  const auto expected = oracle::matrix_product(converted<Word<T>>(a), converted<Word<T>>(b),
                                               shape.rows, shape.inner, shape.columns);
  GuardedArray<T> a_array(a);
  GuardedArray<T> b_array(b);
  GuardedArray<T> c(expected.size());
  call(a_array.in(), b_array.in(), c.data());
  return c.values() == converted<T>(expected);
}

template <class T>
bool multiplied_tiles_are_right() {
  const ProductShape shape{20, 35, 21};
  return gives_product<T>(shape, [&](auto a, auto b, T* c) {
    matrix_product_by_tiles<T>(a, b, c, shape, {.m = 16, .threads = 64, .blocks = 3});
  });
}

template <class T>
bool blocked_product_is_right(std::size_t columns) {
  const ProductShape shape{130, 37, columns};
  return gives_product<T>(shape, [&](auto a, auto b, T* c) { matrix_product<T>(a, b, c, shape); });
}

template <class T>
void add_scenarios_of_products(const std::string& type, std::vector<Scenario>& scenarios) {
  scenarios.push_back({"multiply_tiles." + type, multiplied_tiles_are_right<T>});
  scenarios.push_back({"multiply_blocked." + type, [] { return blocked_product_is_right<T>(76); }});
  scenarios.push_back(
      {"multiply_blocked_elements." + type, [] { return blocked_product_is_right<T>(75); }});
}

}  // namespace

std::vector<Scenario> scenarios_of_matrix_products() {
  std::vector<Scenario> scenarios;
  add_scenarios_of_products<float>("float", scenarios);
  add_scenarios_of_products<std::int64_t>("int64", scenarios);
  return scenarios;
}

}  // namespace bankproof::cuda::tests
