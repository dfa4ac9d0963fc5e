// Solutions of triangular systems: op(A) · y = α · x for a vector (SpSV), op(A) · C = α · op(B) for
// a dense matrix (SpSM).
//
// A has the triangle that its attributes say; its other elements are not read. The analysis takes
// the values of A, and cusparseSpSV_updateMatrix gives others. A solution reads A again, as a chip
// may, but computes with the values that were taken. It reads the buffer of the analysis, too, so
// that a buffer that is gone, or not ordered, is found.
#include <memory>

#include "dense.hpp"
#include "elements.hpp"

namespace bankproof::cuda::sparse {

struct Analysis {
  cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpMatDescr a;
  void* buffer = nullptr;
  bool is_done = false;
  bool has_new_values = false;
  std::vector<Element<DoubleComplex>> elements;  // of the triangle
};

}  // namespace bankproof::cuda::sparse

// cuSPARSE lets the library define these types.
struct cusparseSpSVDescr {
  std::shared_ptr<bankproof::cuda::sparse::Analysis> analysis;
};
struct cusparseSpSMDescr {
  std::shared_ptr<bankproof::cuda::sparse::Analysis> analysis;
};

namespace bankproof::cuda::sparse {
namespace {

std::vector<Element<DoubleComplex>> triangle_of(Operation& on, const cusparseSpMatDescr& a) {
  const bool is_lower = a.fill_mode == CUSPARSE_FILL_MODE_LOWER;
  const bool is_unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  return elements_of<DoubleComplex>(on, a, [=](const Position& at) {
    if (at.row == at.column) return !is_unit;
    return is_lower == (at.column < at.row);
  });
}

void analyze_triangle(Operation& on, Analysis& of) {
  of.elements = triangle_of(on, of.a);
  on.write_one("the buffer", of.buffer, std::uint64_t{0});
  of.has_new_values = false;
  of.is_done = true;
}
void check_again(Operation& on, const Analysis& of, const cusparseSpMatDescr& a) {
  if (!of.is_done) throw libraries::OperationError{cudaErrorInvalidValue};
  on.read_one<std::uint64_t>("the buffer of the analysis", of.buffer);
  if (of.has_new_values) {
    positions_of(on, a);
  } else {
    triangle_of(on, a);
  }
}

/// Solves for each column of the right sides, which lie row by row, in their place.
template <class W>
void solve(const Analysis& of, std::vector<W>& sides, std::size_t width) {
  const auto n = static_cast<std::size_t>(of.a.rows);
  const bool transposes = of.op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool is_lower = (of.a.fill_mode == CUSPARSE_FILL_MODE_LOWER) != transposes;
  std::vector<std::vector<Element<W>>> rows(n);
  for (const auto& one : applied(of.op, of.elements)) {
    rows[static_cast<std::size_t>(one.row)].push_back(
        {one.row, one.column, blas::computed<W>(one.value)});
  }
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t i = is_lower ? step : n - 1 - step;
    W diagonal(of.a.diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1 : 0);
    for (const Element<W>& one : rows[i]) {
      const auto k = static_cast<std::size_t>(one.column);
      if (k == i) diagonal += one.value;
      for (std::size_t j = 0; k != i && j < width; ++j) {
        sides[i * width + j] -= one.value * sides[k * width + j];
      }
    }
    for (std::size_t j = 0; j < width; ++j) sides[i * width + j] /= diagonal;
  }
}

template <class W, class V>
std::vector<W> widened(const std::vector<V>& values, V factor) {
  std::vector<W> result;
  result.reserve(values.size());
  for (const V& one : values) result.push_back(W(one) * W(factor));
  return result;
}
template <class V, class W>
std::vector<V> narrowed(const std::vector<W>& values) {
  std::vector<V> result;
  result.reserve(values.size());
  for (const W& one : values) result.push_back(V(one));
  return result;
}

void require_triangle(cusparseConstSpMatDescr_t a) {
  require_object(a, "matrix");
  require(a->rows == a->columns, "the matrix is not square");
  if (a->format == CUSPARSE_FORMAT_CSC) {
    throw Refused{CUSPARSE_STATUS_NOT_SUPPORTED, "CUDA solves with matrices in CSR and COO"};
  }
}

/// The operands of a solution for a vector, which is solved in its own type.
struct VectorSystem {
  using Descriptor = cusparseSpSVDescr;
  cusparseOperation_t op;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnVecDescr_t x;
  cusparseConstDnVecDescr_t y;

