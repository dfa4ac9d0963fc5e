// A table of the sources beside the values computed here, and the sweeps that go with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

struct TableCell {
  std::string row;
  std::string column;
  std::string printed;
  std::string here;       ///< computed by this program, with as many digits as printed
  std::string erratum;    ///< the entry of docs/errata.md that explains a difference
  std::string note = {};  ///< details that the source leaves out, such as smaller terms

  bool differs() const { return printed != here; }
};

/// The meaning of one axis of a chart.
struct Axis {
  std::string name;
  bool logarithmic = true;
};

struct Point {
  double x;
  double y;
};

/// A line of a chart.
struct Series {
  std::string name;
  std::vector<Point> points;
};

/// A marked place on the x axis, such as where two lines cross.
struct Mark {
  std::string name;
  double x;
};

/// A sweep over a letter that the sources draw, or only describe.
struct Chart {
  Axis x;
  Axis y;
  std::vector<Series> lines;  ///< empty: the table has no chart
  std::vector<Mark> marks = {};
};

struct SourceTable {
  std::string id;  ///< as in `--only`, for example THS:4.3
  std::string title;
  std::string how;  ///< how the cells and the points of the chart are computed
  std::vector<TableCell> cells;
  Chart chart = {};
  std::string reference = "printed";  ///< the heading of the values beside the computed ones
};

/// A table, not computed yet.
struct TableEntry {
  std::string_view id;
  SourceTable (*compute)();
  bool has_chart = false;
};

SourceTable table_bounds();
SourceTable table_conv_7_2();
SourceTable table_conv_7_22();
SourceTable table_conv_7_4();
SourceTable table_conv_7_6();
SourceTable table_conv_7_8();
SourceTable table_hmm_i();
SourceTable table_hmm_ii();
SourceTable table_mod_8_global();
SourceTable table_mod_8_shared();
SourceTable table_opt_3();
SourceTable table_opt_4();
SourceTable table_opt_5();
SourceTable table_opt_6();
SourceTable table_opt_i();
SourceTable table_opt_iv();
SourceTable table_opt_vi();
SourceTable table_ths_4_1();
SourceTable table_ths_4_3();
SourceTable table_ths_5_1();
SourceTable table_ths_5_2();
SourceTable table_ths_5_3();
SourceTable table_ths_6_1();
SourceTable table_ths_6_6();

/// The cell of a statement that is true or false.
inline std::string yes_or_no(bool holds) { return holds ? "yes" : "no"; }

/// All tables, in the order of the sources, then our own. There is no other list.
inline constexpr TableEntry source_tables[] = {{"CONV:7.2", table_conv_7_2},
                                               {"CONV:7.4", table_conv_7_4},
                                               {"CONV:7.6", table_conv_7_6},
                                               {"CONV:7.8", table_conv_7_8},
                                               {"CONV:7.22", table_conv_7_22},
                                               {"HMM:I", table_hmm_i},
                                               {"HMM:II", table_hmm_ii, true},
                                               {"MOD:8-shared", table_mod_8_shared, true},
                                               {"MOD:8-global", table_mod_8_global, true},
                                               {"OPT:I", table_opt_i},
                                               {"OPT:3", table_opt_3, true},
                                               {"OPT:4", table_opt_4, true},
                                               {"OPT:5", table_opt_5, true},
                                               {"OPT:6", table_opt_6, true},
                                               {"OPT:IV", table_opt_iv, true},
                                               {"OPT:VI", table_opt_vi, true},
                                               {"THS:4.1", table_ths_4_1},
                                               {"THS:4.3", table_ths_4_3},
                                               {"THS:5.1", table_ths_5_1},
                                               {"THS:5.2", table_ths_5_2},
                                               {"THS:5.3", table_ths_5_3},
                                               {"THS:6.1", table_ths_6_1, true},
                                               {"THS:6.6", table_ths_6_6, true},
                                               {"bounds", table_bounds}};

}  // namespace bankproof::cli
