// cuFFT is the sum that defines Fourier's transform, for any size, layout and type. The oracle adds
// up that sum for each result.
#include <cufftXt.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using Lengths = std::vector<int>;

int total_of(const Lengths& n) {
  int product = 1;
  for (const int size : n) product *= size;
  return product;
}

/// Adds 1 to the last index that has room.
bool advance(Lengths& index, const Lengths& n) {
  for (std::size_t d = n.size(); d-- > 0;) {
    if (++index[d] < n[d]) return true;
    index[d] = 0;
  }
  return false;
}

/// The transform of dense numbers, in as many dimensions as there are sizes.
std::vector<Z> transform_of(const std::vector<Z>& x, const Lengths& n, int sign) {
  std::vector<Z> result;
  Lengths k(n.size());
  do {
    Z sum = 0;
    Lengths j(n.size());
    std::size_t at_x = 0;
    do {
      double turns = 0;
      for (std::size_t d = 0; d < n.size(); ++d) turns += double(j[d] * k[d] % n[d]) / n[d];
      sum += x[at_x++] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
    } while (advance(j, n));
    result.push_back(sum);
  } while (advance(k, n));
  return result;
}

template <class A, class B>
void expect_near(const std::vector<A>& found, const std::vector<B>& wanted, double error) {
  RC_ASSERT(found.size() == wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    RC_ASSERT(std::abs(Z(found[k]) - Z(wanted[k])) < error);
}

/// The part of the results that a transform of real numbers stores.
std::vector<Z> half_of(const std::vector<Z>& whole, const Lengths& n) {
  std::vector<Z> half;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    if (static_cast<int>(k) % n.back() <= n.back() / 2) half.push_back(whole[k]);
  }
  return half;
}

cufftHandle plan_of(const Lengths& n, cufftType type) {
  cufftHandle plan = 0;
  const auto made = n.size() == 1   ? cufftPlan1d(&plan, n[0], type, 1)
                    : n.size() == 2 ? cufftPlan2d(&plan, n[0], n[1], type)
                                    : cufftPlan3d(&plan, n[0], n[1], n[2], type);
  RC_ASSERT(made == CUFFT_SUCCESS);
  return plan;
}

