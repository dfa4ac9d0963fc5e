// A call refuses wrong arguments before it launches anything, with an exception that names the
// call. Right arguments include arrays at any address, and any stream.
#include <gmock/gmock.h>

#include "../../../cuda/kernels/convolution/line_convolution.hpp"
#include "../../../cuda/kernels/convolution/plane_convolution.hpp"
#include "../../../cuda/kernels/matrix_product/matrix_product.hpp"
#include "../../../cuda/kernels/permutation/permutation.hpp"
#include "../../../cuda/kernels/prefix_sums/prefix_sums.hpp"
#include "../../../cuda/kernels/sum/sum.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../cuda/kernels/support/graph.hpp"
#include "../../../cuda/kernels/transpose/transpose.hpp"
#include "calls.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The message of the exception that the call throws. Fails the test if the call launched anything.
template <class Call>
std::string refusal_of(Call call) {
  take_launches_of_machine();
  std::string why = "not refused";
  try {
    call();
  } catch (const std::invalid_argument& error) {
    why = error.what();
  }
#ifdef BANKPROOF_ON_MACHINE
  EXPECT_EQ(take_launches().empty(), why != "not refused") << why;
#endif
  return why;
}

/// Arrays that one call after another uses. They have room for spans that begin at an offset.
class Arrays {
 public:
  static constexpr std::size_t room = 8;
  DeviceArray<float> in{2 * elements_of_calls + room};
  DeviceArray<float> out{elements_of_calls + room};
  DeviceArray<std::byte> scratch{1 << 20};

  Arrays() {
    std::vector<float> values(in.size());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k * k % 7);
    in.set(values);
  }
  std::span<const float> source() const { return in.span().first(elements_of_calls); }
  std::span<std::byte> needed(const ApiCall& call) { return scratch.span().first(call.scratch); }
  /// The values that the call leaves in `out`, which begins at an offset.
  template <class Run>
  std::vector<float> results(const ApiCall& call, std::size_t offset, Run run) {
    require(cudaMemset(out.data(), 0xCB, out.size() * sizeof(float)), "cudaMemset");
    run(out.data() + offset);
    const std::vector<float> all = out.values();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(offset);
    return {first, first + static_cast<std::ptrdiff_t>(call.results)};
  }
};

/// The pointer moved by `bytes`; a null pointer stays null.
template <class T>
T* moved(T* pointer, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that no object has
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) + bytes);
}

class DeviceCall : public ::testing::TestWithParam<ApiCall> {
 protected:
  Arrays arrays_;

  std::string refusal(std::span<const float> in, float* out) {
    return refusal_of([&] { GetParam().run(in, out, arrays_.needed(GetParam()), nullptr); });
  }
  /// Matches a message that begins with the name of the call.
  static auto names(const std::string& why) {
    return ::testing::AllOf(StartsWith(GetParam().name + ": "), HasSubstr(why));
  }
};

TEST_P(DeviceCall, refuses_arrays_that_cannot_exist) {
  const auto in = arrays_.source();
  const float* const nowhere = nullptr;
  EXPECT_THAT(refusal({nowhere, elements_of_calls}, arrays_.out.data()), names(" is null"));
  EXPECT_THAT(refusal(in, nullptr), names(" is null"));
  EXPECT_THAT(refusal({moved(in.data(), 2), elements_of_calls}, arrays_.out.data()),
              names("multiple of 4 bytes"));
  EXPECT_THAT(refusal(in, moved(arrays_.out.data(), 1)), names("multiple of 4 bytes"));
  // A number of elements whose bytes 64 bits cannot count.
  constexpr std::size_t many = (std::size_t{1} << 62) + elements_of_calls;
  EXPECT_THAT(refusal({in.data(), many}, arrays_.out.data()), StartsWith(GetParam().name + ": "));
}

TEST_P(DeviceCall, refuses_results_that_overlap_its_inputs) {
  const auto in = arrays_.source();
  float* const of_in = arrays_.in.data();
  EXPECT_THAT(refusal(in, of_in + 1), names(" overlap"));
  EXPECT_THAT(refusal({of_in + 1, elements_of_calls}, of_in + 2 - GetParam().results),
              names(" overlap"));
  if (GetParam().in_place) {
    EXPECT_EQ(refusal(in, of_in), "not refused");
  } else {
    EXPECT_THAT(refusal(in, of_in), names(" overlap"));
  }
  EXPECT_EQ(refusal(in, of_in + elements_of_calls), "not refused");
}

