// From files to kernels: the calls of cuda/ take arrays from .npy files unchanged, both the arrays
// of a plan that `schedule` writes and arrays of numbers. Here the calls run on the reference
// machine.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../algorithms/permutation/named.hpp"
#include "../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../cuda/kernels/permutation/permutation.hpp"
#include "../../cuda/kernels/permutation/scheduled_permutation.hpp"
#include "../../cuda/runtime/reports.hpp"
#include "../plan/loaded_plan.hpp"
#include "../plan/npy_writer.hpp"
#include "../schedule.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

/// Makes a plan with `bankproof schedule`; returns its folder.
std::string plan_of(const TemporaryFolder& folder, const std::string& words) {
  CLI::App app;
  int exit_code = -1;
  add_schedule(app, exit_code);
  app.parse("schedule " + words + " --emit npy -o " + (folder / "plan"));
  EXPECT_EQ(exit_code, 0);
  return folder / "plan";
}

/// An array of a plan on the device, with the integer type of its file.
class DeviceLanes {
 public:
  explicit DeviceLanes(const NpyLanes& lanes) {
    std::visit([this](const auto& values) { set(std::span(values)); }, lanes.values);
  }

  cuda::IndexSpan span() const {
    return std::visit([](const auto& array) { return cuda::IndexSpan(array.span()); }, array_);
  }

 private:
  template <class Index>
  void set(std::span<const Index> values) {
    array_ = cuda::DeviceArray<Index>(values);
  }

  std::variant<cuda::DeviceArray<std::int16_t>, cuda::DeviceArray<std::int32_t>,
               cuda::DeviceArray<std::int64_t>>
      array_;
};

struct DevicePass {
  DeviceLanes s;
  DeviceLanes d;
  explicit DevicePass(const LoadedPlan::Pass& pass) : s(pass.s), d(pass.d) {}
  cuda::PlanTables tables() const { return {s.span(), d.span()}; }
};

template <class T>
std::vector<T> counted_up(std::size_t n) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

/// b[P(i)] ← a[i], one element after another.
template <class T>
std::vector<T> permuted(const std::vector<T>& a, const std::string& specification) {
  const auto p = parse_named(specification).generate<std::uint32_t>();
  std::vector<T> b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) b[p[i]] = a[i];
  return b;
}

/// Expects that the launches since the last call had no faults and no bank conflicts.
void expect_no_conflicts() {
  const auto reports = cuda::take_launches();
  EXPECT_FALSE(reports.empty());
  for (const auto& report : reports) {
    EXPECT_TRUE(report.faults.empty());
    EXPECT_GT(report.totals.wavefronts, 0U);
    EXPECT_EQ(report.totals.wavefronts, report.totals.ideal_wavefronts);
  }
}

template <class T>
void expect_permuted_by_plan(const std::string& specification, const std::string& width) {
  const TemporaryFolder folder;
  const LoadedPlan plan = load_plan(plan_of(folder, specification + " --width " + width));
  const DevicePass pass(plan.passes.at(0));
  const auto values = counted_up<T>(plan.n);
  const cuda::DeviceArray<T> a(values);
  cuda::DeviceArray<T> b(plan.n);
  cuda::take_launches();
  cuda::permute_conflict_free_in_shared_memory<T>(a.span(), b.data(), pass.tables(), {256});
  if (sizeof(T) == 4) expect_no_conflicts();  // 8-byte elements follow a chip's rule
  EXPECT_EQ(b.values(), permuted(values, specification));
}

TEST(ArraysOnDevice, of_a_plan_permute_a_shared_memory) {
  expect_permuted_by_plan<float>("random:1000", "32");
  expect_permuted_by_plan<std::int32_t>("bit-reversal:2048", "32");
  expect_permuted_by_plan<double>("random:1001", "16");
}

TEST(ArraysOnDevice, of_a_schedule_permute_a_global_memory) {
  const std::string specification = "random:5000";
  const TemporaryFolder folder;
  const LoadedPlan plan = load_plan(plan_of(folder, specification + " --global"));
  ASSERT_EQ(plan.passes.size(), 3U);
  const DevicePass first(plan.passes[0]);
  const DevicePass second(plan.passes[1]);
  const DevicePass third(plan.passes[2]);
  const cuda::ScheduleTables schedule{
      plan.rows, plan.columns, {{first.tables(), second.tables(), third.tables()}}};
  const auto values = counted_up<float>(plan.n);
  const auto expected = permuted(values, specification);
  const cuda::DeviceArray<float> a(values);
  {
    cuda::DeviceArray<float> b(plan.n);
    cuda::DeviceArray<std::byte> scratch(
        cuda::permute_scheduled_scratch_bytes<float>(plan.n, schedule));
    cuda::permute_scheduled<float>(a.span(), b.data(), schedule, scratch.span());
    EXPECT_EQ(b.values(), expected);
  }
  cuda::DeviceArray<float> b(plan.n);
  cuda::DeviceArray<std::byte> scratch(
      cuda::permute_scheduled_in_three_launches_scratch_bytes<float>(plan.n, schedule));
  cuda::permute_scheduled_in_three_launches<float>(a.span(), b.data(), schedule, scratch.span());
  EXPECT_EQ(b.values(), expected);
}

/// Writes numbers to a .npy file and copies them from there to the device.
cuda::DeviceArray<float> through_file(const TemporaryFolder& folder, const char* name,
                                      const std::vector<float>& values) {
  std::string bytes = npy_header("<f4", {values.size()});
  for (const float value : values) bytes += little_endian(std::bit_cast<std::uint32_t>(value), 4);
  FileInput input(folder.file(name, bytes));
  const NpyBytes read = read_npy_bytes(input, "<f4", sizeof(float));
  std::vector<float> numbers(read.bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), read.bytes.data(), read.bytes.size());
  return cuda::DeviceArray<float>(numbers);
}

TEST(ArraysOnDevice, of_a_mask_and_of_numbers_are_convolved) {
  const TemporaryFolder folder;
  const std::vector<float> values = counted_up<float>(1000);
  const std::vector<float> mask = {3, -1, 4, 1, -5};
  const auto n = through_file(folder, "n.npy", values);
  const auto m = through_file(folder, "m.npy", mask);
  cuda::DeviceArray<float> p(n.size());
  cuda::line_convolution<float>(n.span(), m.span(), p.data());
  std::vector<float> expected(values.size(), 0.0F);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < mask.size(); ++j) {
      if (i + j >= 2 && i + j - 2 < values.size()) expected[i] += values[i + j - 2] * mask[j];
    }
  }
  EXPECT_EQ(p.values(), expected);
}

}  // namespace
}  // namespace bankproof::cli