  void check() const {
    require_triangle(a);
    require_object(x, "vector x");
    require_object(y, "vector y");
    require(x->size == a->rows && y->size == a->rows, "x or y has another size than A");
  }
  template <class V>
  std::function<void(Operation&, const Analysis&, V)> solution() const {
    return [a = *a, x = *x, y = *y](Operation& on, const Analysis& analysis, V alpha) {
      check_again(on, analysis, a);
      const VectorShape shape{x.size, 1};
      auto sides = widened<blas::Wide<V>>(
          blas::read<V>(on, blas::typed("x", x.values, x.type), shape), alpha);
      solve(analysis, sides, 1);
      blas::write(on, blas::typed("y", y.values, y.type), shape, narrowed<V>(sides));
    };
  }
};

/// Likewise for a dense matrix.
struct MatrixSystem {
  using Descriptor = cusparseSpSMDescr;
  cusparseOperation_t op;
  cusparseOperation_t op_b;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnMatDescr_t b;
  cusparseConstDnMatDescr_t c;

  void check() const {
    require_triangle(a);
    require_object(b, "matrix B");
    require_object(c, "matrix C");
    require(op_b == CUSPARSE_OPERATION_NON_TRANSPOSE || op_b == CUSPARSE_OPERATION_TRANSPOSE,
            "op(B) is B or its transpose");
    const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    require((plain ? b->rows : b->columns) == a->rows && c->rows == a->rows,
            "op(B) or C has other rows than A");
    require((plain ? b->columns : b->rows) == c->columns, "C has other columns than op(B)");
  }
  template <class V>
  std::function<void(Operation&, const Analysis&, V)> solution() const {
    return [a = *a, b = *b, c = *c, op_b = op_b](Operation& on, const Analysis& analysis, V alpha) {
      check_again(on, analysis, a);
      const auto width = static_cast<std::size_t>(c.columns);
      auto read = read_rows<V>(on, "B", b);
      if (op_b != CUSPARSE_OPERATION_NON_TRANSPOSE) {
        const std::vector<V> rows = read;
        const auto n = static_cast<std::size_t>(c.rows);
        for (std::size_t k = 0; k < rows.size(); ++k) read[k % n * width + k / n] = rows[k];
      }
      auto sides = widened<blas::Wide<V>>(read, alpha);
      solve(analysis, sides, width);
      write_rows(on, "C", c, narrowed<V>(sides));
    };
  }
};

template <class T>
cusparseStatus_t create_descriptor(const char* call, T** descriptor) {
  return make_call(call, [&] {
    require(descriptor != nullptr, "the address for the descriptor is null");
    *descriptor = objects<T>().make();
  });
}
template <class T>
cusparseStatus_t destroy_descriptor(const char* call, T* descriptor) {
  return make_call(call, [&] {
    require_object(descriptor, "descriptor");
    objects<T>().destroy(descriptor);
  });
}

template <class System>
cusparseStatus_t give_system_size(const char* call, cusparseHandle_t handle, const System& of,
                                  typename System::Descriptor* descriptor, size_t* bytes) {
  return make_call(call, [&] {
    context_of(handle);
    of.check();
    require_object(descriptor, "descriptor");
    require(bytes != nullptr, "the address for the size is null");
    *bytes = buffer_bytes;
  });
}
template <class System>
cusparseStatus_t analyze_system(const char* call, cusparseHandle_t handle, const System& of,
                                typename System::Descriptor* descriptor, void* buffer) {
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    of.check();
    require_object(descriptor, "descriptor");
    require(buffer != nullptr, "the buffer is null");
    const auto analysis =
        std::make_shared<Analysis>(Analysis{of.op, *of.a, buffer, false, false, {}});
    descriptor->analysis = analysis;
    perform(call, context, [=](Operation& on) { analyze_triangle(on, *analysis); });
  });
}
template <class System>
cusparseStatus_t solve_system(const char* call, cusparseHandle_t handle, const System& of,
                              const void* alpha, cudaDataType computed,
                              typename System::Descriptor* descriptor) {
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    of.check();
    require_object(descriptor, "descriptor");
    const auto analysis = descriptor->analysis;
    require(analysis != nullptr, "there was no analysis with this descriptor");
    require(
        analysis->op == of.op && analysis->a.rows == of.a->rows && analysis->a.count == of.a->count,
        "the analysis was of another matrix or operation");
    with_computed(computed, [&](auto kind) {
      using V = decltype(kind);
      const auto factor = scalar<V>(call, context, "alpha", alpha);
      const auto solution = of.template solution<V>();
      perform(call, context, [=](Operation& on) { solution(on, *analysis, factor(on)); });
    });
  });
}

