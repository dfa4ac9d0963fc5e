// Proves the limits that the machine sets to every program: ports, waiting, and knowledge.
#include "programs.hpp"

#include <functional>

namespace bankproof::proofs {
namespace {

/// The stated number, or else an arbitrary number ≥ 0.
IntTerm stated_or_any(Query& q, const std::optional<std::uint64_t>& stated, const IntTerm& any) {
  if (stated) return {*stated};
  q.assume(any >= 0);
  return any;
}

/// A quantity that grows while a program waits. At `time` it is more than (units − 1)·unit.
struct Grown {
  IntTerm units;
  IntTerm unit;
  IntTerm l;
  IntTerm time;
};

/// Proves l·⌈log₂ units⌉ ≤ time for a quantity that is at most one unit before the first request
/// completes. grows(before, after) assumes that the quantity at most doubles in l time units.
void double_with_each_wait(Query& q, const Grown& grown, const Function& most,
                           const std::function<void(const IntTerm&, const IntTerm&)>& grows,
                           std::uint64_t more) {
  q.assume(most(grown.l - 1) <= grown.unit);
  const auto waits = [=, &q](const IntTerm& k) {
    IntTerm before = k * grown.l - 1;
    q.assume(implies(k < 1, most(before + grown.l) <= grown.unit));
    grows(before, before + grown.l);
    return before;
  };
  q.give(OverPowers<IntTerm>("waits").holds([=, &q](auto& k, auto& power, auto& sum) {
    q.compare_multiples(grown.l, k, 0);
    const IntTerm before = waits(k);
    return sum == k * grown.l && (k >= 1 || power == 1) &&
           implies(k >= 1, 2 * most(before) <= grown.unit * power);
  }));
  if (const auto times = ceil_log2(grown.units).constant()) {
    for (std::uint64_t k = 0; k < *times; ++k) (void)waits(IntTerm(k));
  }
  const IntTerm least = sum_over_powers(grown.units, [&](const IntTerm&) { return grown.l; });
  const IntTerm waits_in_all = ceil_log2(grown.units);
  if (!waits_in_all.constant()) {
    // The least power ≥ units is even, and half of it is less than units.
    const IntTerm half = q.power_of_two(waits_in_all - 1);
    q.double_power(waits_in_all - 1);
    q.scale(grown.unit, half, grown.units);
  }
  q.assume(implies(grown.time < least, most(grown.time) <= most(least - 1)));
  q.claim("the bound",
          implies(grown.units > 1, grown.l * ceil_log2(grown.units) + more <= grown.time));
}

}  // namespace

Truth are_served(const IntTerm& requests, const IntTerm& ports, const IntTerm& w,
                 const IntTerm& time) {
  return requests <= ports * w * time;
}

IntTerm requests_served(Query& q, const IntTerm& ports, const IntTerm& w, const IntTerm& time,
                        std::optional<std::uint64_t> accesses) {
  const Function made = q.counts("accesses");             // accesses on a port
  const Function requests = q.function("requests", 2);    // requests of an access
  const Function stages = q.function("stages", 2);        // stages of an access
  const Function served = q.counts("served", 2);          // requests served so far
  const Function free_from = q.function("free_from", 2);  // when the port is free
  if (!accesses) q.multiply_by({w});
  if (!ports.constant()) {
    q.give(OverNumbers<IntTerm>("ports").holds(
        [=](auto& j, auto& sum) { return are_served(sum, j, w, time); }));
  }
  IntTerm all = sum_over(ports, [&](const IntTerm& port) {
    q.assume(served(port, 0) == 0 && free_from(port, 0) >= 0);
    const IntTerm count = stated_or_any(q, accesses, made(port));
    take_steps(q, count, [&](const IntTerm& k) {
      // An access belongs to one warp, and has at least one stage.
      q.assume(requests(port, k) <= w && stages(port, k) >= 1);
      q.assume(served(port, k + 1) == served(port, k) + requests(port, k));
      q.assume(free_from(port, k + 1) >= free_from(port, k) + stages(port, k));
      return served(port, k) <= w * free_from(port, k);
    });
    q.assume(free_from(port, count) <= time);
    return served(port, count);
  });
  if (!accesses) q.claim("they are served", are_served(all, ports, w, time));
  return all;
}

Truth are_waited_for(const IntTerm& requests, const IntTerm& threads, const IntTerm& l,
                     const IntTerm& time) {
  return requests * l <= threads * time;
}

IntTerm requests_waited_for(Query& q, const IntTerm& threads, const IntTerm& l, const IntTerm& time,
                            std::optional<std::uint64_t> requests) {
  const Function made = q.counts("made");               // requests made by a thread
  const Function complete = q.function("complete", 2);  // when this many requests are complete
  q.multiply_by({});
  q.give(OverNumbers<IntTerm>("threads").holds(
      [=](auto& j, auto& sum) { return are_waited_for(sum, j, l, time); }));
  return sum_over(threads, [&](const IntTerm& j) {
    q.assume(complete(j, 0) >= 0);
    IntTerm count = stated_or_any(q, requests, made(j));
    take_steps(q, count, [&](const IntTerm& k) {
      q.assume(complete(j, k + 1) >= complete(j, k) + l);
      return complete(j, k) >= k * l;
    });
    q.assume(complete(j, count) <= time);
    return count;
  });
}

void reduce(Query& q, const IntTerm& n, const IntTerm& l, const IntTerm& time, std::uint64_t more) {
  const Function depends = q.function("depends");  // the larger of knows and holds
  const Function knows = q.function("knows");      // the most words that a thread knows
  const Function holds = q.function("holds");  // the most words that a word of memory depends on
  const auto reads_complete = [=, &q](const IntTerm& before, const IntTerm& after) {
    q.assume(knows(before) <= depends(before) && holds(before) <= depends(before));
    q.assume(depends(before) >= 1);
    q.assume(knows(after) <= knows(before) + holds(before));
    q.assume(holds(after) <= 1 || holds(after) <= knows(after));
    q.assume(depends(after) == knows(after) || depends(after) == holds(after));
  };
  q.multiply_by({});
  q.assume(depends(time) >= n);
  double_with_each_wait(q, {n, 1, l, time}, depends, reads_complete, more);
}

void count_values(Query& q, const IntTerm& n, const IntTerm& p, const IntTerm& l,
                  const IntTerm& time, std::uint64_t more) {
  // bits(t) is the logarithm of the largest number of values that the law allows: ⌈log₂(p +
  // 3)⌉·2^⌊t/l⌋.
  const Function bits = q.function("bits");
  const auto square = [=, &q](const IntTerm& before, const IntTerm& after) {
    q.assume(bits(after) <= 2 * bits(before));
  };
  const IntTerm unit = ceil_log2(p + 3);
  if (!unit.constant()) q.multiply_by({unit});
  const IntTerm units = ceil_div(n, unit);
  q.compare_multiples(unit, units, 0);
  q.assume(bits(time) >= n);
  double_with_each_wait(q, {units, unit, l, time}, bits, square, more);
}

}  // namespace bankproof::proofs
