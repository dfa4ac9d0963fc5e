// Makes the table of all rows, once per level, and looks up rows in the table.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "row.hpp"
#include "table.hpp"

namespace bankproof::ptx {

namespace {

std::vector<Row> make_rows(Level level) {
  using namespace lanes;
  Table table(level);
  for (const auto add : {add_moves,
                         add_integers,
                         add_products,
                         add_carries,
                         add_bits,
                         add_shifts,
                         add_bytes,
                         add_comparisons,
                         add_sets,
                         add_floats,
                         add_directed,
                         add_extremes,
                         add_approximations,
                         add_halves,
                         add_half_comparisons,
                         add_integer_conversions,
                         add_conversions_to_floats,
                         add_conversions_to_integers,
                         add_float_conversions,
                         add_packed_conversions,
                         add_fp8_conversions}) {
    add(table);
  }
  return table.take();
}

/// All rows by opcode; of one opcode, the form with the fewest destinations comes first.
std::vector<const Row*> sorted_rows(Level level) {
  std::vector<const Row*> sorted;
  const std::span<const Row> all = rows(level);
  sorted.reserve(all.size());
  for (const Row& row : all) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const Row* a, const Row* b) {
    const int order = a->opcode.compare(b->opcode);
    return order != 0 ? order < 0 : a->destinations.size() < b->destinations.size();
  });
  return sorted;
}

}  // namespace

// The rows of a level are made when they are first asked for.
std::span<const Row> rows(Level level) {
  if (level == Level::avx2) {
    static const std::vector<Row> avx2 = make_rows(Level::avx2);
    return avx2;
  }
  static const std::vector<Row> portable = make_rows(Level::portable);
  return portable;
}

namespace {

const std::vector<const Row*>& sorted_rows_of(Level level) {
  if (level == Level::avx2) {
    static const auto avx2 = sorted_rows(Level::avx2);
    return avx2;
  }
  static const auto portable = sorted_rows(Level::portable);
  return portable;
}

}  // namespace
const Row* row_of(Step step) {
  static const std::unordered_map<Step, const Row*> found = [] {
    std::unordered_map<Step, const Row*> all;
    for (const Level level : {Level::portable, best_level()}) {
      for (const Row& row : rows(level)) all.emplace(row.step, &row);
    }
    return all;
  }();
  const auto row = found.find(step);
  return row == found.end() ? nullptr : row->second;
}

const Row* find_row(std::string_view opcode, std::size_t destinations, Level level) {
  const std::vector<const Row*>& sorted = sorted_rows_of(level);
  auto found =
      std::lower_bound(sorted.begin(), sorted.end(), opcode,
                       [](const Row* row, std::string_view name) { return row->opcode < name; });
  for (; found != sorted.end() && (*found)->opcode == opcode; ++found) {
    const Row* const row = *found;
    const std::size_t written = row->destinations.size() - (row->carry_out ? 1 : 0);
    if (destinations == 0 || written == destinations) return row;
  }
  return nullptr;
}

}  // namespace bankproof::ptx
