// A case where the overlapped time is exactly the global memory access cost (row A9): 2R2W with a
// thread for each column and row, in whole warps, if the number of warps is at least the latency.
//
// The proof uses the recurrence of the pipeline, as in C2. When a warp's turn comes again, each
// other warp has made an access since, and the warp's own last access is complete. So the port
// serves a stage in every time unit, and each launch pays the latency once.
//
// Example: two warps, L = 2, accesses of three stages each. They are dispatched at 0, 3, 6, …, and
// the access dispatched at 0 is complete at 4.
#include <functional>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../builder/bounds.hpp"
#include "../lists.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

/// Warps that all make the same number of accesses, of `stages` stages each.
struct Pipe {
  IntTerm warps;
  IntTerm stages;
  IntTerm L;

  IntTerm dispatched(const IntTerm& access, const IntTerm& warp) const {
    return (access * warps + warp) * stages;
  }
  IntTerm complete(const IntTerm& at) const { return at + stages + L - 1; }
  /// The time when the last access is complete.
  IntTerm time(const IntTerm& accesses) const {
    return complete(dispatched(accesses - 1, warps - 1));
  }
};

/// Whether access `access` of a warp is dispatched at the claimed time, given that all accesses
/// before it are dispatched at theirs. The warp waits for its last access and for the port, which
/// serves one warp after another.
Truth next_as_claimed(Query& q, const Pipe& pipe, const IntTerm& access, const IntTerm& warp) {
  const Function dispatch = q.function("dispatch", 2);
  const IntTerm last = pipe.warps - 1;
  const auto is_as_claimed = [&](const IntTerm& a, const IntTerm& j) {
    return dispatch(a, j) == pipe.dispatched(a, j);
  };
  q.assume(
      implies(access >= 1, is_as_claimed(access - 1, warp) && is_as_claimed(access - 1, last)));
  q.assume(implies(warp >= 1, is_as_claimed(access, warp - 1)));
  const IntTerm own = select(access == 0, 0, pipe.complete(dispatch(access - 1, warp)));
  const IntTerm previous =
      select(warp == 0, dispatch(access - 1, last), dispatch(access, warp - 1));
  const IntTerm port = select(access == 0 && warp == 0, 0, previous + pipe.stages);
  q.assume(dispatch(access, warp) == larger(own, port));
  return is_as_claimed(access, warp) && own <= port;
}

void prove_recurrence(Query& q, const Pipe& pipe) {
  const Query::Scope scope(q);
  const IntTerm access = q.fresh("access");
  const IntTerm warp = q.fresh("warp");
  q.assume(warp < pipe.warps);
  q.multiply_by({pipe.stages - 1});
  q.claim("in flight", pipe.stages * pipe.warps >= pipe.stages + pipe.L - 1);
  q.multiply_equals(pipe.warps * pipe.stages, access, 0);
  q.multiply_equals(pipe.stages, warp, 0);
  q.claim("one access more", next_as_claimed(q, pipe, access, warp));
}

/// 2R2W of a table with one thread for each column and row, p = gw threads on each of d DMMs.
struct FullTable {
  IntTerm w;
  IntTerm g;
  IntTerm d;
  IntTerm L;

  IntTerm p() const { return w * g; }
  IntTerm side() const { return d * p(); }
  IntTerm warps() const { return d * g; }
  TaskOf<IntTerm> task() const {
    return task_on(MachineKind::hmm, "2R2W", {.w = w, .l = 1, .L = L, .d = d, .p = p()},
                   {{"rows", side()}, {"columns", side()}});
  }
  /// The number of reads and writes in a column or row. The first element is not written.
  IntTerm accesses() const { return 2 * side() - 1; }
  /// An access of a warp takes one stage down the columns, and w stages along the rows.
  Pipe down() const { return {warps(), 1, L}; }
  Pipe along() const { return {warps(), w, L}; }
  Truth takes_the_cost(const Cost<IntTerm>& cost) const {
    return down().time(accesses()) + along().time(accesses()) ==
           global_access_cost(cost, task().machine);
  }
};

/// Facts about a row or column step of a block.
using KnowStep = std::function<void(const IntTerm& block, const IntTerm& step)>;

