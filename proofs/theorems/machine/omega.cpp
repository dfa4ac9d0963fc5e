// The lower bounds of the sources (rows S5, D6, I3, X3 and A13) on the HMM, as the algorithms state
// them. Each bound counts requests or words. It holds for every program that makes these requests,
// or whose result depends on these words. The counts are written independently of the bounds
// (counted.hpp).
#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "../../../algorithms/convolution.hpp"
#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/matrix_product.hpp"
#include "../../../algorithms/sum.hpp"
#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../lists.hpp"
#include "counted.hpp"
#include "programs.hpp"

namespace bankproof::proofs {
namespace {

using Bounds = std::vector<BoundOf<IntTerm>>;

/// Why a bound holds: all requests pass the port of the global memory (`port`), or all ports
/// together (`ports`); threads wait for the global memory (`waiting`), or for either memory
/// (`waiting_for_either`); or the result of an oblivious program depends on many words
/// (`dependence`).
enum class By : std::uint8_t { port, ports, waiting, waiting_for_either, dependence };

struct Omega {
  std::string id;
  std::string source;
  std::string statement;
  Bounds (*bounds)(const OfTask&);
  std::size_t which;
  By by;
  /// The count in the statement: requests that the program makes, or words that its result depends
  /// on. It is not taken from the bound.
  IntTerm (*counted)(const OfTask&);
  bool for_each_m = false;  ///< whether the statement counts m times the requests
};

OfTask task_of(const std::function<IntTerm(const char*, std::uint64_t least)>& number) {
  OfTask task{"", {}, {.machine = MachineKind::hmm}};
  task.machine.w = number("w", 1);
  task.machine.l = number("l", 1);
  task.machine.L = number("L", 1);
  task.machine.d = number("d", 1);
  task.machine.p = number("p", 1);
  for (const auto* name : {"n", "m", "rows", "inner", "columns"}) {
    task.sizes.add(name, number(name, 1));
  }
  task.sizes.add("v", number("v", 0));
  return task;
}

const TermOf<IntTerm>& only_term(const BoundOf<IntTerm>& bound) { return bound.terms.front(); }

/// The time is at least the bound. A false twin adds `more` to the bound's numerator.
Truth takes_at_least(const IntTerm& time, const BoundOf<IntTerm>& bound, std::uint64_t more = 0) {
  const auto& [name, numerator, denominator] = only_term(bound);
  return bound.factor * numerator + more <= denominator * time;
}

void prove_omega(Query& q, const Omega& one) {
  const OfTask task = task_of([&](const char* name, std::uint64_t least) {
    return q.number(name, least, std::string_view(name) == "v" ? 1 : 3);
  });
  const MachineParametersOf<IntTerm>& machine = task.machine;
  const IntTerm time = q.number("time", 1, 1000);
  const IntTerm counted = one.counted(task);
  const BoundOf<IntTerm> bound = one.bounds(task)[one.which];
  const IntTerm either = smaller(machine.l, machine.L);
  q.claim("a latency", either >= 1);
  if (one.by == By::dependence) {
    if (task.sizes.has("columns")) q.multiply_by({task.sizes["columns"]});
    q.claim("some words", counted >= 1);
    reduce(q, counted, either, time);
    q.claim("the bound in its letters", implies(counted > 1, takes_at_least(time, bound)));
    return;
  }
  const IntTerm requests = [&] {
    if (one.by == By::port) return requests_served(q, 1, machine.w, time);
    if (one.by == By::ports) return requests_served(q, machine.ports(), machine.w, time);
    const IntTerm& latency = one.by == By::waiting ? machine.L : either;
    return requests_waited_for(q, machine.threads(), latency, time);
  }();
  const IntTerm times = one.for_each_m ? task.sizes["m"] : 1;
  q.assume(times * requests >= counted);
  q.multiply_by({machine.L, either, times});
  q.claim("the bound", takes_at_least(time, bound));
}

/// A stated run that takes no longer than necessary. Its requests fill all stages, or keep all
/// threads waiting; or each of its reads doubles what is known.
void twin_of_omega(Query& q, const Omega& one) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 11> stated = {{{"w", 2},
                                                                                  {"l", 3},
                                                                                  {"L", 8},
                                                                                  {"d", 3},
                                                                                  {"p", 4},
                                                                                  {"n", 12},
                                                                                  {"m", 13},
                                                                                  {"rows", 6},
                                                                                  {"inner", 13},
                                                                                  {"columns", 12},
                                                                                  {"v", 1}}};
  const OfTask task = task_of([&](const char* name, std::uint64_t) {
    return IntTerm(std::find_if(stated.begin(), stated.end(), [&](const auto& of) {
                     return of.first == name;
                   })->second);
  });
  const MachineParametersOf<IntTerm>& machine = task.machine;
  const IntTerm counted = one.counted(task);
  const IntTerm requests = one.for_each_m ? ceil_div(counted, task.sizes["m"]) : counted;
  const IntTerm either = smaller(machine.l, machine.L);
  const IntTerm time = [&] {
    if (one.by == By::dependence) {
      const IntTerm reads = ceil_log2(counted);
      q.assume(counted <= q.power_of_two(reads));
      return either * reads;
    }
    if (one.by == By::port || one.by == By::ports) {
      const IntTerm ports = one.by == By::port ? 1 : machine.ports();
      IntTerm least = ceil_div(requests, ports * machine.w);
      q.assume(are_served(requests, ports, machine.w, least));
      return least;
    }
    const IntTerm latency = one.by == By::waiting ? machine.L : either;
    IntTerm least = ceil_div(requests * latency, machine.threads());
    q.assume(are_waited_for(requests, machine.threads(), latency, least));
    return least;
  }();
  q.claim("the bound", takes_at_least(time, one.bounds(task)[one.which], 1));
}

Theorem omega_theorem(const Omega& one) {
  return Theorem{.id = one.id,
                 .source = one.source,
                 .statement = one.statement,
                 .domain = one.by == By::dependence
                               ? "all oblivious programs without votes, sizes, w, l, L, d, p"
                               : "all programs, sizes, w, l, L, d, p"}
      .proof([=](Query& q) { prove_omega(q, one); })
      .false_twin([=](Query& q) { twin_of_omega(q, one); });
}

}  // namespace