TEST_P(DeviceCall, refuses_scratch_that_cannot_be_used) {
  const std::size_t bytes = GetParam().scratch;
  const auto with = [&](std::byte* first, std::size_t size) {
    return refusal_of([&] {
      GetParam().run(arrays_.source(), arrays_.out.data(), {first, size}, nullptr);
    });
  };
  std::byte* const first = arrays_.scratch.data();
  EXPECT_EQ(with(first, bytes), "not refused");
  if (bytes == 0) {
    EXPECT_EQ(with(nullptr, 0), "not refused");
    return;
  }
  EXPECT_THAT(with(first, bytes - 1),
              names(std::to_string(bytes) + " bytes of scratch are needed"));
  EXPECT_THAT(with(nullptr, 0), names(" bytes of scratch are needed"));
  EXPECT_THAT(with(nullptr, bytes), names("scratch is null"));
  EXPECT_THAT(with(first + 4, bytes), names("multiple of 16 bytes"));
  auto* const of_in = reinterpret_cast<std::byte*>(arrays_.in.data());
  auto* const of_out = reinterpret_cast<std::byte*>(arrays_.out.data());
  EXPECT_THAT(with(of_in, bytes), names(" overlap"));
  EXPECT_THAT(with(of_out, bytes), names(" overlap"));
}

// Calls that access 16 bytes at a time also accept any address.
TEST_P(DeviceCall, gives_the_same_wherever_arrays_begin_and_on_every_stream) {
  const ApiCall& call = GetParam();
  const std::vector<float> values(arrays_.in.values());
  const auto direct = [&](std::size_t in_offset, std::size_t out_offset, cudaStream_t stream) {
    std::vector<float> shifted(arrays_.in.size());
    std::copy_n(values.begin(), elements_of_calls,
                shifted.begin() + static_cast<std::ptrdiff_t>(in_offset));
    arrays_.in.set(shifted);
    return arrays_.results(call, out_offset, [&](float* out) {
      call.run(arrays_.in.span().subspan(in_offset, elements_of_calls), out, arrays_.needed(call),
               stream);
      require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    });
  };
  take_launches_of_machine();
  const std::vector<float> expected = direct(0, 0, nullptr);
  for (std::size_t offset = 1; offset < 4; ++offset) {
    EXPECT_EQ(direct(offset, 0, nullptr), expected) << "in from element " << offset << " on";
    EXPECT_EQ(direct(0, offset, nullptr), expected) << "out from element " << offset << " on";
  }
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  EXPECT_EQ(direct(0, 0, stream), expected);
  EXPECT_EQ(direct(0, 0, cudaStreamPerThread), expected);

  const Graph graph([&](cudaStream_t captured) {
    call.run(arrays_.source(), arrays_.out.data(), arrays_.needed(call), captured);
  });
  for (int launch = 0; launch < 2; ++launch) {
    EXPECT_EQ(arrays_.results(call, 0,
                              [&](float*) {
                                graph.launch(stream);
                                require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
                              }),
              expected)
        << "as a graph";
  }
  require(cudaStreamDestroy(stream), "cudaStreamDestroy");
#ifdef BANKPROOF_ON_MACHINE
  for (const auto& report : take_launches()) {
    EXPECT_TRUE(report.faults.empty()) << ptx::as_text(report);
  }
#endif
}

class DeviceCallOnMachine : public DeviceCall {};

TEST_P(DeviceCallOnMachine, fails_on_a_stream_that_was_destroyed) {
  if (!on_machine) GTEST_SKIP() << "CUDA leaves open what it does";
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "cudaStreamCreate");
  require(cudaStreamDestroy(stream), "cudaStreamDestroy");
  take_launches_of_machine();
  EXPECT_THROW(
      GetParam().run(arrays_.source(), arrays_.out.data(), arrays_.needed(GetParam()), stream),
      CudaError);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the exception has taken it";
#ifdef BANKPROOF_ON_MACHINE
  EXPECT_TRUE(take_launches().empty());
#endif
}

std::string name_of_call(const ::testing::TestParamInfo<ApiCall>& call) {
  return call.param.name + "_" + std::to_string(call.index);
}
INSTANTIATE_TEST_SUITE_P(Calls, DeviceCall, ::testing::ValuesIn(all_calls()), name_of_call);
INSTANTIATE_TEST_SUITE_P(Calls, DeviceCallOnMachine, ::testing::ValuesIn(all_calls()),
                         name_of_call);

// Products that overflow 64 bits: 2³² · 2³² becomes 0, and 3 · third, which is 2⁶⁴ + 2, becomes 2.
TEST(DeviceArguments, that_only_seem_to_be_a_matrix_are_refused) {
  const Arrays arrays;
  DeviceArray<float> out(4);
  constexpr std::size_t half = std::size_t{1} << 32;
  constexpr std::size_t third = 6148914691236517206U;
  for (const MatrixCall& call : all_matrix_calls()) {
    const auto refusal = [&](std::size_t elements, std::size_t rows, std::size_t columns) {
      return refusal_of(
          [&] { call.run(arrays.in.span().first(elements), out.data(), rows, columns); });
    };
    const auto too_many =
        ::testing::AllOf(StartsWith(call.name + ": "), HasSubstr("more than 2^56"));
    EXPECT_THAT(refusal(0, half, half), too_many);
    EXPECT_THAT(refusal(2, third, 3), too_many);
    EXPECT_THAT(refusal(2, 3, third), too_many);
  }
}

