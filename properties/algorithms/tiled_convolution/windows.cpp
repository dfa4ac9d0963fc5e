// An element of P is computed from a window of N around it, without the rows and columns that N
// does not have (row K11; CONV figures 7.4 and 7.5). The tests watch which elements the threads
// read.
//
// Example: with a mask of 5 × 5, P(2,2) reads N(0…4, 0…4); P(1,0) lacks one row and two columns, 13
// of its 25 terms.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../../testing/algorithms.hpp"
#include "../../../testing/canary.hpp"

namespace bankproof {
namespace {

using testing::any;
using Words = std::vector<std::uint64_t>;
using Places = std::multiset<std::uint64_t>;

/// Records what a thread has read of N when it writes an element of P.
class Windows : public Observer {
 public:
  void launch_begins(const LaunchEvent& event) override { threads_ = event.launch.threads; }
  void accessed(const AccessEvent& event) override {
    for_each_lane(event.access.mask, [&](Width lane) {
      const std::uint64_t thread =
          event.warp.block() * threads_ + event.warp.index() * event.warp.width() + lane;
      if (event.array().name() == "N") read_[thread].insert(event.index(lane));
      if (event.array().name() == "P") {
        of_[event.index(lane)] = std::exchange(read_[thread], Places());
      }
    });
  }
  const Places& of(std::uint64_t word) const { return of_.at(word); }

 private:
  std::uint64_t threads_ = 0;
  std::map<std::uint64_t, Places> read_;
  std::map<std::uint64_t, Places> of_;
};

/// An image without padding, with one channel and zeros around it.
struct Image {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t radius;

  Task task(std::string_view variant) const {
    return testing::task_of<TiledConvolution>(
        variant, {.w = 4, .l = 2, .L = 9, .d = 2, .p = 16},
        {{"rows", rows}, {"columns", columns}, {"v", radius}, {"t", 3}, {"padded", 0}});
  }
  Words convolved(std::string_view variant, const Words& n, const Words& m,
                  const std::vector<Observer*>& observers = {}) const {
    return testing::run_task<TiledConvolution, std::uint64_t>(
               task(variant), testing::in(Mode::lockstep), {n, m}, observers)
        .values;
  }
};

/// N has the values 0, 1, 2, …, and M has the values 1, 2, 3, ….
Words numbers_from(std::uint64_t first, std::uint64_t count) {
  Words words(count);
  for (std::uint64_t k = 0; k < count; ++k) words[k] = first + k;
  return words;
}

TEST(TiledConvolution, of_CONV_figures_7_4_and_7_5_sums_the_product_arrays) {
  // Σ (7s + u)(5s + u + 1) over 0 ≤ s, u ≤ 4; and Σ (7a + b)(5a + b + 8) over 0 ≤ a ≤ 3, 0 ≤ b ≤ 2.
  const Image image{7, 7, 2};
  for (const std::string_view variant : {"2d-basic", "2d-constant", "2d-tiled"}) {
    const Words p = image.convolved(variant, numbers_from(0, 49), numbers_from(1, 25));
    EXPECT_EQ(p[2 * 7 + 2], 7000U) << variant;
    EXPECT_EQ(p[1 * 7 + 0], 2810U) << variant;
  }
}

TEST(TiledConvolution, of_CONV_figures_7_4_and_7_5_reads_5_by_5_and_4_by_3_elements) {
  for (const std::string_view variant : {"2d-basic", "2d-constant"}) {
    Windows windows;
    Image{7, 7, 2}.convolved(variant, Words(49), Words(25), {&windows});
    EXPECT_EQ(windows.of(2 * 7 + 2), (Places{0,  1,  2,  3,  4,  7,  8,  9,  10, 11, 14, 15, 16,
                                             17, 18, 21, 22, 23, 24, 25, 28, 29, 30, 31, 32}));
    EXPECT_EQ(windows.of(1 * 7 + 0), (Places{0, 1, 2, 7, 8, 9, 14, 15, 16, 21, 22, 23}));
  }
}

/// The number of rows (or columns) of the window around `at` that lie outside an image with
/// `length` rows.
std::uint64_t missing(std::uint64_t at, std::uint64_t length, std::uint64_t radius) {
  return minus_or_zero(radius, at) + minus_or_zero(at + radius + 1, length);
}

/// Each P(i, j) reads N(i − v … i + v, j − v … j + v), moved by (shift, shift), except elements
/// outside N.
void windows_are_around_their_pixels(const Image& image, std::string_view variant,
                                     std::uint64_t shift) {
  const auto [rows, columns, v] = image;
  const std::uint64_t side = 2 * v + 1;
  Windows windows;
  image.convolved(variant, Words(rows * columns), Words(side * side), {&windows});
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      Places expected;
      for (std::uint64_t y = 0; y < rows; ++y) {
        for (std::uint64_t x = 0; x < columns; ++x) {
          const bool near_row = y + v >= i + shift && y <= i + v + shift;
          const bool near_column = x + v >= j + shift && x <= j + v + shift;
          if (near_row && near_column) expected.insert(y * columns + x);
        }
      }
      const Places& window = windows.of(i * columns + j);
      RC_ASSERT(window == expected);
      RC_ASSERT(window.size() == (side - missing(i, rows, v)) * (side - missing(j, columns, v)));
    }
  }
}

/// Images that may be smaller than the mask.
Image any_image() {
  const std::uint64_t v = any(0, 3);
  return {any(1, 9), any(1, 9), v};
}

BANKPROOF_PROPERTY(TiledConvolution, of_images_takes_the_windows_of_CONV_figures_7_4_and_7_5, ()) {
  const Image image = any_image();
  windows_are_around_their_pixels(image, "2d-basic", 0);
  windows_are_around_their_pixels(image, "2d-constant", 0);
}

TEST(Canary, windows_that_begin_one_further_are_caught) {
  EXPECT_TRUE(
      testing::caught([] { windows_are_around_their_pixels(any_image(), "2d-constant", 1); }));
}

}  // namespace
}  // namespace bankproof
