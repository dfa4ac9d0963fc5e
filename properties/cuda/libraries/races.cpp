// A call of a library takes part in races as a kernel does: it reads and writes its operands, and a
// stream that nothing orders with its own must not change them meanwhile. For one call of each
// library, a kernel of another stream changes each operand in turn.
#include <cublasLt.h>
#include <cufft.h>
#include <curand.h>
#include <gtest/gtest.h>

#include <functional>

#include "../../../cuda/runtime/reports.hpp"
#include "sparse_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ptx::FaultKind;
using ::testing::HasSubstr;

/// Two streams that nothing orders.
class TwoStreams {
 public:
  TwoStreams() {
    for (auto& one : streams_) {
      EXPECT_EQ(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking), 0);
    }
  }
  ~TwoStreams() {
    for (const auto one : streams_) EXPECT_EQ(cudaStreamDestroy(one), 0);
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
  cudaStream_t of_kernels() const { return streams_[0]; }
  cudaStream_t of_calls() const { return streams_[1]; }

 private:
  cudaStream_t streams_[2]{};
};

/// The call races with a kernel that changes two words of the operand, before it and behind it,
/// unless the host waits between them.
template <class T>
void expect_races(const TwoStreams& streams, DeviceArray<T>& operand, const char* accesses,
                  const std::function<int()>& call) {
  const ::testing::ScopedTrace trace(__FILE__, __LINE__, accesses);
  auto* const words = reinterpret_cast<int*>(operand.data());
  for (const bool waits : {true, false}) {
    for (const bool kernel_is_first : {true, false}) {
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      take_findings();
      const auto do_one = [&](bool is_kernel) {
        if (is_kernel) {
          add(words, 1, 2, streams.of_kernels());
        } else {
          EXPECT_EQ(call(), 0);
        }
        if (waits) {
          EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        }
      };
      do_one(kernel_is_first);
      do_one(!kernel_is_first);
      const auto found = take_findings();
      if (waits) {
        EXPECT_TRUE(found.empty());
        continue;
      }
      ASSERT_FALSE(found.empty()) << (kernel_is_first ? "the kernel first" : "the call first");
      EXPECT_EQ(found.front().kind, FaultKind::race);
      EXPECT_THAT(found.front().message, HasSubstr(accesses));
    }
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  take_findings();
}

TEST(LibraryRaces, of_products_of_cublasLt) {
  const TwoStreams streams;
  cublasLtHandle_t handle = nullptr;
  ASSERT_EQ(cublasLtCreate(&handle), 0);
  cublasLtMatmulDescOpaque_t how;
  cublasLtMatrixLayoutOpaque_t layout;
  ASSERT_EQ(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F), 0);
  ASSERT_EQ(cublasLtMatrixLayoutInit(&layout, CUDA_R_32F, 2, 2, 2), 0);
  const std::vector<float> ones(4, 1.0F);
  DeviceArray<float> operands[4] = {on_device(ones), on_device(ones), on_device(ones),
                                    on_device(ones)};
  auto& [a, b, c, d] = operands;
  const float one = 1;
  const auto multiply = [&] {
    return cublasLtMatmul(handle, &how, &one, a.data(), &layout, b.data(), &layout, &one, c.data(),
                          &layout, d.data(), &layout, nullptr, nullptr, 0, streams.of_calls());
  };
  for (auto& operand : operands) expect_races(streams, operand, "cublasLtMatmul", multiply);
  EXPECT_EQ(cublasLtDestroy(handle), 0);
}

TEST(LibraryRaces, of_transforms_and_random_numbers) {
  const TwoStreams streams;
  cufftHandle plan = 0;
  ASSERT_EQ(cufftPlan1d(&plan, 8, CUFFT_C2C, 1), 0);
  ASSERT_EQ(cufftSetStream(plan, streams.of_calls()), 0);
  auto from = on_device(std::vector<cufftComplex>(8, cufftComplex{1, 1}));
  auto to = on_device(std::vector<cufftComplex>(8, cufftComplex{1, 1}));
  const auto transform = [&] { return cufftExecC2C(plan, from.data(), to.data(), CUFFT_FORWARD); };
  expect_races(streams, from, "cufftExecC2C", transform);
  expect_races(streams, to, "cufftExecC2C", transform);
  EXPECT_EQ(cufftDestroy(plan), 0);
  curandGenerator_t generator = nullptr;
  ASSERT_EQ(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10), 0);
  ASSERT_EQ(curandSetStream(generator, streams.of_calls()), 0);
  auto numbers = on_device(std::vector<float>(8));
  expect_races(streams, numbers, "curandGenerateUniform",
               [&] { return curandGenerateUniform(generator, numbers.data(), 8); });
  EXPECT_EQ(curandDestroyGenerator(generator), 0);
}

