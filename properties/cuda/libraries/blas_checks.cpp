// The machine finds in calls of cuBLAS: operands that are too short, freed or not written; calls
// that nothing orders; wrong arguments.
#include <functional>

#include "../../../cuda/runtime/reports.hpp"
#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ptx::FaultKind;
using ::testing::HasSubstr;

std::vector<float> ones(int count) {
  std::vector<float> values(at(count), 1.0F);
  return values;
}

/// The only finding since the last call.
ptx::FaultReport only_finding() {
  const auto all = take_findings();
  EXPECT_EQ(all.size(), 1U);
  cudaGetLastError();
  return all.empty() ? ptx::FaultReport() : all.front();
}

const float one = 1;
const float zero = 0;

/// A product of 4 × 4 matrices, some elements of whose operands are missing.
cublasStatus_t gemm_of(const Blas& blas, DeviceArray<float>& a, DeviceArray<float>& b,
                       DeviceArray<float>& c, const float* beta = &zero) {
  return cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.data(), 4, b.data(), 4, beta,
                     c.data(), 4);
}

TEST(BlasChecks, finds_operands_that_are_one_element_too_short) {
  take_findings();
  const Blas blas;
  for (int shorter = 0; shorter < 3; ++shorter) {
    auto a = on_device(ones(shorter == 0 ? 15 : 16));
    auto b = on_device(ones(shorter == 1 ? 15 : 16));
    auto c = on_device(ones(shorter == 2 ? 15 : 16));
    EXPECT_EQ(gemm_of(blas, a, b, c), CUBLAS_STATUS_EXECUTION_FAILED);
    const auto found = only_finding();
    EXPECT_EQ(found.kind, FaultKind::out_of_bounds);
    const char* const names[] = {"cublasSgemm reads A at", "cublasSgemm reads B at",
                                 "cublasSgemm writes C at"};
    EXPECT_THAT(found.message, HasSubstr(names[shorter]));
    EXPECT_THAT(found.message, HasSubstr("64 bytes from byte 0 of an allocation of 60 bytes"));
    EXPECT_EQ(c.values(), ones(shorter == 2 ? 15 : 16));  // nothing is written
  }
  // The last column ends behind its rows, not behind the leading dimension.
  auto a = on_device(ones(3 * 6 + 4));
  auto b = on_device(ones(16));
  auto c = on_device(ones(16));
  EXPECT_EQ(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.data(), 6, b.data(), 4,
                        &zero, c.data(), 4),
            0);
  auto x = on_device(ones(7));
  EXPECT_EQ(cublasSscal(blas, 4, &one, x.data(), 2), 0);
  EXPECT_TRUE(take_findings().empty());
  EXPECT_EQ(cublasSscal(blas, 4, &one, x.data() + 1, 2), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(only_finding().kind, FaultKind::out_of_bounds);
}

TEST(BlasChecks, finds_freed_memory_and_memory_of_the_host) {
  const Blas blas;
  float* freed = nullptr;
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&freed), 64), cudaSuccess);
  EXPECT_EQ(cudaFree(freed), cudaSuccess);
  EXPECT_EQ(cublasSscal(blas, 4, &one, freed, 1), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(only_finding().kind, FaultKind::use_after_free);
  float mine[4] = {};
  EXPECT_EQ(cublasSscal(blas, 4, &one, mine, 1), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(only_finding().kind, FaultKind::out_of_bounds);
  EXPECT_EQ(cublasSscal(blas, 4, &one, nullptr, 1), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(only_finding().kind, FaultKind::out_of_bounds);
}

TEST(BlasChecks, finds_operands_that_nobody_has_written) {
  const Blas blas;
  auto whole = on_device(ones(16));
  DeviceArray<float> a(16);
  auto c = on_device(ones(16));
  EXPECT_EQ(cudaMemset(a.data(), 0, 60), cudaSuccess);
  EXPECT_EQ(gemm_of(blas, whole, a, c), 0);
  const auto found = only_finding();
  EXPECT_EQ(found.kind, FaultKind::uninitialized);
  EXPECT_THAT(found.message, HasSubstr("cublasSgemm reads B at"));
  EXPECT_THAT(found.message, HasSubstr("byte 60 of the allocation"));
  // C is not read if beta is 0, and it is written afterwards.
  DeviceArray<float> result(16);
  EXPECT_EQ(gemm_of(blas, whole, whole, result), 0);
  EXPECT_EQ(gemm_of(blas, whole, whole, result, &one), 0);
  EXPECT_TRUE(take_findings().empty());
  DeviceArray<float> fresh(16);
  EXPECT_EQ(gemm_of(blas, whole, whole, fresh, &one), 0);
  EXPECT_THAT(only_finding().message, HasSubstr("cublasSgemm reads C at"));
  // A factor of 0 reads no operand.
  DeviceArray<float> none(16);
  EXPECT_EQ(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &zero, none.data(), 4, none.data(),
                        4, &zero, result.data(), 4),
            0);
  EXPECT_TRUE(take_findings().empty());
}

TEST(BlasChecks, only_the_triangle_of_a_triangle_is_read) {
  const Blas blas;
  DeviceArray<float> a(9);
  auto x = on_device(ones(3));
  EXPECT_EQ(cudaMemset(a.data(), 0, 4), cudaSuccess);  // the upper triangle
  EXPECT_EQ(cudaMemset(a.data() + 3, 0, 8), cudaSuccess);
  EXPECT_EQ(cudaMemset(a.data() + 6, 0, 12), cudaSuccess);
  const auto multiply = [&](cublasFillMode_t uplo) {
    return cublasStrmv(blas, uplo, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, a.data(), 3, x.data(), 1);
  };
  EXPECT_EQ(multiply(CUBLAS_FILL_MODE_UPPER), 0);
  EXPECT_TRUE(take_findings().empty());
  EXPECT_EQ(multiply(CUBLAS_FILL_MODE_LOWER), 0);
  EXPECT_EQ(only_finding().kind, FaultKind::uninitialized);
  // A diagonal of ones is not read.
  DeviceArray<float> strict(9);
  EXPECT_EQ(cudaMemset(strict.data() + 3, 0, 4), cudaSuccess);
  EXPECT_EQ(cudaMemset(strict.data() + 6, 0, 8), cudaSuccess);
  EXPECT_EQ(cublasStrmv(blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 3,
                        strict.data(), 3, x.data(), 1),
            0);
  EXPECT_TRUE(take_findings().empty());
}

/// A stream that nothing orders with others.
class FreeStream {
 public:
  FreeStream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), 0); }
  ~FreeStream() { cudaStreamDestroy(stream_); }
  FreeStream(const FreeStream&) = delete;
  FreeStream& operator=(const FreeStream&) = delete;
  operator cudaStream_t() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaStream_t stream_ = nullptr;
};

