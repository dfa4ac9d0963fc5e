// The order of programs is that of the oracle's graph.
#include "../../../cuda/order/order.hpp"

#include "../../../testing/property.hpp"
#include "laws.hpp"

namespace bankproof::cuda::tests {
namespace {

BANKPROOF_PROPERTY(HappensBefore, is_a_path_in_the_graph_of_all_calls, (const Program& program)) {
  order_is_that_of_the_graph<Order>(program);
}

/// Calls of two hosts on two blocking streams, a non-blocking one and the legacy stream.
const Program& calls() {
  static const Program all{
      {Call::begin, 0, 0, 0, 0, {}},
      {Call::begin, 1, 1, 0, 0, {}},
      {Call::begin, 0, 2, 0, 0, {}},
      {Call::begin, 1, 4, 0, 0, {}},
      {Call::host_operation, 1, 0, 0, 0, {}},
      {Call::record, 0, 0, 0, 0, {}},
      {Call::record, 1, 4, 0, 0, {}},
      {Call::wait, 0, 2, 0, 0, {}},
      {Call::wait, 1, 4, 0, 0, {}},
      {Call::synchronize_stream, 0, 0, 0, 0, {}},
      {Call::synchronize_stream, 1, 4, 0, 0, {}},
      {Call::synchronize_event, 1, 0, 0, 0, {}},
      {Call::synchronize_device, 0, 0, 0, 0, {}},
      {Call::launch, 0, 1, 0, 1, {}},
      {Call::destroy, 0, 0, 0, 0, {}},
      {Call::pass, 0, 0, 1, 0, {}},
  };
  return all;
}

TEST(HappensBefore, is_a_path_for_all_programs_of_four_calls) {
  // Show what the four calls ordered.
  const Program ends{calls()[4], calls()[2], calls()[1], calls()[3]};
  const std::size_t size = calls().size();
  for (std::size_t k = 0; k < size * size * size * size; ++k) {
    Program program;
    for (std::size_t left = k; program.size() < 4; left /= size) {
      program.push_back(calls()[left % size]);
    }
    program.insert(program.end(), ends.begin(), ends.end());
    ASSERT_TRUE(is_ordered_as_the_graph<Order>(program)) << ::testing::PrintToString(program);
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
