// Reports which part of each array a program touched. The machine itself always faults on an index
// past an array's end; this observer reports how near to the ends of the array the program came,
// and which elements the program left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "../observer.hpp"

namespace bankproof {

/// The elements of one array that one kind of access touched.
struct Extent {
  std::uint64_t touched = 0;  ///< elements, each counted once
  Address lowest = 0;         ///< touched index, if any
  Address highest = 0;
};

/// Observer of the elements that are read and written.
class Bounds : public Observer {
 public:
  Extent read(const ArrayBase& array) const { return extent(array, Operation::read); }
  Extent written(const ArrayBase& array) const { return extent(array, Operation::write); }

  void accessed(const AccessEvent& event) override {
    auto& touched = touched_[{event.array().id(), event.access.operation}];
    touched.resize(event.array().size(), false);
    for_each_lane(event.access.mask, [&](Width lane) { touched[event.index(lane)] = true; });
  }

 private:
  Extent extent(const ArrayBase& array, Operation operation) const {
    Extent result;
    const auto known = touched_.find({array.id(), operation});
    if (known == touched_.end()) return result;
    const std::vector<bool>& touched = known->second;
    const auto first = std::find(touched.begin(), touched.end(), true);
    const auto last = std::find(touched.rbegin(), touched.rend(), true);
    result.touched = static_cast<std::uint64_t>(std::count(first, touched.end(), true));
    result.lowest = static_cast<Address>(first - touched.begin());
    result.highest = static_cast<Address>(touched.rend() - last) - 1;
    return result;
  }

  std::map<std::pair<std::uint64_t, Operation>, std::vector<bool>> touched_;
};

}  // namespace bankproof
