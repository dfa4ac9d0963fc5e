// Exact times of contiguous access (rows C1 and C2). The time in lockstep is the sum over the
// rounds, where a round of k stages takes k + l − 1. The overlapped time follows from the
// recurrence of the pipeline: a warp's next access waits for the warp's last access and for the
// port.
#include <functional>
#include <utility>

#include "../../builder/joined.hpp"
#include "../lists.hpp"
#include "access.hpp"

namespace bankproof::proofs {
namespace {

/// Proves that a round whose first word begins a group takes one stage for each warp.
void prove_a_stage_for_each_warp(Query& q, const Access& c, MemoryKind kind) {
  q.compare_multiples(c.w, 0 / c.w, 0);
  for (const IntTerm& words : {c.p, c.rest()}) {
    q.compare_multiples(c.w, minus_or_zero(words, 1) / c.w + 1, ceil_div(words, c.w));
    q.claim("a stage for each warp",
            stages_of(kind, Run<IntTerm>{0, words}, c.w) == ceil_div(words, c.w));
  }
}

/// Proves that the rounds, one after another, take the lockstep time of a DMM.
void prove_lockstep_time(Query& q, const Access& c, MemoryKind kind,
                         const std::function<void(const IntTerm&)>& know_round) {
  const IntTerm before = c.before_last();
  const IntTerm last = ceil_div(c.rest(), c.w);
  prove_a_stage_for_each_warp(q, c, kind);
  q.multiply_by({c.p, before});
  q.give(OverNumbers<OfRounds>("rounds").holds([=, &q](auto& k, auto& sum) {
    know_round(k);
    q.compare_multiples(c.p, k, before);
    q.compare_multiples(c.warps(), k, before);
    return sum.rounds == k && implies(k <= before, sum.stages == k * c.warps()) &&
           implies(k > before, sum.stages == before * c.warps() + last);
  }));
  const OfRounds rounds = rounds_of(kind, c);
  q.multiply_by({c.l});
  q.claim("the time", rounds.time(c.l) == contiguous_lockstep_time_on_dmm(c));
}

/// The false claim that each round of a task takes one time unit more.
void refute_lockstep_time(Query& q, MemoryKind kind) {
  const Access c = access_of(10, 4, 2, 3);
  q.claim("the time", rounds_of(kind, c).time(c.l + 1) == contiguous_lockstep_time_on_dmm(c));
}

Theorem contiguous_in_lockstep() {
  return Theorem{.id = "C1.DMM",
                 .source = "HMM IV",
                 .statement =
                     "contiguous access to n words of a DMM, round after round, takes (⌈n/p⌉ − "
                     "1)(⌈p/w⌉ + l − 1) and, for its last round of r words, ⌈r/w⌉ + l − 1",
                 .domain = "all n, p, w, l"}
      .proof([](Query& q) {
        const Access c = any_access(q);
        prove_lockstep_time(q, c, MemoryKind::banks, [](const IntTerm&) {});
      })
      .false_twin([](Query& q) { refute_lockstep_time(q, MemoryKind::banks); });
}

Theorem lockstep_on_groups() {
  return Theorem{.id = "C1.UMM",
                 .source = "HMM IV",
                 .statement =
                     "contiguous access to words of a UMM takes, round after round, as long as on "
                     "a DMM where the width divides the number of threads",
                 .domain = "all n, l, w | p"}
      .proof([](Query& q) {
        const Access c = any_access(q);
        q.assume(divides(c.w, c.p));
        prove_lockstep_time(q, c, MemoryKind::groups, [&](const IntTerm& k) {
          // The first word of round k, kp, begins a group.
          q.multiply_equals(k, c.p, c.w * (c.p / c.w));
          q.compare_multiples(c.w, k * c.p / c.w, k * (c.p / c.w));
        });
      })
      .false_twin([](Query& q) { refute_lockstep_time(q, MemoryKind::groups); });
}

/// The time at which access `round` of a warp is dispatched, if each access takes one stage and the
/// port serves one warp after another.
IntTerm dispatched(const Access& c, const IntTerm& round, const IntTerm& warp) {
  return round * larger(c.warps(), c.l) + warp;
}

/// Access `round` of a warp, given that all accesses before it are dispatched as claimed. The
/// access waits for the warp's last access and for the port. In a false twin, it waits `more` time
/// units longer.
struct NextAccess {
  Access c;
  Function dispatch;
  IntTerm own;  ///< when the warp is ready
  Truth holds;

