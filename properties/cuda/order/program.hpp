// Random CUDA programs: a list of calls, each with a few small numbers that say by whom and on
// what. A number that makes no sense when its call is played makes the call do nothing, so that
// every list is a program and shrinks well.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <tuple>
#include <vector>

#include "../../../cuda/order/accesses.hpp"

namespace bankproof::cuda::tests {

enum class Call : std::uint8_t {
  begin,
  host_operation,
  record,
  wait,
  synchronize_stream,
  synchronize_event,
  synchronize_device,
  launch,
  pass,
  create,
  destroy,
  end,
};
inline constexpr std::array call_names{"begin",
                                       "host_operation",
                                       "record",
                                       "wait",
                                       "synchronize_stream",
                                       "synchronize_event",
                                       "synchronize_device",
                                       "launch",
                                       "pass",
                                       "create",
                                       "destroy",
                                       "end"};

inline constexpr std::uint64_t addresses = 12;

/// An access that an operation makes.
struct Touch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  AccessKind kind = AccessKind::read;
  bool frees = false;  // frees the memory instead
};

struct Step {
  Call call = Call::begin;
  int host = 0;                // of 3
  std::size_t stream = 0;      // a name of both.hpp: 0 to 7
  int number = 0;              // an event, a device, another host, a graph: 0 to 3
  std::uint64_t edges = 0;     // a graph's edges, one bit each, and its size
  std::vector<Touch> touches;  // of each of its operations
};
using Program = std::vector<Step>;

inline void PrintTo(const Touch& touch, std::ostream* out) {
  constexpr std::array<const char*, 3> does = {" reads [", " writes [", " changes ["};
  *out << (touch.frees ? " frees [" : does.at(static_cast<std::size_t>(touch.kind))) << touch.begin
       << ", " << touch.end << ")";
}
inline void PrintTo(const Step& step, std::ostream* out) {
  *out << call_names.at(static_cast<std::size_t>(step.call)) << " host " << step.host << " stream "
       << step.stream << " number " << step.number << " edges " << step.edges;
  for (const Touch& touch : step.touches) PrintTo(touch, out);
  *out << "\n";
}
inline std::ostream& operator<<(std::ostream& out, const Step& step) {
  PrintTo(step, &out);
  return out;
}

}  // namespace bankproof::cuda::tests

namespace rc {

template <>
struct Arbitrary<bankproof::cuda::tests::Touch> {
  using Touch = bankproof::cuda::tests::Touch;
  static Gen<Touch> arbitrary() {
    const auto address = gen::inRange<std::uint64_t>(0, bankproof::cuda::tests::addresses + 1);
    return gen::map(gen::tuple(address, address, gen::inRange(0, 3), gen::inRange(0, 12)),
                    [](const std::tuple<std::uint64_t, std::uint64_t, int, int>& of) {
                      const auto& [first, second, kind, chance] = of;
                      return Touch{std::min(first, second), std::max(first, second),
                                   static_cast<bankproof::cuda::AccessKind>(kind), chance == 11};
                    });
  }
};

template <>
struct Arbitrary<bankproof::cuda::tests::Step> {
  using Step = bankproof::cuda::tests::Step;
  using Call = bankproof::cuda::tests::Call;
  using Touch = bankproof::cuda::tests::Touch;
  static Gen<Step> arbitrary() {
    const auto call = gen::weightedElement<Call>({{8, Call::begin},
                                                  {3, Call::host_operation},
                                                  {3, Call::record},
                                                  {3, Call::wait},
                                                  {1, Call::synchronize_stream},
                                                  {1, Call::synchronize_event},
                                                  {1, Call::synchronize_device},
                                                  {2, Call::launch},
                                                  {1, Call::pass},
                                                  {1, Call::create},
                                                  {1, Call::destroy},
                                                  {1, Call::end}});
    const auto touches = gen::mapcat(gen::inRange<std::size_t>(0, 4), [](std::size_t size) {
      return gen::container<std::vector<Touch>>(size, gen::arbitrary<Touch>());
    });
    // At full size: inRange draws less than its range at smaller sizes.
    return gen::resize(
        kNominalSize,
        gen::build<Step>(gen::set(&Step::call, call), gen::set(&Step::host, gen::inRange(0, 3)),
                         gen::set(&Step::stream, gen::inRange<std::size_t>(0, 8)),
                         gen::set(&Step::number, gen::inRange(0, 4)),
                         gen::set(&Step::edges, gen::inRange<std::uint64_t>(0, 256)),
                         gen::set(&Step::touches, touches)));
  }
};

}  // namespace rc
