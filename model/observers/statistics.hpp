// Counts a program's requests, stages and rounds on each memory, in the papers' terms (THS 5.1,
// table 5.1; docs/model.md, rule 12).
//
// In a *round*, as the papers count it, each thread makes at most one access. Four things determine
// the round of a warp's access: the launch, the barriers that the block has passed, the warp's
// accesses since the last barrier, and whether the access reads or writes. So rounds do not depend
// on the mode, on how many blocks are resident, or on when they run. A round is coalesced if all
// its accesses are coalesced. Otherwise it is conflict-free if each of its accesses is coalesced or
// conflict-free. All other rounds are casual. Its declared kind is the weakest kind that the
// program declared for one of its accesses.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "../observer.hpp"
#include "../pipeline.hpp"

namespace bankproof {

/// Counts by kind of access, as in the rows of THS table 5.1.
struct KindCounts {
  std::uint64_t coalesced = 0;
  std::uint64_t conflict_free = 0;
  std::uint64_t casual = 0;
  std::uint64_t undeclared = 0;  ///< for declared kinds only

  std::uint64_t& of(AccessKind kind) {
    switch (kind) {
      case AccessKind::coalesced:
        return coalesced;
      case AccessKind::conflict_free:
        return conflict_free;
      case AccessKind::casual:
        return casual;
      case AccessKind::undeclared:
        break;
    }
    return undeclared;
  }
  friend bool operator==(const KindCounts&, const KindCounts&) = default;
};

/// Counts for one memory, or for all shared memories together.
struct MemoryStatistics {
  std::uint64_t rounds = 0;
  std::uint64_t accesses = 0;  ///< accesses of warps, without empty accesses
  std::uint64_t requests = 0;  ///< of threads
  std::uint64_t stages = 0;
  std::uint64_t ideal_stages = 0;  ///< one for each access, the least possible
  KindCounts observed_accesses;
  KindCounts observed_reading;  ///< counts rounds, like the next three
  KindCounts observed_writing;
  KindCounts declared_reading;
  KindCounts declared_writing;

  std::uint64_t excess_stages() const { return stages - ideal_stages; }
};

/// Observer that counts. Its results are complete when the launches it watched have ended.
class Statistics : public Observer {
 public:
  Statistics() = default;
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;

  /// Counts for one memory.
  MemoryStatistics of(const Memory& memory) const {
    const auto found = memories_.find(&memory);
    if (found == memories_.end()) return {};
    MemoryStatistics sum = found->second.ended;
    count(found->second.rounds, sum);
    return sum;
  }
  /// Counts for all memories with banks: on an HMM, all shared memories together. A round that
  /// accesses several of these memories counts once.
  MemoryStatistics of_banks() const { return of_kind(MemoryKind::banks); }

  /// Counts for all memories with address groups: on an HMM, the global memory.
  MemoryStatistics of_groups() const { return of_kind(MemoryKind::groups); }
  /// Counts for the constant memory.
  MemoryStatistics of_constants() const { return of_kind(MemoryKind::broadcast); }
  MemoryStatistics of_kind(MemoryKind kind) const {
    const auto found = kinds_.find(kind);
    MemoryStatistics sum = found == kinds_.end() ? MemoryStatistics() : found->second;
    count(rounds_of(kind), sum);
    return sum;
  }

  /// Adds the rounds of the launch that has ended to the totals, so that they need not be kept.
  void launch_begins(const LaunchEvent&) override {
    for (auto& [kind, sum] : kinds_) count(rounds_of(kind), sum);
    for (auto& [memory, counts] : memories_) {
      count(counts.rounds, counts.ended);
      counts.rounds.clear();
      counts.latest = nullptr;
    }
  }

  void accessed(const AccessEvent& event) override {
    Counts& counts = memories_[&event.memory()];
    if (counts.of_kind == nullptr) {
      counts.kind = event.memory().kind();
      counts.of_kind = &kinds_[counts.kind];
    }
    const AccessKind observed = observe(event);
    for (MemoryStatistics* sum : {&counts.ended, counts.of_kind}) {
      ++sum->accesses;
      ++sum->ideal_stages;
      sum->requests += static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
      sum->stages += event.stages;
      ++sum->observed_accesses.of(observed);
    }
    const RoundKey key{event.warp.block_state().phase, event.warp.position - 1,
                       event.access.operation};
    const Round seen{observed, event.access.declared};
    // Successive accesses of different warps are mostly in the same round.
    if (counts.latest == nullptr || counts.latest->first != key) {
      counts.latest = &*counts.rounds.try_emplace(key, seen).first;
    }
    counts.latest->second.join(seen);
  }

 private:
  using RoundKey = std::tuple<std::uint64_t, std::uint64_t, Operation>;
  struct Round {
    AccessKind observed;
    AccessKind declared;
    void join(const Round& other) {
      observed = weaker(observed, other.observed);
      declared = weaker(declared, other.declared);
    }
  };
  using Rounds = std::map<RoundKey, Round>;
  struct Counts {
    MemoryKind kind = MemoryKind::banks;
    MemoryStatistics* of_kind = nullptr;
    MemoryStatistics ended;  ///< without the rounds of the running launch
    Rounds rounds;           ///< the rounds of the running launch
    Rounds::value_type* latest = nullptr;
  };

  /// The kind that promises less.
  static AccessKind weaker(AccessKind a, AccessKind b) {
    const auto strength = [](AccessKind kind) {
      switch (kind) {
        case AccessKind::coalesced:
          return 3;
        case AccessKind::conflict_free:
          return 2;
        case AccessKind::casual:
          return 1;
        case AccessKind::undeclared:
          break;
      }
      return 0;
    };
    return strength(a) < strength(b) ? a : b;
  }

  static void count(const Rounds& rounds, MemoryStatistics& sum) {
    sum.rounds += rounds.size();
    for (const auto& [key, round] : rounds) {
      const bool reads = std::get<Operation>(key) == Operation::read;
      ++(reads ? sum.observed_reading : sum.observed_writing).of(round.observed);
      ++(reads ? sum.declared_reading : sum.declared_writing).of(round.declared);
    }
  }

  /// The rounds of the running launch, on all memories of a kind.
  Rounds rounds_of(MemoryKind kind) const {
    Rounds all;
    for (const auto& [memory, counts] : memories_) {
      if (counts.kind != kind) continue;
      for (const auto& [key, round] : counts.rounds) {
        const auto [known, is_new] = all.try_emplace(key, round);
        if (!is_new) known->second.join(round);
      }
    }
    return all;
  }

  AccessKind observe(const AccessEvent& event) {
    if (counter_.divider().width() != event.memory().width()) {
      counter_ = StageCounter(event.memory().width());
    }
    const Pattern pattern = look_at(event.access.index, event.access.mask, addresses_);
    const Address offset = event.array().misalignment();
    const WidthDivider& divider = counter_.divider();
    if (divider.group(pattern.lowest + offset) == divider.group(pattern.highest + offset)) {
      return AccessKind::coalesced;
    }
    // Whether banks differ does not depend on the offset.
    const bool banks_differ = pattern.contiguous || counter_.bank_stages(pattern.addresses) == 1;
    return banks_differ ? AccessKind::conflict_free : AccessKind::casual;
  }

  std::map<const Memory*, Counts> memories_;  ///< a memory may be gone when its counts are read
  std::map<MemoryKind, MemoryStatistics> kinds_;
  StageCounter counter_{1};
  std::array<Address, widest_warp> addresses_{};
};

}  // namespace bankproof
