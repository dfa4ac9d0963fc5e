// Upper and lower bounds on contiguous access (rows C1 and C2): n/w + nl/p + l on a DMM in both
// modes, and twice that on a UMM in lockstep. Also upper bounds on other conflict-free accesses on
// a DMM (C4).
#include "../../builder/bounds.hpp"

#include <array>
#include <string>
#include <vector>

#include "../../builder/joined.hpp"
#include "../lists.hpp"
#include "access.hpp"

namespace bankproof::proofs {
namespace {

/// A theorem: accesses that are made turn after turn take at most `factor` times the bound in
/// lockstep.
struct InTurns {
  std::string id;
  std::string source;
  std::string statement;
  std::uint64_t factor;
  OfRounds (*rounds)(const Access&);
  std::array<std::uint64_t, 4> twin;  ///< n, p, w and l of a task
  std::uint64_t hundredths;           ///< hundredths of the bound that this task exceeds
};

Theorem at_most(const InTurns& one) {
  const auto claim = [=](const Access& c, std::uint64_t hundredths) {
    return !is_above(one.rounds(c).time(c.l), hundredths, bound_of(c));
  };
  return Theorem{
      .id = one.id, .source = one.source, .statement = one.statement, .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const Access c = numbers(q);
        q.multiply_by({c.p});
        q.claim("the rounds", c.p * ceil_div(c.n, c.p) < c.n + c.p);
        const IntTerm later = c.l - 1;
        q.multiply_by({c.p, c.w, c.w - 1, c.w * later, c.p * c.w * later});
        q.give(OverNumbers<OfRounds>("turns").holds([=](auto& k, auto& sum) {
          const IntTerm words = smaller(k * c.p, c.n);
          return c.w * sum.stages <= one.factor * (words + k * (c.w - 1)) && words <= c.n &&
                 sum.rounds <= k;
        }));
        q.claim("the bound", claim(c, 100 * one.factor));
      })
      .false_twin([=](Query& q) {
        const auto [n, p, w, l] = one.twin;
        q.claim("the bound", claim(access_of(n, p, w, l), one.hundredths));
      });
}

/// The false twins are about two tasks: on the DMM, one thread waits for each word; on the UMM, the
/// words of most warps lie in two groups.
std::vector<Theorem> in_turns() {
  const auto on_banks = [](const Access& c) { return rounds_of(MemoryKind::banks, c); };
  const auto on_groups = [](const Access& c) { return rounds_of(MemoryKind::groups, c); };
  const std::array<std::uint64_t, 4> one_thread = {300, 1, 1, 300};
  const std::array<std::uint64_t, 4> two_groups = {4'096'064, 64'001, 64, 1};
  const auto one_warp_a_stage = [](const Access& c) { return ConflictFreeAccesses::rounds(c); };
  return {at_most({"C1.upper.DMM", "HMM theorem 2",
                   "contiguous access takes at most n/w + nl/p + l on the DMM", 1, on_banks,
                   one_thread, 99}),
          at_most({"C1.upper.UMM", "HMM theorem 2",
                   "contiguous access takes at most 2(n/w + nl/p + l) on the UMM", 2, on_groups,
                   two_groups, 198}),
          at_most({"C4.upper", "OPT lemma 1",
                   "n accesses to any addresses, where the accesses of each warp are to different "
                   "banks, take at most n/w + nl/p + l on the DMM",
                   1, one_warp_a_stage, one_thread, 99})};
}

/// A theorem that compares the overlapped time of contiguous access on a DMM with a bound.
struct Compared {
  std::string id;
  std::string statement;
  Truth (*claim)(const Access&, const IntTerm& time);
  std::uint64_t less;  ///< subtracted from the time in the false twin
  std::uint64_t more = 0;
};

Theorem compared(const Compared& one) {
  return Theorem{
      .id = one.id, .source = "MOD 3", .statement = one.statement, .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const Access c = any_access(q);
        const IntTerm before = c.before_last();
        q.claim("the rounds", c.p * (before + 1) >= c.n);
        q.multiply_by({before, before * c.w, before * c.p, c.l, c.p, c.w});
        q.claim("as stated", one.claim(c, contiguous_overlapped_time_on_dmm(c)));
      })
      .false_twin([=](Query& q) {
        const Access c = access_of(8, 4, 4, 3);
        const IntTerm time = contiguous_overlapped_time_on_dmm(c);
        q.claim("as stated", one.claim(c, time + one.more - one.less));
      });
}

std::vector<Theorem> comparisons() {
  return {
      compared(
          {"C2.lower.bandwidth", "without barriers contiguous access takes at least n/w + l − 1",
           [](const Access& c, const IntTerm& time) { return c.n <= c.w * (time + 1 - c.l); }, 3}),
      compared({"C2.lower.latency", "without barriers contiguous access takes at least nl/p",
                [](const Access& c, const IntTerm& time) { return c.n * c.l <= c.p * time; }, 1}),
      compared({"C2.lockstep", "without barriers contiguous access takes at most the lockstep time",
                [](const Access& c, const IntTerm& time) {
                  return time <= contiguous_lockstep_time_on_dmm(c);
                },
                0, 1})};
}

Theorem overlapped_at_most() {
  const auto claim = [](const Access& c, std::uint64_t hundredths) {
    return !is_above(contiguous_overlapped_time_on_dmm(c), hundredths, bound_of(c));
  };
  return Theorem{
      .id = "C2.upper.DMM",
      .source = "MOD 3",
      .statement = "without barriers contiguous access takes at most n/w + nl/p + l on the DMM",
      .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const Access c = any_access(q);
        const IntTerm before = c.before_last();
        q.multiply_by({c.l});
        q.claim("a latency", c.w * c.l >= 1);
        q.claim("no longer than both", larger(c.warps(), c.l) < c.warps() + c.l);
        q.multiply_by({before});
        q.claim("words before the last round", before * c.p >= 0);
        q.multiply_by({c.w});
        q.claim("and times w", before * c.p * c.w >= 0);
        q.multiply_by({c.p, c.p * c.w, before * c.p, before * c.p * c.w, c.w * c.l - 1});
        q.claim("the bound", claim(c, 100));
      })
      .false_twin([=](Query& q) { q.claim("the bound", claim(access_of(300, 1, 1, 300), 99)); });
}

}  // namespace

std::vector<Theorem> theorems_on_bounds_of_contiguous_access() {
  return joined({in_turns(), {overlapped_at_most()}, comparisons()});
}

}  // namespace bankproof::proofs
