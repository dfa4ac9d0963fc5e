// What contiguous access takes at most, how near to that it comes, and what it takes at least (rows
// C1 and C2): n/w + nl/p + l on a DMM in both modes, and twice that on a UMM.
#include "../bounds.hpp"
#include "access.hpp"
#include "times.hpp"

namespace bankproof::proofs {
namespace {

Theorem at_most(MachineKind machine) {
  const bool banks = machine == MachineKind::dmm;
  const std::string on = banks ? "DMM" : "UMM";
  const std::uint64_t factor = banks ? 1 : 2;
  const auto claim = [=](const Access& c, std::uint64_t hundredths) {
    const OfRounds rounds = rounds_of(banks ? MemoryKind::banks : MemoryKind::groups, c);
    return !is_above(rounds.time(c.l), hundredths, bound_of(c));
  };
  return {
      .id = "C1.upper." + on,
      .source = "HMM theorem 2",
      .statement = "contiguous access takes at most " +
                   (factor == 1 ? std::string() : std::to_string(factor)) +
                   "(n/w + nl/p + l) on the " + on,
      .domain = "all n, p, w, l",
      .proof =
          [=](Query& q) {
            const IntTerm one(1);
            const Access c = numbers(q);
            q.multiply_by({c.p});
            q.prove("the rounds", c.p * ceil_div(c.n, c.p) < c.n + c.p);
            q.multiply_by({c.p, c.w, c.w - one, c.w * (c.l - one), c.p * c.w * (c.l - one)});
            q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
              const IntTerm words = smaller(k * c.p, c.n);
              return c.w * sum.stages <= IntTerm(factor) * (words + k * (c.w - one)) &&
                     words <= c.n && sum.rounds <= k;
            });
            q.prove("the bound", claim(c, 100 * factor));
          },
      .false_twin =
          [=](Query& q) {
            // One thread on a DMM; on a UMM warps that lie across two groups.
            const Access c = banks ? access_of(300, 1, 1, 300) : access_of(200'020, 10'001, 100, 1);
            q.prove("the bound", claim(c, banks ? 99 : 190));
          }};
}

Theorem tight_on_dmm(const std::string& id, const std::string& how,
                     IntTerm (*time)(const Access&)) {
  const auto claim = [=](const Access& c, std::uint64_t hundredths) {
    return is_above(time(c), hundredths, bound_of(c));
  };
  return {.id = id,
          .source = "HMM theorem 2",
          .statement = how +
                       " contiguous access takes more than 0.99(n/w + nl/p + l) with one "
                       "thread and w = 1",
          .domain = "all n, l ≥ 200",
          .proof =
              [=](Query& q) {
                const IntTerm one(1);
                const IntTerm n = q.number("n", 200, 300);
                const IntTerm l = q.number("l", 200, 300);
                const Access c{n, one, one, l};
                q.multiply_by({n, l, c.before_last()});
                q.prove("more", claim(c, 99));
              },
          .false_twin = [=](Query& q) { q.prove("more", claim(access_of(200, 1, 1, 200), 100)); }};
}

Theorem tight_on_umm() {
  const auto claim = [](const IntTerm& rounds, std::uint64_t hundredths) {
    const IntTerm p(1'000'001);
    const Access c{rounds * p, p, IntTerm(1000), IntTerm(1)};
    return is_above(contiguous_lockstep_time_on_umm(c), hundredths, bound_of(c));
  };
  return {.id = "C1.tight.UMM",
          .source = "HMM theorem 2",
          .statement =
              "with p = 1,000,001 threads, w = 1,000 and l = 1, whose rounds do not begin "
              "at multiples of w, contiguous access takes more than 1.98(n/w + nl/p + l)",
          .domain = "all n = kp, k ≥ 1,000",
          .proof = [=](Query& q) { q.prove("more", claim(q.number("k", 1000, 1000), 198)); },
          .false_twin = [=](Query& q) { q.prove("more", claim(IntTerm(1000), 200)); }};
}

/// What the overlapped time of contiguous access on a DMM is compared with.
struct Compared {
  std::string id;
  std::string statement;
  Truth (*claim)(const Access&, const IntTerm& time);
  std::uint64_t less;  ///< that the false twin's time is
  std::uint64_t more = 0;
};

Theorem compared(const Compared& one) {
  return {.id = one.id,
          .source = "MOD 3",
          .statement = one.statement,
          .domain = "all n, p, w, l",
          .proof =
              [=](Query& q) {
                const Access c = any_access(q);
                const IntTerm before = c.before_last();
                q.prove("the rounds", c.p * (before + IntTerm(1)) >= c.n);
                q.multiply_by({before, before * c.w, before * c.p, c.l, c.p, c.w});
                q.prove("as stated", one.claim(c, contiguous_overlapped_time_on_dmm(c)));
              },
          .false_twin =
              [=](Query& q) {
                const Access c = access_of(8, 4, 4, 3);
                const IntTerm time = contiguous_overlapped_time_on_dmm(c);
                q.prove("as stated", one.claim(c, time + IntTerm(one.more) - IntTerm(one.less)));
              }};
}

std::vector<Theorem> comparisons() {
  return {
      compared({"C2.lower.bandwidth",
                "without barriers contiguous access takes at least n/w + l − 1",
                [](const Access& c, const IntTerm& time) {
                  return c.n <= c.w * (time + IntTerm(1) - c.l);
                },
                3}),
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
  return {
      .id = "C2.upper.DMM",
      .source = "MOD 3",
      .statement = "without barriers contiguous access takes at most n/w + nl/p + l on the DMM",
      .domain = "all n, p, w, l",
      .proof =
          [=](Query& q) {
            const IntTerm one(1);
            const Access c = any_access(q);
            const IntTerm before = c.before_last();
            q.multiply_by({c.l});
            q.prove("a latency", c.w * c.l >= one);
            q.prove("no longer than both", larger(c.warps(), c.l) < c.warps() + c.l);
            q.multiply_by({before});
            q.prove("words before the last round", before * c.p >= IntTerm(0));
            q.multiply_by({c.w});
            q.prove("and times w", before * c.p * c.w >= IntTerm(0));
            q.multiply_by({c.p, c.p * c.w, before * c.p, before * c.p * c.w, c.w * c.l - one});
            q.prove("the bound", claim(c, 100));
          },
      .false_twin = [=](Query& q) { q.prove("the bound", claim(access_of(300, 1, 1, 300), 99)); }};
}

}  // namespace

std::vector<Theorem> theorems_on_bounds_of_contiguous_access() {
  std::vector<Theorem> theorems = {
      at_most(MachineKind::dmm),
      at_most(MachineKind::umm),
      tight_on_dmm("C1.tight.DMM", "in lockstep", contiguous_lockstep_time_on_dmm<IntTerm>),
      tight_on_dmm("C2.tight", "without barriers", contiguous_overlapped_time_on_dmm<IntTerm>),
      tight_on_umm(),
      overlapped_at_most()};
  for (const Theorem& one : comparisons()) theorems.push_back(one);
  return theorems;
}

}  // namespace bankproof::proofs
