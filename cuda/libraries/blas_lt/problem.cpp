// See problem.hpp.
#include "problem.hpp"

#include <algorithm>
#include <initializer_list>

namespace bankproof::cuda::blas_lt {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Refused{CUBLAS_STATUS_NOT_SUPPORTED, why};
}

bool is_one_of(int value, std::initializer_list<int> all) {
  return std::find(all.begin(), all.end(), value) != all.end();
}

/// The types that a computation allows (cuBLAS documentation, cublasLtMatmul).
bool fits(const Problem& of) {
  const auto a = static_cast<int>(of.a.type);
  const auto b = static_cast<int>(of.b.type);
  const auto c = static_cast<int>(of.c.type);
  const auto d = static_cast<int>(of.d.type);
  const int scale = of.how.scale_type;
  if (of.has_eight()) {
    const bool has_plain = is_one_of(a, {CUDA_R_8F_E4M3}) || is_one_of(b, {CUDA_R_8F_E4M3});
    const bool has_c = is_one_of(c, {CUDA_R_16F, CUDA_R_16BF}) || (c == CUDA_R_32F && d == c);
    const bool has_d = d == c || (d == CUDA_R_8F_E4M3) ||
                       (d == CUDA_R_8F_E5M2 && is_one_of(CUDA_R_8F_E5M2, {a, b}));
    return is_eight(of.b.data_type()) && has_plain && has_c && has_d && scale == CUDA_R_32F &&
           of.how.computed == CUBLAS_COMPUTE_32F;
  }
  if (a != b || c != d) return false;
  switch (of.how.computed) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return a == CUDA_R_16F && c == CUDA_R_16F && scale == CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I &&
             ((c == CUDA_R_32I && scale == CUDA_R_32I) || (c == CUDA_R_8I && scale == CUDA_R_32F));
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return a == c && a == scale && is_one_of(a, {CUDA_R_64F, CUDA_C_64F});
    default:
      if (of.how.computed < CUBLAS_COMPUTE_32F ||
          of.how.computed > CUBLAS_COMPUTE_32F_EMULATED_16BFX9) {
        return false;
      }
      if (a == CUDA_C_32F) return c == a && scale == a;
      return scale == CUDA_R_32F &&
             ((is_one_of(a, {CUDA_R_16F, CUDA_R_16BF}) && is_one_of(c, {a, CUDA_R_32F})) ||
              (is_one_of(a, {CUDA_R_8I, CUDA_R_32F}) && c == CUDA_R_32F));
  }
}

void check_layout(const char* name, const Layout& of) {
  if (!is_one_of(of.order, {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW})) {
    refuse(fmt::format("{} is in tiles; the machine has orders by columns and by rows", name));
  }
  const std::uint64_t line = of.order == CUBLASLT_ORDER_COL ? of.rows : of.columns;
  require(of.leading >= 0 && static_cast<std::uint64_t>(of.leading) >= line,
          fmt::format("the leading dimension of {} is {}, below {}", name, of.leading, line));
  require(of.count >= 1, fmt::format("the batch of {} is {}", name, of.count));
}

void check_modes(const Problem& of) {
  const Description& how = of.how;
  require(how.pointer_mode >= CUBLASLT_POINTER_MODE_HOST &&
              how.pointer_mode <= CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST,
          "there is no such pointer mode");
  for (const std::int32_t op : {how.op_a, how.op_b}) {
    require(is_one_of(op, {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}), "there is no such operation");
  }
  if (how.op_c != CUBLAS_OP_N) refuse("CUDA transposes no C");
  if (how.fill_mode != CUBLAS_FILL_MODE_FULL) refuse("products of parts are not modelled");
  for (const std::int32_t mode :
       {how.mode_a, how.mode_b, how.mode_c, how.mode_d, how.mode_aux, how.mode_blocks}) {
    if (mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F) {
      refuse("a scale of a part of a matrix is not modelled");
    }
  }
  if (how.block_scales != nullptr || how.emulation != nullptr) {
    refuse("scales that are results, and descriptors of emulation, are not modelled");
  }
  if (how.alpha_stride != 0) refuse("alpha is the same for all matrices of a batch here");
  const std::initializer_list<void*> scales = {how.scale_a, how.scale_b, how.scale_c, how.scale_d};
  for (const void* const scale : scales) {
    if (scale != nullptr && !of.has_eight()) {
      refuse("only matrices of 8-bit floating-point numbers have scales");
    }
  }
  constexpr int plain = CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_GELU | CUBLASLT_EPILOGUE_BIAS;
  const bool is_default = how.epilogue == CUBLASLT_EPILOGUE_DEFAULT;
  const int parts = static_cast<int>(how.epilogue);
  constexpr int both = CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_GELU;
  if (!is_default && (parts == 0 || (parts & ~plain) != 0 || (parts & both) == both)) {
    refuse(fmt::format("the epilogue {} is not modelled: RELU, GELU and BIAS are", parts));
  }
  if (!is_default && is_one_of(how.scale_type, {CUDA_C_32F, CUDA_C_64F})) {
    refuse("complex numbers have no epilogue");
  }
  if (of.has_bias()) {
    require(how.bias != nullptr, "the address of the bias is null");
    if (bytes_of(of.bias_type()) == 0) refuse("the machine has no numbers of the bias' type");
  }
}

}  // namespace

Problem problem_of(cublasLtMatmulDesc_t how, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                   cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  Problem of{read_kind<Description>(how), read_kind<Layout>(a), read_kind<Layout>(b),
             read_kind<Layout>(c), read_kind<Layout>(d)};
  check_layout("A", of.a);
  check_layout("B", of.b);
  check_layout("C", of.c);
  check_layout("D", of.d);
  check_modes(of);
  const bool plain_a = of.how.op_a == CUBLAS_OP_N;
  const bool plain_b = of.how.op_b == CUBLAS_OP_N;
  require((plain_a ? of.a.columns : of.a.rows) == (plain_b ? of.b.rows : of.b.columns),
          "op(A) and op(B) do not fit");
  require((plain_a ? of.a.rows : of.a.columns) == of.d.rows &&
              (plain_b ? of.b.columns : of.b.rows) == of.d.columns,
          "D has another size than op(A) · op(B)");
  require(of.c.rows == of.d.rows && of.c.columns == of.d.columns, "C has another size than D");
  require(of.a.count == of.d.count && of.b.count == of.d.count && of.c.count == of.d.count,
          "the batches differ");
  if (!fits(of)) {
    refuse(fmt::format(
        "no computation {} with scales {} of the types {}, {} and {} gives the type {}",
        of.how.computed, of.how.scale_type, of.a.type, of.b.type, of.c.type, of.d.type));
  }
  const auto inner = plain_a ? of.a.columns : of.a.rows;
  if (of.has_eight() && (inner % 16 != 0 || of.a.leading % 16 != 0 || of.b.leading % 16 != 0)) {
    refuse("matrices of 8-bit floating-point numbers have lines of a multiple of 16");
  }
  return of;
}

}  // namespace bankproof::cuda::blas_lt