/// Gives the invariants of a launch whose accesses take `stages` stages each. In each row or column
/// step a block reads and writes; in the first step it only reads.
void give_launch(Query& q, const FullTable& of, const IntTerm& stages,
                 const KnowStep& know_step = nullptr) {
  const auto write = OverNumbers<OfRounds>("a write or none").holds([=](auto& k, auto& sum) {
    return implies(k <= 0, sum.stages == 0) && implies(k >= 1, sum.stages == stages);
  });
  const auto give_steps = [=, &q](const IntTerm& block) {
    q.give(OverNumbers<OfRounds>("steps of a block")
               .holds([=](auto& k, auto& sum) {
                 return implies(k <= 0, sum.stages == 0) &&
                        implies(k >= 1, sum.stages == (2 * k - 1) * stages);
               })
               .step([=, &q](auto& k) {
                 q.multiply_equals(stages, k, 0);
                 if (know_step) know_step(block, k);
                 q.give(write);
               }));
  };
  q.give(OverNumbers<OfRounds>("blocks")
             .holds([=](auto& k, auto& sum) { return sum.stages == k * of.accesses() * stages; })
             .step([=, &q](auto& block) {
               const IntTerm threads = smaller(of.p(), of.side() - block * of.p());
               q.conclude("all its threads", [&] {
                 q.multiply_by({of.p()});
                 q.multiply_equals(of.p(), ceil_div(of.side(), of.p()), of.d);
                 return threads == of.p();
               });
               give_steps(block);
             }));
}

/// Proves that each warp of a block takes a stage to read its part of a row, and a stage to write
/// it.
void know_row(Query& q, const FullTable& of, const IntTerm& block, const IntTerm& row) {
  const SummingOf<IntTerm> matrix{of.side(), of.side()};
  const IntTerm first = block * of.p();
  q.multiply_equals(of.p(), ceil_div(of.side(), of.p()), of.d);
  const IntTerm last = (of.p() - 1) / of.w;
  for (const IntTerm& above : {row, row - 1}) {
    const IntTerm from = larger(matrix.begin(above), first);
    const IntTerm end = smaller(matrix.end(row), first + of.p());
    const Run<IntTerm> run{row * matrix.columns + from, minus_or_zero(end, from), from - first};
    const IntTerm stages = group_stages(run, of.w);
    q.conclude("a stage for each warp", [&] {
      q.multiply_by({of.p()});
      q.claim("the block's columns", implies(above >= 0, from == first && end == first + of.p()));
      q.multiply_by({});
      q.compare_multiples(of.w, run.address / of.w, row * of.d * of.g + block * of.g);
      q.compare_multiples(of.w, run.thread / of.w, 0);
      q.compare_multiples(of.w, last, of.g - 1);
      return implies(above >= 0, stages == of.g);
    });
  }
}

void give_launches(Query& q, const FullTable& of) {
  give_launch(q, of, of.g,
              [=, &q](const IntTerm& block, const IntTerm& row) { know_row(q, of, block, row); });
  give_launch(q, of, of.p());
}

Theorem sums_down_and_along() {
  return Theorem{
      .id = "A9.2R2W",
      .source = "THS 6.1",
      .statement =
          "2R2W of a table with a thread for each column and row, whose warps are as many as the "
          "latency or more, takes in overlapped time exactly the global memory access cost: each "
          "access is dispatched when the one before it leaves the port",
      .domain = "all w, L, d, w | p, √n = dp ≥ wL; base and step of an induction over accesses"}
      .proof([](Query& q) {
        const FullTable of{q.number("w", 1, 2), q.number("p/w", 1, 3), q.number("d", 1, 2),
                           q.number("L", 1, 5)};
        q.assume(of.warps() >= of.L);
        q.multiply_by({of.w});
        q.claim("threads", of.p() >= of.w && of.warps() >= 1);
        q.multiply_by({of.d, of.w, of.p()});
        q.claim("rows of w words or more", of.side() >= of.p() && of.side() >= of.w);
        prove_recurrence(q, of.down());
        prove_recurrence(q, of.along());
        q.compare_multiples(of.p(), ceil_div(of.side(), of.p()), of.d);
        q.multiply_by({});
        q.claim("blocks", ceil_div(of.side(), of.p()) == of.d);
        give_launches(q, of);
        const Cost<IntTerm> cost = SummedAreaTable::global_accesses(of.task());
        for (const IntTerm& each : {of.g, of.p()}) {
          q.multiply_equals(of.accesses() * each, ceil_div(of.side(), of.p()), of.d);
        }
        q.multiply_by({of.accesses(), of.d * of.accesses(), of.d * of.g});
        q.claim("two launches", cost.launches == 2);
        q.multiply_equals(of.L - 1, cost.launches, 2);
        q.claim("the time", of.takes_the_cost(cost));
      })
      .false_twin([](Query& q) {
        // One warp less than the latency: down the columns the port waits for a warp.
        const Pipe pipe{2, 1, 3};
        q.claim("one access more", next_as_claimed(q, pipe, 1, 0));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_full_pipes() { return {sums_down_and_along()}; }

}  // namespace bankproof::proofs
