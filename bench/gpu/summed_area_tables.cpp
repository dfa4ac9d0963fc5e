// Benchmarks of summed area tables of square matrices. THS 6.2 has tables of doubles.
#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../cuda/kernels/support/graph.hpp"
#include "../../oracles/summed_area_table.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

/// A matrix, its table, and the scratch memory.
template <class T>
struct Table {
  Table(std::size_t n, const TableOptions& of)
      : side(side_of(n)),
        options(of),
        a(filled<T>(side * side)),
        b(side * side),
        scratch(summed_area_table_scratch_bytes<T>(side, side, options)) {}

  void compute(cudaStream_t stream) {
    summed_area_table<T>(std::as_const(a).span(), b.data(), side, side, scratch.span(), options,
                         stream);
  }

  std::size_t side;
  TableOptions options;
  DeviceArray<T> a;
  DeviceArray<T> b;
  DeviceArray<std::byte> scratch;
};

/// Options, by the number of elements.
using OptionsOf = std::function<TableOptions(std::size_t n)>;

OptionsOf always(TableVariant variant) {
  return [=](std::size_t) { return TableOptions{.variant = variant}; };
}

/// (1+r)R1W for √r = sixteenths / 16. A triangle of t diagonals has about t²/2 of the m² tiles,
/// which have side 32, so both triangles together have the share r = t²/m².
OptionsOf hybrid(std::size_t sixteenths) {
  return [=](std::size_t n) {
    const std::size_t tiles = side_of(n) / 32;  // tiles per side
    return TableOptions{.variant = TableVariant::hybrid,
                        .triangle = std::max<std::size_t>(tiles * sixteenths / 16, 1)};
  };
}

/// A goal for `count` reads and writes of each element; `more` names other costs.
Goal accesses(double count, double target, double stretch, const std::string& more) {
  std::ostringstream limit;
  limit << count << " reads and writes of each element" << more;
  return {count / 2, target, stretch, limit.str()};
}

/// The target is 10% more than the floor, the stretch goal 5% more.
Goal accesses(double count, const std::string& more = "") {
  return accesses(count, count / 2 * 1.1, count / 2 * 1.05, more);
}

Goal diagonals() { return accesses(2, 1.5, 1.3, ", and a launch for each diagonal of tiles"); }

Goal of_hybrid(std::size_t sixteenths) {
  const double r = static_cast<double>(sixteenths * sixteenths) / 256;
  const double floor = (2 + r) / 2;
  return accesses(2 + r, floor * 1.15, floor * 1.08, ", and a launch for each diagonal between");
}

template <class T>
Benchmark table_row(const std::string& name, const OptionsOf& options, const Goal& goal) {
  return {.name = "summed_area_table_" + name,
          .element_bytes = sizeof(T),
          .goal = goal,
          .peer = {},
          .prepare = [options](std::size_t n) -> Run {
            const auto table = std::make_shared<Table<T>>(n, options(n));
            return [=] { table->compute(nullptr); };
          }};
}

/// The row of a table whose launches are recorded once, as a graph.
template <class T>
Benchmark graph_row(const std::string& name, const OptionsOf& options, const Goal& goal) {
  Benchmark made = table_row<T>(name, options, goal);
  made.prepare = [options](std::size_t n) -> Run {
    const auto table = std::make_shared<Table<T>>(n, options(n));
    const auto graph =
        std::make_shared<Graph>([&](cudaStream_t stream) { table->compute(stream); });
    return [=] {
      (void)table;  // keeps the arrays that the graph uses
      graph->launch();
    };
  };
  return made;
}

/// Four times the bytes of other rows: 32768² floats if the arrays of other rows have 2^30 bytes.
Benchmark of_32k(Benchmark made) {
  made.size = 4;
  return made;
}

Benchmark source_row(const std::string& name, const OptionsOf& options) {
  Benchmark made = table_row<double>(name, options, {});
  made.named_only = true;
  return made;
}

/// A run on one processor of the host (THS 6.6). Each run replaces the array by its table; the
/// input is zeros.
using TableOnHost = std::vector<double> (*)(std::vector<double>, std::uint64_t, std::uint64_t);
Benchmark host_row(const std::string& name, TableOnHost table) {
  Benchmark made = source_row(name, {});
  made.prepare = [table](std::size_t n) -> Run {
    const std::size_t side = side_of(n);
    const auto a = std::make_shared<std::vector<double>>(side * side);
    return [=] { *a = table(std::move(*a), side, side); };
  };
  made.on_host = true;
  return made;
}

}  // namespace

std::vector<Benchmark> benchmarks_of_summed_area_tables() {
  std::vector<Benchmark> rows = {
      table_row<float>("2r2w.float", always(TableVariant::r2w2), accesses(4)),
      table_row<float>("4r4w.float", always(TableVariant::r4w4), accesses(8)),
      table_row<float>("4r1w.float", always(TableVariant::r4w1),
                       accesses(5, ", and a launch for each diagonal")),
      table_row<float>("2r1w.float", always(TableVariant::r2w1), accesses(3)),
      of_32k(table_row<float>("1r1w.float", always(TableVariant::r1w1), diagonals())),
      of_32k(graph_row<float>("1r1w.graph.float", always(TableVariant::r1w1), diagonals())),
      table_row<float>("hybrid.float", hybrid(2), of_hybrid(2)),
      graph_row<float>("hybrid.graph.float", hybrid(2), of_hybrid(2)),
      table_row<float>("look_back.float", always(TableVariant::look_back), as_a_copy(1.08, 1.04)),
      table_row<double>("look_back.double", always(TableVariant::look_back), as_a_copy(1.08, 1.04)),
      source_row("2r2w.double", always(TableVariant::r2w2)),
      source_row("4r4w.double", always(TableVariant::r4w4)),
      source_row("4r1w.double", always(TableVariant::r4w1)),
      source_row("2r1w.double", always(TableVariant::r2w1)),
      source_row("1r1w.double", always(TableVariant::r1w1)),
      host_row("2r2w.host.double", oracle::summed_area_table_2r2w<double>),
      host_row("4r1w.host.double", oracle::summed_area_table_4r1w<double>)};
  for (std::size_t sixteenths = 1; sixteenths <= 10; ++sixteenths) {
    const std::string name = "hybrid.r" + std::to_string(sixteenths * sixteenths) + "of256.double";
    rows.push_back(source_row(name, hybrid(sixteenths)));
  }
  return rows;
}

}  // namespace bankproof::cuda::bench
