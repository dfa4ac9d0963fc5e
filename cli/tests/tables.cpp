// Tables of the sources: a cell that differs from the printed one is marked, and makes `tables`
// fail unless an erratum explains it. Also tests the tools that compute tables: the growth of
// times, and the forms of counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/sum.hpp"
#include "../tables/growth.hpp"
#include "../tables/limits.hpp"
#include "../tables/polynomial.hpp"
#include "../tables/sat_counts.hpp"
#include "../tables/table.hpp"
#include "../tables/table_formats.hpp"

namespace bankproof::cli {
namespace {

using ::testing::HasSubstr;

SourceTable table_of(const TableCell& cell) { return {"X:1", "A table", "made up", {cell}}; }

TEST(SourceTables, mark_cells_that_differ) {
  const auto same = std::vector{table_of({"row", "column", "1", "1", ""})};
  EXPECT_THAT(as_text(same), HasSubstr("All 1 cells are as printed."));
  EXPECT_FALSE(has_unexplained(same));

  const auto other = std::vector{table_of({"row", "column", "1", "2", ""})};
  EXPECT_THAT(as_text(other), HasSubstr("row  column  1        2     ≠\n"));
  EXPECT_THAT(as_text(other), HasSubstr("1 of 1 cells differ."));
  EXPECT_TRUE(has_unexplained(other));
  EXPECT_TRUE(nlohmann::json::parse(as_json(other))["tables"][0]["cells"][0]["differs"]);

  const auto known = std::vector{table_of({"row", "column", "1", "2", "X 1"})};
  EXPECT_THAT(as_text(known), HasSubstr("≠ docs/errata.md: X 1"));
  EXPECT_FALSE(has_unexplained(known));
}

/// A table with a chart of two lines; only one x has a point of both lines.
SourceTable table_with_chart() {
  SourceTable table = table_of({"row", "a, b", "1", "1", "", "say \"so\""});
  table.chart = {{"n"},
                 {"time", false},
                 {{"one", {{1, 10}, {2, 2.5}}}, {"a < b", {{2, 4}, {4, 8}}}},
                 {{"here", 3}}};
  return table;
}

TEST(SourceTables, as_text_have_a_column_for_each_line_of_a_chart) {
  EXPECT_THAT(as_text({table_with_chart()}),
              HasSubstr("  time:\n\n  n  one  a < b\n  1   10\n  2  2.5      4\n"
                        "  4           8\n\n  n = 3: here\n"));
}

TEST(SourceTables, as_csv_have_a_line_for_each_cell_and_point) {
  EXPECT_EQ(as_csv({table_with_chart()}),
            "table,row,column,printed,here,erratum,note\n"
            "X:1,row,\"a, b\",1,1,,\"say \"\"so\"\"\"\n"
            "X:1,1,one,,10,,\nX:1,2,one,,2.5,,\n"
            "X:1,2,a < b,,4,,\nX:1,4,a < b,,8,,\n");
}

TEST(SourceTables, as_json_have_their_chart) {
  const auto json = nlohmann::json::parse(as_json({table_with_chart()}))["tables"][0];
  EXPECT_EQ(json["cells"][0]["note"], "say \"so\"");
  EXPECT_EQ(json["chart"]["x"], "n");
  EXPECT_EQ(json["chart"]["lines"][1]["points"], nlohmann::json::parse("[[2.0, 4.0], [4.0, 8.0]]"));
  EXPECT_EQ(json["chart"]["marks"][0]["x"], 3);
}

TEST(SourceTables, as_svg_draw_their_lines_where_the_axes_say) {
  const std::string svg = as_svg(table_with_chart());
  // On a logarithmic axis, 1, 2 and 4 are equally far apart; the linear axis goes from 0 to 10.
  EXPECT_THAT(svg, HasSubstr("<polyline points=\"110.0,50.0 370.0,297.5\""));
  EXPECT_THAT(svg, HasSubstr("<polyline points=\"370.0,248.0 630.0,116.0\""));
  EXPECT_THAT(svg, HasSubstr(">a &lt; b</text>"));
  EXPECT_THAT(svg, HasSubstr(">n = 3: here</text>"));
}

Task summing(std::uint64_t n, std::uint64_t p) {
  return with({"pairwise", Sizes(Sum::size_keys), {.machine = MachineKind::umm, .w = 4, .l = 8}},
              {{'n', n}, {'p', p}});
}

TEST(Growth, of_terms_is_read_evaluated_and_written) {
  const Task task = summing(1 << 10, 16);
  for (const char* text : {"n/w", "nl/p", "l log n", "n²l/(wp)", "1", "n³"}) {
    EXPECT_EQ(Growth(text).text(), text);
  }
  EXPECT_EQ(Growth("n/w").value(task), 256);
  EXPECT_EQ(Growth("n²l/(wp)").value(task), (1 << 20) * 8 / (4 * 16));
  EXPECT_EQ(Growth("l log n").value(task), 80);
  EXPECT_THROW(Growth("n/q"), std::invalid_argument);
}

TEST(Growth, measured_is_that_of_the_quantity_and_of_no_other) {
  const auto measured = [](std::string_view term, char log) {
    const auto value = [&](const Task& task) { return 3 * Growth(term).value(task); };
    return Growth::measured(value, summing(1 << 10, 16), "nwlp", log).text();
  };
  EXPECT_EQ(measured("nl/(wp)", 0), "nl/(wp)");
  EXPECT_EQ(measured("l log n", 'n'), "l log n");
  EXPECT_EQ(measured("1", 0), "1");
  // Other growths: a square root, and the square of a logarithm.
  const auto root = [](const Task& task) { return std::sqrt(Growth("nl").value(task)); };
  EXPECT_EQ(Growth::measured(root, summing(1 << 10, 16), "nl", 0).text(), "n^0.50l^0.50");
  const auto squared = [](const Task& task) {
    return Growth("log n").value(task) * Growth("log n").value(task);
  };
  EXPECT_EQ(Growth::measured(squared, summing(1 << 10, 16), "n", 'n').text(), "log^2.00 n");
}

TEST(Limits, that_a_time_falls_below_are_no_limits) {
  const Task task = summing(1 << 10, 16);
  const LimitRow row{"half",
                     [](const Task& one) { return Growth("n/w").value(one) / 2; },
                     "nw",
                     {{"bandwidth", "n/w", task}, {"latency", "1", task}}};
  std::vector<TableCell> cells;
  row.append_limits(cells, {task});
  EXPECT_EQ(cells[0].here, "a time of 0.50 times n/w");
  EXPECT_EQ(cells[1].here, "n/w");  // the time grows as n/w, not as 1
  EXPECT_TRUE(cells[1].differs());
  const auto tasks = grid(task, {{'n', {4, 8}}, {'w', {2, 4}}},
                          [](const Task& one) { return letter_of(one, 'n') > 4; });
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_DOUBLE_EQ(row.extremes(tasks).x, 1.0 / 3);  // w = 4: 1/(2 + 1)
  EXPECT_DOUBLE_EQ(row.extremes(tasks).y, 2.0 / 5);  // w = 2: 2/(4 + 1)
}

TEST(Polynomials, of_samples_are_exact_or_refused) {
  const auto samples = [](auto of) {
    std::vector<Sample> all;
    for (std::uint64_t T = 4; T <= 7; ++T) {
      for (std::uint64_t t = 1; t < T; ++t) {
        for (std::uint64_t w = 2; w <= 5; ++w) {
          const TileSizes sizes{T, w, t};
          all.push_back(
              {sizes, of(static_cast<double>(T), static_cast<double>(w), static_cast<double>(t))});
        }
      }
    }
    return all;
  };
  const Polynomial form = polynomial_of(samples([](double T, double w, double t) {
    return 1.25 * T * T * w * w + t * t * w * w - T * w + t * w * w - 2 * T + 3;
  }));
  EXPECT_EQ(form.text(), "1.25n + rn + w√r √n − √n − 2√n/w + 3");
  EXPECT_EQ(form.text(2), "1.25n + rn");
  EXPECT_EQ(form.leading(), 1.25);
  EXPECT_EQ(form.leading(2), 1);
  EXPECT_EQ(form.value({4, 2, 1}), 1.25 * 64 + 4 - 8 + 4 - 8 + 3);
  EXPECT_THROW(polynomial_of(samples([](double T, double, double) { return T * T * T; })),
               std::logic_error);
  EXPECT_THROW(polynomial_of({{{2, 2}, 4}}), std::logic_error);
}

/// The form must hold for other sizes. If the variant recurses at a size, the closed form of the
/// accesses that the recursion adds is added to the form.
void expect_form(std::string_view variant, const std::vector<TileSizes>& others) {
  const std::vector<TileSizes> sizes = sat_samples(variant);
  for (std::uint64_t SatAccesses::*count :
       {&SatAccesses::reads, &SatAccesses::writes, &SatAccesses::shared_reads,
        &SatAccesses::shared_writes, &SatAccesses::barriers}) {
    const Polynomial form = sat_form(variant, sizes, count);
    for (const TileSizes& other : others) {
      const auto more = static_cast<double>(recursion_of_sat(variant, other).*count);
      EXPECT_EQ(form.value(other) + more, static_cast<double>(count_sat(variant, other).*count));
    }
  }
}

TEST(SatCounts, have_forms_that_hold_for_other_sizes) {
  expect_form("1R1W", {{12, 3}, {7, 16}});
  expect_form("2R1W", {{7, 16}, {12, 3}, {20, 4}, {18, 2}});
  expect_form("hybrid", {{11, 16, 5}, {9, 3, 4}, {12, 3, 7}, {20, 4, 19}, {20, 2, 15}});
}

}  // namespace
}  // namespace bankproof::cli