TEST(BlasChecks, a_call_races_with_a_kernel_of_another_stream) {
  const Blas blas;
  const FreeStream first;
  const FreeStream second;
  DeviceArray<int> numbers(64);
  auto y = on_device(ones(64));
  EXPECT_EQ(cudaMemset(numbers.data(), 0, 256), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cublasSetStream(blas, second), 0);
  auto* const x = reinterpret_cast<float*>(numbers.data());
  for (const bool waits : {true, false}) {
    add(numbers.data(), 1, 64, first);
    if (waits) {
      EXPECT_EQ(cudaStreamSynchronize(first), cudaSuccess);
    }
    EXPECT_EQ(cublasSaxpy(blas, 64, &one, x, 1, y.data(), 1), 0);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    if (waits) {
      EXPECT_TRUE(take_findings().empty());
    } else {
      const auto found = only_finding();
      EXPECT_EQ(found.kind, FaultKind::race);
      EXPECT_THAT(found.message, HasSubstr("cublasSaxpy reads 256 bytes from byte 0"));
    }
  }
  // A result that another stream reads.
  EXPECT_EQ(cublasSscal(blas, 64, &one, x, 1), 0);
  add(numbers.data(), 1, 64, first);
  const auto found = only_finding();
  EXPECT_EQ(found.kind, FaultKind::race);
  EXPECT_THAT(found.message, HasSubstr("is not ordered with cublasSscal"));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_no_faults();
}

TEST(BlasChecks, elements_between_those_of_a_vector_do_not_race) {
  const Blas blas;
  const FreeStream first;
  const FreeStream second;
  auto x = on_device(ones(64));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cublasSetStream(blas, first), 0);
  EXPECT_EQ(cublasSscal(blas, 32, &one, x.data(), 2), 0);
  EXPECT_EQ(cublasSetStream(blas, second), 0);
  EXPECT_EQ(cublasSscal(blas, 32, &one, x.data() + 1, 2), 0);
  EXPECT_TRUE(take_findings().empty());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(BlasChecks, the_host_waits_before_it_reads_managed_memory) {
  const Blas blas;
  float* x = nullptr;
  EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&x), 16, cudaMemAttachGlobal), 0);
  for (const bool waits : {true, false}) {
    for (int k = 0; k < 4; ++k) x[k] = 1;
    const float two = 2;
    EXPECT_EQ(cublasSscal(blas, 4, &two, x, 1), 0);
    if (waits) {
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    EXPECT_EQ(x[1], 2);
    EXPECT_EQ(take_kinds().size(), waits ? 0U : 1U);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  // Scalars may be there, too.
  x[0] = 3;
  EXPECT_EQ(cublasSscal(blas, 3, x, x + 1, 1), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x[2], 6);
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}

TEST(BlasChecks, scalars_are_where_the_pointer_mode_says) {
  const Blas blas;
  const auto x = on_device(ones(4));
  DeviceArray<float> scalars(2);
  scalars.set(std::vector<float>{5, 0});
  EXPECT_EQ(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE), 0);
  auto y = on_device(ones(4));
  EXPECT_EQ(cublasSaxpy(blas, 4, scalars.data(), x.data(), 1, y.data(), 1), 0);
  EXPECT_EQ(cublasSdot(blas, 4, x.data(), 1, y.data(), 1, scalars.data() + 1), 0);
  EXPECT_EQ(scalars.values()[1], 24);
  float mine = 1;
  EXPECT_EQ(cublasSaxpy(blas, 4, &mine, x.data(), 1, y.data(), 1), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_THAT(only_finding().message, HasSubstr("cublasSaxpy reads alpha at"));
  EXPECT_EQ(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST), 0);
  EXPECT_EQ(cublasSaxpy(blas, 4, scalars.data(), x.data(), 1, y.data(), 1),
            CUBLAS_STATUS_INVALID_VALUE);
  const auto found = only_finding();
  EXPECT_EQ(found.kind, FaultKind::invalid_copy);
  EXPECT_THAT(found.message, HasSubstr("the pointer mode is that of the host"));
}

