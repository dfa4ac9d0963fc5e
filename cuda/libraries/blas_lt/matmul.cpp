// cublasLt's product: D := s_D · f(α · s_A · s_B · op(A) · op(B) + β · s_C · C + bias), where f is
// what the epilogue says, and the scales s are 1 but for operands of 8 bits with fractions.
//
// The machine has one algorithm, which needs no memory of the program.
#include <algorithm>
#include <functional>

#include "problem.hpp"

namespace bankproof::cuda::blas_lt {
namespace {

using blas::Complex;
using blas::Dense;
using blas::DoubleComplex;
using blas::Half16;
using blas::Typed;
using libraries::Operation;
using libraries::VectorShape;

constexpr std::uint64_t algorithm_mark = 0x616c676f;

/// The matrices of a batch.
std::vector<void*> addresses(Operation& on, const char* name, const void* pointer,
                             const Layout& of) {
  const VectorShape all{of.count, 1};
  if (of.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY) {
    return on.read<void*>(name, pointer, all);
  }
  std::vector<void*> result;
  for (std::int64_t k = 0; k < of.count; ++k) {
    const auto bytes = static_cast<std::uintptr_t>(k * of.stride) * bytes_of(of.data_type());
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the pointer may be wrong.
    result.push_back(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(pointer) + bytes));
  }
  return result;
}

Lines lines_of(const Layout& of) {
  const auto rows = static_cast<std::int64_t>(of.rows);
  const auto columns = static_cast<std::int64_t>(of.columns);
  return of.order == CUBLASLT_ORDER_COL ? Lines{columns, rows, of.leading}
                                        : Lines{rows, columns, of.leading};
}
template <class V>
Dense<V> read_dense(Operation& on, const char* name, const void* address, const Layout& of) {
  const Lines lines = lines_of(of);
  Dense<V> stored(lines.size, lines.count);
  stored.values = read<V>(on, blas::typed(name, address, of.data_type()), lines);
  return of.order == CUBLASLT_ORDER_COL ? stored : transposed(stored, false);
}
template <class V>
void write_dense(Operation& on, const char* name, const void* address, const Layout& of,
                 const Dense<V>& matrix) {
  const Dense<V> stored = of.order == CUBLASLT_ORDER_COL ? matrix : transposed(matrix, false);
  write(on, blas::typed(name, address, of.data_type()), lines_of(of), stored.values);
}

/// α or β: one number, or one for each row.
template <class V>
using Factor = std::function<std::vector<V>(Operation&)>;

/// `S` is the type of the scalars, `V` that of the computation.
template <class V, class S>
Factor<V> factor(const char* call, const char* name, const void* pointer, const Problem& of,
                 bool is_alpha) {
  const int mode = of.how.pointer_mode;
  const bool has_vector = mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  const auto rows = static_cast<std::size_t>(of.d.rows);
  if (!is_alpha && mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO) {
    return [rows](Operation&) { return std::vector<V>(rows); };
  }
  require(pointer != nullptr, fmt::format("{} is null", name));
  if (has_vector && (is_alpha || mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR)) {
    return [=](Operation& on) {
      std::vector<V> all;
      const VectorShape shape{static_cast<std::int64_t>(rows), 1};
      for (const S& one : on.read<S>(name, pointer, shape)) all.push_back(blas::computed<V>(one));
      return all;
    };
  }
  if (mode == CUBLASLT_POINTER_MODE_DEVICE) {
    return [=](Operation& on) {
      return std::vector<V>(rows, blas::computed<V>(on.read_one<S>(name, pointer)));
    };
  }
  S value{};
  require(libraries::read_host(call, name, pointer, sizeof value, &value) == 0,
          "the host has no such memory");
  return [=](Operation&) { return std::vector<V>(rows, blas::computed<V>(value)); };
}

struct Places {
  const void *a, *b, *c;
  void* d;
};

/// A scale in memory of the device, or 1.
float read_scale(Operation& on, const char* name, const void* pointer) {
  return pointer == nullptr ? 1.0F : on.read_one<float>(name, pointer);
}

double activated(unsigned epilogue, double x) {
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) return std::max(x, 0.0);
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) == 0) return x;
  constexpr double root = 0.7978845608028654;  // of 2 / π
  return x / 2 * (1 + std::tanh(root * (x + 0.044715 * x * x * x)));
}

