// The lower bound n/w + L of permutations (row H8), for every program and for those here.
#include <optional>

#include "../../algorithms/permutation/permute.hpp"
#include "programs.hpp"
#include "times.hpp"

namespace bankproof::proofs {
namespace {

/// time ≥ n/w + L, or `more` latencies.
Truth takes_reads_and_latency(const IntTerm& time, const IntTerm& n, const IntTerm& w,
                              const IntTerm& L, std::uint64_t latencies = 1) {
  return n + w * (IntTerm(latencies) * L) <= w * time;
}

/// The time of a program that has read n words when so many time units of stages have passed, and
/// then writes one.
void reads_then_writes(Query& q, const IntTerm& n, const IntTerm& w, const IntTerm& L,
                       const IntTerm& dispatched, const IntTerm& time,
                       std::optional<std::uint64_t> accesses = {}) {
  const IntTerm one(1);
  q.assume(requests_served(q, one, w, dispatched, accesses) >= n);
  // The last read is complete L − 1 after its last stage, and then L for the write.
  q.assume(time >= dispatched + (L - one) + L);
}

Theorem any_program() {
  return {.id = "H8.programs",
          .source = "THS 5.5",
          .statement =
              "a program that reads n words of global memory, and writes one after all "
              "are read, takes at least n/w + L",
          .domain = "all programs, n, w, L",
          .proof =
              [](Query& q) {
                const IntTerm n = q.number("n", 1, 8);
                const IntTerm w = q.number("w", 1, 4);
                const IntTerm L = q.number("L", 1, 5);
                const IntTerm dispatched = q.number("dispatched", 1, 10);
                const IntTerm time = q.number("time", 1, 40);
                reads_then_writes(q, n, w, L, dispatched, time);
                q.multiply_by({w});
                q.prove("the bound", takes_reads_and_latency(time, n, w, L));
              },
          .false_twin =
              [](Query& q) {
                // Two stages of reads, complete at 6, and a write: 11, and not 12.
                const IntTerm n(8);
                const IntTerm w(4);
                const IntTerm L(5);
                const IntTerm time(11);
                reads_then_writes(q, n, w, L, IntTerm(2), time, 2);
                q.prove("the bound", takes_reads_and_latency(time, n, w, L, 2));
              }};
}

Theorem turns() {
  const auto time = [](const PermutingOf<IntTerm>& size, const IntTerm& accesses,
                       const IntTerm& stages) { return size.lockstep_time(accesses, stages); };
  return {
      .id = "H8.designated",
      .source = "THS 5.5",
      .statement =
          "permutations by destination, by source, conflict-free or in place, and "
          "copies, with two accesses a turn or more, take at least n/w + L, whatever "
          "the stages of the access that the permutation makes casual",
      .domain = "all n, p, w, L",
      .proof =
          [=](Query& q) {
            const IntTerm one(1);
            const PermutingOf<IntTerm> size{q.number("n", 1, 8), q.number("p", 1, 4),
                                            q.number("w", 1, 2), q.number("L", 1, 5)};
            const IntTerm accesses = q.number("accesses", 2, 3);
            const IntTerm stages = q.number("stages", 1, 4);
            const IntTerm turns = ceil_div(size.n, size.p);
            const IntTerm latencies = size.l - one;
            q.compare_multiples(size.p, IntTerm(0), turns);
            q.prove("a turn", turns >= one);
            q.multiply_by({accesses, turns, latencies, ceil_div(size.n, size.w)});
            q.prove("stages of one", ceil_div(size.n, size.w) >= IntTerm(0));
            q.prove("turns", turns * accesses >= IntTerm(2));
            q.prove("all of them", turns * accesses * latencies >= IntTerm(2) * latencies);
            q.prove("stages",
                    (accesses - one) * ceil_div(size.n, size.w) >= ceil_div(size.n, size.w));
            q.prove("its time", time(size, accesses, stages) >= ceil_div(size.n, size.w) + size.l);
            q.multiply_by({size.w});
            q.prove("the bound",
                    takes_reads_and_latency(time(size, accesses, stages), size.n, size.w, size.l));
          },
      .false_twin =
          [=](Query& q) {
            // A copy of a word: 2L.
            const IntTerm one(1);
            const PermutingOf<IntTerm> size{one, one, one, IntTerm(5)};
            q.prove("the bound",
                    takes_reads_and_latency(time(size, IntTerm(2), one), one, one, size.l, 2));
          }};
}

}  // namespace

std::vector<Theorem> theorems_on_permuting() { return {any_program(), turns()}; }

}  // namespace bankproof::proofs