std::vector<Theorem> theorems_on_all_programs() {
  std::vector<Omega> all;
  const auto add = [&](const char* id, const char* source, Bounds (*bounds)(const OfTask&),
                       std::size_t which, By by, IntTerm (*counted)(const OfTask&),
                       const char* statement, bool for_each_m = false) {
    all.push_back({id, source, std::string("a program that ") + statement, bounds, which, by,
                   counted, for_each_m});
  };
  const auto on_sums = Sum::lower<IntTerm>;
  const char* source = "HMM table II";
  add("S5.bandwidth.HMM", source, on_sums, 0, By::port, numbers_of_sum,
      "reads n numbers of global memory takes at least n/w");
  add("S5.latency.HMM", source, on_sums, 1, By::waiting, numbers_of_sum,
      "reads n numbers of global memory takes at least nL/P");
  add("S5.reduction.HMM", source, on_sums, 2, By::dependence, numbers_of_sum,
      "adds n numbers, and is oblivious, takes at least min(l, L) log n");

  const auto on_convolutions = Convolution::lower<IntTerm>;
  source = "HMM IX";
  add("D6.bandwidth", source, on_convolutions, 0, By::port, words_of_y,
      "reads y, n + m − 1 numbers of global memory, takes at least (n + m − 1)/w");
  add("D6.latency", source, on_convolutions, 1, By::waiting, words_of_y,
      "reads y, n + m − 1 numbers of global memory, takes at least (n + m − 1)L/P");
  add("D6.speed-up", source, on_convolutions, 2, By::ports, factors_of_convolution,
      "fetches both factors of mn products from memory takes at least 2mn/((d + 1)w)");
  add("D6.waiting", source, on_convolutions, 3, By::waiting_for_either, factors_of_convolution,
      "fetches both factors of mn products from memory takes at least 2mn min(l, L)/P");
  add("D6.reduction", source, on_convolutions, 4, By::dependence, weights_of_convolution,
      "adds m products, and is oblivious, takes at least min(l, L) log m");

  const auto on_images = ImageConvolution::lower<IntTerm>;
  source = "OPT theorem 6";
  add("I3.bandwidth", source, on_images, 0, By::port, pixels_read_and_written,
      "reads and writes all pixels in global memory takes at least 2n²/w");
  add("I3.latency", source, on_images, 1, By::waiting, pixels_read_and_written,
      "reads and writes all pixels in global memory takes at least 2n²L/(dp)");
  add("I3.speed-up", source, on_images, 2, By::ports, factors_of_image,
      "fetches a pixel and a weight for each product within the edge takes at least 2/((d + 1)w) "
      "for each");
  add("I3.waiting", source, on_images, 3, By::waiting_for_either, factors_of_image,
      "fetches a pixel and a weight for each product within the edge takes at least 2 min(l, "
      "L)/(dp) for each");

  const auto on_products = MatrixProduct::lower<IntTerm>;
  source = "OPT theorem 9";
  add("X3.bandwidth", source, on_products, 0, By::port, words_of_product,
      "reads two matrices and writes their product takes at least 3n²/w");
  add("X3.latency", source, on_products, 1, By::waiting, words_of_product,
      "reads two matrices and writes their product takes at least 3n²L/(dp)");
  add("X3.speed-up", source, on_products, 2, By::ports, factors_of_product,
      "fetches both factors of n³ products from memory takes at least 2n³/((d + 1)w)");
  add("X3.waiting", source, on_products, 3, By::waiting_for_either, factors_of_product,
      "fetches both factors of n³ products from memory takes at least 2n³ min(l, L)/(dp)");
  add("X3.reads.bandwidth", source, on_products, 4, By::port, factors_of_product,
      "reads 2n³/m words of global memory, as those of X3.reads do, takes at least 2n³/(mw)", true);
  add("X3.reads.latency", source, on_products, 5, By::waiting, factors_of_product,
      "reads 2n³/m words of global memory, as those of X3.reads do, takes at least 2n³L/(mdp)",
      true);

  const auto on_tables = SummedAreaTable::lower<IntTerm>;
  source = "THS 6.4";
  add("A13.bandwidth", source, on_tables, 0, By::port, elements_read_and_written,
      "reads n elements and writes n entries takes at least 2n/w");
  add("A13.latency", source, on_tables, 1, By::waiting, elements_read_and_written,
      "reads n elements and writes n entries takes at least 2nL/P");
  add("A13.reduction", source, on_tables, 2, By::dependence, elements_of,
      "adds n elements, and is oblivious, takes at least min(l, L) log n");

  std::vector<Theorem> theorems;
  theorems.reserve(all.size());
  for (const Omega& one : all) theorems.push_back(omega_theorem(one));
  return theorems;
}

}  // namespace bankproof::proofs
