// One run of each convolution kernel: more than one warp per block, a tile that crosses the edge,
// and a halo wider than a block.
#include "../../../cuda/kernels/convolution/convolution.hpp"
#include "../../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../oracles/convolution.hpp"
#include "../../../oracles/ghost_cells.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// Whether call(in, mask, out) leaves the expected result in `out`.
template <class T, class Call>
bool gives(const std::vector<T>& in, const std::vector<T>& mask,
           const std::vector<Word<T>>& expected, Call call) {
  GuardedArray<T> in_array(in);
  GuardedArray<T> mask_array(mask);
  GuardedArray<T> out(expected.size());
  call(in_array.in(), mask_array.in(), out.data());
  return out.values() == converted<T>(expected);
}

template <class T>
bool direct_is_right() {
  const auto x = fixed_numbers<T>(11);
  const auto y = fixed_numbers<T>(300);
  const auto expected = oracle::direct_convolution(converted<Word<T>>(x), converted<Word<T>>(y));
  return gives<T>(y, x, expected, [](auto numbers_y, auto numbers_x, T* z) {
    convolution<T>(numbers_x, numbers_y, z, {.blocks = 3, .threads = 512});
  });
}

template <class T>
bool line_is_right(LineVariant variant, GhostCells ghosts) {
  const auto n = fixed_numbers<T>(150);
  const auto m = fixed_numbers<T>(141);
  const auto expected = oracle::convolution_of_line(converted<Word<T>>(n), converted<Word<T>>(m),
                                                    ghosts == GhostCells::nearest);
  return gives<T>(n, m, expected, [&](auto elements, auto mask, T* p) {
    line_convolution<T>(elements, mask, p, {ghosts, 64}, variant);
  });
}

template <class T>
bool plane_is_right(PlaneVariant variant, GhostCells ghosts) {
  const PlaneShape shape{
      .rows = 13, .columns = 21, .channels = 2, .ghosts = ghosts, .tile = 10, .threads = 64};
  const auto n = fixed_numbers<T>(shape.rows * shape.columns * shape.channels);
  const auto m = fixed_numbers<T>(25);
  const auto expected =
      oracle::convolution_of_image(converted<Word<T>>(n), converted<Word<T>>(m), shape.rows,
                                   shape.columns, shape.channels, 2, ghosts == GhostCells::nearest);
  return gives<T>(n, m, expected, [&](auto pixels, auto mask, T* p) {
    plane_convolution<T>(pixels, mask, p, shape, variant);
  });
}

template <class T>
bool convolved_tiles_are_right() {
  const auto a = fixed_numbers<T>(40 * 37);
  const auto b = fixed_numbers<T>(25);
  const auto expected =
      oracle::image_convolution(converted<Word<T>>(a), converted<Word<T>>(b), 40, 37, 2);
  return gives<T>(a, b, expected, [](auto pixels, auto kernel, T* c) {
    image_convolution_by_tiles<T>(pixels, kernel, c, 40, 37, {.threads = 64, .blocks = 3});
  });
}

template <class T>
bool blocked_convolution_is_right(std::size_t v, std::size_t columns, GhostCells ghosts) {
  const auto a = fixed_numbers<T>(37 * columns);
  const auto b = fixed_numbers<T>((2 * v + 1) * (2 * v + 1));
  const auto expected =
      oracle::convolution_of_image(converted<Word<T>>(a), converted<Word<T>>(b), 37, columns, 1, v,
                                   ghosts == GhostCells::nearest);
  return gives<T>(a, b, expected, [&](auto pixels, auto, T* c) {
    image_convolution<T>(pixels, b, c, 37, columns, ghosts);
  });
}

template <class T>
void add_scenarios_of_convolutions(const std::string& type, std::vector<Scenario>& scenarios) {
  const auto add = [&](const std::string& name, std::function<bool()> is_right) {
    scenarios.push_back({name + "." + type, std::move(is_right)});
  };
  const GhostCells zero = GhostCells::zero;
  const GhostCells nearest = GhostCells::nearest;
  add("convolve_shares", direct_is_right<T>);
  add("convolve_line", [=] { return line_is_right<T>(LineVariant::basic, nearest); });
  add("convolve_line_constant", [=] { return line_is_right<T>(LineVariant::constant_mask, zero); });
  add("convolve_line_tiled", [=] { return line_is_right<T>(LineVariant::tiled, zero); });
  add("convolve_line_cached", [=] { return line_is_right<T>(LineVariant::cached, nearest); });
  add("convolve_plane", [=] { return plane_is_right<T>(PlaneVariant::basic, zero); });
  add("convolve_plane_constant",
      [=] { return plane_is_right<T>(PlaneVariant::constant_mask, nearest); });
  add("convolve_plane_tiled", [=] { return plane_is_right<T>(PlaneVariant::tiled, nearest); });
  add("convolve_tiles", convolved_tiles_are_right<T>);
  add("convolve_blocked_3x3", [=] { return blocked_convolution_is_right<T>(1, 140, nearest); });
  add("convolve_blocked_5x5", [=] { return blocked_convolution_is_right<T>(2, 141, zero); });
  add("convolve_blocked_7x7", [=] { return blocked_convolution_is_right<T>(3, 140, zero); });
  add("convolve_blocked_9x9", [=] { return blocked_convolution_is_right<T>(4, 68, nearest); });
}

}  // namespace

std::vector<Scenario> scenarios_of_convolutions() {
  std::vector<Scenario> scenarios;
  add_scenarios_of_convolutions<std::int32_t>("int32", scenarios);
  add_scenarios_of_convolutions<double>("double", scenarios);
  return scenarios;
}

}  // namespace bankproof::cuda::tests