TEST(BlasChecks, a_captured_call_is_performed_when_its_graph_is_launched) {
  const Blas blas;
  const FreeStream stream;
  auto x = on_device(ones(4));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cublasSetStream(blas, stream), 0);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  float two = 2;
  EXPECT_EQ(cublasSscal(blas, 4, &two, x.data(), 1), 0);
  two = 100;  // the scalar was read
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x.values(), std::vector<float>(4, 8.0F));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST(BlasChecks, wrong_arguments_have_their_status) {
  const Blas blas;
  auto a = on_device(ones(16));
  float* const p = a.data();
  const auto gemm = [&](int m, int n, int k, int lda, int ldb, int ldc,
                        cublasOperation_t op = CUBLAS_OP_N, const float* alpha = &one) {
    return cublasSgemm(blas, op, CUBLAS_OP_N, m, n, k, alpha, p, lda, p, ldb, &zero, p, ldc);
  };
  EXPECT_EQ(gemm(2, 2, 2, 2, 2, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(gemm(0, 2, 2, 1, 2, 1), CUBLAS_STATUS_SUCCESS);
  const std::vector<std::function<cublasStatus_t()>> wrong = {
      [&] { return gemm(-1, 2, 2, 2, 2, 2); },
      [&] { return gemm(2, -1, 2, 2, 2, 2); },
      [&] { return gemm(2, 2, -1, 2, 2, 2); },
      [&] { return gemm(2, 2, 2, 1, 2, 2); },
      [&] { return gemm(2, 2, 2, 2, 1, 2); },
      [&] { return gemm(2, 2, 2, 2, 2, 1); },
      [&] { return gemm(2, 2, 2, 2, 2, 2, CUBLAS_OP_CONJG); },
      [&] { return gemm(2, 2, 2, 2, 2, 2, CUBLAS_OP_N, nullptr); },
      [&] { return cublasSgemv(blas, CUBLAS_OP_N, 2, 2, &one, p, 2, p, 0, &zero, p, 1); },
      [&] { return cublasSsymv(blas, CUBLAS_FILL_MODE_FULL, 2, &one, p, 2, p, 1, &zero, p, 1); },
      [&] { return cublasSdot(blas, 2, p, 1, p, 1, nullptr); },
      [&] { return cublasSetMatrix(2, 2, 4, p, 1, p, 2); },
      [&] { return cublasSetVector(2, 0, p, 1, p, 2); },
      [&] { return cublasCreate(nullptr); },
      [&] { return cublasGetVersion(blas, nullptr); },
  };
  for (const auto& call : wrong) EXPECT_EQ(call(), CUBLAS_STATUS_INVALID_VALUE);
  cublasHandle_t gone = nullptr;
  EXPECT_EQ(cublasCreate(&gone), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(gone), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(gone), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSscal(gone, 1, &one, p, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSscal(nullptr, 1, &one, p, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
  EXPECT_TRUE(take_findings().empty());
  cudaGetLastError();
}

TEST(BlasChecks, vectors_and_matrices_are_copied_with_their_steps) {
  const std::vector<float> host = {1, 2, 3, 4, 5, 6};
  DeviceArray<float> x(6);
  x.set(std::vector<float>(6));
  EXPECT_EQ(cublasSetVector(3, 4, host.data(), 2, x.data(), 1), 0);
  EXPECT_EQ(x.values(), (std::vector<float>{1, 3, 5, 0, 0, 0}));
  EXPECT_EQ(cublasSetMatrix(2, 2, 4, host.data(), 3, x.data(), 2), 0);
  EXPECT_EQ(x.values(), (std::vector<float>{1, 2, 4, 5, 0, 0}));
  std::vector<float> back(6);
  EXPECT_EQ(cublasGetMatrix(2, 2, 4, x.data(), 2, back.data(), 3), 0);
  EXPECT_EQ(back, (std::vector<float>{1, 2, 0, 4, 5, 0}));
  EXPECT_EQ(cublasGetVector(2, 4, x.data(), 1, back.data(), 3), 0);
  EXPECT_EQ(back, (std::vector<float>{1, 2, 0, 2, 5, 0}));
}

}  // namespace
}  // namespace bankproof::cuda::tests
