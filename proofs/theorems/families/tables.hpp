// Families of summed area tables whose costs come near to their upper bounds (families.hpp).
//
// Example: 1R1W reads a tile of w × w elements in w stages and writes it in w stages. Its edges
// take at most six more, which is little if w is large.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "permutations.hpp"

namespace bankproof::proofs {

/// The global memory access cost as a time: the time of one round for each launch.
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
  /// The cost of the accesses of a run.
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
  return of_matrix(
      variant, {.w = w, .l = N(1), .L = L, .d = N(1), .p = p, .capacity = (w + N(2)) * w}, side);
}

/// Families of tables numbered by L, from 1 on.
struct TablesByLatency {
  using Algorithm = CostsOfTables;
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t least = 1;
  static constexpr std::uint64_t largest = 1;
};

struct TableDownAndAlong : TablesByLatency {
  static constexpr std::string_view id = "A2.tight";
  static constexpr std::string_view source = "THS lemma 6.2.1";
  static constexpr std::string_view what = "2R2W costs";
  static constexpr std::string_view terms = "(2n + 2n/w + 2(L - 1))";
  static constexpr std::string_view domain = "all L, n = 64², p = w = 64, d = 1";
  static constexpr std::uint64_t thousandths = 992;
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table("2R2W", N(64), N(64), N(64), L);
  }
};

struct TableWithTransposes : TablesByLatency {
  static constexpr std::string_view id = "A3.tight";
  static constexpr std::string_view source = "THS lemma 6.2.2";
  static constexpr std::string_view what = "4R4W costs";
  static constexpr std::string_view terms = "(8n/w + 4(L - 1))";
  static constexpr std::string_view domain = "all L, n = 32², p = w = 32, d = 1";
  static constexpr std::uint64_t thousandths = 992;
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table("4R4W", N(32), N(32), N(32), L);
  }
};

/// Families of whole tiles, numbered by w. Members that run have w tiles on each side.
struct TablesByWidth {
  using Algorithm = CostsOfTables;
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t largest = 32;
};

struct TableInTwoPasses : TablesByWidth {
  static constexpr std::string_view id = "A4.tight";
  static constexpr std::string_view source = "THS lemma 6.3.1";
  static constexpr std::string_view what = "2R1W costs";
  static constexpr std::string_view terms = "(3n/w + 10n/w² + 20n/w³ + (2k+3)(L - 1))";
  static constexpr std::string_view domain = "all w ≥ 340, n = side², w | side, p = w, d = L = 1";
  static constexpr std::uint64_t least = 340;
  static constexpr std::uint64_t thousandths = 991;
  template <class N>
  static TaskOf<N> of(const N& w, const N& tiles) {
    return of_table("2R1W", w, w, w * tiles, N(1));
  }
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of(w, w);
  }
};

struct TableInOnePass : TablesByWidth {
  static constexpr std::string_view id = "A6.tight";
  static constexpr std::string_view source = "THS theorem 6.4.2";
  static constexpr std::string_view what = "1R1W costs";
  static constexpr std::string_view terms = "(2n/w + 6n/w² + (2√n/w - 1)(L - 1))";
  static constexpr std::string_view domain = "all w ≥ 300, n = side², w | side, p = w, d = L = 1";
  static constexpr std::uint64_t least = 300;
  static constexpr std::uint64_t thousandths = 996;
  template <class N>
  static TaskOf<N> of(const N& w, const N& tiles) {
    return of_table("1R1W", w, w, w * tiles, N(1));
  }
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of(w, w);
  }
};

/// Members that run have the largest triangles.
struct TableByHybrid : TablesByWidth {
  static constexpr std::string_view id = "A7.tight";
  static constexpr std::string_view source = "THS theorem 6.5.1";
  static constexpr std::string_view what = "(1+r)R1W costs";
  static constexpr std::string_view terms =
      "((2+r)n/w + 17n/w² + 40n/w³ + (2√n/w - 2t + 5 + 2k)(L - 1))";
  static constexpr std::string_view domain =
      "all t and w ≥ 860, n = side², w | side, p = w, d = L = 1";
  static constexpr std::uint64_t least = 860;
  static constexpr bool least_takes_long = true;
  static constexpr std::uint64_t thousandths = 926;
  template <class N>
  static TaskOf<N> of(const N& w, const N& tiles, const N& t) {
    TaskOf<N> task = of_table("hybrid", w, w, w * tiles, N(1));
    task.sizes.add("t", t);
    return task;
  }
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of(w, w, w - N(1));
  }
};

/// Sides are two tiles long, so that few elements lie at an edge, where an element takes less than
/// five accesses.
struct TableByDiagonals : TablesByLatency {
  static constexpr std::string_view id = "A5.tight";
  static constexpr std::string_view source = "THS lemma 6.4.1";
  static constexpr std::string_view what = "4R1W costs";
  static constexpr std::string_view terms = "(5n + (2√n - 1)(L - 1))";
  static constexpr std::string_view domain = "all L, n = 90², p = 90, w = 45, d = 1";
  static constexpr std::uint64_t thousandths = 991;
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table("4R1W", N(45), N(90), N(90), L);
  }
};

}  // namespace bankproof::proofs
