// A table of the sources, printed beside what is computed here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

struct TableCell {
  std::string row;
  std::string column;
  std::string printed;
  std::string here;     ///< computed by this program, as many digits as printed
  std::string erratum;  ///< where they differ: what docs/errata.md has of it

  bool differs() const { return printed != here; }
};

struct SourceTable {
  std::string id;  ///< as `--only` takes it, for example THS:4.3
  std::string title;
  std::string how;  ///< how the cells come about
  std::vector<TableCell> cells;
};

/// A table that can be computed.
struct TableEntry {
  std::string_view id;
  SourceTable (*compute)();
};

SourceTable table_conv_7_22();
SourceTable table_ths_4_1();
SourceTable table_ths_4_3();
SourceTable table_ths_5_1();
SourceTable table_ths_5_3();

/// All of them, in the order of the sources; the one list.
inline constexpr TableEntry source_tables[] = {{"CONV:7.22", table_conv_7_22},
                                               {"THS:4.1", table_ths_4_1},
                                               {"THS:4.3", table_ths_4_3},
                                               {"THS:5.1", table_ths_5_1},
                                               {"THS:5.3", table_ths_5_3}};

}  // namespace bankproof::cli
