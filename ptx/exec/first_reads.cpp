// Finds the slots that may be read before they are written; see first_reads.hpp.
#include "first_reads.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace bankproof::ptx {

namespace {

/// A set of slots, by their numbers.
class SlotSet {
 public:
  explicit SlotSet(std::size_t slots) : words_((slots + 63) / 64) {}
  void insert(std::size_t slot) { words_[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  bool has(std::size_t slot) const { return (words_[slot / 64] >> (slot % 64) & 1U) != 0; }
  /// Keeps only the slots that the other set has too. Returns whether this set has changed.
  bool keep_common(const SlotSet& other) {
    std::uint64_t gone = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      gone |= words_[k] & ~other.words_[k];
      words_[k] &= other.words_[k];
    }
    return gone != 0;
  }

 private:
  std::vector<std::uint64_t> words_;
};

struct Numbered {
  std::size_t number = 0;
  std::size_t bytes = 0;
};
using Numbers = std::map<Slot, Numbered>;

Numbers numbers_of(const std::vector<NamedSlots>& named) {
  Numbers numbers;
  for (const NamedSlots& block : named) {
    for (const Slots::Named& one : block) {
      numbers.try_emplace(one.range.slot, Numbered{numbers.size(), one.range.bytes});
    }
  }
  return numbers;
}

/// For each block, the slots that are surely written when it begins; empty if no path leads there.
std::vector<std::optional<SlotSet>> surely_written(const Flow& flow,
                                                   const std::vector<NamedSlots>& named,
                                                   const Numbers& numbers) {
  std::vector<std::optional<SlotSet>> at_entry(flow.blocks.size());
  at_entry[0].emplace(numbers.size());
  std::vector<std::size_t> changed{0};
  while (!changed.empty()) {
    const std::size_t block = changed.back();
    changed.pop_back();
    SlotSet written = *at_entry[block];
    for (const Slots::Named& one : named[block]) {
      if (one.is_written) written.insert(numbers.at(one.range.slot).number);
    }
    for (const std::size_t next : flow.blocks[block].successors) {
      std::optional<SlotSet>& there = at_entry[next];
      const bool changes = !there || there->keep_common(written);
      if (!there) there = written;
      if (changes) changed.push_back(next);
    }
  }
  return at_entry;
}

}  // namespace

void add_first_reads(const Flow& flow, const std::vector<NamedSlots>& named,
                     std::vector<SlotRange>& to) {
  const Numbers numbers = numbers_of(named);
  const auto at_entry = surely_written(flow, named, numbers);
  SlotSet found(numbers.size());
  for (std::size_t block = 0; block < named.size(); ++block) {
    if (!at_entry[block]) continue;
    SlotSet written = *at_entry[block];
    for (const Slots::Named& one : named[block]) {
      const std::size_t slot = numbers.at(one.range.slot).number;
      if (one.is_written) {
        written.insert(slot);
      } else if (!written.has(slot)) {
        found.insert(slot);
      }
    }
  }
  for (const auto& [slot, numbered] : numbers) {
    if (!found.has(numbered.number)) continue;
    const bool follows = !to.empty() && to.back().slot + to.back().bytes == slot;
    if (!follows) to.push_back({slot, 0});
    to.back().bytes += (numbered.bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
  }
}

}  // namespace bankproof::ptx
