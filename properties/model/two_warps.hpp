// The program of the sources' figures: each warp reads a listed set of addresses.
#pragma once

#include <vector>

#include "../../model/machine.hpp"

namespace bankproof {

using Addresses = std::vector<Address>;

/// Warp k reads the k-th vector of addresses.
inline Program listed(Warp& warp, Array<int>& a, const std::vector<Addresses>& of_warp) {
  const Addresses& addresses = of_warp[warp.block() + warp.index()];
  co_await a.read(make_lanes(warp.width(), [&](Width lane) { return addresses[lane]; }));
}

/// The two warps of figure 3.3 of THS.
inline const std::vector<Addresses> two_warps = {{7, 5, 15, 0}, {10, 11, 12, 9}};

}  // namespace bankproof
