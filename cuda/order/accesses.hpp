// The races of a program: accesses of one address, at least one of them a write, of which neither
// happens before the other. Atomic accesses race with others, but not with each other.
//
// The history keeps disjoint intervals of addresses, each with the accesses that may still race. It
// is exact and forgets what no longer matters. A later access covers an earlier one that happens
// before it if the later one writes or both are of one kind: whoever races with the earlier one
// races with the later one as well. So an interval keeps at most one access of each kind and
// timeline.
//
//     AccessHistory history;
//     history.add(kernel, 0, 64, AccessKind::write, 7);          // no conflict
//     history.add(unordered_copy, 32, 96, AccessKind::read, 8);  // conflict with 7 in [32, 64)
//
// An access costs the intervals that it overlaps times the accesses that they keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "clock.hpp"

namespace bankproof::cuda {

/// Where the program makes an access: a number of the caller's.
using Place = std::uint64_t;

/// Atomic accesses do not race with each other.
enum class AccessKind : std::uint8_t { read, write, atomic };

struct Access {
  Name operation;
  AccessKind kind = AccessKind::read;
  Place place = 0;
  friend bool operator==(const Access&, const Access&) = default;
};

/// An earlier access that races with the new one at the addresses [begin, end), and neither before
/// nor behind them.
struct Conflict {
  Access earlier;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The caller adds accesses in an order in which the program may perform them: no access is added
/// before one of an operation that happens before it.
class AccessHistory {
 public:
  AccessHistory() = default;
  AccessHistory(const AccessHistory&) = delete;
  AccessHistory& operator=(const AccessHistory&) = delete;
  virtual ~AccessHistory() = default;

  /// Adds an access of the addresses [begin, end); returns the conflicts, by address. Accesses of
  /// the same operation do not conflict.
  std::vector<Conflict> add(const Operation& operation, std::uint64_t begin, std::uint64_t end,
                            AccessKind kind, Place place);
  /// The operation frees the memory, which conflicts like a write. Later accesses of these
  /// addresses are accesses of other memory. A caller that never uses an address again may add a
  /// write instead: then accesses that come later, but are not ordered after the free, conflict
  /// with it as well.
  std::vector<Conflict> free(const Operation& operation, std::uint64_t begin, std::uint64_t end);
  /// Forgets the operations that all later additions know. Costs the whole history.
  void forget(const Clock& known_to_all);

  /// How many accesses are kept, each counted once for each of its intervals.
  std::size_t size() const;

 protected:
  // Tests replace these rules, to show that they would notice.
  virtual bool conflicts(const Access& earlier, const Operation& operation, AccessKind kind) const;
  virtual bool covers(const Operation& operation, AccessKind kind, const Access& earlier) const;

 private:
  struct Interval {
    std::uint64_t end = 0;
    std::vector<Access> accesses;
  };
  using Intervals = std::map<std::uint64_t, Interval>;  // by their first address

  void split(std::uint64_t address);
  void fill(std::uint64_t begin, std::uint64_t end);
  void unite(std::uint64_t begin, std::uint64_t end);
  std::vector<Conflict> conflicts_of(const Operation& operation, std::uint64_t begin,
                                     std::uint64_t end, AccessKind kind) const;
  void record(Interval& interval, const Operation& operation, AccessKind kind, Place place) const;

  Intervals intervals_;
};

}  // namespace bankproof::cuda
