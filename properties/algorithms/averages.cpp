// Tests averages, which need division. Blurs have masks whose weights are fractions (OPT III, CONV
// 7.8, exercise 3); the means of rectangles come from summed area tables (THS 6). The tests compute
// with exact fractions, so results must be equal, not close.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../testing/property.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof {
namespace {

using testing::Fraction;
using testing::TestedVariant;
using Fractions = std::vector<Fraction>;

std::int64_t any_mask(std::int64_t least, std::int64_t most) {
  return *rc::gen::inRange(least, most + 1);
}

template <class A>
TestedVariant any_variant() {
  return *rc::gen::elementOf(testing::tested_variants<A>());
}

/// Whole numbers from 0 to 255, like pixels.
Fractions any_image(std::uint64_t size) {
  Fractions image(size);
  for (Fraction& value : image) value = {any_mask(0, 255)};
  return image;
}

/// The mean of `count` numbers with this sum.
Fraction mean(std::int64_t sum, std::uint64_t count) {
  return Fraction::reduced(sum, static_cast<std::int64_t>(count));
}

/// Convolves the image with a mask whose weights are equal and add up to 1.
template <class A>
Fractions blurred(const Task& task, Mode mode, const Fractions& image) {
  const std::uint64_t size = A::inputs(task)[1].size();
  const Fractions weights(size, mean(1, size));
  return testing::run_task<A, Fraction>(task, testing::in(mode), {image, weights}).values;
}

/// The mean of the pixels at most v away; pixels beyond the edge count as 0.
Fraction mean_around(const Fractions& image, std::int64_t rows, std::int64_t columns,
                     std::int64_t row, std::int64_t column, std::int64_t v) {
  std::int64_t sum = 0;
  for (std::int64_t i = row - v; i <= row + v; ++i) {
    for (std::int64_t j = column - v; j <= column + v; ++j) {
      if (i < 0 || i >= rows || j < 0 || j >= columns) continue;
      sum += image[static_cast<std::size_t>(i * columns + j)].numerator;
    }
  }
  return mean(sum, static_cast<std::uint64_t>((2 * v + 1) * (2 * v + 1)));
}

BANKPROOF_PROPERTY(Averages, are_the_results_of_weights_that_add_up_to_one, ()) {
  const TestedVariant tested = any_variant<ImageConvolution>();
  const Task task = *testing::any_task<ImageConvolution>(tested);
  const auto rows = static_cast<std::int64_t>(task.sizes["rows"]);
  const auto columns = static_cast<std::int64_t>(task.sizes["columns"]);
  const Fractions image = any_image(static_cast<std::uint64_t>(rows * columns));
  const Fractions result = blurred<ImageConvolution>(task, tested.mode, image);
  for (std::int64_t k = 0; k < rows * columns; ++k) {
    RC_ASSERT(result[static_cast<std::size_t>(k)] ==
              mean_around(image, rows, columns, k / columns, k % columns,
                          static_cast<std::int64_t>(task.sizes["v"])));
  }
}

/// If ghost cells repeat their nearest neighbor, a constant image stays constant. With rounded
/// weights the sums would differ.
BANKPROOF_PROPERTY(Averages, of_constant_images_are_constant, ()) {
  const TestedVariant tested = any_variant<TiledConvolution>();
  Task task = *testing::any_task<TiledConvolution>(tested);
  task.sizes.set("nearest", 1);
  const Fraction value = mean(any_mask(1, 1000), 7);
  const Fractions image(TiledConvolution::inputs(task)[0].size(), value);
  RC_ASSERT(blurred<TiledConvolution>(task, tested.mode, image) == image);
}

/// The table is exact for fractions, too.
BANKPROOF_PROPERTY(Averages, of_rectangles_come_from_four_entries_of_a_table, ()) {
  const TestedVariant tested = any_variant<SummedAreaTable>();
  const Task task = *testing::any_task<SummedAreaTable>(tested);
  const std::uint64_t rows = task.sizes["rows"];
  const std::uint64_t columns = task.sizes["columns"];
  Fractions elements = any_image(rows * columns);
  for (Fraction& element : elements) element = mean(element.numerator, 255);
  const Fractions table =
      testing::run_task<SummedAreaTable, Fraction>(task, testing::in(tested.mode), {elements})
          .values;
  const auto bottom = *rc::gen::inRange<std::uint64_t>(0, rows);
  const auto right = *rc::gen::inRange<std::uint64_t>(0, columns);
  const auto top = *rc::gen::inRange<std::uint64_t>(0, bottom + 1);
  const auto left = *rc::gen::inRange<std::uint64_t>(0, right + 1);
  Fraction sum;
  for (std::uint64_t i = top; i <= bottom; ++i) {
    for (std::uint64_t j = left; j <= right; ++j) sum += elements[i * columns + j];
  }
  const Fraction one_of_area = mean(1, (bottom - top + 1) * (right - left + 1));
  RC_ASSERT(rectangle_sum(table, columns, top, left, bottom, right) * one_of_area ==
            sum * one_of_area);
}

}  // namespace
}  // namespace bankproof
