// cub::DeviceScan, launched as its host code launches it, gives the results of std::inclusive_scan
// and std::exclusive_scan, for sizes from 0 to more tiles than a look-back reads at once.
#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include "kernels/instances.hpp"
#include "support.hpp"

namespace bankproof::testing {
namespace {

/// See `plan` in kernels/cub_device_scan.cu.
using Plan = std::array<std::uint64_t, 12>;
using InitialValue = std::array<std::uint64_t, 4>;

/// The T that begins at words[first].
template <class T, std::size_t size>
T cut(const std::array<std::uint64_t, size>& words, std::size_t first) {
  T result;
  std::memcpy(&result, words.data() + first, sizeof result);
  return result;
}

template <class T, class Operator>
class DeviceScan {
 public:
  explicit DeviceScan(const Kernel& kernels)
      : plan_(kernels.other("plan<" + name + "," + type_name<Operator>() + ">")),
        clear_(kernels.other("DeviceScanInitKernel<...ScanTileState<" + name + ",...>")),
        inclusive_(kernels.other(scan_kernel("NullType>"))),
        exclusive_(kernels.other(scan_kernel("InputValue<" + name + "...>"))) {}

  std::size_t tile_items() { return plan(0, 0, T{})[1]; }

  /// Throws if a launch faults.
  std::vector<T> inclusive(const std::vector<T>& items) {
    return scan(items, T{}, [&](const auto& plan, auto... arguments) {
      require_no_fault(inclusive_.launch(device_, shape(plan), arguments..., std::uint8_t{0},
                                         static_cast<std::uint32_t>(items.size())));
    });
  }
  /// Scans without the kernel that prepares the tiles' state.
  KernelReport unprepared(const std::vector<T>& items) {
    const auto storage = device_.buffer<std::uint8_t>(plan(items.size(), 0, T{})[3]);
    const Plan ready = plan(items.size(), storage.address(), T{});
    return inclusive_.launch(device_, shape(ready), device_.buffer(items),
                             device_.buffer<T>(items.size()), cut<State>(ready, 4),
                             std::uint32_t{0}, std::uint8_t{0}, std::uint8_t{0},
                             static_cast<std::uint32_t>(items.size()));
  }
  std::vector<T> exclusive(const std::vector<T>& items, const T& initial) {
    return scan(items, initial, [&](const auto& plan, auto... arguments) {
      require_no_fault(exclusive_.launch(device_, shape(plan), arguments..., cut<Initial>(plan, 8),
                                         static_cast<std::uint32_t>(items.size())));
    });
  }

 private:
  /// cub::ScanTileState: one pointer; for structs three pointers.
  using State = std::array<std::uint64_t, std::is_arithmetic_v<T> ? 1 : 3>;
  /// cub::detail::InputValue: a flag, and the value or a pointer to it.
  using Initial = std::array<std::uint64_t, (sizeof(T) > 8 ? 3 : 2)>;

  static std::string scan_kernel(const std::string& initial) {
    return "DeviceScanKernel<...policy_hub<" + name + "," + name + "," + name + ",unsigned int," +
           type_name<Operator>() + ">...," + type_name<Operator>() + ",..." + initial;
  }
  static LaunchShape shape(const Plan& plan) {
    return {.grid = {static_cast<std::uint32_t>(plan[2]), 1, 1},
            .block = {static_cast<std::uint32_t>(plan[0]), 1, 1}};
  }

  Plan plan(std::size_t items, std::uint64_t storage, const T& initial) {
    const auto words = device_.buffer<std::uint64_t>(12);
    require_no_fault(
        plan_.launch(device_, {}, static_cast<std::uint32_t>(items), storage, initial, words));
    Plan result;
    const std::vector<std::uint64_t> found = words.values();
    std::copy(found.begin(), found.end(), result.begin());
    return result;
  }

  template <class Launch>
  std::vector<T> scan(const std::vector<T>& items, const T& initial, const Launch& launch) {
    if (items.empty()) return {};
    const auto storage = device_.buffer<std::uint8_t>(plan(items.size(), 0, initial)[3]);
    const Plan ready = plan(items.size(), storage.address(), initial);
    const auto tiles = static_cast<std::uint32_t>(ready[2]);
    const auto state = cut<State>(ready, 4);
    constexpr std::uint32_t threads = 128;  // DispatchScan::INIT_KERNEL_THREADS
    require_no_fault(clear_.launch(
        device_, {.grid = {(tiles + threads - 1) / threads, 1, 1}, .block = {threads, 1, 1}}, state,
        tiles));
    const auto in = device_.buffer(items);
    const auto out = device_.buffer<T>(items.size());
    constexpr std::uint8_t scan_operator = 0;  // an operator has no members
    launch(ready, in, out, state, std::uint32_t{0}, scan_operator);
    return out.values();
  }

  inline static const std::string name = type_name<T>();
  Device device_;
  Kernel plan_;
  Kernel clear_;
  Kernel inclusive_;
  Kernel exclusive_;
};

template <class T, class Operator>
void device_scans_right(const Kernel& kernels, const std::string& part) {
  DeviceScan<T, Operator> device(kernels);
  const std::size_t tile = device.tile_items();
  const auto scans = [&] {
    const std::size_t size = *any_size(tile, 40);
    const std::vector<T> items = values<T>(size);
    std::vector<T> expected(size);
    std::inclusive_scan(items.begin(), items.end(), expected.begin(), Operator());
    require_equal(device.inclusive(items), expected);
    const T initial = *AnyValue<T>::make();
    std::exclusive_scan(items.begin(), items.end(), expected.begin(), initial, Operator());
    require_equal(device.exclusive(items, initial), expected);
  };
  check_property(scans, part, 10);
}

class CubDeviceScan : public ToolkitTest {
 protected:
  CubDeviceScan() : ToolkitTest("cub_device_scan") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, CubDeviceScan, toolkit_compilers());

TEST_P(CubDeviceScan, gives_the_sums_of_any_number_of_items) {
#define TRY(T, Operator) device_scans_right<T, Operator>(kernels(), #T " " #Operator);
  BANKPROOF_DEVICE_SCANS(TRY)
}

TEST_P(CubDeviceScan, tells_of_tiles_whose_state_nobody_has_prepared) {
  DeviceScan<int, Plus> device(kernels());
  const KernelReport report = device.unprepared(std::vector<int>(3 * device.tile_items()));
  EXPECT_THAT(report.faults, ::testing::Contains(::testing::Field(&ptx::FaultReport::kind,
                                                                  ptx::FaultKind::uninitialized)))
      << ptx::as_text(report);
}

}  // namespace
}  // namespace bankproof::testing

#undef TRY