RC_GTEST_PROP(Fft, is_the_sum_that_defines_it, (unsigned seed)) {
  Draw draw(seed);
  Lengths n(at(draw.between(1, 3)));
  for (int& size : n) size = draw.between(1, n.size() == 1 ? 70 : 6);
  const auto x = draw.numbers<Z>(total_of(n));
  const int sign = draw.one_of({CUFFT_FORWARD, CUFFT_INVERSE});
  auto values = on_device(x);
  const cufftHandle plan = plan_of(n, CUFFT_Z2Z);
  RC_ASSERT(cufftExecZ2Z(plan, named(values.data()), named(values.data()), sign) == CUFFT_SUCCESS);
  expect_near(values.values(), transform_of(x, n, sign), 1e-9);
  RC_ASSERT(cufftDestroy(plan) == CUFFT_SUCCESS);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(Fft, of_real_numbers_is_the_half_of_it_and_goes_back, (unsigned seed)) {
  Draw draw(seed);
  Lengths n(at(draw.between(1, 3)));
  for (int& size : n) size = draw.between(1, n.size() == 1 ? 20 : 6);
  const int total = total_of(n);
  const auto x = draw.numbers<float>(total);
  const auto whole = transform_of(std::vector<Z>(x.begin(), x.end()), n, CUFFT_FORWARD);
  const auto half = half_of(whole, n);
  const cufftHandle forward = plan_of(n, CUFFT_R2C);
  const cufftHandle inverse = plan_of(n, CUFFT_C2R);
  auto in = on_device(x);
  DeviceArray<std::complex<float>> out(half.size());
  RC_ASSERT(cufftExecR2C(forward, in.data(), named(out.data())) == CUFFT_SUCCESS);
  expect_near(out.values(), half, 1e-3);
  RC_ASSERT(cufftExecC2R(inverse, named(out.data()), in.data()) == CUFFT_SUCCESS);
  std::vector<float> scaled = x;
  for (float& one : scaled) one *= static_cast<float>(total);
  expect_near(in.values(), scaled, 1e-2);
  // In place, the rows of real numbers have the length of the complex ones.
  const int row = n.back();
  const int padded = 2 * (row / 2 + 1);
  std::vector<float> rows(half.size() * 2);
  for (int k = 0; k < total; ++k) rows[at(k / row * padded + k % row)] = x[at(k)];
  auto both = on_device(rows);
  auto* const complex = reinterpret_cast<cufftComplex*>(both.data());
  RC_ASSERT(cufftExecR2C(forward, both.data(), complex) == CUFFT_SUCCESS);
  RC_ASSERT(both.values() == [&] {
    std::vector<float> flat;
    for (const auto& one : out.values()) flat.insert(flat.end(), {one.real(), one.imag()});
    return flat;
  }());
  RC_ASSERT(cufftExecC2R(inverse, complex, both.data()) == CUFFT_SUCCESS);
  const auto back = both.values();
  for (int k = 0; k < total; ++k) {
    RC_ASSERT(std::abs(back[at(k / row * padded + k % row)] - scaled[at(k)]) < 1e-2F);
  }
  RC_ASSERT(cufftDestroy(forward) == CUFFT_SUCCESS);
  RC_ASSERT(cufftDestroy(inverse) == CUFFT_SUCCESS);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(Fft, takes_batches_with_strides, (unsigned seed)) {
  Draw draw(seed);
  Lengths n{draw.between(1, 5), draw.between(1, 5)};
  Lengths in{n[0], n[1] + draw.below(3)};
  Lengths out{n[0], n[1] + draw.below(3)};
  const int batch = draw.between(1, 3);
  const int istride = draw.between(1, 3);
  const int ostride = draw.between(1, 3);
  const int idist = in[0] * in[1] * istride + draw.below(3);
  const int odist = out[0] * out[1] * ostride + draw.below(3);
  const auto x = draw.numbers<Z>(idist * batch);
  auto wanted = draw.numbers<Z>(odist * batch);
  const auto on_x = on_device(x);
  auto on_y = on_device(wanted);
  cufftHandle plan = 0;
  RC_ASSERT(cufftPlanMany(&plan, 2, n.data(), in.data(), istride, idist, out.data(), ostride, odist,
                          CUFFT_Z2Z, batch) == CUFFT_SUCCESS);
  RC_ASSERT(cufftExecZ2Z(plan, const_cast<cufftDoubleComplex*>(named(on_x.data())),
                         named(on_y.data()), CUFFT_FORWARD) == CUFFT_SUCCESS);
  for (int b = 0; b < batch; ++b) {
    std::vector<Z> one;
    for (int i = 0; i < n[0]; ++i) {
      for (int j = 0; j < n[1]; ++j) one.push_back(x[at(b * idist + (i * in[1] + j) * istride)]);
    }
    const auto result = transform_of(one, n, CUFFT_FORWARD);
    for (int i = 0; i < n[0]; ++i) {
      for (int j = 0; j < n[1]; ++j) {
        wanted[at(b * odist + (i * out[1] + j) * ostride)] = result[at(i * n[1] + j)];
      }
    }
  }
  expect_near(on_y.values(), wanted, 1e-9);
  RC_ASSERT(cufftDestroy(plan) == CUFFT_SUCCESS);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(Fft, plans_by_types_do_what_the_other_plans_do, (unsigned seed)) {
  Draw draw(seed);
  const int size = draw.between(1, 30);
  const int batch = draw.between(1, 3);
  const bool is_real = draw.flip();
  long long n = size;
  const int stored = is_real ? size / 2 + 1 : size;  // of the results of one transform
  const auto x = draw.numbers<Z>(size * batch);
  std::vector<Z> wanted;
  for (int b = 0; b < batch; ++b) {
    std::vector<Z> one(x.begin() + b * size, x.begin() + (b + 1) * size);
    for (Z& value : one) value = is_real ? value.real() : value;
    const auto whole = transform_of(one, {size}, CUFFT_FORWARD);
    wanted.insert(wanted.end(), whole.begin(), whole.begin() + stored);
  }
  std::vector<double> reals;
  reals.reserve(x.size());
  for (const Z& value : x) reals.push_back(value.real());
  auto on_reals = on_device(reals);
  auto on_x = on_device(x);
  DeviceArray<Z> on_y(wanted.size());
  cufftHandle plan = 0;
  std::size_t bytes = 0;
  std::size_t sized = 1;
  RC_ASSERT(cufftCreate(&plan) == CUFFT_SUCCESS);
  const auto in = is_real ? CUDA_R_64F : CUDA_C_64F;
  RC_ASSERT(cufftXtGetSizeMany(plan, 1, &n, nullptr, 1, 0, in, nullptr, 1, 0, CUDA_C_64F, batch,
                               &sized, CUDA_C_64F) == CUFFT_SUCCESS);
  RC_ASSERT(cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 0, in, nullptr, 1, 0, CUDA_C_64F, batch,
                                &bytes, CUDA_C_64F) == CUFFT_SUCCESS);
  RC_ASSERT(bytes == sized);
  void* const from = is_real ? static_cast<void*>(on_reals.data()) : on_x.data();
  // Real numbers have one direction, whatever the call says.
  RC_ASSERT(cufftXtExec(plan, from, on_y.data(), is_real ? CUFFT_INVERSE : CUFFT_FORWARD) ==
            CUFFT_SUCCESS);
  expect_near(on_y.values(), wanted, 1e-9);
  if (!is_real) {
    RC_ASSERT(cufftXtExec(plan, from, on_y.data(), CUFFT_INVERSE) == CUFFT_SUCCESS);
    std::vector<Z> back;
    for (int b = 0; b < batch; ++b) {
      const std::vector<Z> one(x.begin() + b * size, x.begin() + (b + 1) * size);
      const auto whole = transform_of(one, {size}, CUFFT_INVERSE);
      back.insert(back.end(), whole.begin(), whole.end());
    }
    expect_near(on_y.values(), back, 1e-9);
  }
  RC_ASSERT(cufftDestroy(plan) == CUFFT_SUCCESS);
  RC_ASSERT(take_findings().empty());
}

TEST(Fft, refuses_types_that_no_transform_has) {
  take_findings();
  cufftHandle plan = 0;
  EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  long long n = 8;
  std::size_t bytes = 0;
  const auto make = [&](cudaDataType in, cudaDataType out, cudaDataType computed) {
    return cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 0, in, nullptr, 1, 0, out, 1, &bytes,
                               computed);
  };
  EXPECT_EQ(make(CUDA_C_16F, CUDA_C_16F, CUDA_C_16F), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_C_32F, CUDA_C_16BF), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_C_64F, CUDA_C_64F), CUFFT_INVALID_TYPE);
  EXPECT_EQ(make(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftXtExec(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_R_32F, CUDA_C_32F), CUFFT_SUCCESS);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_R_32F, CUDA_C_32F), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExec(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  auto short_one = on_device(std::vector<std::complex<float>>(4));
  DeviceArray<float> out(8);
  EXPECT_EQ(cufftXtExec(plan, short_one.data(), out.data(), CUFFT_INVERSE), CUFFT_EXEC_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtExec(plan, short_one.data(), out.data(), CUFFT_INVERSE), CUFFT_INVALID_PLAN);
  cudaGetLastError();
}

