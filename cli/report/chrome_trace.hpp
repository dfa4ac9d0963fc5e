// Records every access of a run as Chrome trace events, for Perfetto. The events show which words
// each bank serves at which time, and how long each warp waits for each of its accesses. A memory
// with address groups has one address line in place of banks.
//
// A time unit of the machine is a microsecond of the trace. Each memory is a process with a track
// for each bank, or one track for its address line; a stage is an event of one time unit on such a
// track. One more process has a track for each warp, on which an access lasts from its dispatch to
// its completion. Events of one track do not overlap.
//
// Example: THS figure 3.3, W(0) → {7, 5, 15, 0}: bank 3 serves 7 at time 0 and 15 at time 1.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../../model/observer.hpp"

namespace bankproof::cli {

class ChromeTrace : public Observer {
 public:
  /// The tracks of a memory with banks: one for each bank, or one for the whole memory.
  enum class Tracks : std::uint8_t { banks, memories };
  explicit ChromeTrace(Tracks tracks = Tracks::banks) : tracks_(tracks) {}

  /// A run with more events throws UsageError: nobody can look at that many.
  static constexpr std::size_t most_events = 2'000'000;

  /// When another machine launches, its time starts at 0, but its events come after all earlier
  /// events.
  void launch_begins(const LaunchEvent& event) override;
  void accessed(const AccessEvent& event) override;

  /// The JSON text.
  std::string text() const;

 private:
  struct Span {
    std::uint64_t process;  ///< 0 for the warps
    std::uint64_t track;
    Time begin;
    Time length;
    std::string name;
  };

  void add(Span span);
  void add_stages(const AccessEvent& event, std::uint64_t process);
  bool has_banks(std::uint64_t process) const;

  Tracks tracks_;
  Time before_ = 0;  ///< the time of earlier machines
  Time end_ = 0;
  std::vector<Span> spans_;
  std::map<std::string, std::uint64_t> processes_;  ///< number of each memory, from 1
  std::map<std::uint64_t, MemoryKind> kinds_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> warps_;  ///< by block and warp
};

}  // namespace bankproof::cli