template <class V>
bool has_other_than_zero(const std::vector<V>& values) {
  return std::any_of(values.begin(), values.end(), [](const V& one) { return one != V(0); });
}

/// α · op(A) · op(B) + β · C
template <class V>
Dense<V> sum_of(Operation& on, const Problem& of, const Places& at, const std::vector<V>& alpha,
                const std::vector<V>& beta) {
  const auto rows = static_cast<std::int64_t>(of.d.rows);
  Dense<V> sum(rows, static_cast<std::int64_t>(of.d.columns));
  const auto add = [&](const Dense<V>& matrix, const std::vector<V>& factors, V scale) {
    for (std::size_t k = 0; k < sum.values.size(); ++k) {
      sum.values[k] += factors[k % factors.size()] * scale * matrix.values[k];
    }
  };
  if (has_other_than_zero(alpha) && of.a.rows != 0 && of.a.columns != 0) {
    const auto a = applied(of.op_a(), read_dense<V>(on, "A", at.a, of.a));
    const auto b = applied(of.op_b(), read_dense<V>(on, "B", at.b, of.b));
    const float scale = read_scale(on, "the scale of A", of.how.scale_a) *
                        read_scale(on, "the scale of B", of.how.scale_b);
    add(product(a, b), alpha, V(scale));
  }
  if (has_other_than_zero(beta)) {
    add(read_dense<V>(on, "C", at.c, of.c), beta,
        V(read_scale(on, "the scale of C", of.how.scale_c)));
  }
  return sum;
}

/// Adds the bias of the matrix k of the batch to each column, and applies the epilogue's function.
template <class V>
void finish(Operation& on, const Problem& of, std::int64_t k, Dense<V>& sum) {
  std::vector<V> bias(of.d.rows);
  if (of.has_bias()) {
    const auto distance = static_cast<std::uintptr_t>(k * of.how.bias_stride);
    const auto address =
        reinterpret_cast<std::uintptr_t>(of.how.bias) + distance * bytes_of(of.bias_type());
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the pointer may be wrong.
    const Typed place{"the bias", reinterpret_cast<void*>(address), of.bias_type()};
    bias = read<V>(on, place, Lines{1, sum.rows, sum.rows});
  }
  if constexpr (!blas::is_complex<V>) {
    for (std::size_t i = 0; i < sum.values.size(); ++i) {
      sum.values[i] = static_cast<V>(
          activated(of.how.epilogue, double(sum.values[i]) + double(bias[i % bias.size()])));
    }
  }
}

