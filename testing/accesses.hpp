// Random accesses of one warp, for properties of stage counts. They prefer what goes wrong: shared
// banks, shared groups, equal addresses, masked lanes; and they shrink to few lanes, small
// addresses and a small width.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "../model/units.hpp"

namespace bankproof::testing {

/// An access of a warp of at most `width` threads; a lane without address is masked.
struct WarpAccess {
  Width width;
  std::vector<std::optional<Address>> lanes;

  /// The addresses of the lanes that take part, in thread order.
  std::vector<Address> addresses() const {
    std::vector<Address> result;
    for (const auto& lane : lanes) {
      if (lane) result.push_back(*lane);
    }
    return result;
  }
};

inline std::ostream& operator<<(std::ostream& out, const WarpAccess& access) {
  out << "width " << access.width << ":";
  for (const auto& lane : access.lanes) {
    if (lane) {
      out << ' ' << *lane;
    } else {
      out << " -";
    }
  }
  return out;
}

/// Addresses as they matter for a width: anywhere in a few groups, in few banks, or far away.
inline rc::Gen<Address> any_address(Width width) {
  const auto small = rc::gen::inRange<Address>(0, Address{4} * width);
  const auto in_bank_0 =
      rc::gen::map(rc::gen::inRange<Address>(0, 40), [=](Address row) { return row * width; });
  const auto far = rc::gen::inRange<Address>(0, Address{1} << 40);
  return rc::gen::weightedOneOf<Address>({{6, small}, {3, in_bank_0}, {1, far}});
}

/// A lane that takes part four times out of five, and may be masked.
inline rc::Gen<std::optional<Address>> any_lane(Width width) {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 5), any_address(width)),
                      [](const std::pair<int, Address>& lane) {
                        return lane.first < 4 ? std::optional(lane.second) : std::nullopt;
                      });
}

/// An access at this width, possibly of fewer lanes, possibly of none.
inline rc::Gen<WarpAccess> any_access(Width width) {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, std::size_t{width} + 1),
                         [=](std::size_t lanes) {
                           using Lanes = std::vector<std::optional<Address>>;
                           return rc::gen::map(rc::gen::container<Lanes>(lanes, any_lane(width)),
                                               [=](const Lanes& drawn) {
                                                 return WarpAccess{width, drawn};
                                               });
                         });
}

/// Widths that matter: 1, odd ones, powers of two, the machines' largest.
inline rc::Gen<Width> any_width() {
  return rc::gen::weightedOneOf<Width>({{4, rc::gen::inRange<Width>(1, 9)},
                                        {2, rc::gen::element<Width>(16, 32)},
                                        {1, rc::gen::inRange<Width>(1, widest_warp + 1)}});
}

}  // namespace bankproof::testing

namespace rc {
template <>
struct Arbitrary<bankproof::testing::WarpAccess> {
  static Gen<bankproof::testing::WarpAccess> arbitrary() {
    return gen::mapcat(bankproof::testing::any_width(), bankproof::testing::any_access);
  }
};
}  // namespace rc
