// The three ways in which the machine bounds every program.
#include "programs.hpp"

namespace bankproof::proofs {
namespace {

/// As stated, or else any number that is not negative.
IntTerm stated_or_any(Query& q, const std::optional<std::uint64_t>& stated, const IntTerm& any) {
  if (stated) return IntTerm(*stated);
  q.assume(any >= IntTerm(0));
  return any;
}

}  // namespace

Truth are_served(const IntTerm& requests, const IntTerm& ports, const IntTerm& w,
                 const IntTerm& time) {
  return requests <= ports * w * time;
}

IntTerm requests_served(Query& q, const IntTerm& ports, const IntTerm& w, const IntTerm& time,
                        std::optional<std::uint64_t> accesses) {
  const IntTerm zero(0);
  const IntTerm one(1);
  const Function made = q.function("accesses");           // on a port
  const Function requests = q.function("requests", 2);    // of an access
  const Function stages = q.function("stages", 2);        // likewise
  const Function served = q.function("served", 2);        // requests so far
  const Function free_from = q.function("free_from", 2);  // when the port is
  if (!accesses) q.multiply_by({w});
  if (!ports.constant()) {
    q.give_invariant<SumInvariant<IntTerm>>(
        [=](const IntTerm& j, const IntTerm& sum) { return are_served(sum, j, w, time); });
  }
  IntTerm all = sum_over(ports, [&](const IntTerm& port) {
    q.assume(served(port, zero) == zero && free_from(port, zero) >= zero);
    const IntTerm count = stated_or_any(q, accesses, made(port));
    take_steps(q, count, [&](const IntTerm& k) {
      // An access is of one warp, and has a stage at least.
      q.assume(requests(port, k) <= w && stages(port, k) >= one);
      q.assume(served(port, k + one) == served(port, k) + requests(port, k));
      q.assume(free_from(port, k + one) >= free_from(port, k) + stages(port, k));
      return served(port, k) <= w * free_from(port, k);
    });
    q.assume(free_from(port, count) <= time);
    return served(port, count);
  });
  if (!accesses) q.prove("they are served", are_served(all, ports, w, time));
  return all;
}

Truth are_waited_for(const IntTerm& requests, const IntTerm& threads, const IntTerm& l,
                     const IntTerm& time) {
  return requests * l <= threads * time;
}

IntTerm requests_waited_for(Query& q, const IntTerm& threads, const IntTerm& l, const IntTerm& time,
                            std::optional<std::uint64_t> requests) {
  const IntTerm zero(0);
  const IntTerm one(1);
  const Function made = q.function("made");             // by a thread
  const Function complete = q.function("complete", 2);  // when so many of them are
  q.multiply_by({});
  q.give_invariant<SumInvariant<IntTerm>>(
      [=](const IntTerm& j, const IntTerm& sum) { return are_waited_for(sum, j, l, time); });
  return sum_over(threads, [&](const IntTerm& j) {
    q.assume(complete(j, zero) >= zero);
    IntTerm count = stated_or_any(q, requests, made(j));
    take_steps(q, count, [&](const IntTerm& k) {
      q.assume(complete(j, k + one) >= complete(j, k) + l);
      return complete(j, k) >= k * l;
    });
    q.assume(complete(j, count) <= time);
    return count;
  });
}

void reduce(Query& q, const IntTerm& n, const IntTerm& l, const IntTerm& time,
            std::uint64_t grows) {
  const IntTerm one(1);
  const IntTerm two(2);
  // On how many words anything known at a time can depend; a word, before a first read is complete.
  const Function depends = q.function("depends");
  q.multiply_by({});
  q.assume(depends(l - one) <= one);
  const auto reads_complete = [=, &q](const IntTerm& k) {
    IntTerm before = k * l - one;
    q.assume(implies(before + l < l, depends(before + l) <= one));
    q.assume(implies(k >= one, depends(before + l) <= IntTerm(grows) * depends(before)));
    return before;
  };
  q.give_invariant<PowersInvariant<IntTerm>>(
      [=, &q](const IntTerm& k, const IntTerm& power, const IntTerm& sum) {
        q.compare_multiples(l, k, IntTerm(0));
        const IntTerm before = reads_complete(k);
        return sum == k * l && (k >= one || power == one) &&
               implies(k >= one, two * depends(before) <= power);
      });
  if (n.constant()) {
    const auto reads = *ceil_log2(n).constant();
    for (std::uint64_t k = 0; k < reads; ++k) (void)reads_complete(IntTerm(k));
  }
  const IntTerm least = sum_over_powers(n, [&](const IntTerm&) { return l; });
  q.assume(implies(time < least, depends(time) <= depends(least - one)));
  q.assume(depends(time) >= n);
  q.prove("the reduction", implies(n > one, l * ceil_log2(n) <= time));
}

}  // namespace bankproof::proofs