TEST(DeviceArguments, of_impossible_launches_are_refused) {
  Arrays arrays;
  const auto in = arrays.source();
  float* const out = arrays.out.data();
  const auto scratch = arrays.scratch.span();
  for (const std::uint32_t threads : {0U, 1025U, 0xffffffffU}) {
    const auto refused = HasSubstr("a block has 1 to 1024 threads");
    EXPECT_THAT(refusal_of([&] { sum_in_shared_memory<float>(in, out, threads); }), refused);
    EXPECT_THAT(refusal_of([&] { prefix_sums_simple_in_shared_memory<float>(in, out, threads); }),
                refused);
    EXPECT_THAT(refusal_of([&] { prefix_sums_optimal_in_shared_memory<float>(in, out, threads); }),
                refused);
    EXPECT_THAT(refusal_of([&] { copy_in_shared_memory<float>(in, out, {threads}); }), refused);
    EXPECT_THAT(refusal_of([&] {
                  permute_in_place_in_shared_memory<float>(in, out, InPlacePermutation::transpose,
                                                           InPlaceVariant::source_designated,
                                                           {threads});
                }),
                refused);
  }
  const auto by_tiles = [&](std::uint32_t m, std::uint32_t blocks) {
    return refusal_of([&] {
      matrix_product_by_tiles<float>(in, in, out, {32, 32, 32}, {.m = m, .blocks = blocks});
    });
  };
  EXPECT_THAT(by_tiles(65, 0), HasSubstr("a block has 49152 of shared memory"));
  // In 64 bits the bytes of 3m² floats overflow to 0.
  EXPECT_THAT(by_tiles(0x80000000U, 0), HasSubstr("more than 2^56"));
  EXPECT_THAT(by_tiles(16, 0xffffffffU), HasSubstr("more than 2^31 - 1"));
  EXPECT_THAT(refusal_of([&] {
                sum_by_columns<float>(in, out, scratch, {0x80000000U, 32});
              }),
              HasSubstr("more than 2^31 - 1"));
}

TEST(DeviceArguments, that_name_no_variant_are_refused) {
  Arrays arrays;
  const auto in = arrays.source();
  float* const out = arrays.out.data();
  const auto none = HasSubstr("there is no such variant");
  EXPECT_THAT(refusal_of([&] { transpose<float>(in, out, 32, 32, TransposeVariant{77}); }), none);
  EXPECT_THAT(refusal_of([&] {
                permute_in_place_in_shared_memory<float>(in, out, InPlacePermutation::shuffle,
                                                         InPlaceVariant{77}, {32});
              }),
              none);
  EXPECT_THAT(refusal_of([&] {
                permute_in_place_in_shared_memory<float>(in, out, InPlacePermutation{77},
                                                         InPlaceVariant::conflict_free, {32});
              }),
              none);
  EXPECT_THAT(
      refusal_of([&] { line_convolution<float>(in, in.first(3), out, {}, LineVariant{77}); }),
      none);
  EXPECT_THAT(refusal_of([&] {
                plane_convolution<float>(in, in.first(9), out, {.rows = 32, .columns = 32},
                                         PlaneVariant{77});
              }),
              none);
  EXPECT_THAT(refusal_of([&] {
                summed_area_table<float>(in, out, 32, 32, {}, {.variant = TableVariant{77}});
              }),
              none);
}

TEST(DeviceArguments, of_more_scratch_than_any_memory_has_are_refused) {
  constexpr std::size_t many = std::size_t{1} << 62;
  const auto refused = HasSubstr(" more than 2^");
  EXPECT_THAT(refusal_of([] { prefix_sums_simple_scratch_bytes<double>(many); }), refused);
  EXPECT_THAT(refusal_of([] { prefix_sums_optimal_scratch_bytes<double>(many); }), refused);
  EXPECT_THAT(refusal_of([] { prefix_sums_scratch_bytes<double>(many); }), refused);
  EXPECT_THAT(refusal_of([] { summed_area_table_scratch_bytes<float>(many, 4); }), refused);
}

// CUDA keeps the error of a failed call and reports it to the next check after a launch.
TEST(DeviceArguments, of_an_allocation_that_fails_are_not_blamed_on_a_launch) {
  Arrays arrays;
  EXPECT_THROW(DeviceArray<double>(SIZE_MAX / 8 + 2), CudaError);
  EXPECT_THROW(DeviceArray<double>(std::size_t{1} << 50), CudaError);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_NO_THROW(sum<float>(arrays.source(), arrays.out.data(), arrays.scratch.span()));
}

}  // namespace
}  // namespace bankproof::cuda::tests
