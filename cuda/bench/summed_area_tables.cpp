// Benchmarks of summed area tables, of square matrices. Targets are those of the project for an
// H200.
#include <memory>

#include "../graph.hpp"
#include "../summed_area_table.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

/// A matrix, its table, and what computing it needs.
template <class T>
struct Table {
  Table(std::size_t n, const TableOptions& of)
      : side(side_of(n)),
        options(of),
        a(filled<T>(side * side)),
        b(side * side),
        workspace(summed_area_table_workspace_bytes<T>(side, side, options)) {}

  void compute(cudaStream_t stream) {
    summed_area_table<T>(std::as_const(a).span(), b.data(), side, side, workspace.span(), options,
                         stream);
  }

  std::size_t side;
  TableOptions options;
  DeviceArray<T> a;
  DeviceArray<T> b;
  DeviceArray<std::byte> workspace;
};

/// Over the time of a copy of the same bytes: the least that its accesses allow, and what to reach.
struct Goal {
  double floor = 0;
  double target = 0;
};

template <class T>
Benchmark row(const std::string& name, const TableOptions& options, const Goal& goal) {
  return {.name = name,
          .element_bytes = sizeof(T),
          .floor = goal.floor,
          .target = goal.target,
          .peer = {},
          .prepare = [options](std::size_t n) -> Run {
            const auto table = std::make_shared<Table<T>>(n, options);
            return [=] { table->compute(nullptr); };
          }};
}

/// The same as a graph, whose launches are made once.
template <class T>
Benchmark graph_row(const std::string& name, const TableOptions& options, const Goal& goal) {
  Benchmark made = row<T>(name, options, goal);
  made.prepare = [options](std::size_t n) -> Run {
    const auto table = std::make_shared<Table<T>>(n, options);
    const auto graph =
        std::make_shared<Graph>([&](cudaStream_t stream) { table->compute(stream); });
    return [=] {
      (void)table;  // the graph has its addresses
      graph->launch();
    };
  };
  return made;
}

}  // namespace

std::vector<Benchmark> benchmarks_of_summed_area_tables() {
  const auto way = [](TableWay of) { return TableOptions{.way = of}; };
  return {
      row<float>("summed_area_table_2r2w.float", way(TableWay::r2w2), {2, 2.2}),
      row<float>("summed_area_table_4r4w.float", way(TableWay::r4w4), {4, 4.4}),
      row<float>("summed_area_table_4r1w.float", way(TableWay::r4w1), {2.5, 2.75}),
      row<float>("summed_area_table_2r1w.float", way(TableWay::r2w1), {1.5, 1.65}),
      row<float>("summed_area_table_1r1w.float", way(TableWay::r1w1), {1, 1.5}),
      graph_row<float>("summed_area_table_1r1w.graph.float", way(TableWay::r1w1), {1, 1.5}),
      row<float>("summed_area_table_hybrid.float", way(TableWay::hybrid), {}),
      graph_row<float>("summed_area_table_hybrid.graph.float", way(TableWay::hybrid), {}),
      row<float>("summed_area_table_look_back.float", way(TableWay::look_back), {1, 1.08}),
      row<double>("summed_area_table_look_back.double", way(TableWay::look_back), {1, 1.08}),
  };
}

}  // namespace bankproof::cuda::bench
