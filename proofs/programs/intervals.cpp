// Finds the barriers between accesses; see intervals.hpp.
#include "intervals.hpp"

#include <algorithm>

namespace bankproof::proofs {
namespace {

using Loops = std::vector<WrittenLoop>;

std::size_t common(const Loops& a, const Loops& b) {
  std::size_t count = 0;
  while (count < a.size() && count < b.size() && a[count].place.node() == b[count].place.node()) {
    ++count;
  }
  return count;
}

bool is_outer(const Loops& outer, const Loops& inner) {
  return common(outer, inner) == outer.size();
}

/// Whether the place is the greatest one: the end of a loop that goes up.
WrittenTruth is_greatest(const WrittenLoop& loop) {
  return loop.form == Form::over_powers ? 2 * loop.place >= loop.limit
                                        : loop.place + 1 == loop.limit;
}
WrittenTruth is_least(const WrittenLoop& loop) {
  return loop.place == Written(loop.form == Form::over_powers ? 1 : 0);
}

WrittenTruth is_first(const WrittenLoop& loop) {
  return loop.falls ? is_greatest(loop) : is_least(loop);
}
WrittenTruth is_last(const WrittenLoop& loop) {
  return loop.falls ? is_least(loop) : is_greatest(loop);
}

WrittenTruth has_no_turn(const WrittenLoop& loop) {
  return loop.limit <= Written(loop.form == Form::over_powers ? 1 : 0);
}

/// Collects the conditions under which no barrier separates two accesses.
class Between {
 public:
  Between(const WrittenAccess& first, const WrittenAccess& second)
      : first_(first), second_(second) {}

  /// Returns whether the barrier may be left out; `outer` of its loops hold both accesses.
  bool skips(const WrittenBarrier& barrier, std::size_t outer, bool in_one_turn) {
    const bool after_first = barrier.number > first_.number;
    const bool before_second = barrier.number < second_.number;
    const bool has_first = is_outer(barrier.loops, first_.loops);
    const bool has_second = is_outer(barrier.loops, second_.loops);
    const bool has_own_loops = barrier.loops.size() > outer;
    if (in_one_turn) {
      if (after_first && before_second) {
        if (has_first || has_second) return skips_in(barrier, !has_first);
        if (barrier.loops.size() == outer + 1 && !barrier.condition) {
          add(false, has_no_turn(barrier.loops.back()));
        }
        return true;
      }
    } else {
      if (after_first && has_first && !skips_in(barrier, false)) return false;
      if (before_second && has_second && !skips_in(barrier, true)) return false;
      if (!has_own_loops && !barrier.condition) all_.adjacent = true;
    }
    // In another turn of its loop, the access would be beyond the barrier.
    if (!has_own_loops || barrier.condition) return true;
    if (!after_first && has_first) add(false, is_last(barrier.loops.back()));
    if (!before_second && has_second) add(true, is_first(barrier.loops.back()));
    return true;
  }

  const Unseparated& all() const { return all_; }

 private:
  void add(bool of_second, const WrittenTruth& truth) {
    all_.conditions.push_back({of_second, truth});
  }
  /// The warps skip a barrier in a turn in which its condition does not hold.
  bool skips_in(const WrittenBarrier& barrier, bool turn_of_second) {
    if (!barrier.condition) return false;
    add(turn_of_second, !*barrier.condition);
    return true;
  }

  const WrittenAccess& first_;
  const WrittenAccess& second_;
  Unseparated all_{};
};

}  // namespace

std::vector<TurnsOfPair> turns_of_pair(const WrittenRun& run, const WrittenAccess& first,
                                       const WrittenAccess& second) {
  const std::size_t shared = common(first.loops, second.loops);
  std::size_t together = run.blocks.loops;
  for (const WrittenBarrier& barrier : run.barriers) {
    together = std::max(together, std::min(shared, common(first.loops, barrier.loops)));
  }
  std::vector<TurnsOfPair> all;
  if (first.number <= second.number) all.push_back({together, false});
  for (std::size_t k = run.blocks.loops; k < together; ++k) all.push_back({k, true});
  return all;
}

std::optional<Unseparated> unseparated(const WrittenRun& run, const WrittenAccess& first,
                                       const WrittenAccess& second, const TurnsOfPair& turns) {
  const std::size_t outer = turns.equal + (turns.apart ? 1 : 0);
  // No barrier is in a loop that holds both and goes through its turns on its own.
  if (!turns.apart && common(first.loops, second.loops) > outer) return Unseparated{};
  Between between(first, second);
  const Loops around(first.loops.begin(), first.loops.begin() + static_cast<std::ptrdiff_t>(outer));
  for (const WrittenBarrier& barrier : run.barriers) {
    if (!is_outer(around, barrier.loops)) continue;
    if (!between.skips(barrier, outer, !turns.apart)) return std::nullopt;
  }
  return between.all();
}

}  // namespace bankproof::proofs
