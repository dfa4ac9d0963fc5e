// cub::DeviceReduce, launched as its host code launches it, gives the result of std::accumulate,
// for sizes from 0 to several tiles for each of several blocks.
#include <array>
#include <numeric>

#include "kernels/instances.hpp"
#include "support.hpp"

namespace bankproof::testing {
namespace {

template <class T, class Operator>
class DeviceReduce {
 public:
  explicit DeviceReduce(const Kernel& kernels)
      : plan_(kernels.other("plan<" + name + "," + type_name<Operator>() + ">")),
        several_(kernels.other("DeviceReduceKernel<" + policy() + "...>")),
        first_(kernels.other("DeviceReduceSingleTileKernel<" + single("unsigned int"))),
        second_(kernels.other("DeviceReduceSingleTileKernel<" + single("int"))) {}

  std::uint64_t tile_items() { return plan(0, 1)[1]; }

  /// Throws if a launch faults.
  T reduce(const std::vector<T>& items, const T& initial, int most_blocks) {
    const auto size = static_cast<std::uint32_t>(items.size());
    const Plan ready = plan(size, most_blocks);
    const auto threads = static_cast<std::uint32_t>(ready[0]);
    const auto in = device_.buffer(items.empty() ? std::vector<T>(1) : items);
    const auto out = device_.buffer<T>(1);
    // Operators and the transformation have no members.
    constexpr std::uint8_t none = 0;
    if (size <= ready[1]) {
      require_no_fault(
          first_.launch(device_, {.block = {threads, 1, 1}}, in, out, size, none, initial, none));
      return out.values().front();
    }
    const auto blocks = static_cast<std::uint32_t>(ready[2]);
    const auto parts = device_.buffer<T>(blocks);
    Shares shares;
    std::memcpy(&shares, ready.data() + 4, sizeof shares);
    require_no_fault(several_.launch(device_, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}},
                                     in, parts, size, shares, none, none));
    require_no_fault(second_.launch(device_, {.block = {threads, 1, 1}}, parts, out, blocks, none,
                                    initial, none));
    return out.values().front();
  }

 private:
  /// See `plan` in kernels/cub_device_reduce.cu.
  using Plan = std::array<std::uint64_t, 12>;
  /// cub::GridEvenShare<unsigned>: ten words of 32 bits.
  using Shares = std::array<std::uint32_t, 10>;

  static std::string policy() {
    return "...policy_hub<" + name + ",unsigned int," + type_name<Operator>() + ">";
  }
  /// Reduces the items, or the results of the blocks. The number of items has the device's offset
  /// type; the number of blocks is an int.
  static std::string single(const std::string& offset) {
    return policy() + "...," + name + "*," + name + "*," + offset + ",...>";
  }
  Plan plan(std::uint32_t items, int most_blocks) {
    const auto words = device_.buffer(std::vector<std::uint64_t>(12));
    require_no_fault(plan_.launch(device_, {}, items, most_blocks, words));
    Plan result;
    const std::vector<std::uint64_t> found = words.values();
    std::copy(found.begin(), found.end(), result.begin());
    return result;
  }

  inline static const std::string name = type_name<T>();
  Device device_;
  Kernel plan_;
  Kernel several_;
  Kernel first_;
  Kernel second_;
};

template <class T, class Operator>
void device_reduces_right(const Kernel& kernels, const std::string& part) {
  DeviceReduce<T, Operator> device(kernels);
  const std::size_t tile = device.tile_items();
  const auto reduces = [&] {
    const std::vector<T> items = values<T>(*any_size(tile, 12));
    const T initial = *AnyValue<T>::make();
    const int most_blocks = *rc::gen::inRange(1, 12);
    const T expected = std::accumulate(items.begin(), items.end(), initial, Operator());
    RC_ASSERT(device.reduce(items, initial, most_blocks) == expected);
  };
  check_property(reduces, part, 5);
}

class CubDeviceReduce : public ToolkitTest {
 protected:
  CubDeviceReduce() : ToolkitTest("cub_device_reduce") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, CubDeviceReduce, toolkit_compilers());

TEST_P(CubDeviceReduce, gives_the_reduction_of_any_number_of_items) {
#define TRY(T, Operator) device_reduces_right<T, Operator>(kernels(), #T " " #Operator);
  BANKPROOF_DEVICE_REDUCTIONS(TRY)
}

}  // namespace
}  // namespace bankproof::testing

#undef TRY
