// The timing wheel agrees with a sorted list of the warps that wait.
#include "../../ptx/timing/wheel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace bankproof::ptx {
namespace {

RC_GTEST_PROP(Wheel, gives_what_a_sorted_list_gives, ()) {
  constexpr std::uint32_t warps = 20;
  const auto slots = *rc::gen::element<std::size_t>(64, 128, 1024);
  Wheel wheel(slots, warps);
  std::multimap<Time, Wheel::Number> list;
  std::vector<bool> waits(warps);
  Time now = *rc::gen::inRange<Time>(0, 2000);
  for (int step = 0; step < 60; ++step) {
    const auto warp = *rc::gen::inRange<std::uint32_t>(0, warps);
    const bool far = *rc::gen::inRange(0, 3) == 0;
    const Time ahead = *rc::gen::inRange<Time>(1, far ? slots : 8);
    if (!waits[warp] && *rc::gen::arbitrary<bool>()) {
      waits[warp] = true;
      wheel.add(now + ahead, warp);
      list.emplace(now + ahead, warp);
    } else {
      now += ahead;
      std::vector<Wheel::Number> taken;
      wheel.take(now, [&](Wheel::Number one) { taken.push_back(one); });
      std::vector<Wheel::Number> expected;
      for (; !list.empty() && list.begin()->first <= now; list.erase(list.begin())) {
        expected.push_back(list.begin()->second);
        waits[expected.back()] = false;
      }
      std::ranges::sort(taken);
      std::ranges::sort(expected);
      RC_ASSERT(taken == expected);
    }
    RC_ASSERT(wheel.earliest() == (list.empty() ? never : list.begin()->first));
  }
}

}  // namespace
}  // namespace bankproof::ptx