template <class V, class S>
void multiply(const char* call, const Problem& of, const void* alpha, const void* beta,
              const Places& at, cudaStream_t stream) {
  const auto first = factor<V, S>(call, "alpha", alpha, of, true);
  const auto second = factor<V, S>(call, "beta", beta, of, false);
  const auto act = [=](Operation& on) {
    if (of.d.rows == 0 || of.d.columns == 0) return;
    const auto alphas = first(on);
    const auto betas = second(on);
    const bool needs = has_other_than_zero(alphas);
    const auto all_d = addresses(on, "the array of D", at.d, of.d);
    const auto all_a = needs ? addresses(on, "the array of A", at.a, of.a) : all_d;
    const auto all_b = needs ? addresses(on, "the array of B", at.b, of.b) : all_d;
    const auto all_c =
        has_other_than_zero(betas) ? addresses(on, "the array of C", at.c, of.c) : all_d;
    double largest = 0;
    for (std::size_t k = 0; k < all_d.size(); ++k) {
      const Places one{all_a[k], all_b[k], all_c[k], all_d[k]};
      Dense<V> sum = sum_of<V>(on, of, one, alphas, betas);
      finish(on, of, static_cast<std::int64_t>(k), sum);
      const auto scale = V(read_scale(on, "the scale of D", of.how.scale_d));
      for (V& value : sum.values) {
        largest = std::max(largest, double(std::abs(value)));
        value *= scale;
      }
      write_dense(on, "D", one.d, of.d, sum);
    }
    if (of.how.largest != nullptr) {
      on.write_one("the largest result", of.how.largest, static_cast<float>(largest));
    }
  };
  if (libraries::perform(call, stream, act) != cudaSuccess) {
    throw Refused{CUBLAS_STATUS_EXECUTION_FAILED, "the operation failed"};
  }
}

void multiply_typed(const char* call, const Problem& of, const void* alpha, const void* beta,
                    const Places& at, cudaStream_t stream) {
  switch (of.how.scale_type) {
    case CUDA_R_16F:
      return multiply<float, Half16>(call, of, alpha, beta, at, stream);
    case CUDA_R_32I:
      return multiply<double, std::int32_t>(call, of, alpha, beta, at, stream);
    case CUDA_R_64F:
      return multiply<double, double>(call, of, alpha, beta, at, stream);
    case CUDA_C_32F:
      return multiply<Complex, Complex>(call, of, alpha, beta, at, stream);
    case CUDA_C_64F:
      return multiply<DoubleComplex, DoubleComplex>(call, of, alpha, beta, at, stream);
    default:
      return of.a.type == CUDA_R_8I ? multiply<double, float>(call, of, alpha, beta, at, stream)
                                    : multiply<float, float>(call, of, alpha, beta, at, stream);
  }
}

}  // namespace
}  // namespace bankproof::cuda::blas_lt

using namespace bankproof::cuda::blas_lt;

extern "C" {
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t how, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t layout_a, const void* b,
                              cublasLtMatrixLayout_t layout_b, const void* beta, const void* c,
                              cublasLtMatrixLayout_t layout_c, void* d,
                              cublasLtMatrixLayout_t layout_d,
                              const cublasLtMatmulAlgo_t* algorithm, void*, size_t,
                              cudaStream_t stream) {
  constexpr const char* call = "cublasLtMatmul";
  return make_call(call, [&] {
    require_handle(handle);
    const Problem of = problem_of(how, layout_a, layout_b, layout_c, layout_d);
    require(algorithm == nullptr || algorithm->data[0] == algorithm_mark,
            "the algorithm is none that a heuristic gave");
    require(bankproof_library_has_stream(call, stream) != 0, "the stream does not exist");
    require(c != d || std::memcmp(&of.c, &of.d, sizeof of.c) == 0,
            "C is D, but their layouts differ");
    multiply_typed(call, of, alpha, beta, {a, b, c, d}, stream);
  });
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t how,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result) {
  return make_call("cublasLtMatmulAlgoCheck", [&] {
    require_handle(handle);
    require(algorithm != nullptr && result != nullptr, "an address is null");
    require(algorithm->data[0] == algorithm_mark, "the algorithm is none that a heuristic gave");
    problem_of(how, a, b, c, d);
    *result = {*algorithm, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
  });
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t how,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* count) {
  return make_call("cublasLtMatmulAlgoGetHeuristic", [&] {
    require_handle(handle);
    require(results != nullptr && count != nullptr, "an address for an answer is null");
    require(most >= 1, fmt::format("{} algorithms are asked for", most));
    *count = 0;
    if (preference != nullptr) read_kind<Preference>(preference);
    problem_of(how, a, b, c, d);
    results[0] = {{{algorithm_mark}}, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
    *count = 1;
  });
}
}