TEST(Fft, sizes_with_large_prime_factors_are_as_good) {
  Draw draw(3);
  for (const int size : {67, 134, 211, 1024}) {
    const auto x = draw.numbers<Z>(size);
    auto values = on_device(x);
    const cufftHandle plan = plan_of({size}, CUFFT_Z2Z);
    EXPECT_EQ(cufftExecZ2Z(plan, named(values.data()), named(values.data()), CUFFT_FORWARD), 0);
    expect_near(values.values(), transform_of(x, {size}, CUFFT_FORWARD), 1e-8);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  }
}

TEST(Fft, finds_what_is_wrong_with_its_operands) {
  take_findings();
  cufftHandle plan = 0;
  EXPECT_EQ(cufftPlan1d(&plan, 8, CUFFT_C2C, 2), CUFFT_SUCCESS);
  std::size_t bytes = 0;
  EXPECT_EQ(cufftGetSize(plan, &bytes), CUFFT_SUCCESS);
  auto whole = on_device(std::vector<std::complex<float>>(16));
  auto short_one = on_device(std::vector<std::complex<float>>(15));
  DeviceArray<std::complex<float>> unwritten(16);
  const auto execute = [&](DeviceArray<std::complex<float>>& in,
                           DeviceArray<std::complex<float>>& out) {
    return cufftExecC2C(plan, named(in.data()), named(out.data()), CUFFT_FORWARD);
  };
  // One place of a program has one finding of a kind, so each is taken before the next call.
  EXPECT_EQ(execute(short_one, whole), CUFFT_EXEC_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  EXPECT_EQ(execute(whole, short_one), CUFFT_EXEC_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  EXPECT_EQ(execute(unwritten, whole), CUFFT_SUCCESS);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::uninitialized});
  EXPECT_EQ(execute(whole, unwritten), CUFFT_SUCCESS);
  EXPECT_EQ(execute(unwritten, whole), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(plan, nullptr, named(whole.data()), CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, named(whole.data()), named(whole.data()), 3), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2R(plan, named(whole.data()), nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, named(whole.data()), named(whole.data()), CUFFT_FORWARD),
            CUFFT_INVALID_PLAN);  // the plan that could not be made
  EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(execute(whole, whole), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &bytes), CUFFT_SUCCESS);
  EXPECT_EQ(execute(whole, whole), CUFFT_SUCCESS);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_INVALID_PLAN);
  EXPECT_TRUE(take_findings().empty());
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
