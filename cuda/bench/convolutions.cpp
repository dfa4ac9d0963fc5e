// Benchmarks of convolutions and of products of matrices, square ones. Targets are those of the
// project for an H200.
#include <algorithm>
#include <memory>

#include "../image_convolution.hpp"
#include "../line_convolution.hpp"
#include "../matrix_product.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

std::string number(const char* letter, std::size_t value) {
  return std::string(".") + letter + std::to_string(value);
}

/// An image, and what convolution with (2v + 1)² numbers makes of it.
struct Image {
  Image(std::size_t n, std::size_t v)
      : side(side_of(n)),
        kernel((2 * v + 1) * (2 * v + 1), 1.0F),
        mask(kernel),
        a(filled<float>(side * side)),
        b(side * side) {}

  std::size_t side;
  std::vector<float> kernel;
  DeviceArray<float> mask;
  DeviceArray<float> a;
  DeviceArray<float> b;
};

template <class Call>
Benchmark image_row(const std::string& name, std::size_t v, double target, Call call) {
  return {.name = name,
          .element_bytes = sizeof(float),
          .floor = 1,
          .target = target,
          .peer = {},
          .prepare = [=](std::size_t n) -> Run {
            const auto image = std::make_shared<Image>(n, v);
            return [=] { call(*image); };
          }};
}

Benchmark by_tiles(std::size_t v, std::uint32_t threads) {
  return image_row("image_convolution_by_tiles" + number("v", v) + number("p", threads) + ".float",
                   v, 0, [threads](Image& image) {
                     image_convolution_by_tiles<float>(
                         std::as_const(image.a).span(), std::as_const(image.mask).span(),
                         image.b.data(), image.side, image.side, {.threads = threads});
                   });
}

Benchmark in_registers(std::size_t v) {
  return image_row("image_convolution" + number("v", v) + ".float", v, v <= 3 ? 1.15 : 0,
                   [](Image& image) {
                     image_convolution<float>(std::as_const(image.a).span(), image.kernel,
                                              image.b.data(), image.side, image.side);
                   });
}

Benchmark line_row(const std::string& name, LineWay way) {
  return {.name = "line_convolution_" + name + ".v4.float",
          .element_bytes = sizeof(float),
          .floor = 1,
          .peer = {},
          .prepare = [way](std::size_t n) -> Run {
            const auto a = std::make_shared<DeviceArray<float>>(filled<float>(n));
            const auto mask = std::make_shared<DeviceArray<float>>(filled<float>(9));
            const auto b = std::make_shared<DeviceArray<float>>(n);
            return [=] {
              line_convolution<float>(std::as_const(*a).span(), std::as_const(*mask).span(),
                                      b->data(), {}, way);
            };
          }};
}

/// Products of side × side floats, up to 8192; time, not bytes, is what they are held to.
template <class Call>
Benchmark product_row(const std::string& name, const std::string& peer, std::size_t most_side,
                      Call call) {
  return {.name = name,
          .element_bytes = sizeof(float),
          .peer = peer,
          .prepare = [=](std::size_t n) -> Run {
            const std::size_t side = std::min(most_side, side_of(n));
            const auto a = std::make_shared<DeviceArray<float>>(filled<float>(side * side));
            const auto b = std::make_shared<DeviceArray<float>>(filled<float>(side * side));
            const auto c = std::make_shared<DeviceArray<float>>(side * side);
            return [=] {
              call(std::as_const(*a).span(), std::as_const(*b).span(), c->data(),
                   ProductShape{side, side, side});
            };
          }};
}

Benchmark product_by_tiles(std::uint32_t m, std::uint32_t threads) {
  return product_row("matrix_product_by_tiles" + number("m", m) + number("p", threads) + ".float",
                     "", 4096, [=](auto a, auto b, float* c, const ProductShape& shape) {
                       matrix_product_by_tiles<float>(a, b, c, shape, {m, threads});
                     });
}

}  // namespace

std::vector<Benchmark> benchmarks_of_convolutions() {
  std::vector<Benchmark> rows = {
      line_row("basic", LineWay::basic), line_row("constant_mask", LineWay::constant_mask),
      line_row("tiled", LineWay::tiled), line_row("cached", LineWay::cached)};
  for (const std::size_t v : {1U, 2U, 3U, 5U}) rows.push_back(in_registers(v));
  // OPT figures 3 and 4: over p, and over v.
  for (const std::uint32_t threads : {64U, 128U, 256U, 512U, 1024U}) {
    rows.push_back(by_tiles(3, threads));
  }
  for (const std::size_t v : {1U, 2U, 4U, 5U, 6U, 7U}) rows.push_back(by_tiles(v, 1024));
  return rows;
}

std::vector<Benchmark> benchmarks_of_matrix_products() {
  std::vector<Benchmark> rows = {
      product_row("matrix_product.float", "cublas.matrix_product.float", 8192,
                  [](auto a, auto b, float* c, const ProductShape& shape) {
                    matrix_product<float>(a, b, c, shape);
                  })};
  // OPT figures 5 and 6: over p, and over m.
  for (const std::uint32_t threads : {64U, 128U, 256U, 512U, 1024U}) {
    rows.push_back(product_by_tiles(32, threads));
  }
  for (const std::uint32_t m : {8U, 16U, 64U})
    rows.push_back(product_by_tiles(m, m < 32 ? 64 : 1024));
  return rows;
}

}  // namespace bankproof::cuda::bench