void renew(Operation& on, Analysis& of, const void* values, bool only_diagonal) {
  if (!of.is_done) throw libraries::OperationError{cudaErrorInvalidValue};
  if (!only_diagonal) {
    cusparseSpMatDescr renewed = of.a;
    renewed.values = const_cast<void*>(values);
    of.elements = triangle_of(on, renewed);
  } else {
    const auto diagonal = blas::read<DoubleComplex>(
        on, blas::typed("the diagonal", values, of.a.type), VectorShape{of.a.rows, 1});
    for (auto& one : of.elements) {
      if (one.row == one.column) one.value = diagonal[static_cast<std::size_t>(one.row)];
    }
  }
  of.has_new_values = true;
}
template <class T>
cusparseStatus_t update_matrix(const char* call, cusparseHandle_t handle, T* descriptor,
                               const void* values, int part) {
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    require_object(descriptor, "descriptor");
    const auto analysis = descriptor->analysis;
    require(analysis != nullptr, "there was no analysis with this descriptor");
    require(part == CUSPARSE_SPSV_UPDATE_GENERAL || part == CUSPARSE_SPSV_UPDATE_DIAGONAL,
            "there is no such part");
    require(values != nullptr, "the address of the values is null");
    const bool only_diagonal = part == CUSPARSE_SPSV_UPDATE_DIAGONAL;
    perform(call, context, [=](Operation& on) { renew(on, *analysis, values, only_diagonal); });
  });
}

}  // namespace
}  // namespace bankproof::cuda::sparse

using namespace bankproof::cuda::sparse;

extern "C" {
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor) {
  return create_descriptor("cusparseSpSV_createDescr", descriptor);
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  return destroy_descriptor("cusparseSpSV_destroyDescr", descriptor);
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void*, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t descriptor, size_t* bytes) {
  return give_system_size("cusparseSpSV_bufferSize", handle, VectorSystem{op, a, x, y}, descriptor,
                          bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void*,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t descriptor, void* buffer) {
  return analyze_system("cusparseSpSV_analysis", handle, VectorSystem{op, a, x, y}, descriptor,
                        buffer);
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType computed, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t descriptor) {
  return solve_system("cusparseSpSV_solve", handle, VectorSystem{op, a, x, y}, alpha, computed,
                      descriptor);
}
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descriptor,
                                           void* values, cusparseSpSVUpdate_t part) {
  return update_matrix("cusparseSpSV_updateMatrix", handle, descriptor, values, part);
}
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor) {
  return create_descriptor("cusparseSpSM_createDescr", descriptor);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor) {
  return destroy_descriptor("cusparseSpSM_destroyDescr", descriptor);
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t descriptor, size_t* bytes) {
  return give_system_size("cusparseSpSM_bufferSize", handle, MatrixSystem{op_a, op_b, a, b, c},
                          descriptor, bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void*,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t descriptor, void* buffer) {
  return analyze_system("cusparseSpSM_analysis", handle, MatrixSystem{op_a, op_b, a, b, c},
                        descriptor, buffer);
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType computed,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t descriptor) {
  return solve_system("cusparseSpSM_solve", handle, MatrixSystem{op_a, op_b, a, b, c}, alpha,
                      computed, descriptor);
}
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descriptor,
                                           void* values, cusparseSpSMUpdate_t part) {
  return update_matrix("cusparseSpSM_updateMatrix", handle, descriptor, values, part);
}
}
