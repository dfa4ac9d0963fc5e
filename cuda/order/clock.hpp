// Clocks: what is known to have happened.
//
// A timeline is a sequence of operations that happen one after the other: those of a host thread,
// of a stream, or of a branch of a graph. A timeline's operations are counted from 1, so an
// operation that knows the fifth of them knows the first four as well, and one count for each
// timeline says everything that an operation knows. These are the vector clocks of Fidge and of
// Mattern (1988).
//
//     Clock clock;           // knows nothing
//     clock.add({2, 5});     // the fifth operation of timeline 2, and those before it
//     clock.knows({2, 4});   // true
//     clock.knows({2, 6});   // false
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bankproof::cuda {

using Timeline = std::uint32_t;

/// The name of an operation: the timeline's operations are 1, 2, 3, …
struct Name {
  Timeline timeline = 0;
  std::uint64_t count = 0;
  friend auto operator<=>(const Name&, const Name&) = default;
};

/// Copies share their counts until one of them learns something. Threads that share a clock have to
/// take turns.
class Clock {
 public:
  /// How many operations of the timeline are known.
  std::uint64_t count(Timeline timeline) const {
    return counts_ != nullptr && timeline < counts_->size() ? (*counts_)[timeline] : 0;
  }
  bool knows(Name name) const { return name.count <= count(name.timeline); }

  void add(Name name) {
    if (knows(name)) return;
    Counts& counts = own(name.timeline + std::size_t{1});
    counts[name.timeline] = name.count;
  }

  /// Afterwards this clock knows what either of them knew.
  void join(const Clock& other) {
    if (other.counts_ == counts_ || other.size() == 0) return;
    if (size() == 0) {
      counts_ = other.counts_;
      return;
    }
    Counts& counts = own(other.size());
    for (std::size_t k = 0; k < other.size(); ++k) {
      counts[k] = std::max(counts[k], (*other.counts_)[k]);
    }
  }

  /// Afterwards this clock knows what both of them knew.
  void meet(const Clock& other) {
    if (other.counts_ == counts_ || size() == 0) return;
    Counts& counts = own(size());
    for (std::size_t k = 0; k < counts.size(); ++k) {
      counts[k] = std::min(counts[k], other.count(static_cast<Timeline>(k)));
    }
  }

 private:
  using Counts = std::vector<std::uint64_t>;

  std::size_t size() const { return counts_ == nullptr ? 0 : counts_->size(); }
  /// Counts of at least this size that no other clock shares.
  Counts& own(std::size_t size) {
    if (counts_ == nullptr) {
      counts_ = std::make_shared<Counts>();
    } else if (counts_.use_count() > 1) {
      counts_ = std::make_shared<Counts>(*counts_);
    }
    if (counts_->size() < size) counts_->resize(size);
    return *counts_;
  }

  std::shared_ptr<Counts> counts_;  // of each timeline; null: all zero
};

/// An operation, and everything that happens before it. The operation does not know itself.
struct Operation {
  Name name;
  Clock before;

  bool happens_after(Name earlier) const { return before.knows(earlier); }
  /// What is known when the operation is done.
  Clock after() const {
    Clock all = before;
    all.add(name);
    return all;
  }
};

}  // namespace bankproof::cuda
