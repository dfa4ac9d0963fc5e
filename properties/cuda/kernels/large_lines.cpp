// Kernels of lines on arrays of more than 2^32 bytes.
#include "../../../algorithms/permutation/affine.hpp"
#include "../../../cuda/kernels/convolution/convolution.hpp"
#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/permutation/affine_permutation.hpp"
#include "../../../cuda/kernels/permutation/permutation.hpp"
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "large_arrays.hpp"

namespace bankproof::cuda::tests::large {
namespace {

TEST(DeviceLarge, fails_without_enough_memory) {
  EXPECT_THROW(need(std::size_t{1} << 50), std::runtime_error);
  EXPECT_NO_THROW(need(1));
}

TEST(DeviceLarge, finds_differences) {
  need(elements * sizeof(Word32));
  Words a = filled_with(elements, Numbered{});
  EXPECT_EQ(differences(a.data(), elements, Numbered{}).count, 0U);
  const Word32 wrong = 7;
  for (const std::size_t at : {elements - 1, elements / 2}) {
    require(cudaMemcpy(a.data() + at, &wrong, sizeof(wrong), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  const Differences found = differences(a.data(), elements, Numbered{});
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.first, elements / 2);
  EXPECT_EQ(found.actual, wrong);
}

TEST(DeviceLarge, sums) {
  need(elements * sizeof(Word32));
  const Words a = filled_with(elements, Numbered{});
  DeviceArray<std::byte> scratch(sum_scratch_bytes<Word32>(elements));
  // The sum 0 + 1 + … + (n − 1), for odd n.
  static_assert(elements % 2 == 1);
  const auto expected = static_cast<Word32>((elements - 1) / 2 * elements);
  Words result(1);
  sum<Word32>(a.span(), result.data(), scratch.span());
  EXPECT_EQ(result.values()[0], expected);
  sum_by_columns<Word32>(a.span(), result.data(), scratch.span());
  EXPECT_EQ(result.values()[0], expected);
  take_counts();
}

TEST(DeviceLarge, prefix_sums) {
  need(3 * elements * sizeof(Word32));
  const Words a = filled_with(elements, Numbered{});
  Words b(elements);
  DeviceArray<std::byte> scratch(prefix_sums_simple_scratch_bytes<Word32>(elements));
  expect(
      "one pass", b, [&](Word32* to) { prefix_sums<Word32>(a.span(), to, scratch.span()); },
      Summed{});
  expect(
      "simple", b, [&](Word32* to) { prefix_sums_simple<Word32>(a.span(), to, scratch.span()); },
      Summed{});
  expect(
      "optimal", b, [&](Word32* to) { prefix_sums_optimal<Word32>(a.span(), to, scratch.span()); },
      Summed{});
}

TEST(DeviceLarge, permutations_by_indices) {
  need(elements * (2 * sizeof(Word32) + sizeof(std::uint64_t)));
  const Words a = filled_with(elements, Numbered{});
  Words b(elements);
  {
    DeviceArray<std::uint64_t> p(elements);
    fill(p.data(), elements, Reversed{elements});
    expect(
        "destination, indices of 8 bytes", b,
        [&](Word32* to) { permute_destination_designated<Word32>(a.span(), to, p.span()); },
        Reversed{elements});
    expect(
        "source, indices of 8 bytes", b,
        [&](Word32* to) { permute_source_designated<Word32>(a.span(), to, p.span()); },
        Reversed{elements});
  }
  Words p = filled_with(elements, Reversed{elements});
  expect(
      "destination, indices of 4 bytes", b,
      [&](Word32* to) { permute_destination_designated<Word32>(a.span(), to, p.span()); },
      Reversed{elements});
}

TEST(DeviceLarge, affine_permutations) {
  constexpr unsigned bits = on_machine ? 13 : 32;
  constexpr std::size_t n = std::size_t{1} << bits;
  need(2 * n * sizeof(Word32));
  const auto reversed = [](std::uint64_t i) {
    std::uint64_t result = 0;
    for (unsigned bit = 0; bit < bits; ++bit) result |= (i >> bit & 1U) << (bits - 1 - bit);
    return result;
  };
  const Words a = filled_with(n, Numbered{});
  Words b(n);
  const auto map = bankproof::affine_map_of(bits, reversed);
  expect(
      "bit-reversal", b, [&](Word32* to) { permute_affine<Word32>(a.span(), to, map); },
      BitsReversed{bits});
}

TEST(DeviceLarge, convolutions_of_lines) {
  need(2 * elements * sizeof(Word32));
  const Words a = filled_with(elements, Numbered{});
  Words b(elements);
  const Words mask(weights(5));
  for (const LineVariant variant :
       {LineVariant::basic, LineVariant::constant_mask, LineVariant::tiled, LineVariant::cached}) {
    expect(
        "line_convolution", b,
        [&](Word32* to) { line_convolution<Word32>(a.span(), mask.span(), to, {}, variant); },
        Convolved{1, elements, 1, 1, 2});
  }
  constexpr std::size_t m = 6;
  const Words x = filled_with(m, Numbered{});
  Words z(elements - m + 1);
  expect(
      "convolution", z, [&](Word32* to) { cuda::convolution<Word32>(x.span(), a.span(), to); },
      Correlated{m});
}

}  // namespace
}  // namespace bankproof::cuda::tests::large
