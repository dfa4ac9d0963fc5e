// The upper bound on the global memory access cost of 4R1W, by THS 6 (row A5), for all sides of
// whole tiles, widths, latencies and threads. Each of the 2√n − 1 diagonals is a launch. Each
// element takes at most five stages, one for each access of its thread.
#include <utility>

#include "../lists.hpp"
#include "../turns/close.hpp"
#include "tables.hpp"

namespace bankproof::proofs {
namespace {

/// Whether an access of threads to words `step` apart has at most one stage for each thread. This
/// holds in two cases, see is_wide(): a group has at most `step` words; or a group has step + 1
/// words, and the threads are in one warp.
Truth has_few_stages(const Run<IntTerm>& run, const IntTerm& step, const IntTerm& w) {
  return stages_of_stride(MemoryKind::groups, run, step, w) <= run.count;
}
Truth is_wide(const Run<IntTerm>& run, const IntTerm& step, const IntTerm& w) {
  return step >= 1 && run.address >= 0 && run.thread >= 0 && run.count >= 0 &&
         (step >= w || (step == w - 1 && run.thread + run.count <= w));
}
/// Proves has_few_stages() for any access with is_wide(). Call it early, while few facts are known.
void prove_few_stages(Query& q) {
  const Query::Scope scope(q);
  const IntTerm w = q.fresh("w", 1);
  const IntTerm step = q.fresh("step", 1);
  const Run<IntTerm> run{q.fresh("address"), q.fresh("count"), q.fresh("thread")};
  q.assume(is_wide(run, step, w));
  const auto claim = [&] { return has_few_stages(run, step, w); };
  q.suppose(step >= w || run.count == 0, claim);
  q.suppose(step < w && run.count >= 1, [&] {
    const IntTerm last = run.address + step * minus_or_zero(run.count, 1);
    const IntTerm groups = last / w - run.address / w;
    const IntTerm warps = boundaries(run.thread, run.count, w);
    q.multiply_equals(minus_or_zero(run.count, 1), step, w - 1);
    q.multiply_equals(w, minus_or_zero(run.count, 1), run.count - 1);
    q.multiply_by({w});
    q.apply(multiples_are_apart(), {w, run.count - 1, groups});
    q.claim("groups", groups < run.count);
    q.apply(multiples_are_apart(), {w, 0, warps});
    q.claim("one warp", warps <= 0);
    q.multiply_by({});
    return claim();
  });
}

/// Proves facts about the accesses of a block. The function sum_diagonal_rounds() passes these
/// accesses to this class.
class KnownAccesses {
 public:
  KnownAccesses(Query& q, const MachineParametersOf<IntTerm>& machine, IntTerm threads)
      : query_(q), machine_(machine), threads_(std::move(threads)) {}
  const MachineParametersOf<IntTerm>& machine() const { return machine_; }
  void global_stride(const Run<IntTerm>& run, const IntTerm& step) {
    query_.conclude("an access", [&] {
      query_.claim("threads", run.count >= 0 && run.count <= threads_);
      query_.claim("words", is_wide(run, step, machine_.w));
      const Truth few = has_few_stages(run, step, machine_.w);
      query_.assume_shown(few);
      return few && run.count <= threads_;
    });
  }

 private:
  Query& query_;
  const MachineParametersOf<IntTerm>& machine_;
  IntTerm threads_;
};

/// Gives the invariants of one launch for each diagonal, on this machine. Each element takes at
/// most five stages.
class DiagonalLaunches {
 public:
  DiagonalLaunches(Query& q, const MachineParametersOf<IntTerm>& machine, IntTerm side)
      : query_(q), machine_(machine), side_(std::move(side)) {}

  void give() const {
    query_.give(OverNumbers<Cost<IntTerm>>("diagonals")
                    .holds([=, this](auto& k, auto& sum) {
                      const IntTerm all = 2 * sum.global.stages;
                      return implies(k <= side_, all <= 5 * growing(k)) &&
                             implies(k >= side_, all <= 5 * shrinking(k)) && sum.launches <= k;
                    })
                    .step([=, this](auto& k) { give_blocks(know_diagonal(k)); }));
  }

 private:
  using Diagonal = DiagonalOf<IntTerm>;

  /// Twice the number of elements on the first k diagonals: growing() for k ≤ side, shrinking() for
  /// k ≥ side.
  IntTerm growing(const IntTerm& k) const { return k * (k + 1); }
  IntTerm shrinking(const IntTerm& k) const {
    const IntTerm after = 2 * side_ - k;
    return 2 * side_ * side_ - after * (after - 1);
  }
  Diagonal know_diagonal(const IntTerm& k) const {
    Diagonal diagonal = Diagonal::of(k, side_, side_);
    query_.conclude("elements of a diagonal", [&] {
      const auto& [number, row, count] = diagonal;
      const IntTerm next = k + 1;
      query_.multiply_equals(next, next, side_);
      query_.multiply_equals(side_, next, side_);
      return implies(next == side_, growing(next) == shrinking(next)) &&
             implies(k < side_, row == 0 && count == k + 1) &&
             implies(k >= side_, row == k + 1 - side_ && count == 2 * side_ - 1 - k) &&
             count >= 1 && count <= side_ && row >= 0;
    });
    return diagonal;
  }
  void give_blocks(const Diagonal& diagonal) const {
    query_.give(
        OverNumbers<OfRounds>("blocks of a diagonal")
            .holds([=, this](auto& k, auto& sum) { return sum.stages <= 5 * before(diagonal, k); })
            .step([=, this](auto& k) { know_block(diagonal, k); }));
  }
  /// The number of elements of a diagonal that the blocks before block k handle.
  IntTerm before(const Diagonal& diagonal, const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * machine_.p, diagonal.count);
  }
  void know_block(const Diagonal& diagonal, const IntTerm& k) const {
    const IntTerm& p = machine_.p;
    const IntTerm first = k * p;
    const IntTerm end = smaller(first + p, diagonal.count);
    query_.conclude("threads of a block", [&] {
      query_.scale(p, 0, k);
      query_.compare_multiples(p, k, ceil_div(diagonal.count, p));
      return first >= 0 && end - first >= 1 && end - first <= p && before(diagonal, k) == first &&
             before(diagonal, k + 1) == end;
    });
    KnownAccesses known(query_, machine_, end - first);
    sum_diagonal_rounds(known, SummingOf<IntTerm>{side_, side_}, diagonal, k);
  }

  Query& query_;
  MachineParametersOf<IntTerm> machine_;
  IntTerm side_;
};

Theorem by_diagonals() {
  return Theorem{.id = "A5.upper",
                 .source = "THS lemma 6.4.1",
                 .statement = "4R1W costs at most 5n + (2√n - 1)(L - 1)",
                 .domain = "all n = side², w | side, w ≥ 2, L, w | p"}
      .proof([](Query& q) {
        prove_few_stages(q);
        const TableSums sums(q, "4R1W");
        const IntTerm side = sums.w() * sums.tiles();
        sums.prove_shape();
        const DiagonalLaunches diagonals(q, sums.task().machine, side);
        diagonals.give();
        const auto accesses = SummedAreaTable::global_accesses(sums.task());
        const IntTerm n = side * side;
        q.claim("its accesses", accesses.global.stages <= 5 * n && accesses.launches < 2 * side);
        q.multiply_by({sums.latency()});
        q.claim("the bound", sums.is_bounded(accesses));
      })
      .false_twin(prove_a_hundredth_less<TableByDiagonals>);
}

}  // namespace

std::vector<Theorem> theorems_on_costs_of_diagonals() { return {by_diagonals()}; }

}  // namespace bankproof::proofs
