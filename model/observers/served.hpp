// Determines, for each word of an access, the stage that serves the word (docs/model.md, rule 3).
// On a memory with banks, stage s serves the s-th distinct word of each bank; on a memory with
// groups, all words of the s-th group. Distinct words and groups are numbered in thread order.
//
// Example (THS figure 3.3, w = 4): of {7, 5, 15, 0} a DMM serves 7, 5 and 0 in stage 0 and 15 in
// stage 1; a UMM serves 7 and 5, then 15, then 0.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "../observer.hpp"

namespace bankproof {

/// A word of an access.
struct ServedWord {
  Address index;    ///< in the array
  Address address;  ///< in the memory
  std::uint64_t stage;
};

/// The distinct words of an access, in the order of the first thread that asks for each.
inline std::vector<ServedWord> served_words(const AccessEvent& event) {
  const Memory& memory = event.memory();
  const MemoryKind kind = memory.kind();
  std::vector<ServedWord> words;
  std::set<Address> known;
  std::map<std::uint64_t, std::uint64_t> stages;  // each bank's next stage, or each group's stage
  for_each_lane(event.access.mask, [&](Width lane) {
    const Address index = event.index(lane);
    const Address address = event.array().base() + index;
    if (!known.insert(address).second) return;
    std::uint64_t stage = 0;
    if (kind == MemoryKind::banks) stage = stages[address % memory.width()]++;
    if (kind == MemoryKind::groups) {
      const std::uint64_t next = stages.size();
      stage = stages.try_emplace(address / memory.width(), next).first->second;
    }
    if (kind == MemoryKind::broadcast) stage = words.size();
    words.push_back({index, address, stage});
  });
  return words;
}

}  // namespace bankproof
