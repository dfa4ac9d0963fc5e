// Finds threads of one access that write the same word. The winning thread is arbitrary (HMM II;
// docs/model.md, rule 6), so a program whose result depends on the winner is wrong. If the threads
// write the same value, the winner does not matter.
#pragma once

#include <cstdint>

#include "finding.hpp"

namespace bankproof {

/// Observer of colliding writes of different values, or of any colliding writes.
class Collisions : public Finder {
 public:
  enum class Allow : std::uint8_t { same_value, none };

  explicit Collisions(OnFinding on_finding = OnFinding::fault, Allow allow = Allow::same_value)
      : Finder(on_finding), allow_(allow) {}

  void accessed(const AccessEvent& event) override {
    if (!event.is_write()) return;
    // A warp has at most 64 threads, so comparing every pair is cheap.
    for_each_lane(event.access.mask, [&](Width second) {
      for_each_lane(event.access.mask & first_lanes(second), [&](Width first) {
        if (event.index(first) == event.index(second) &&
            (allow_ == Allow::none || event.array().writes_differ(event.access, first, second))) {
          report(fault::colliding_writes(event.array().name(), event.index(second), first,
                                         event.place(second)));
        }
      });
    });
  }

 private:
  Allow allow_;
};

}  // namespace bankproof
