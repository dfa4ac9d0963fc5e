// The lower bounds of the sources (rows S5, D6, I3, X3 and A13) on the HMM, as the algorithms state
// them, for every program that makes the requests, or whose result depends on the words, that the
// bound counts.
#include "../../algorithms/convolution.hpp"
#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/matrix_product.hpp"
#include "../../algorithms/sum.hpp"
#include "../../algorithms/summed_area_table.hpp"
#include "programs.hpp"
#include "times.hpp"

namespace bankproof::proofs {
namespace {

using Bounds = std::vector<BoundOf<IntTerm>>;
using OfTask = TaskOf<IntTerm>;

/// By what a bound holds: the port of the global memory, all ports, waiting for the global memory,
/// waiting for either, or what a result depends on.
enum class By : std::uint8_t { port, ports, waiting, waiting_for_either, dependence };

struct Omega {
  std::string id;
  std::string source;
  std::string statement;
  Bounds (*bounds)(const OfTask&);
  std::size_t which;
  By by;
  std::size_t counts;       ///< the bound whose first term's numerator is the number of requests
  std::size_t sums = 0;     ///< in the numerators
  bool for_each_m = false;  ///< it counts m times the requests
};

OfTask task_of(const std::function<IntTerm(const char*, std::uint64_t)>& number) {
  OfTask task{"", {}, {.machine = MachineKind::hmm}};
  task.machine.w = number("w", 4);
  task.machine.l = number("l", 2);
  task.machine.L = number("L", 8);
  task.machine.d = number("d", 2);
  task.machine.p = number("p", 8);
  for (const auto* name : {"n", "m", "rows", "inner", "columns", "v"}) {
    task.sizes.add(name, number(name, 3));
  }
  return task;
}

const TermOf<IntTerm>& only_term(const BoundOf<IntTerm>& bound) { return bound.terms.front(); }

Truth takes_at_least(const IntTerm& time, const BoundOf<IntTerm>& bound) {
  return bound.factor * only_term(bound).numerator <= only_term(bound).denominator * time;
}

void prove(Query& q, const Omega& one) {
  const OfTask task =
      task_of([&](const char* name, std::uint64_t example) { return q.number(name, 1, example); });
  const LettersOf<IntTerm>& machine = task.machine;
  const IntTerm time = q.number("time", 1, 1000);
  for (std::size_t i = 0; i < one.sums; ++i) {
    q.give_invariant<SumInvariant<IntTerm>>(
        [](const IntTerm&, const IntTerm& sum) { return sum >= IntTerm(0); });
  }
  const Bounds bounds = one.bounds(task);
  const BoundOf<IntTerm>& bound = bounds[one.which];
  const IntTerm either = smaller(machine.l, machine.L);
  q.prove("a latency", either >= IntTerm(1));
  if (one.by == By::dependence) {
    const IntTerm words = one.bounds == Sum::lower<IntTerm> ? task.sizes["n"]
                          : one.bounds == Convolution::lower<IntTerm>
                              ? task.sizes["m"]
                              : task.sizes["rows"] * task.sizes["columns"];
    reduce(q, words, either, time);
    q.prove("the bound", implies(words > IntTerm(1), takes_at_least(time, bound)));
    return;
  }
  const IntTerm requests = [&] {
    if (one.by == By::port) return requests_served(q, IntTerm(1), machine.w, time);
    if (one.by == By::ports) return requests_served(q, machine.ports(), machine.w, time);
    const IntTerm& latency = one.by == By::waiting ? machine.L : either;
    return requests_waited_for(q, machine.threads(), latency, time);
  }();
  const IntTerm times = one.for_each_m ? task.sizes["m"] : IntTerm(1);
  const BoundOf<IntTerm>& counted = bounds[one.counts];
  q.assume(times * requests >= counted.factor * only_term(counted).numerator);
  q.multiply_by({machine.L, either, times});
  q.prove("the bound", takes_at_least(time, bound));
}

/// A time unit less than the bound says.
void twin(Query& q, const Omega& one) {
  const OfTask task =
      task_of([](const char*, std::uint64_t example) { return IntTerm(example + 2); });
  const BoundOf<IntTerm> bound = one.bounds(task)[one.which];
  const auto& [name, numerator, denominator] = only_term(bound);
  const IntTerm least = ceil_div(bound.factor * numerator, denominator);
  q.prove("the bound", takes_at_least(least - IntTerm(1), bound));
}

Theorem theorem(const Omega& one) {
  return {.id = one.id,
          .source = one.source,
          .statement = one.statement,
          .domain = "all programs, sizes, w, l, L, d, p",
          .proof = [=](Query& q) { prove(q, one); },
          .false_twin = [=](Query& q) { twin(q, one); }};
}

}  // namespace

std::vector<Theorem> theorems_on_all_programs() {
  std::vector<Omega> all;
  const auto add = [&](const char* id, const char* source, Bounds (*bounds)(const OfTask&),
                       std::size_t which, By by, std::size_t counts, const char* statement,
                       std::size_t sums = 0, bool for_each_m = false) {
    all.push_back({id, source, std::string("a program that ") + statement, bounds, which, by,
                   counts, sums, for_each_m});
  };
  const auto on_sums = Sum::lower<IntTerm>;
  const char* source = "HMM table II";
  add("S5.bandwidth.HMM", source, on_sums, 0, By::port, 0,
      "reads n numbers of global memory takes at least n/w");
  add("S5.latency.HMM", source, on_sums, 1, By::waiting, 0,
      "reads n numbers of global memory takes at least nL/P");
  add("S5.reduction.HMM", source, on_sums, 2, By::dependence, 0,
      "adds n numbers takes at least min(l, L) log n");

  const auto on_convolutions = Convolution::lower<IntTerm>;
  source = "HMM IX";
  add("D6.bandwidth", source, on_convolutions, 0, By::port, 0,
      "reads y, n + m − 1 numbers of global memory, takes at least (n + m − 1)/w");
  add("D6.latency", source, on_convolutions, 1, By::waiting, 0,
      "reads y, n + m − 1 numbers of global memory, takes at least (n + m − 1)L/P");
  add("D6.speed-up", source, on_convolutions, 2, By::ports, 2,
      "fetches both factors of mn products from memory takes at least 2mn/((d + 1)w)");
  add("D6.waiting", source, on_convolutions, 3, By::waiting_for_either, 2,
      "fetches both factors of mn products from memory takes at least 2mn min(l, L)/P");
  add("D6.reduction", source, on_convolutions, 4, By::dependence, 0,
      "adds m products takes at least min(l, L) log m");

  const auto on_images = ImageConvolution::lower<IntTerm>;
  source = "OPT theorem 6";
  add("I3.bandwidth", source, on_images, 0, By::port, 0,
      "reads and writes all pixels in global memory takes at least 2n²/w", 2);
  add("I3.latency", source, on_images, 1, By::waiting, 0,
      "reads and writes all pixels in global memory takes at least 2n²L/(dp)", 2);
  add("I3.speed-up", source, on_images, 2, By::ports, 2,
      "fetches a pixel and a weight for each product takes at least 2/((d + 1)w) for each", 2);
  add("I3.waiting", source, on_images, 3, By::waiting_for_either, 2,
      "fetches a pixel and a weight for each product takes at least 2 min(l, L)/(dp) for each", 2);

  const auto on_products = MatrixProduct::lower<IntTerm>;
  source = "OPT theorem 9";
  add("X3.bandwidth", source, on_products, 0, By::port, 0,
      "reads two matrices and writes their product takes at least 3n²/w");
  add("X3.latency", source, on_products, 1, By::waiting, 0,
      "reads two matrices and writes their product takes at least 3n²L/(dp)");
  add("X3.speed-up", source, on_products, 2, By::ports, 2,
      "fetches both factors of n³ products from memory takes at least 2n³/((d + 1)w)");
  add("X3.waiting", source, on_products, 3, By::waiting_for_either, 2,
      "fetches both factors of n³ products from memory takes at least 2n³ min(l, L)/(dp)");
  add("X3.reads.bandwidth", source, on_products, 4, By::port, 4,
      "reads 2n³/m words of global memory, as m² results at a time need, takes at least 2n³/(mw)",
      0, true);
  add("X3.reads.latency", source, on_products, 5, By::waiting, 4,
      "reads 2n³/m words of global memory, as m² results at a time need, takes at least "
      "2n³L/(mdp)",
      0, true);

  const auto on_tables = SummedAreaTable::lower<IntTerm>;
  source = "THS 6.4";
  add("A13.bandwidth", source, on_tables, 0, By::port, 0,
      "reads n elements and writes n entries takes at least 2n/w");
  add("A13.latency", source, on_tables, 1, By::waiting, 0,
      "reads n elements and writes n entries takes at least 2nL/P");
  add("A13.reduction", source, on_tables, 2, By::dependence, 0,
      "adds n elements takes at least min(l, L) log n");

  std::vector<Theorem> theorems;
  theorems.reserve(all.size());
  for (const Omega& one : all) theorems.push_back(theorem(one));
  return theorems;
}

}  // namespace bankproof::proofs
