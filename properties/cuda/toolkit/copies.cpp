// Kernels that copy by each of CUDA's asynchronous interfaces. They are right if they wait for all
// copies, and race with their copies if they wait for too few copies or for no copy.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "support.hpp"

namespace bankproof::testing {
namespace {

constexpr std::uint32_t threads = 64;

/// The names of kernels, each with the number of floats per item.
using Kernels = std::vector<std::pair<std::string, std::size_t>>;

class Copies : public ToolkitTest {
 protected:
  Copies() : ToolkitTest("copies") {}

  /// Runs the kernel on batches of items of `words` floats. Returns its report, and whether it
  /// reversed each batch.
  std::pair<KernelReport, bool> reversed(const std::string& kernel, std::size_t words) const {
    constexpr int batches = 7;
    std::vector<float> items(std::size_t{batches} * threads * words);
    std::iota(items.begin(), items.end(), 0.0F);
    Device device;
    const auto in = device.buffer(items);
    const auto out = device.buffer<float>(items.size());
    KernelReport report =
        kernels().other(kernel).launch(device, {.block = {threads, 1, 1}}, in, out, batches);
    const std::vector<float> got = out.values();
    bool right = true;
    for (std::size_t k = 0; k < items.size(); ++k) {
      const std::size_t item = k / words;
      const std::size_t from = item / threads * threads + threads - 1 - item % threads;
      right = right && got[k] == items[from * words + k % words];
    }
    return {std::move(report), right};
  }
};
INSTANTIATE_TEST_SUITE_P(Compiled, Copies, toolkit_compilers());

TEST_P(Copies, that_are_waited_for_are_right) {
  for (const auto& [kernel, words] :
       std::vector<std::pair<std::string, std::size_t>>{{"by_primitives<float, 1>", 1},
                                                        {"by_primitives<float2, 1>", 2},
                                                        {"by_primitives<float4, 1>", 4},
                                                        {"by_groups<1>", 1},
                                                        {"by_own_pipeline<1>", 1},
                                                        {"by_shared_pipeline<true>", 1},
                                                        {"by_barriers<true>", 1}}) {
    const auto [report, right] = reversed(kernel, words);
    EXPECT_TRUE(report.faults.empty()) << ptx::as_text(report);
    EXPECT_TRUE(right) << kernel;
  }
}

TEST_P(Copies, that_are_not_waited_for_race) {
  for (const auto& [kernel, words] : Kernels{{"by_primitives<float, 2>", 1},
                                             {"by_primitives<float4, 2>", 4},
                                             {"by_groups<2>", 1},
                                             {"by_own_pipeline<2>", 1},
                                             {"by_shared_pipeline<false>", 1},
                                             {"by_barriers<false>", 1}}) {
    const KernelReport report = reversed(kernel, words).first;
    EXPECT_TRUE(std::all_of(report.faults.begin(), report.faults.end(), [](const auto& fault) {
      return fault.kind == ptx::FaultKind::race;
    })) << ptx::as_text(report);
    EXPECT_TRUE(std::any_of(report.faults.begin(), report.faults.end(),
                            [](const auto& fault) {
                              return fault.message.find(": load at ") != std::string::npos &&
                                     fault.message.find("cp.async may still be in flight") !=
                                         std::string::npos;
                            }))
        << kernel << ptx::as_text(report);
  }
}

}  // namespace
}  // namespace bankproof::testing
