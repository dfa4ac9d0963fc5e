// Copies that the lanes of a warp have issued and may not have waited for (PTX ISA, "cp.async").
//
// A copy is performed as by another thread, which begins with what the lane knows when it issues
// the copy, and about which nobody knows anything before somebody has waited for it. So the copies
// of a warp are the accesses of a second warp, its copier, which has a number of its own. Its lane
// k makes those that lane k has issued, at the ticks of the warp; the warp ticks where one group of
// copies ends and the next one begins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clock.hpp"

namespace bankproof::ptx {

class Copies {
 public:
  /// These lanes issue copies.
  void issue(LaneMask lanes, Tick now);

  /// cp.async.commit_group, of what was issued up to `end`; the warp has to tick then.
  void commit(LaneMask lanes, Tick end);
  /// cp.async.wait_group: all but the last `groups` groups of each lane are complete.
  void wait(LaneMask lanes, std::uint32_t groups);
  /// cp.async.wait_all: all that was issued up to `end`; the warp has to tick then.
  void wait_all(LaneMask lanes, Tick end);

  /// Up to when the lane has waited for its copies.
  Tick done(std::uint32_t lane) const { return done_[lane]; }
  /// The same, or `now` if none is in flight.
  LaneTicks known(Tick now) const;
  /// Up to when the lanes have issued any, whether they have waited for them or not.
  const LaneTicks& issued() const { return issued_; }

  /// Groups that some lane has not waited for, as far as is known.
  std::size_t in_flight() const { return groups_.size(); }

  /// Up to when all lanes of the warp know of one another that they have waited: since its last
  /// barrier.
  Tick known_to_warp = 0;

 private:
  /// One for each lane in it.
  struct Group {
    Tick end = 0;
    LaneMask lanes = 0;
  };

  void complete(std::uint32_t lane, Tick end);
  void forget_complete();

  LaneTicks issued_{};
  LaneTicks done_{};
  std::vector<Group> groups_;  // that are not complete
};

}  // namespace bankproof::ptx
