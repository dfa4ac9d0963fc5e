// Tables of the sources: a cell that differs is marked, and counts unless an erratum says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

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

TEST(SourceTables, reproduce_every_cell) {
  std::set<std::string> ids;
  for (const TableEntry& entry : source_tables) {
    const SourceTable table = entry.compute();
    EXPECT_EQ(table.id, entry.id);
    EXPECT_TRUE(ids.insert(table.id).second);
    EXPECT_FALSE(table.cells.empty());
    for (const TableCell& cell : table.cells) {
      if (!cell.erratum.empty()) {
        EXPECT_TRUE(cell.differs()) << table.id << ": an erratum that is none";
        continue;
      }
      EXPECT_EQ(cell.here, cell.printed) << table.id << ", " << cell.row << ", " << cell.column;
    }
  }
}

}  // namespace
}  // namespace bankproof::cli
