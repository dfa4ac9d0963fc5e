// Copies that the lanes of a warp have issued and may not have waited for (PTX ISA, "cp.async").
//
// A copy is performed as if by another thread, which begins with what the lane knows when it issues
// the copy. Until the lane waits for the copy, nothing else is ordered after it. So the copies of a
// warp are the accesses of a second warp, its copier, which has a separate number. Lane k of the
// copier makes the copies that lane k has issued, at the epochs of the warp. The warp begins an
// epoch where one group of copies ends and the next group begins.
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
  void issue(LaneMask lanes, Epoch now);

  /// cp.async.commit_group of the copies issued up to epoch `end`; then the warp must begin the
  /// next epoch.
  void commit(LaneMask lanes, Epoch end);
  /// cp.async.wait_group: all but the last `groups` groups of each lane are complete.
  void wait(LaneMask lanes, std::uint32_t groups);
  /// cp.async.wait_all for the copies issued up to epoch `end`; then the warp must begin the next
  /// epoch.
  void wait_all(LaneMask lanes, Epoch end);

  /// The epoch up to which the lane has waited for its copies.
  Epoch done(std::uint32_t lane) const { return done_[lane]; }
  /// For each lane, done() or, if the lane has no copies in flight, `now`.
  LaneEpochs known(Epoch now) const;
  /// The epochs up to which the lanes have issued copies, whether or not they have waited for them.
  const LaneEpochs& issued() const { return issued_; }

  /// The number of groups that some lane may not have waited for.
  std::size_t in_flight() const { return groups_.size(); }

  /// The epoch up to which all lanes of the warp knew, at the warp's last barrier, that the copies
  /// of all lanes are complete.
  Epoch known_to_warp = 0;

 private:
  /// A group of copies; each lane of the mask has one such group.
  struct Group {
    Epoch end = 0;
    LaneMask lanes = 0;
  };

  void complete(std::uint32_t lane, Epoch end);
  void forget_complete();

  LaneEpochs issued_{};
  LaneEpochs done_{};
  std::vector<Group> groups_;  // not complete
};

}  // namespace bankproof::ptx
