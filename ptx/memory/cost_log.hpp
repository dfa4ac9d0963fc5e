// Cost: the sums of the costs of all accesses that one host thread executes, for each instruction.
//
// The log also keeps a picture of the worst access of each instruction, and records events for the
// time of the launch (timing/replay.hpp). It reads footprints only, never bytes.
#pragma once

#include <vector>

#include "../isa/counts.hpp"
#include "../timing/events.hpp"
#include "costs.hpp"
#include "footprint.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

/// What the log has to know about an access besides its footprint.
struct CostPlace {
  std::uint32_t site = 0;
  bool shared = false;                   // in shared memory; else in global memory
  std::uint32_t buffer = 0;              // for global memory
  ThreadName warp{};                     // the first thread of the warp
  std::vector<Event>* events = nullptr;  // of the warp; null: not recorded
};

/// Not thread-safe: each host thread has a log, and the owner joins their counts.
class CostLog {
 public:
  CostLog(const MachineRules& rules, std::size_t sites)
      : indices_(sites, TouchedPages::few),
        rows_(sites, TouchedPages::few),
        prices_(rules, sites) {}

  /// Adds an access of at least one lane to shared or global memory. Returns true only if no two
  /// lanes touch the same element.
  bool add(const CostPlace& place, const Footprint& touched);

  /// The cost of an access to shared or global memory, which is not added yet. It is valid until
  /// the next call.
  const Cost& price(const CostPlace& place, const Footprint& touched) {
    return priced(place, {touched.at, touched.lanes, touched.bytes});
  }
  /// The cost of an access of these bytes per lane to global memory that touches these parts of it.
  Cost price(const TouchedParts& touched, std::uint32_t bytes) {
    return prices_.of_parts(touched, bytes);
  }
  /// Adds an access that has this cost.
  void add(const CostPlace& place, const Footprint& touched, const Cost& cost);

  /// Adds an access of all lanes, of which lane l accesses `bytes` bytes from begin + l * bytes on.
  [[gnu::always_inline]] void add_row(const CostPlace& place, std::uint64_t begin,
                                      std::uint32_t bytes) {
    const Cost& cost = prices_.row(begin, bytes, place.shared);
    if (place.events != nullptr) add_events(place, cost);
    Rows& rows = rows_[place.site];
    const bool is_first = place.warp.block <= rows.first.block && place.warp < rows.first;
    if (rows.cost == &cost && !is_first) [[likely]] {
      ++rows.count;
    } else {
      begin_rows(place, begin, bytes, cost);
    }
  }

  /// Adds the access `touched` to global memory, of lanes of a small row.
  void add_lanes_of_row(const CostPlace& place, const Footprint& touched, const LaneBits& row) {
    add(place, touched, prices_.lanes_of_row(row));
  }

  /// Adds an access of these lanes, each of which accesses the same `bytes` bytes.
  void add_element(const CostPlace& place, std::uint64_t at, LaneMask lanes, std::uint32_t bytes);

  const SiteCounts& counts();

 private:
  /// An access, or the rows of one matrix, which the rules price as an access.
  struct Priced {
    const LaneAddresses& at;
    LaneMask lanes;
    std::uint32_t bytes;  // per lane
  };
  /// Rows of one site that follow one another and cost the same. They are not in counts_ yet. Zeros
  /// are none.
  struct Rows {
    const Cost* cost = nullptr;
    std::uint64_t count = 0;
    bool shared = false;
    ThreadName first{};  // no row of this or a later warp replaces the picture of the worst access
  };
  void begin_rows(const CostPlace& place, std::uint64_t begin, std::uint32_t bytes,
                  const Cost& cost);
  void add_rows(std::size_t site);

  const Cost& priced(const CostPlace& place, const Priced& access);
  void add_priced(const CostPlace& place, const Priced& access, const Cost& cost);
  void add_cost(const CostPlace& place, const Cost& cost);
  static void add_events(const CostPlace& place, const Cost& cost);
  /// Whether an access of this cost replaces the picture of the worst access.
  bool is_worst(const CostPlace& place, const Cost& cost);
  /// Keeps the picture of the access if no access was worse so far. Returns the worst access.
  const AccessPicture& keep_worst(const CostPlace& place, const Priced& access, const Cost& cost);

  AccessCounts& counts_of(std::uint32_t site) {
    std::uint32_t& index = indices_[site];
    if (index == 0) index = static_cast<std::uint32_t>(counts_.append(site)) + 1;
    return counts_.entry(index - 1).second;
  }

  SiteCounts counts_;
  ZeroedArray<std::uint32_t> indices_;  // in counts_, by site; 0: none, else one more
  ZeroedArray<Rows> rows_;              // by site
  CostCounter prices_;
};

}  // namespace bankproof::ptx
