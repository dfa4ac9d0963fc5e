// Records every dispatched access, in the order in which the accesses took effect: the content of
// the pipeline time charts of MOD figure 4 and HMM figure 4.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "../observer.hpp"

namespace bankproof {

/// One access, as it was dispatched.
struct TraceEntry {
  Time time;
  Time completion;  ///< in lockstep the round may last longer
  std::uint64_t stages;
  std::string memory;
  std::string array;
  Operation operation;
  std::uint64_t launch;
  std::uint64_t block;
  std::uint64_t warp;
  std::vector<Address> indices;  ///< the indices of the threads that take part, in thread order
};

/// Observer that records all accesses; each access takes memory.
class Trace : public Observer {
 public:
  const std::vector<TraceEntry>& entries() const { return entries_; }

  void launch_begins(const LaunchEvent& event) override { launch_ = event.number; }

  void accessed(const AccessEvent& event) override {
    TraceEntry entry{event.time,
                     event.completion,
                     event.stages,
                     event.memory().name(),
                     event.array().name(),
                     event.access.operation,
                     launch_,
                     event.warp.block(),
                     event.warp.index(),
                     {}};
    for_each_lane(event.access.mask,
                  [&](Width lane) { entry.indices.push_back(event.index(lane)); });
    entries_.push_back(std::move(entry));
  }

 private:
  std::vector<TraceEntry> entries_;
  std::uint64_t launch_ = 0;
};

/// Prints a line for each access: times, memory, block, warp, array, indices and stages.
inline std::ostream& operator<<(std::ostream& out, const Trace& trace) {
  for (const TraceEntry& entry : trace.entries()) {
    out << entry.time << ".." << entry.completion << ' ' << entry.memory << ": block "
        << entry.block << " warp " << entry.warp
        << (entry.operation == Operation::read ? " reads " : " writes ") << entry.array << '[';
    const char* separator = "";
    for (const Address index : entry.indices) {
      out << separator << index;
      separator = ", ";
    }
    out << "] in " << entry.stages << (entry.stages == 1 ? " stage\n" : " stages\n");
  }
  return out;
}

}  // namespace bankproof
