// One access of a warp: at most one request for each thread, all reads or all writes
// (docs/model.md, rule 2).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lanes.hpp"
#include "progression.hpp"

namespace bankproof {

class ArrayBase;

enum class Operation : std::uint8_t { read, write };

/// The kind of an access (THS 5.1). The program may declare a kind, and the machine observes one.
/// Coalesced: all requests are in one address group. Conflict-free: all distinct addresses are in
/// distinct banks. Casual: neither is promised. Coalesced implies conflict-free.
enum class AccessKind : std::uint8_t { undeclared, coalesced, conflict_free, casual };

constexpr std::string_view name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::coalesced:
      return "coalesced";
    case AccessKind::conflict_free:
      return "conflict-free";
    case AccessKind::casual:
      return "casual";
    default:
      return "undeclared";
  }
}

/// The index of an access: lanes of addresses, or a progression. An Index refers to an object that
/// the program's frame keeps until the access has taken effect.
class Index {
 public:
  Index(const Lanes<Address>& lanes) : lanes_(&lanes) {}                 // NOLINT(*-explicit-*)
  Index(const Progression& progression) : progression_(&progression) {}  // NOLINT(*-explicit-*)

  Width width() const { return lanes_ != nullptr ? lanes_->width() : progression_->width(); }
  Address operator[](Width lane) const {
    return lanes_ != nullptr ? (*lanes_)[lane] : (*progression_)[lane];
  }
  /// Exactly one of lanes() and progression() is null.
  const Lanes<Address>* lanes() const { return lanes_; }
  const Progression* progression() const { return progression_; }

 private:
  const Lanes<Address>* lanes_ = nullptr;
  const Progression* progression_ = nullptr;
};

/// An access under way. `data` points into the program's frame, which is suspended until the access
/// has taken effect.
struct Access {
  ArrayBase* array;
  Index index;       ///< into the array
  const void* data;  ///< for a write: the Lanes<T> to store, where T is the array's type
  Mask mask;
  Operation operation;
  AccessKind declared;

  bool all_lanes() const { return mask == first_lanes(index.width()); }
};

/// The addresses of an access in thread order, and properties of the addresses.
struct Pattern {
  std::span<const Address> addresses;  ///< empty if `contiguous`: then they are lowest … highest
  Address lowest;
  Address highest;
  bool contiguous;  ///< each address is one more than the address before it
};

/// Computes the pattern of an access. If the addresses are not already stored in thread order, the
/// function writes them to `scratch`, which has widest_warp words. Requires at least one request.
inline Pattern look_at(const Index& index, Mask mask, std::span<Address> scratch) {
  std::span<const Address> addresses;
  if (index.lanes() == nullptr && index.progression()->step() == 1) {
    const bool without_gap = (mask.bits() & (mask.bits() + 1)) == 0;
    const Address first = (*index.progression())[0];
    const Address last = first + static_cast<Address>(std::popcount(mask.bits())) - 1;
    if (without_gap && first <= last) return {{}, first, last, true};
  }
  if (index.lanes() != nullptr && mask == first_lanes(index.width())) {
    addresses = {index.lanes()->begin(), index.lanes()->end()};
  } else {
    std::size_t count = 0;
    for_each_lane(mask, [&](Width lane) { scratch[count++] = index[lane]; });
    addresses = scratch.first(count);
  }
  Address lowest = addresses.front();
  Address highest = lowest;
  for (const Address address : addresses) {
    lowest = std::min(lowest, address);
    highest = std::max(highest, address);
  }
  return {addresses, lowest, highest, false};
}

}  // namespace bankproof
