// cub::BlockScan gives the results of std::inclusive_scan and std::exclusive_scan, for any items.
#include <numeric>

#include "kernels/instances.hpp"
#include "support.hpp"

namespace bankproof::testing {
namespace {

// If the number of threads is no multiple of CUB's raking segments, CUB reads a few items that no
// thread wrote, and leaves them out of its sums. These items are the end of the last segment (in
// BlockScanRaking), and the items before the first lane (in WarpScanSmem). The initcheck of
// compute-sanitizer only examines global memory.
std::set<std::string> readers_of_gaps(std::uint32_t threads) {
  if (threads % 32 == 0) return {};
  return {"block_scan_raking.cuh", "thread_load.cuh"};
}

template <class T, class Operator>
void scans_right(const Kernel& kernels, const std::string& instance, std::uint32_t threads,
                 std::size_t size) {
  const std::string arguments = "<" + type_name<T>() + "," + type_name<Operator>() + instance;
  const Kernel inclusive = kernels.other("inclusive_scan" + arguments);
  const Kernel exclusive = kernels.other("exclusive_scan" + arguments);
  const std::set<std::string> gaps = readers_of_gaps(threads);
  Device device;
  const auto scans = [&] {
    const std::vector<T> items = values<T>(size);
    const T initial = *AnyValue<T>::make();
    const auto in = device.buffer(items);
    const auto sums = device.buffer<T>(size);
    const auto total = device.buffer<T>(1);
    std::vector<T> expected(size);
    std::inclusive_scan(items.begin(), items.end(), expected.begin(), Operator());
    require_no_fault(inclusive.launch(device, {.block = {threads, 1, 1}}, in, sums, total), gaps);
    require_equal(sums.values(), expected);
    require_equal(total.values(), {expected.back()});

    const auto before = device.buffer<T>(size);
    std::vector<T> expected_before(size);
    std::exclusive_scan(items.begin(), items.end(), expected_before.begin(), initial, Operator());
    require_no_fault(
        exclusive.launch(device, {.block = {threads, 1, 1}}, in, before, total, initial), gaps);
    require_equal(before.values(), expected_before);
    // CUB's total omits the initial value.
    require_equal(total.values(), {expected.back()});
  };
  check_property(scans, "scan" + arguments, 10);
}

class CubBlockScan : public ToolkitTest {
 protected:
  CubBlockScan() : ToolkitTest("cub_block_scan") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, CubBlockScan, toolkit_compilers());

TEST_P(CubBlockScan, gives_the_sums_of_any_items) {
#define TRY(T, Operator, threads, items, algorithm)                                        \
  scans_right<T, Operator>(kernels(), "," #threads "," #items "," #algorithm ">", threads, \
                           std::size_t{threads} * (items));
  BANKPROOF_BLOCK_SCANS(TRY)
}

}  // namespace
}  // namespace bankproof::testing

#undef TRY
