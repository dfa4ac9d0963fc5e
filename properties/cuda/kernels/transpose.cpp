// Transposes on a device: they give the oracle's result with the accesses of the model's algorithm.
#include "../../../cuda/kernels/transpose/transpose.hpp"

#include <utility>

#include "../../../algorithms/transpose.hpp"
#include "../../../oracles/transpose.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using cuda::TransposeVariant;
const std::vector<TransposeVariant> all_transpose_variants = {
    TransposeVariant::diagonal,  TransposeVariant::padded, TransposeVariant::swizzled,
    TransposeVariant::row_major, TransposeVariant::direct, TransposeVariant::packets};

template <class T>
class DeviceTranspose : public ::testing::Test {};
using Numbers = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(DeviceTranspose, Numbers);

TYPED_TEST(DeviceTranspose, is_the_oracles) {
  check([] {
    using T = TypeParam;
    // With multiples of 4, rows are whole packets.
    const std::size_t unit = *rc::gen::elementOf(std::vector<std::size_t>{1, 4});
    const std::size_t rows = unit * *rc::gen::inRange<std::size_t>(0, 100 / unit);
    const std::size_t columns = unit * *rc::gen::inRange<std::size_t>(0, 100 / unit);
    const TransposeVariant variant = *rc::gen::elementOf(all_transpose_variants);
    const auto values = numbers<T>(rows * columns);
    GuardedArray<T> a(values);
    GuardedArray<T> b(values.size());
    cuda::transpose<T>(a.in(), b.data(), rows, columns, variant);
    require_equal(b.values(), oracle::transposed(values, rows, columns),
                  transposing(rows, columns, variant));
  });
}

// The matrix has whole tiles. Padded and swizzled tiles are equally free of conflicts.
TEST(DeviceTransposeOnMachine, makes_the_accesses_of_the_model) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const std::size_t rows = 32 * *rc::gen::inRange<std::size_t>(1, 5);
    const std::size_t columns = 32 * *rc::gen::inRange<std::size_t>(1, 5);
    // The model has no accesses of 16 bytes.
    const TransposeVariant variant = *rc::gen::elementOf(std::vector<TransposeVariant>(
        all_transpose_variants.begin(), all_transpose_variants.end() - 1));
    GuardedArray<float> a(std::vector<float>(rows * columns, 1));
    GuardedArray<float> b(rows * columns);
    cuda::transpose<float>(a.in(), b.data(), rows, columns, variant);
    const MachineCounts counts = take_counts();

    const char* const name = variant == TransposeVariant::row_major ? "row-major"
                             : variant == TransposeVariant::direct  ? "direct"
                                                                    : "diagonal";
    const Task task = bankproof::testing::task_of<Transpose>(
        name, {.machine = MachineKind::hmm, .w = 32, .l = 1, .L = 1, .d = 1, .p = 256},
        {{"rows", rows}, {"columns", columns}});
    const MachineCounts model = counts_of_model<Transpose>(task);
    RC_ASSERT(counts.wavefronts == model.wavefronts);
    RC_ASSERT(counts.lines == model.lines);
  });
}

// Shared memory serves words as in the model; each row or column of a tile is a line of global
// memory.
TEST(DeviceTransposeOnMachine, by_packets_has_no_conflicts) {
  if (!on_machine) GTEST_SKIP() << "counts are the reference machine's; ci/gpu has the chip's";
  check([] {
    const std::size_t rows = 32 * *rc::gen::inRange<std::size_t>(1, 5);
    const std::size_t columns = 32 * *rc::gen::inRange<std::size_t>(1, 5);
    GuardedArray<float> a(std::vector<float>(rows * columns, 1));
    GuardedArray<float> b(rows * columns);
    cuda::transpose<float>(a.in(), b.data(), rows, columns, TransposeVariant::packets);
    const MachineCounts counts = take_counts();
    RC_ASSERT(counts.wavefronts == 2 * rows * columns / 32);
    RC_ASSERT(counts.sectors == 2 * rows * columns / 8);
  });
}

TEST(DeviceTransposeErrors, name_what_is_wrong) {
  GuardedArray<float> a(std::vector<float>(100, 1));
  GuardedArray<float> b(100);
  EXPECT_THROW(cuda::transpose<float>(a.in(), b.data(), 9, 11), std::invalid_argument);
}

template <class T>
bool transposes(TransposeVariant variant, std::size_t rows, std::size_t columns) {
  const auto values = fixed_numbers<T>(rows * columns);
  GuardedArray<T> a(values);
  GuardedArray<T> b(values.size());
  cuda::transpose<T>(a.in(), b.data(), rows, columns, variant);
  return b.values() == oracle::transposed(values, rows, columns);
}

template <class T>
void add_scenarios_of_transposes(const std::string& type, std::vector<Scenario>& scenarios) {
  const std::vector<std::pair<std::string, TransposeVariant>> variants = {
      {"diagonal", TransposeVariant::diagonal},
      {"padded", TransposeVariant::padded},
      {"swizzled", TransposeVariant::swizzled},
      {"row_major", TransposeVariant::row_major},
      {"direct", TransposeVariant::direct}};
  for (const auto& [name, variant] : variants) {
    scenarios.push_back({"transpose_" + name + "." + type,
                         [variant = variant] { return transposes<T>(variant, 70, 45); }});
  }
}

}  // namespace

std::vector<Scenario> scenarios_of_transposes() {
  std::vector<Scenario> scenarios;
  add_scenarios_of_transposes<float>("float", scenarios);
  add_scenarios_of_transposes<std::int64_t>("int64", scenarios);
  scenarios.push_back({"transpose_packets.float",
                       [] { return transposes<float>(TransposeVariant::packets, 68, 44); }});
  return scenarios;
}

}  // namespace bankproof::cuda::tests
