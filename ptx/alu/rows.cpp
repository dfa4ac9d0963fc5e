// Makes the table of all rows, once per level, and looks up rows in the table.
#include <algorithm>
#include <unordered_map>

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
                         add_packed_conversions}) {
    add(table);
  }
  return table.take();
}

/// The rows of each opcode; the form with the fewest destinations comes first.
using Forms = std::unordered_map<std::string_view, std::vector<const Row*>>;

Forms forms_of(Level level) {
  Forms forms;
  for (const Row& row : rows(level)) forms[row.opcode].push_back(&row);
  for (auto& [name, list] : forms) {
    std::sort(list.begin(), list.end(), [](const Row* a, const Row* b) {
      return a->destinations.size() < b->destinations.size();
    });
  }
  return forms;
}

}  // namespace

std::span<const Row> rows(Level level) {
  static const std::vector<Row> portable = make_rows(Level::portable);
  static const std::vector<Row> avx2 = make_rows(Level::avx2);
  return level == Level::avx2 ? avx2 : portable;
}

const Row* find_row(std::string_view opcode, std::size_t destinations, Level level) {
  static const Forms portable = forms_of(Level::portable);
  static const Forms avx2 = forms_of(Level::avx2);
  const Forms& forms = level == Level::avx2 ? avx2 : portable;
  const auto found = forms.find(opcode);
  if (found == forms.end()) return nullptr;
  for (const Row* row : found->second) {
    const std::size_t written = row->destinations.size() - (row->carry_out ? 1 : 0);
    if (destinations == 0 || written == destinations) return row;
  }
  return nullptr;
}

}  // namespace bankproof::ptx
