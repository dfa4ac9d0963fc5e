// One access of a warp: at most one request for each thread, all reads or all writes (DESIGN 2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "lanes.hpp"

namespace bankproof {

class ArrayBase;

enum class Operation : std::uint8_t { read, write };

/// What a program promises of an access, and what it turns out to be (THS 5.1): coalesced, all
/// requests in one address group; conflict-free, all distinct addresses in distinct banks; casual,
/// neither promised. Coalesced implies conflict-free.
enum class AccessKind : std::uint8_t { undeclared, coalesced, conflict_free, casual };

constexpr std::string_view name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::coalesced: return "coalesced";
    case AccessKind::conflict_free: return "conflict-free";
    case AccessKind::casual: return "casual";
    case AccessKind::undeclared: break;
  }
  return "undeclared";
}

/// An access under way. `index` and `data` point into the program's frame, which is suspended until
/// the access has taken effect.
struct Access {
  ArrayBase* array;
  const Lanes<Address>* index;  ///< into the array
  void* data;                   ///< Lanes<T> of the array's T: what a read fills, a write stores
  Mask mask;
  Operation operation;
  AccessKind declared;
};

/// The addresses of an access in thread order, and what one look at them tells.
struct Pattern {
  std::span<const Address> addresses;
  Address lowest;
  Address highest;
  bool contiguous;  ///< each address one more than its predecessor
};

/// Requires at least one address.
inline Pattern look_at(std::span<const Address> addresses) {
  const Address first = addresses.front();
  Address difference = 0;
  for (std::size_t k = 0; k < addresses.size(); ++k) difference |= addresses[k] ^ (first + k);
  // The last test is for the addresses that wrap around.
  if (difference == 0 && first <= addresses.back()) {
    return {addresses, first, addresses.back(), true};
  }
  const auto [lowest, highest] = std::minmax_element(addresses.begin(), addresses.end());
  return {addresses, *lowest, *highest, false};
}

}  // namespace bankproof
