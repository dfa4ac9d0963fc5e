// See dimensions.hpp.
#include "dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bankproof::cli {
namespace {

/// Includes the dimension of rows if their number depends on a size, even if there is just one row.
template <class ShapeOf>
Dimensions dimensions_of(const AlgorithmEntry& algorithm, const Task& task, ShapeOf shape_of) {
  const Shape shape = shape_of(task);
  const bool has_rows = std::ranges::any_of(algorithm.size_keys, [&](const SizeKey& key) {
    Task changed = task;
    changed.sizes.set(key.name, task.sizes[key.name] + 1);
    return shape_of(changed).rows != shape.rows;
  });
  Dimensions dimensions = {shape.columns};
  if (has_rows) dimensions.insert(dimensions.begin(), shape.rows);
  if (shape.channels > 1) dimensions.push_back(shape.channels);
  return dimensions;
}

}  // namespace

Dimensions output_dimensions(const AlgorithmEntry& algorithm, const Task& task) {
  return dimensions_of(algorithm, task, algorithm.output);
}

std::vector<Dimensions> input_dimensions(const AlgorithmEntry& algorithm, const Task& task) {
  std::vector<Dimensions> all;
  for (std::size_t k = 0; k < algorithm.inputs(task).size(); ++k) {
    all.push_back(dimensions_of(algorithm, task,
                                [&](const Task& other) { return algorithm.inputs(other)[k]; }));
  }
  return all;
}

std::string elements_text(const Dimensions& dimensions) {
  const bool one = std::ranges::all_of(dimensions, [](std::uint64_t side) { return side == 1; });
  return fmt::format("{} element{}", fmt::join(dimensions, " x "), one ? "" : "s");
}

std::string place_text(const Dimensions& dimensions, std::uint64_t k) {
  Dimensions place(dimensions.size());
  for (std::size_t side = dimensions.size(); side-- > 0; k /= dimensions[side]) {
    place[side] = k % dimensions[side];
  }
  return fmt::format("{}", fmt::join(place, ", "));
}

}  // namespace bankproof::cli
