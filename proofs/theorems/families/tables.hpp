// Families of summed area tables whose costs come near to their upper bounds (families.hpp).
//
// Example: 1R1W reads a tile of w × w elements in w stages and writes it in w stages. Its edges
// take at most six more stages, which are few if w is large.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "permutations.hpp"
#include "table.hpp"

namespace bankproof::proofs {

/// The global memory access cost as a time: the time that a run would take with one round in each
/// launch.
struct CostsOfTables {
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const Cost<N> all = SummedAreaTable::global_accesses(task);
    return {.global = {all.global.stages, all.launches, all.global.requests}};
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return SummedAreaTable::global_cost_upper(task);
  }
  static std::vector<Shape> inputs(const Task& task) { return SummedAreaTable::inputs(task); }
  /// Runs the task, and returns the cost of its accesses as its time.
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    CostOfRun counter(task.machine.L);
    machine.attach(counter);
    Outcome<T> outcome = SummedAreaTable::run<T>(task, machine, inputs);
    machine.detach(counter);
    outcome.time = counter.cost();
    return outcome;
  }

 private:
  /// Adds up the stages of all accesses to global memory, and L − 1 for each launch.
  class CostOfRun : public Observer {
   public:
    explicit CostOfRun(Time L) : latency_(L - 1) {}
    void launch_begins(const LaunchEvent&) override { cost_ += latency_; }
    void accessed(const AccessEvent& event) override {
      if (event.memory().kind() == MemoryKind::groups) cost_ += event.stages;
    }
    Time cost() const { return cost_; }

   private:
    Time latency_;
    Time cost_ = 0;
  };
};

/// A table of side × side elements.
template <class N>
TaskOf<N> of_table(std::string_view variant, const N& w, const N& p, const N& side, const N& L) {
  return of_matrix<N>(variant, {.w = w, .l = 1, .L = L, .d = 1, .p = p, .capacity = (w + 2) * w},
                      side);
}

/// The members of this family and of the next are numbered by L.
struct TableDownAndAlong : Family<CostsOfTables, "A2.tight"> {
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table<N>("2R2W", 64, 64, 64, L);
  }
};

struct TableWithTransposes : Family<CostsOfTables, "A3.tight"> {
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table<N>("4R4W", 32, 32, 32, L);
  }
};

/// The members of this family and of the next are numbered by w. Members that run have w tiles on
/// each side.
template <FamilyId id, FamilyId variant>
struct TableInTiles : Family<CostsOfTables, id> {
  template <class N>
  static TaskOf<N> of(const N& w, const N& tiles) {
    return of_table<N>(variant.view(), w, w, w * tiles, 1);
  }
  static auto task(const auto& w) { return of(w, w); }
};
using TableInTwoPasses = TableInTiles<"A4.tight", "2R1W">;
using TableInOnePass = TableInTiles<"A6.tight", "1R1W">;

/// Members that run have the largest triangles.
struct TableByHybrid : Family<CostsOfTables, "A7.tight"> {
  template <class N>
  static TaskOf<N> of(const N& w, const N& tiles, const N& t) {
    TaskOf<N> task = of_table<N>("hybrid", w, w, w * tiles, 1);
    task.sizes.add("t", t);
    return task;
  }
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of<N>(w, w, w - 1);
  }
};

/// Members are numbered by L. Sides are two tiles long. Elements at an edge take less than five
/// accesses, but only few elements lie at an edge.
struct TableByDiagonals : Family<CostsOfTables, "A5.tight"> {
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table<N>("4R1W", 45, 90, 90, L);
  }
};

}  // namespace bankproof::proofs
