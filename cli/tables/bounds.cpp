// Shows how near algorithms come to their upper bounds. A family of proofs/theorems/families/ is a
// sequence of tasks whose times approach a bound; this code measures, on the machine of the task,
// the largest task of each family that can run.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../../proofs/theorems/families/replay.hpp"
#include "table.hpp"

namespace bankproof::cli {
namespace {

std::string words_of(const Sizes& sizes) {
  std::string words;
  for (const auto& [name, value] : sizes) {
    words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", name, value);
  }
  return words;
}

template <class Family>
TableCell cell_of() {
  const proofs::Replayed replayed = proofs::replay_largest<Family>();
  const auto thousandths = [](std::uint64_t number) {
    return fmt::format("{}.{:03}", number / 1000, number % 1000);
  };
  return {.row = std::string(Family::row.id),
          .column = (Family::row.factor == 1 ? "" : std::to_string(Family::row.factor)) +
                    std::string(Family::row.terms),
          .printed = thousandths(Family::row.thousandths),
          .here = thousandths(static_cast<std::uint64_t>(std::floor(1000 * replayed.ratio()))),
          .erratum = {},
          .note = fmt::format("{}; more than {:.2f}: {}", words_of(replayed.task.sizes),
                              0.99 * static_cast<double>(Family::row.factor), Family::row.domain)};
}

}  // namespace

SourceTable table_bounds() {
  SourceTable table{
      "bounds",
      "Upper bounds, and how near to their constants times come",
      "each row names a theorem: in the domain behind the cell, the ratio of the time to the terms "
      "is more than 0.99 times the constant. Each cell is this ratio for the largest member of the "
      "family that runs in a second, measured on its machine in the mode of the theorem",
      {}};
  table.reference = "stated";
  proofs::for_each_family([&]<class Family>(Family) { table.cells.push_back(cell_of<Family>()); });
  return table;
}

}  // namespace bankproof::cli
