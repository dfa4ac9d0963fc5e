// cub::BlockReduce gives the result of std::accumulate, for any items and any number of threads.
#include <algorithm>
#include <numeric>

#include "kernels/instances.hpp"
#include "support.hpp"

namespace bankproof::testing {
namespace {

template <class T, class Operator>
void reduces_right(const Kernel& kernels, const std::string& instance, std::uint32_t threads) {
  const std::string arguments = "<" + type_name<T>() + "," + type_name<Operator>() + instance;
  const Kernel reduce = kernels.other("reduce" + arguments);
  Device device;
  const auto reduces = [&] {
    const auto most = static_cast<int>(threads);
    const int size = *rc::gen::element(1, 2, most, most - 1, std::min(most, 32),
                                       *rc::gen::resize(100, rc::gen::inRange(1, most + 1)));
    const std::vector<T> items = values<T>(static_cast<std::size_t>(size));
    const auto in = device.buffer(items);
    const auto out = device.buffer<T>(1);
    require_no_fault(reduce.launch(device, {.block = {threads, 1, 1}}, in, out, size));
    require_equal(out.values(),
                  {std::accumulate(items.begin() + 1, items.end(), items.front(), Operator())});
  };
  check_property(reduces, "reduce" + arguments, 5);
}

class CubBlockReduce : public ToolkitTest {
 protected:
  CubBlockReduce() : ToolkitTest("cub_block_reduce") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, CubBlockReduce, toolkit_compilers());

TEST_P(CubBlockReduce, gives_the_reduction_of_any_items) {
#define TRY(T, Operator, threads, algorithm) \
  reduces_right<T, Operator>(kernels(), "," #threads "," #algorithm ">", threads);
  BANKPROOF_BLOCK_REDUCTIONS(TRY)
}

}  // namespace
}  // namespace bankproof::testing

#undef TRY
