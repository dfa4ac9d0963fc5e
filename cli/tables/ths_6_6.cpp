// THS 6.6 (row A10): the r for which (1+r)R1W has the least global memory access cost, as n grows;
// the cost has all terms of the forms of the counts. The table compares these r with the best r of
// THS table 6.2, which were measured on a GPU.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sat_counts.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

constexpr std::uint64_t w = 32;

/// A row of table 6.2: the side of the matrix, milliseconds, and the best r.
struct Printed {
  std::uint64_t thousands;
  double two_reads;
  double one_read;
  double hybrid;  ///< 1.25R1W
  double r;
};
constexpr std::array<Printed, 13> table_6_2 = {{{1, 0.332, 0.902, 0.453, 0.168},
                                                {2, 0.850, 1.46, 1.05, 0.174},
                                                {3, 1.83, 2.43, 1.96, 0.172},
                                                {4, 3.09, 3.65, 3.25, 0.159},
                                                {5, 4.79, 5.05, 4.71, 0.136},
                                                {6, 6.78, 6.81, 6.41, 0.123},
                                                {7, 9.25, 8.71, 8.47, 0.0876},
                                                {8, 12.3, 10.9, 10.8, 0.103},
                                                {10, 18.9, 16.2, 16.5, 0.0963},
                                                {12, 27.2, 22.6, 23, 0.0710},
                                                {14, 36.8, 29.7, 31.2, 0.0835},
                                                {16, 48.7, 38, 40.7, 0.0694},
                                                {18, 61, 53.8, 57.6, 0.0725}}};

/// The cost of a variant, from its accesses to global memory and its intervals between barriers.
class Model {
 public:
  explicit Model(const std::string& variant) : variant_(variant) {
    const std::vector<TileSizes> sizes = sat_samples(variant);
    reads_ = sat_form(variant, sizes, &SatAccesses::reads);
    writes_ = sat_form(variant, sizes, &SatAccesses::writes);
    barriers_ = sat_form(variant, sizes, &SatAccesses::barriers);
  }
  double cost(const TileSizes& sizes, std::uint64_t L) const {
    const SatAccesses more = recursion_of_sat(variant_, sizes);
    const double accesses =
        reads_.value(sizes) + writes_.value(sizes) + static_cast<double>(more.reads + more.writes);
    const double barriers = barriers_.value(sizes) + static_cast<double>(more.barriers);
    return accesses / static_cast<double>(sizes.w) + (barriers + 1) * static_cast<double>(L - 1);
  }
  /// The t of least cost, from t = 2 on.
  TileSizes best(std::uint64_t T, std::uint64_t L) const {
    TileSizes best{T, w, 2};
    for (std::uint64_t t = 3; t < T; ++t) {
      if (cost({T, w, t}, L) < cost(best, L)) best.t = t;
    }
    return best;
  }

 private:
  std::string variant_;
  Polynomial reads_, writes_, barriers_;
};

double r_of(const TileSizes& sizes) {
  const double root = static_cast<double>(sizes.t) / static_cast<double>(sizes.T);
  return root * root;
}

}  // namespace

SourceTable table_ths_6_6() {
  SourceTable table{"THS:6.6",
                    "The best r of (1+r)R1W",
                    "cells: statements of THS 6.6, compared with the numbers of table 6.2 and with "
                    "the cost model; chart: the best r by the cost (C/w + S + (B + 1)(L − 1)), w = "
                    "32, where all accesses count as coalesced",
                    {},
                    {{"√n"}, {"best r"}, {}}};
  const std::string erratum = "THS 6.6";
  const Model hybrid("hybrid");
  const Model one_pass("1R1W");
  for (const Printed& row : table_6_2) {
    if (row.thousands < 5) continue;
    const bool fastest = row.hybrid < row.two_reads && row.hybrid < row.one_read;
    table.cells.push_back({fmt::format("table 6.2, {}K", row.thousands), "1.25R1W is fastest",
                           "yes", yes_or_no(fastest), fastest ? "" : erratum});
  }
  Series gpu{"table 6.2 (of a GPU)", {}};
  bool falls = true;
  for (const Printed& row : table_6_2) {
    falls = falls && (gpu.points.empty() || row.r < gpu.points.back().y);
    gpu.points.push_back({static_cast<double>(row.thousands * 1024), row.r});
  }
  table.cells.push_back({"table 6.2", "best r falls as n grows", "yes", yes_or_no(falls), erratum});

  constexpr std::uint64_t large = std::uint64_t{1} << 13;  // tiles a side
  for (const std::uint64_t L : {100U, 200U, 400U, 800U}) {
    Series line{fmt::format("L = {}", L), {}};
    bool model_falls = true;
    for (const Printed& row : table_6_2) {
      const double r = r_of(hybrid.best(row.thousands * 1024 / w, L));
      model_falls = model_falls && (line.points.empty() || r < line.points.back().y);
      line.points.push_back({static_cast<double>(row.thousands * 1024), r});
    }
    table.chart.lines.push_back(line);
    table.cells.push_back(
        {"cost, " + line.name, "best r falls as n grows", "yes", yes_or_no(model_falls), ""});
    const TileSizes best = hybrid.best(large, L);
    const bool wins = one_pass.cost({large, w, 0}, L) <= hybrid.cost(best, L);
    table.cells.push_back({"cost, " + line.name, "1R1W is best for large n", "yes", yes_or_no(wins),
                           wins ? "" : erratum, fmt::format("√n = 256K, t = {}", best.t)});
  }
  table.chart.lines.push_back(gpu);
  return table;
}

}  // namespace bankproof::cli
