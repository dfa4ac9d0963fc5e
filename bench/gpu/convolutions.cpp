// Benchmarks of convolutions and of products of square matrices.
#include <array>
#include <memory>

#include "../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

std::string number(const char* letter, std::size_t value) {
  return std::string(".") + letter + std::to_string(value);
}

/// The part of a row's name that gives p and d, the threads and the blocks of the launch; only p if
/// there is one block per tile.
std::string of_blocks(std::uint32_t threads, std::uint32_t blocks) {
  return number("p", threads) + (blocks == 0 ? "" : number("d", blocks));
}

/// The values of a sweep over d. With the last value, each tile of 1024 × 1024 elements has its own
/// block.
std::vector<std::uint32_t> doubled_up_to(std::uint32_t last) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t d = 1; d <= last; d *= 2) values.push_back(d);
  return values;
}
constexpr std::array<std::uint32_t, 5> swept_threads = {64, 128, 256, 512, 1024};

/// An image, and its convolution with (2v + 1)² numbers.
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
Benchmark image_row(const std::string& name, std::size_t v, const Goal& goal, Call call) {
  return {.name = name,
          .element_bytes = sizeof(float),
          .goal = goal,
          .peer = {},
          .prepare = [=](std::size_t n) -> Run {
            const auto image = std::make_shared<Image>(n, v);
            return [=] { call(*image); };
          }};
}

/// A row with these numbers of blocks and of threads per block; 0 blocks: one block per tile.
Benchmark by_tiles(std::size_t v, const ImageBlocks& blocks) {
  const std::string name = "image_convolution_by_tiles" + number("v", v);
  Benchmark made = image_row(name + of_blocks(blocks.threads, blocks.blocks) + ".float", v,
                             as_a_copy(), [=](Image& image) {
                               image_convolution_by_tiles<float>(
                                   std::as_const(image.a).span(), std::as_const(image.mask).span(),
                                   image.b.data(), image.side, image.side, blocks);
                             });
  made.named_only = blocks.blocks != 0;
  return made;
}

Benchmark in_registers(std::size_t v) {
  return image_row("image_convolution" + number("v", v) + ".float", v,
                   v <= 3 ? as_a_copy(1.15, 1.08) : as_a_copy(), [](Image& image) {
                     image_convolution<float>(std::as_const(image.a).span(), image.kernel,
                                              image.b.data(), image.side, image.side);
                   });
}

Benchmark line_row(const std::string& name, LineVariant variant) {
  return {.name = "line_convolution_" + name + ".v4.float",
          .element_bytes = sizeof(float),
          .goal = as_a_copy(),
          .peer = {},
          .prepare = [variant](std::size_t n) -> Run {
            const auto a = std::make_shared<DeviceArray<float>>(filled<float>(n));
            const auto mask = std::make_shared<DeviceArray<float>>(filled<float>(9));
            const auto b = std::make_shared<DeviceArray<float>>(n);
            return [=] {
              line_convolution<float>(std::as_const(*a).span(), std::as_const(*mask).span(),
                                      b->data(), {}, variant);
            };
          }};
}

/// Products of side × side floats. The matrices have a quarter of the bytes of other rows' arrays:
/// 8192 × 8192 floats if those have 2^30 bytes.
template <class Call>
Benchmark product_row(const std::string& name, const std::string& peer, Goal goal, Call call) {
  goal.limit = "arithmetic";
  goal.against = Against::peer;
  return {.name = name,
          .element_bytes = sizeof(float),
          .size = 1.0 / 4,
          .goal = goal,
          .peer = peer,
          .prepare = [=](std::size_t n) -> Run {
            const std::size_t side = side_of(n);
            const auto a = std::make_shared<DeviceArray<float>>(filled<float>(side * side));
            const auto b = std::make_shared<DeviceArray<float>>(filled<float>(side * side));
            const auto c = std::make_shared<DeviceArray<float>>(side * side);
            return [=] {
              call(std::as_const(*a).span(), std::as_const(*b).span(), c->data(),
                   ProductShape{side, side, side});
            };
          }};
}

Benchmark product_by_tiles(const TileShape& tiles) {
  const std::string name = "matrix_product_by_tiles" + number("m", tiles.m);
  Benchmark made = product_row(name + of_blocks(tiles.threads, tiles.blocks) + ".float", "", {},
                               [=](auto a, auto b, float* c, const ProductShape& shape) {
                                 matrix_product_by_tiles<float>(a, b, c, shape, tiles);
                               });
  made.size = 1.0 / 16;  // side 4096
  made.named_only = tiles.blocks != 0;
  return made;
}

}  // namespace

std::vector<Benchmark> benchmarks_of_convolutions() {
  std::vector<Benchmark> rows = {
      line_row("basic", LineVariant::basic), line_row("constant_mask", LineVariant::constant_mask),
      line_row("tiled", LineVariant::tiled), line_row("cached", LineVariant::cached)};
  for (const std::size_t v : {1U, 2U, 3U, 5U}) rows.push_back(in_registers(v));
  for (const std::size_t v : {1U, 2U, 3U, 5U}) rows.push_back(by_tiles(v, {.threads = 512}));
  // OPT figures 3 and 4: for each p a sweep over d, then for each v a sweep over d.
  for (const std::uint32_t d : doubled_up_to(1024)) {
    for (const std::uint32_t threads : swept_threads) rows.push_back(by_tiles(3, {threads, d}));
    for (const std::size_t v : {1U, 2U, 5U, 7U, 10U, 15U}) rows.push_back(by_tiles(v, {1024, d}));
  }
  return rows;
}

std::vector<Benchmark> benchmarks_of_matrix_products() {
  std::vector<Benchmark> rows = {
      product_row("matrix_product.float", "cublas.matrix_product.float", {0, 0.92, 1, {}},
                  [](auto a, auto b, float* c, const ProductShape& shape) {
                    matrix_product<float>(a, b, c, shape);
                  })};
  for (const std::uint32_t m : {16U, 32U, 64U}) rows.push_back(product_by_tiles({m, 256}));
  // OPT figures 5 and 6: for each p a sweep over d, then for each m a sweep over d.
  for (const std::uint32_t d : doubled_up_to(1024)) {
    for (const std::uint32_t threads : swept_threads) {
      rows.push_back(product_by_tiles({32, threads, d}));
    }
    if (d > 256) continue;  // tiles of m = 64
    for (const std::uint32_t m : {16U, 64U}) rows.push_back(product_by_tiles({m, 1024, d}));
  }
  return rows;
}

}  // namespace bankproof::cuda::bench
