// Finds reads of words that nobody wrote: in an array made without values, in a block's array since
// the block began, or in a shared memory that an asynchronous HMM has reset (docs/model.md, rules
// 8, 10 and 13).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "finding.hpp"

namespace bankproof {

/// Observer of uninitialized reads. Attach the observer before the first launch: it does not know
/// about earlier writes.
class Initialization : public Finder {
 public:
  explicit Initialization(OnFinding on_finding = OnFinding::fault) : Finder(on_finding) {}

  void forgotten(const ArrayBase& array) override {
    words_.insert_or_assign(array.id(), Words(array.size()));
  }

  void accessed(const AccessEvent& event) override {
    const ArrayBase& array = event.array();
    auto known = words_.find(array.id());
    if (known == words_.end()) {
      if (!array.starts_uninitialized()) return;
      known = words_.emplace(array.id(), Words(array.size())).first;
    }
    Words& words = known->second;
    if (words.unwritten == 0) return;
    for_each_lane(event.access.mask, [&](Width lane) {
      auto is_written = words.written[event.index(lane)];
      if (event.is_write()) {
        if (!is_written) --words.unwritten;
        is_written = true;
      } else if (!is_written) {
        report(fault::uninitialized(array.name(), event.index(lane), event.place(lane)));
      }
    });
  }

 private:
  struct Words {
    explicit Words(std::uint64_t size) : written(size, false), unwritten(size) {}
    std::vector<bool> written;
    std::uint64_t unwritten;  ///< the number of unwritten words
  };

  std::map<std::uint64_t, Words> words_;  ///< by array
};

}  // namespace bankproof