TEST(LibraryRaces, of_sparse_systems) {
  const TwoStreams streams;
  const Sparse sparse;
  ASSERT_EQ(cusparseSetStream(sparse, streams.of_calls()), 0);
  SparseMatrix a({2, 0, 1, 2}, 2, 2, CUSPARSE_FORMAT_CSR, 0);
  auto x = on_device(std::vector<double>{1, 2});
  auto y = on_device(std::vector<double>{1, 2});
  auto buffer = on_device(std::vector<double>(1));
  cusparseDnVecDescr_t right = nullptr;
  cusparseDnVecDescr_t solution = nullptr;
  cusparseSpSVDescr_t system = nullptr;
  ASSERT_EQ(cusparseCreateDnVec(&right, 2, x.data(), CUDA_R_64F), 0);
  ASSERT_EQ(cusparseCreateDnVec(&solution, 2, y.data(), CUDA_R_64F), 0);
  ASSERT_EQ(cusparseSpSV_createDescr(&system), 0);
  const double one = 1;
  ASSERT_EQ(
      cusparseSpSV_analysis(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.descriptor, right,
                            solution, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, system, buffer.data()),
      0);
  const auto solve = [&] {
    return cusparseSpSV_solve(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a.descriptor, right,
                              solution, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, system);
  };
  expect_races(streams, a.values, "cusparseSpSV_solve", solve);
  expect_races(streams, x, "cusparseSpSV_solve", solve);
  expect_races(streams, y, "cusparseSpSV_solve", solve);
  expect_races(streams, buffer, "cusparseSpSV_solve", solve);
  EXPECT_EQ(cusparseSpSV_destroyDescr(system), 0);
  EXPECT_EQ(cusparseDestroyDnVec(right), 0);
  EXPECT_EQ(cusparseDestroyDnVec(solution), 0);
}

TEST(LibraryRaces, of_incomplete_factors) {
  const TwoStreams streams;
  const Sparse sparse;
  ASSERT_EQ(cusparseSetStream(sparse, streams.of_calls()), 0);
  SparseMatrix a({2, 1, 1, 2}, 2, 2, CUSPARSE_FORMAT_CSR, 0);
  auto buffer = on_device(std::vector<double>(1));
  cusparseMatDescr_t general = nullptr;
  csrilu02Info_t info = nullptr;
  ASSERT_EQ(cusparseCreateMatDescr(&general), 0);
  ASSERT_EQ(cusparseCreateCsrilu02Info(&info), 0);
  constexpr auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
  ASSERT_EQ(cusparseDcsrilu02_analysis(sparse, 2, 4, general, a.values.data(), a.offsets.data(),
                                       a.indices.data(), info, policy, buffer.data()),
            0);
  expect_races(streams, a.values, "cusparseDcsrilu02", [&] {
    return cusparseDcsrilu02(sparse, 2, 4, general, a.values.data(), a.offsets.data(),
                             a.indices.data(), info, policy, buffer.data());
  });
  EXPECT_EQ(cusparseDestroyCsrilu02Info(info), 0);
  EXPECT_EQ(cusparseDestroyMatDescr(general), 0);
}

TEST(LibraryRaces, of_factors_in_batches) {
  const TwoStreams streams;
  const Blas blas;
  ASSERT_EQ(cublasSetStream(blas, streams.of_calls()), 0);
  auto matrix = on_device(std::vector<double>{2, 1, 1, 2});
  auto tau = on_device(std::vector<double>{1, 1});
  auto matrices = on_device(std::vector<double*>{matrix.data()});
  auto taus = on_device(std::vector<double*>{tau.data()});
  int info = 0;
  const auto factor = [&] {
    return cublasDgeqrfBatched(blas, 2, 2, matrices.data(), 2, taus.data(), &info, 1);
  };
  expect_races(streams, matrix, "cublasDgeqrfBatched", factor);
  expect_races(streams, tau, "cublasDgeqrfBatched", factor);
}

}  // namespace
}  // namespace bankproof::cuda::tests
