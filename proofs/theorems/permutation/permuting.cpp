// The lower bound n/w + L on permutations (row H8), for every program and for the algorithms here.
#include <optional>

#include "../../../algorithms/permutation/permute.hpp"
#include "../lists.hpp"
#include "../machine/programs.hpp"

namespace bankproof::proofs {
namespace {

/// time ≥ n/w + latencies·L. Only the false twin has latencies ≠ 1.
Truth takes_reads_and_latency(const IntTerm& time, const IntTerm& n, const IntTerm& w,
                              const IntTerm& L, std::uint64_t latencies = 1) {
  return n + w * (latencies * L) <= w * time;
}

/// time ≥ 2n/w + L − 1. A false twin adds `more` to the right side.
Truth takes_reads_and_writes(const IntTerm& time, const IntTerm& n, const IntTerm& w,
                             const IntTerm& L, std::uint64_t more = 0) {
  return 2 * n + w * (L + more - 1) <= w * time;
}

/// A program that reads n words and writes n words, whose stages take until `dispatched`.
void reads_and_writes(Query& q, const IntTerm& n, const IntTerm& w, const IntTerm& L,
                      const IntTerm& dispatched, const IntTerm& time,
                      std::optional<std::uint64_t> accesses = {}) {
  q.assume(requests_served(q, 1, w, dispatched, accesses) >= 2 * n);
  q.assume(time >= dispatched + (L - 1));  // until the last stage is complete
}

Theorem any_program() {
  return Theorem{.id = "H8.programs",
                 .source = "THS 5.5",
                 .statement =
                     "a program that reads n words of global memory and writes n words of it, some "
                     "write not before some read is complete, as moved words need, takes at least "
                     "n/w + L, and 2n/w + L − 1",
                 .domain = "all programs, n, w, L"}
      .proof([](Query& q) {
        const auto [n, w, L, dispatched, time] = q.numbers(
            {{"n", 1, 8}, {"w", 1, 4}, {"L", 1, 5}, {"dispatched", 1, 10}, {"time", 1, 40}});
        reads_and_writes(q, n, w, L, dispatched, time);
        // A read that is complete, and the write after it.
        const IntTerm read = q.fresh("read");
        q.assume(read >= L && time >= read + L);
        q.multiply_by({w});
        q.claim("both", takes_reads_and_writes(time, n, w, L));
        q.suppose(n >= w, [&] { return takes_reads_and_latency(time, n, w, L); });
        q.suppose(n < w, [&] { return takes_reads_and_latency(time, n, w, L); });
        q.claim("the bound", takes_reads_and_latency(time, n, w, L));
      })
      .false_twin([](Query& q) {
        // Four stages. The last is complete at 8, and not at 9.
        reads_and_writes(q, 8, 4, 5, 4, 8, 4);
        q.claim("both", takes_reads_and_writes(8, 8, 4, 5, 1));
      });
}

Theorem turns() {
  const auto time = [](const PermutingOf<IntTerm>& size, const IntTerm& accesses,
                       const IntTerm& stages) { return size.lockstep_time(accesses, stages); };
  return Theorem{.id = "H8.designated",
                 .source = "THS 5.5",
                 .statement =
                     "permutations by destination, by source, conflict-free or in place, and "
                     "copies, with two accesses a turn or more, take at least n/w + L, whatever "
                     "the stages of the access that the permutation makes casual",
                 .domain = "all n, p, w, L"}
      .proof([=](Query& q) {
        const PermutingOf<IntTerm> size{q.number("n", 1, 8), q.number("p", 1, 4),
                                        q.number("w", 1, 2), q.number("L", 1, 5)};
        const auto [accesses, stages] = q.numbers({{"accesses", 2, 3}, {"stages", 1, 4}});
        const IntTerm turns = ceil_div(size.n, size.p);
        const IntTerm latencies = size.l - 1;
        q.compare_multiples(size.p, 0, turns);
        q.claim("a turn", turns >= 1);
        q.multiply_by({accesses, turns, latencies, ceil_div(size.n, size.w)});
        q.claim("stages of one", ceil_div(size.n, size.w) >= 0);
        q.claim("turns", turns * accesses >= 2);
        q.claim("all of them", turns * accesses * latencies >= 2 * latencies);
        q.claim("stages", (accesses - 1) * ceil_div(size.n, size.w) >= ceil_div(size.n, size.w));
        q.claim("its time", time(size, accesses, stages) >= ceil_div(size.n, size.w) + size.l);
        q.multiply_by({size.w});
        q.claim("the bound",
                takes_reads_and_latency(time(size, accesses, stages), size.n, size.w, size.l));
      })
      .false_twin([=](Query& q) {
        // A copy of one word takes 2L.
        const PermutingOf<IntTerm> size{1, 1, 1, 5};
        q.claim("the bound", takes_reads_and_latency(time(size, 2, 1), 1, 1, size.l, 2));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_permuting() { return {any_program(), turns()}; }

}  // namespace bankproof::proofs