  NextAccess(Query& q, Access access, const IntTerm& round, const IntTerm& warp,
             std::uint64_t more = 0)
      : c(std::move(access)),
        dispatch(q.function("dispatch", 2)),
        own(select(round == 0, 0, dispatch(round - 1, warp) + c.l + more)),
        holds(is_as_claimed(round, warp)) {
    const IntTerm last = c.warps() - 1;
    const IntTerm previous =
        select(warp == 0, dispatch(round - 1, last) + 1, dispatch(round, warp - 1) + 1);
    q.assume(implies(round >= 1, is_as_claimed(round - 1, warp) && is_as_claimed(round - 1, last)));
    q.assume(implies(warp >= 1, is_as_claimed(round, warp - 1)));
    q.compare_multiples(larger(c.warps(), c.l), round, 0);
    const IntTerm port = select(round == 0 && warp == 0, 0, previous);
    q.assume(dispatch(round, warp) == larger(own, port));
  }

 private:
  Truth is_as_claimed(const IntTerm& round, const IntTerm& warp) const {
    return dispatch(round, warp) == dispatched(c, round, warp);
  }
};

/// Proves base and step of the induction, and the time that follows.
void prove_overlapped_time(Query& q, const Access& c,
                           const std::function<void(const IntTerm&, const IntTerm&)>& prove_stage) {
  {
    const Query::Scope scope(q);
    const IntTerm r = q.fresh("round");
    const IntTerm j = q.fresh("warp");
    const IntTerm v = q.fresh("other");
    q.assume(j < c.warps() && v < c.warps() && v != j);
    prove_stage(r, j);
    const NextAccess next(q, c, r, j);
    q.claim("one access more", next.holds);
    // The last access of warp v was r if warp v comes before warp j, and r − 1 if it comes after
    // warp j.
    const IntTerm turn = larger(c.warps(), c.l);
    const IntTerm latest = select(v < j, r, r - 1);
    q.compare_multiples(turn, latest, r);
    q.compare_multiples(turn, latest, r - 1);
    q.claim("its turn", implies(r >= 1, next.own <= dispatched(c, latest, v) + c.l));
  }
  const IntTerm last = dispatched(c, c.before_last(), ceil_div(c.rest(), c.w) - 1);
  q.claim("the time", last + c.l == contiguous_overlapped_time_on_dmm(c));
}

/// The false claim is about a second access of warp 0 that waits 4 time units, one more than the
/// latency.
void refute_overlapped_time(Query& q) {
  const Access c = access_of(16, 4, 2, 3);
  q.claim("one access more", NextAccess(q, c, 1, 0, 1).holds);
}

Theorem contiguous_overlapped() {
  return Theorem{
      .id = "C2.DMM",
      .source = "MOD 3",
      .statement =
          "without barriers each round begins max(⌈p/w⌉, l) after the previous round, no warp is "
          "ready before the warp whose turn it is, and contiguous access to n words of a DMM takes "
          "(⌈n/p⌉ − 1)·max(⌈p/w⌉, l) + ⌈r/w⌉ + l − 1, with r words in the last round",
      .domain = "all n, p, w, l; base and step of an induction over accesses"}
      .proof([](Query& q) {
        prove_overlapped_time(q, any_access(q), [](const IntTerm&, const IntTerm&) {});
      })
      .false_twin(refute_overlapped_time);
}

Theorem overlapped_on_groups() {
  return Theorem{
      .id = "C2.UMM",
      .source = "MOD 3",
      .statement =
          "without barriers each access of a warp to a UMM takes a stage where the width divides "
          "the number of threads, and contiguous access as long as on a DMM",
      .domain = "all n, l, w | p; base and step of an induction over accesses"}
      .proof([](Query& q) {
        const Access c = any_access(q);
        q.assume(divides(c.w, c.p));
        prove_overlapped_time(q, c, [&](const IntTerm& round, const IntTerm& warp) {
          const Query::Scope scope(q);
          const IntTerm words = q.fresh("words");
          q.assume(words >= 1 && words <= c.w);
          const IntTerm first = round * c.p + warp * c.w;
          q.multiply_equals(round, c.p, c.w * (c.p / c.w));
          q.compare_multiples(c.w, first / c.w, round * (c.p / c.w) + warp);
          for (const IntTerm& word : {IntTerm(0), words - 1}) {
            q.compare_multiples(c.w, word / c.w, 0);
          }
          q.claim("a stage", group_stages(Run<IntTerm>{first, words}, c.w) == 1);
        });
      })
      .false_twin([](Query& q) {
        // The second round of three threads begins inside a group.
        q.claim("a stage", group_stages(Run<IntTerm>{3, 2}, IntTerm(2)) == 1);
      });
}

/// A theorem: in a domain, a closed form equals the form that the source prints. The false twin is
/// about a task outside this domain.
struct Printed {
  std::string id;
  std::string source;
  std::string statement;
  std::string domain;
  IntTerm (*form)(const Access&);
  IntTerm (*printed)(const Access&);
  void (*within)(Query&, const Access&);
  AccessExample example;
  AccessExample outside;
};

Theorem as_printed(const Printed& one) {
  const auto same = [one](const Access& c) { return one.form(c) == one.printed(c); };
  return Theorem{
      .id = one.id, .source = one.source, .statement = one.statement, .domain = one.domain}
      .proof([=](Query& q) {
        const Access c = any_access(q, one.example);
        one.within(q, c);
        q.multiply_by({c.n / c.p, c.p / c.w, c.warps(), c.l, c.before_last()});
        q.claim("the same", same(c));
      })
      .false_twin([=](Query& q) {
        const auto [n, p, w] = one.outside;
        q.claim("the same", same(access_of(n, p, w, 3)));
      });
}

/// Proves that the number of rounds, and the number of warps in each round, are those of the
/// printed form.
void counts(Query& q, const Access& c, const IntTerm& rounds, const IntTerm& warps) {
  q.claim("rounds", c.rounds() == rounds && c.before_last() == rounds - 1);
  q.claim("warps of the last round", ceil_div(c.rest(), c.w) == warps);
}
void full_warps(Query& q, const Access& c) {
  q.assume(divides(c.w, c.p) && divides(c.p, c.n));
  counts(q, c, c.n / c.p, c.p / c.w);
  q.claim("warps of all rounds", c.warps() == c.p / c.w);
  q.compare_multiples(c.p, c.n * c.l / c.p, c.n / c.p * c.l);
  q.compare_multiples(c.w, c.n / c.w, c.n / c.p * (c.p / c.w));
  q.compare_multiples(c.before_last(), c.p / c.w, c.l);
}
void one_warp(Query& q, const Access& c) {
  q.assume(c.p <= c.w && divides(c.p, c.n));
  q.compare_multiples(c.w, 1, c.warps());
  q.compare_multiples(c.w, 1, ceil_div(c.rest(), c.w));
  counts(q, c, c.n / c.p, 1);
  q.claim("warps of all rounds", c.warps() == 1);
}
void more_threads(Query& q, const Access& c) {
  q.assume(c.p > c.n && divides(c.w, c.n));
  q.compare_multiples(c.p, 1, c.rounds());
  counts(q, c, 1, c.n / c.w);
}

std::vector<Theorem> printed_forms() {
  const AccessExample full = {8, 4, 2};
  const AccessExample uneven = {10, 4, 2};
  const AccessExample of_one_warp = {8, 2, 4};
  const AccessExample of_few_words = {4, 6, 2};
  return {
      as_printed({"C1.printed.full-warps", "HMM IV",
                  "the lockstep time on a DMM is (n/p)(p/w + l − 1)", "all w, l, w | p | n",
                  contiguous_lockstep_time_on_dmm<IntTerm>, printed::lockstep_full_warps<IntTerm>,
                  full_warps, full, uneven}),
      as_printed({"C1.printed.one-warp", "HMM IV", "the lockstep time on a DMM is (n/p)·l",
                  "all w, l, p ≤ w, p | n", contiguous_lockstep_time_on_dmm<IntTerm>,
                  printed::lockstep_one_warp<IntTerm>, one_warp, of_one_warp, full}),
      as_printed({"C1.printed.more-threads", "HMM IV", "the lockstep time on a DMM is n/w + l − 1",
                  "all w, l, p > n, w | n", contiguous_lockstep_time_on_dmm<IntTerm>,
                  printed::more_threads_than_words<IntTerm>, more_threads, of_few_words, full}),
      as_printed({"C2.printed", "MOD 3",
                  "the overlapped time on a DMM is nl/p + p/w − 1 where p/w ≤ l, and n/w + l − "
                  "1 elsewhere",
                  "all w, l, w | p | n", contiguous_overlapped_time_on_dmm<IntTerm>,
                  printed::overlapped<IntTerm>, full_warps, full, uneven})};
}

}  // namespace

std::vector<Theorem> theorems_on_contiguous_access() {
  return joined({{contiguous_in_lockstep(), lockstep_on_groups(), contiguous_overlapped(),
                  overlapped_on_groups()},
                 printed_forms()});
}

}  // namespace bankproof::proofs
