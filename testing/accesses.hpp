// Random accesses of one warp, for properties of stage counts. They prefer cases that go wrong:
// shared banks, shared groups, equal addresses, masked lanes. They shrink to few lanes, small
// addresses and a small width.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <tuple>
#include <vector>

#include "../model/units.hpp"
#include "shrinking.hpp"

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

/// The same access at another width: every address keeps its row, and its bank if that bank exists.
inline WarpAccess at_width(const WarpAccess& access, Width width) {
  WarpAccess result{width, access.lanes};
  if (result.lanes.size() > width) result.lanes.resize(width);
  for (auto& lane : result.lanes) {
    if (lane) lane = *lane / access.width * width + *lane % access.width % width;
  }
  return result;
}

/// Accesses that are easier to look at: fewer lanes, a smaller width, smaller addresses.
inline std::vector<WarpAccess> simpler(const WarpAccess& access) {
  std::vector<WarpAccess> result;
  for (std::size_t k = 0; k < access.lanes.size(); ++k) {
    result.push_back(access);
    result.back().lanes.erase(result.back().lanes.begin() + static_cast<std::ptrdiff_t>(k));
  }
  for (const Width width : {access.width / 2, access.width - 1}) {
    if (width >= 1 && width < access.width) result.push_back(at_width(access, width));
  }
  // All addresses moved down to 0: the same lanes share banks as before.
  const auto addresses = access.addresses();
  const auto lowest = std::min_element(addresses.begin(), addresses.end());
  if (lowest != addresses.end() && *lowest > 0) {
    for (auto& lane : result.emplace_back(access).lanes) {
      if (lane) *lane -= *lowest;
    }
  }
  for (std::size_t k = 0; k < access.lanes.size(); ++k) {
    if (!access.lanes[k]) continue;
    const Address address = *access.lanes[k];
    const Address row = address / access.width * access.width;
    for (const Address smaller :
         {Address{0}, address - row, row,
          address / access.width / 2 * access.width + (address - row), address - 1}) {
      if (smaller >= address) continue;
      result.push_back(access);
      result.back().lanes[k] = smaller;
    }
  }
  return result;
}

/// The address of a lane, mostly in one of a few rows, in any bank or in one of the first four
/// banks; sometimes an address far away. One lane in five is masked.
inline rc::Gen<std::optional<Address>> any_lane(Width width) {
  const auto few = rc::gen::inRange<Address>(0, 4);
  const auto some = rc::gen::inRange<Address>(0, width);
  const auto far = rc::gen::inRange<Address>(0, Address{1} << 40);
  const auto bank = rc::gen::weightedOneOf<Address>({{2, some}, {1, few}});
  const auto row = rc::gen::weightedOneOf<Address>({{6, few}, {3, some}, {1, far}});
  const auto takes_part = rc::gen::weightedElement<bool>({{4, true}, {1, false}});
  return rc::gen::map(
      rc::gen::tuple(takes_part, bank, row), [=](const std::tuple<bool, Address, Address>& drawn) {
        const auto& [is_on, drawn_bank, drawn_row] = drawn;
        return is_on ? std::optional(drawn_row * width + drawn_bank % width) : std::nullopt;
      });
}

/// Widths that matter: 1, odd widths, powers of two, the machines' largest.
inline rc::Gen<Width> any_width() {
  return rc::gen::weightedOneOf<Width>({{4, rc::gen::inRange<Width>(1, 9)},
                                        {2, rc::gen::element<Width>(8, 16, 32)},
                                        {1, rc::gen::inRange<Width>(1, widest_warp + 1)}});
}

/// An access at this width by all of its lanes, by fewer lanes, or by no lane.
inline rc::Gen<WarpAccess> any_access(Width width) {
  using Lanes = std::vector<std::optional<Address>>;
  const auto fewer = rc::gen::inRange<std::size_t>(0, std::size_t{width} + 1);
  const auto count = rc::gen::oneOf(rc::gen::just(std::size_t{width}), fewer);
  const auto drawn = rc::gen::mapcat(count, [=](std::size_t lanes) {
    return rc::gen::map(rc::gen::container<Lanes>(lanes, any_lane(width)), [=](const Lanes& all) {
      return WarpAccess{width, all};
    });
  });
  return shrinking_to(drawn, &simpler);
}

}  // namespace bankproof::testing

namespace rc {
template <>
struct Arbitrary<bankproof::testing::WarpAccess> {
  static Gen<bankproof::testing::WarpAccess> arbitrary() {
    // All cases have the full size; sizes do not grow from case to case.
    return gen::resize(kNominalSize, gen::mapcat(gen::noShrink(bankproof::testing::any_width()),
                                                 [](bankproof::Width width) {
                                                   return bankproof::testing::any_access(width);
                                                 }));
  }
};
}  // namespace rc
