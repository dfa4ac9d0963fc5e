// Finds races: two accesses to one word, one of them a write, that nothing orders (docs/model.md,
// rules 10 and 13).
//
// Within a launch, only barriers order accesses, and a barrier orders only accesses of its own
// block. A warp's own accesses are ordered, and launches are ordered. So two accesses to one word,
// one of them a write, race if they are in one launch and in different blocks, or in different
// warps of one block with no barrier between them. The judgment does not depend on the schedule
// that happened to run.
//
// For each word, the observer keeps the last write, the last read since that write, and two flags
// about the reads since that write: whether several blocks read the word, and whether several warps
// of the last reader's block read it since that block's last barrier. These facts suffice to judge
// the next access.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "finding.hpp"

namespace bankproof {

/// Observer of races.
class Races : public Finder {
 public:
  /// Treats launch number `joined` as the continuation of the launch before it, block by block, as
  /// if no barrier over all threads separated the two. 0: joins no launches.
  explicit Races(OnFinding on_finding = OnFinding::fault, std::uint64_t joined = 0)
      : Finder(on_finding), joined_(joined) {}

  void launch_begins(const LaunchEvent& event) override {
    if (joined_ > 0 && event.number == joined_) {
      phases_before_ = phases_;
      return;
    }
    phases_before_.clear();
    phases_.clear();
    // Each word has the number of the launch that touched it last, so words need no clearing.
    // Clearing all words of large arrays for each of many small launches would take longer than the
    // launches. Arrays that the last launch did not touch may no longer exist, so the observer
    // forgets them.
    std::erase_if(arrays_, [&](const auto& known) { return known.second.launch != launch_; });
    ++launch_;
  }
  void barrier_opens(const BlockEvent& event) override {
    if (joined_ > 0) ++phases_[event.block.index];
  }
  void forgotten(const ArrayBase& array) override { arrays_.erase(array.id()); }

  void accessed(const AccessEvent& event) override {
    auto& [words, last_launch] = arrays_[event.array().id()];
    last_launch = launch_;
    words.resize(event.array().size());
    Party me{event.warp.block(), event.warp.index(), event.warp.block_state().phase};
    if (const auto before = phases_before_.find(me.block); before != phases_before_.end()) {
      me.phase += before->second;
    }
    const Word* in_order = nullptr;  // an earlier lane read this word without a race
    for_each_lane(event.access.mask, [&](Width lane) {
      Word& word = words[event.index(lane)];
      if (&word == in_order) return;  // for example, all lanes read one word
      if (word.launch != launch_) word = Word{.launch = launch_};
      if (word.written && unordered(word.writer, me)) {
        report_race(event, lane, "a write", word.writer);
      } else if (event.is_write() && word.read && reader_unordered(word, me)) {
        report_race(event, lane, "a read", word.reader);
      } else if (!event.is_write()) {
        in_order = &word;
      }
      event.is_write() ? word.note_write(me) : word.note_read(me);
    });
  }

 private:
  struct Party {
    std::uint64_t block;
    std::uint64_t warp;
    std::uint64_t phase;
  };
  struct alignas(64) Word {  // in one cache line
    std::uint64_t launch = 0;
    Party writer{};
    Party reader{};
    bool written = false;
    bool read = false;
    bool several_blocks = false;  ///< among the readers
    bool several_warps = false;   ///< among the readers of the last reader's block and phase

    void note_write(const Party& me) {
      *this = Word{.launch = launch};
      writer = me;
      written = true;
    }
    void note_read(const Party& me) {
      if (read) {
        several_blocks |= reader.block != me.block;
        const bool same_interval = reader.block == me.block && reader.phase == me.phase;
        if (same_interval && several_warps) return;  // a further warp changes nothing
        several_warps = same_interval && reader.warp != me.warp;
      }
      reader = me;
      read = true;
    }
  };

  static bool unordered(const Party& before, const Party& now) {
    if (before.block != now.block) return true;
    return before.warp != now.warp && before.phase == now.phase;
  }
  static bool reader_unordered(const Word& word, const Party& now) {
    if (word.several_blocks || unordered(word.reader, now)) return true;
    return word.several_warps && word.reader.phase == now.phase;
  }

  void report_race(const AccessEvent& event, Width lane, const std::string& kind,
                   const Party& before) {
    report(fault::race(event.array().name(), event.index(lane),
                       event.is_write() ? "a write" : "a read",
                       kind + " by block " + std::to_string(before.block) + ", warp " +
                           std::to_string(before.warp),
                       event.place(lane)));
  }

  struct Words {
    std::vector<Word> words;
    std::uint64_t launch = 0;  ///< the last launch that touched them
  };

  std::uint64_t launch_ = 0;
  std::map<std::uint64_t, Words> arrays_;
  std::uint64_t joined_;
  std::map<std::uint64_t, std::uint64_t> phases_;         ///< barriers that each block has passed
  std::map<std::uint64_t, std::uint64_t> phases_before_;  ///< in the launch that this one joins
};

}  // namespace bankproof
