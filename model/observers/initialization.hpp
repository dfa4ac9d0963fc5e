// Reads of words that nobody wrote: of an array made without values, of a block's array since the
// block began, of a shared memory that an asynchronous HMM has reset (DESIGN 8, 10 and 13).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "finding.hpp"

namespace bankproof {

/// Observer of uninitialized reads. Attach it before the first launch: writes that it did not see
/// it does not know.
class Initialization : public Finder {
 public:
  explicit Initialization(OnFinding on_finding = OnFinding::fault) : Finder(on_finding) {}

  void forgotten(const ArrayBase& array) override {
    written_[array.id()].assign(array.size(), false);
  }

  void accessed(const AccessEvent& event) override {
    const ArrayBase& array = event.array();
    auto known = written_.find(array.id());
    if (known == written_.end()) {
      if (!array.starts_uninitialized()) return;
      known = written_.emplace(array.id(), std::vector<bool>(array.size(), false)).first;
    }
    std::vector<bool>& written = known->second;
    for_each_lane(event.access.mask, [&](Width lane) {
      if (event.is_write()) {
        written[event.index(lane)] = true;
      } else if (!written[event.index(lane)]) {
        report(fault::uninitialized(array.name(), event.index(lane), event.place(lane)));
      }
    });
  }

 private:
  std::map<std::uint64_t, std::vector<bool>> written_;  ///< by array
};

}  // namespace bankproof
