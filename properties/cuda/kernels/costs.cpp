// Checks the table of costs in docs/cuda.md against the counts of the reference machine.
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "../../../cuda/kernels/convolution/convolution.hpp"
#include "../../../cuda/kernels/convolution/image_convolution.hpp"
#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "../../../cuda/kernels/permutation/affine_permutation.hpp"
#include "../../../cuda/kernels/permutation/permutation.hpp"
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../cuda/kernels/transpose/transpose.hpp"
#include "permutations.hpp"

namespace bankproof::cuda::tests {
namespace {

/// The number of launches; then, for each element, the words read and the words written in whole
/// sectors of global memory, and 32 times the wavefronts of shared memory.
using Costs = std::array<double, 4>;

#ifdef BANKPROOF_ON_MACHINE

/// The costs of the launches since the last call, which computed `elements` results.
Costs take_costs(double elements) {
  Costs costs{};
  for (const ptx::KernelReport& report : take_launches()) {
    EXPECT_TRUE(report.faults.empty()) << ptx::as_text(report);
    costs[0] += 1;
    for (const auto& [opcode, counts] : report.opcodes) {
      const bool reads = opcode.starts_with("ld") || opcode.starts_with("cp");
      costs[reads ? 1 : 2] += 8.0 * static_cast<double>(counts.sectors);
    }
    costs[3] += 32.0 * static_cast<double>(report.totals.wavefronts);
  }
  for (std::size_t k = 1; k < costs.size(); ++k) costs[k] /= elements;
  return costs;
}

/// The rows of the table by their first cell.
std::map<std::string, Costs> documented() {
  std::ifstream in(BANKPROOF_SOURCE "/docs/cuda.md");
  std::map<std::string, Costs> rows;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| call | launches |")) inside = true;
    if (line.empty()) inside = false;
    if (!inside || !line.starts_with("| `")) continue;
    std::istringstream cells(line.substr(2));
    std::string name;
    std::getline(cells, name, '|');
    name.pop_back();
    for (double& cost : rows[name]) {
      std::string cell;
      std::getline(cells, cell, '|');
      cost = std::stod(cell);
    }
  }
  return rows;
}

constexpr std::size_t elements_of_costs = std::size_t{512} * 512;

TEST(DeviceCostsOnMachine, are_those_of_the_document) {
  constexpr std::size_t n = elements_of_costs;
  constexpr std::size_t side = 512;
  const Permutation random = shuffled_permutation(n, 1);
  GuardedArray<float> a(std::vector<float>(n, 1));
  GuardedArray<float> b(n);
  GuardedArray<std::uint32_t> indices(random);
  DeviceArray<std::byte> scratch(16 * n);
  const std::span<std::byte> work = scratch.span();
  const std::vector<float> nine(9, 1);
  GuardedArray<float> mask(nine);

  std::map<std::string, std::pair<double, std::function<void()>>> calls;
  const auto add = [&](const std::string& name, std::function<void()> call,
                       std::size_t elements = elements_of_costs) {
    calls[name] = {static_cast<double>(elements), std::move(call)};
  };
  add("`sum_by_columns`", [&] { sum_by_columns<float>(a.in(), b.data(), work); });
  add("`sum`", [&] { sum<float>(a.in(), b.data(), work); });
  add("`prefix_sums_simple`", [&] { prefix_sums_simple<float>(a.in(), b.data(), work); });
  add("`prefix_sums_optimal`", [&] { prefix_sums_optimal<float>(a.in(), b.data(), work); });
  add("`prefix_sums`", [&] { prefix_sums<float>(a.in(), b.data(), work); });
  add("`convolution`, 9 numbers", [&] { convolution<float>(mask.in(), a.in(), b.data()); });
  for (const auto& [variant, name] : {std::pair{LineVariant::basic, "basic"},
                                      {LineVariant::constant_mask, "constant_mask"},
                                      {LineVariant::tiled, "tiled"},
                                      {LineVariant::cached, "cached"}}) {
    add(std::string("`line_convolution`, 9 numbers, `") + name + "`", [&, variant = variant] {
      line_convolution<float>(a.in(), mask.in(), b.data(), {}, variant);
    });
  }
  for (const auto& [variant, name] : {std::pair{PlaneVariant::basic, "basic"},
                                      {PlaneVariant::constant_mask, "constant_mask"},
                                      {PlaneVariant::tiled, "tiled"}}) {
    add(std::string("`plane_convolution`, 3 × 3, `") + name + "`", [&, variant = variant] {
      plane_convolution<float>(a.in(), mask.in(), b.data(), {.rows = side, .columns = side},
                               variant);
    });
  }
  add("`image_convolution_by_tiles`, 3 × 3",
      [&] { image_convolution_by_tiles<float>(a.in(), mask.in(), b.data(), side, side); });
  add("`image_convolution`, 3 × 3",
      [&] { image_convolution<float>(a.in(), nine, b.data(), side, side); });
  constexpr std::size_t k = 256;
  const auto square = a.in().first(k * k);
  add(
      "`matrix_product_by_tiles`, 256 × 256",
      [&] {
        matrix_product_by_tiles<float>(square, square, b.data(), {k, k, k});
      },
      k * k);
  add(
      "`matrix_product`, 256 × 256",
      [&] {
        matrix_product<float>(square, square, b.data(), {k, k, k});
      },
      k * k);
  for (const auto& [variant, name] : {std::pair{TransposeVariant::swizzled, "swizzled"},
                                      {TransposeVariant::padded, "padded"},
                                      {TransposeVariant::diagonal, "diagonal"},
                                      {TransposeVariant::row_major, "row_major"},
                                      {TransposeVariant::direct, "direct"}}) {
    add(std::string("`transpose`, `") + name + "`",
        [&, variant = variant] { transpose<float>(a.in(), b.data(), side, side, variant); });
  }
  add("`permute_destination_designated`, random",
      [&] { permute_destination_designated<float>(a.in(), b.data(), indices.in()); });
  add("`permute_source_designated`, random",
      [&] { permute_source_designated<float>(a.in(), b.data(), indices.in()); });
  DeviceSchedule<std::int16_t> schedule(
      bankproof::schedule<std::uint32_t, std::uint32_t>(random, bankproof::shape_for(n, 32), 32));
  add("`permute_scheduled`, random",
      [&] { permute_scheduled<float>(a.in(), b.data(), schedule.tables(), work); });
  add("`permute_scheduled_in_three_launches`, random", [&] {
    permute_scheduled_in_three_launches<float>(a.in(), b.data(), schedule.tables(), work);
  });
  const auto bit_reversal = affine_map_of(18, [](std::uint64_t i) {
    std::uint64_t reversed = 0;
    for (unsigned bit = 0; bit < 18; ++bit) reversed |= (i >> bit & 1) << (17 - bit);
    return reversed;
  });
  add("`permute_affine`, bit-reversal",
      [&] { permute_affine<float>(a.in(), b.data(), bit_reversal); });
  for (const auto& [variant, name] : {std::pair{TableVariant::r2w2, "r2w2"},
                                      {TableVariant::r4w4, "r4w4"},
                                      {TableVariant::r4w1, "r4w1"},
                                      {TableVariant::r2w1, "r2w1"},
                                      {TableVariant::r1w1, "r1w1"},
                                      {TableVariant::hybrid, "hybrid"},
                                      {TableVariant::look_back, "look_back"}}) {
    add(std::string("`summed_area_table`, `") + name + "`", [&, variant = variant] {
      summed_area_table<float>(a.in(), b.data(), side, side, work, {.variant = variant});
    });
  }

  const std::map<std::string, Costs> table = documented();
  EXPECT_EQ(table.size(), calls.size());
  for (const auto& [name, call] : calls) {
    take_launches();
    call.second();
    const Costs counted = take_costs(call.first);
    std::ostringstream row;
    row.precision(2);
    row << std::fixed << "| " << name << " | " << static_cast<int>(counted[0]) << " | "
        << counted[1] << " | " << counted[2] << " | " << counted[3] << " |";
    if (!table.contains(name)) {
      ADD_FAILURE() << row.str();
      continue;
    }
    // Compilers differ in how often they read a word again that is already in a cache.
    for (std::size_t c = 0; c < counted.size(); ++c) {
      EXPECT_NEAR(counted[c], table.at(name)[c], 0.005 + 0.02 * counted[c]) << row.str();
    }
  }
}

#endif

}  // namespace
}  // namespace bankproof::cuda::tests
