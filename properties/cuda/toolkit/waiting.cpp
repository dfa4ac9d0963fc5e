// Kernels whose threads wait with the toolkit's libraries return, with the right results and no
// race.
#include <numeric>

#include "support.hpp"

namespace bankproof::testing {
namespace {

std::uint32_t drawn(std::uint32_t least, std::uint32_t most) {
  return *rc::gen::resize(100, rc::gen::inRange(least, most + 1));
}

void check_rounds_of_grid(const Kernel& kernels) {
  const std::uint32_t blocks = drawn(1, 12);
  const std::uint32_t threads = drawn(1, 128);
  const std::uint32_t rounds = drawn(0, 5);
  std::vector<unsigned> items = values<unsigned>(drawn(1, 700));
  const std::size_t size = items.size();
  Device device;
  auto a = device.buffer(items);
  auto b = device.buffer<unsigned>(size);
  require_no_fault(kernels.other("rounds_of_grid")
                       .launch(device, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, a, b,
                               static_cast<int>(size), rounds));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::vector<unsigned> next(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (i > 0) next[i] += items[i - 1];
      if (i + 1 < size) next[i] += items[i + 1];
    }
    items = next;
  }
  require_equal((rounds % 2 == 0 ? a : b).values(), items);
}

class Waiting : public ToolkitTest {
 protected:
  Waiting() : ToolkitTest("waiting") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, Waiting, toolkit_compilers());

TEST_P(Waiting, of_the_whole_grid_ends_every_round) {
  check_property([&] { check_rounds_of_grid(kernels()); }, "", 5);
}

// A chip refuses to launch a cooperative grid for which it has no room.
TEST_P(Waiting, of_a_grid_without_room_is_a_deadlock) {
  cuda::SessionOptions options;
  options.resident_blocks = 3;
  Device device(options);
  const auto a = device.buffer(std::vector<unsigned>(8));
  const auto b = device.buffer<unsigned>(8);
  const KernelReport report =
      kernels().other("rounds_of_grid").launch(device, {.grid = {4, 1, 1}}, a, b, 8, 1);
  ASSERT_FALSE(report.faults.empty());
  EXPECT_EQ(report.faults.front().kind, ptx::FaultKind::deadlock);
}

TEST_P(Waiting, of_groups_of_threads_gives_their_sums) {
  const auto sums = [&] {
    const std::uint32_t blocks = drawn(1, 5);
    const std::uint32_t threads = 16 * drawn(1, 16);
    const std::vector<int> items = values<int>(std::size_t{blocks} * threads);
    Device device;
    const auto out = device.buffer(std::vector<int>(2));
    require_no_fault(kernels().other("groups").launch(
        device, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, device.buffer(items), out));
    unsigned sum = 0;
    for (const int item : items) sum += static_cast<unsigned>(item);
    const auto odd = std::count_if(items.begin(), items.end(), [](int i) { return i % 2 != 0; });
    require_equal(out.values(), {static_cast<int>(sum), static_cast<int>(odd)});
  };
  check_property(sums, "", 5);
}

TEST_P(Waiting, at_barriers_of_libcuxx_lets_the_block_turn_its_items) {
  const auto turns = [&] {
    const std::uint32_t threads = drawn(1, 300);
    const std::uint32_t rounds = drawn(0, 4);
    std::vector<int> items = values<int>(threads);
    Device device;
    const auto shared = device.buffer(items);
    require_no_fault(
        kernels().other("turn").launch(device, {.block = {threads, 1, 1}}, shared, rounds));
    std::rotate(items.begin(), items.begin() + rounds % threads, items.end());
    require_equal(shared.values(), items);
  };
  check_property(turns, "", 5);
}

TEST_P(Waiting, for_flags_and_semaphores_takes_blocks_and_threads_in_turn) {
  Device device;
  const auto items = device.buffer<int>(20);
  const auto flags = device.buffer(std::vector<int>(20));
  const KernelReport passed = kernels().other("pass_on").launch(
      device, {.grid = {20, 1, 1}, .block = {32, 1, 1}}, items, flags);
  EXPECT_TRUE(passed.faults.empty()) << ptx::as_text(passed);
  std::vector<int> expected(20);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(items.values(), expected);
  const auto count = device.buffer(std::vector<int>(1));
  const KernelReport counted =
      kernels().other("one_at_a_time").launch(device, {.block = {96, 1, 1}}, count);
  EXPECT_TRUE(counted.faults.empty()) << ptx::as_text(counted);
  EXPECT_EQ(count.values().front(), 96);
}

TEST_P(Waiting, for_copies_in_a_pipeline_has_each_batch_whole) {
  const auto reverses = [&] {
    const std::uint32_t threads = drawn(1, 256);
    const std::uint32_t batches = drawn(1, 6);
    std::vector<float> items = values<float>(std::size_t{threads} * batches);
    Device device;
    const auto in = device.buffer(items);
    const auto out = device.buffer<float>(items.size());
    require_no_fault(
        kernels()
            .other("reverse_batches")
            .launch(device,
                    {.block = {threads, 1, 1},
                     .dynamic_shared_bytes = std::uint64_t{2} * threads * sizeof(float)},
                    in, out, batches));
    for (std::size_t batch = 0; batch < batches; ++batch) {
      const auto begin = items.begin() + static_cast<std::ptrdiff_t>(batch * threads);
      std::reverse(begin, begin + threads);
    }
    require_equal(out.values(), items);
  };
  check_property(reverses, "", 5);
}

}  // namespace
}  // namespace bankproof::testing
