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
  CostLog(const MachineRules& rules, std::size_t sites) : counts_(sites), prices_(rules, sites) {}

  /// Adds an access of at least one lane to shared or global memory. Returns true only if no two
  /// lanes touch the same element.
  bool add(const CostPlace& place, const Footprint& touched);

  /// The cost of an access to shared or global memory, which is not added yet. It is valid until
  /// the next call.
  const Cost& price(const CostPlace& place, const Footprint& touched) {
    return priced(place, {touched.at, touched.lanes, touched.bytes});
  }
  /// Adds an access that has this cost.
  void add(const CostPlace& place, const Footprint& touched, const Cost& cost);

  /// Adds an access of all lanes, of which lane l accesses `bytes` bytes from begin + l * bytes on.
  [[gnu::always_inline]] void add_row(const CostPlace& place, std::uint64_t begin,
                                      std::uint32_t bytes) {
    AccessCounts& counts = counts_[place.site];
    ++counts.accesses;
    counts.lanes += warp_lanes;
    const Cost& cost = prices_.row(begin, bytes, place.shared);
    if (add_cost(place, cost)) [[unlikely]]
      keep_row(place, begin, bytes);
  }

  /// The counts, by site.
  const std::vector<AccessCounts>& counts() const { return counts_; }

 private:
  /// An access, or the rows of one matrix, which the rules price as an access.
  struct Priced {
    const LaneAddresses& at;
    LaneMask lanes;
    std::uint32_t bytes;  // per lane
  };
  const Cost& priced(const CostPlace& place, const Priced& access);
  void add_priced(const CostPlace& place, const Priced& access, const Cost& cost);
  /// Adds the cost. Returns whether the picture of this access replaces that of the worst access.
  bool add_cost(const CostPlace& place, const Cost& cost) {
    AccessCounts& counts = counts_[place.site];
    if (place.events != nullptr) add_events(place, cost);
    if (place.shared) {
      counts.wavefronts += cost.stages;
      counts.ideal_wavefronts += cost.ideal;
      return is_worse(counts.worst_shared, place.warp, excess_of(place, cost));
    }
    counts.lines += cost.stages;
    counts.ideal_lines += cost.ideal;
    counts.sectors += cost.sectors;
    counts.ideal_sectors += cost.ideal_sectors;
    return is_worse(counts.worst_global, place.warp, excess_of(place, cost));
  }
  static std::uint64_t excess_of(const CostPlace& place, const Cost& cost) {
    return place.shared ? cost.stages - cost.ideal : cost.sectors - cost.ideal_sectors;
  }
  /// Whether an access with this excess replaces the picture of the worst access.
  static bool is_worse(const KeptPicture& worst, const ThreadName& warp, std::uint64_t excess) {
    return !worst || worst->excess < excess || (worst->excess == excess && warp < worst->warp);
  }
  static void add_events(const CostPlace& place, const Cost& cost);
  void keep_row(const CostPlace& place, std::uint64_t begin, std::uint32_t bytes);
  void keep(const CostPlace& place, const Priced& access, std::uint64_t excess);

  std::vector<AccessCounts> counts_;
  CostCounter prices_;
};

}  // namespace bankproof::ptx
