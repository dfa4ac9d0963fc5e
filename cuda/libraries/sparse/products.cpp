// Products of a sparse matrix with a vector (SpMV) and with a dense matrix (SpMM). Of the vector,
// only the elements that the matrix's indices name are read.
#include "dense.hpp"
#include "elements.hpp"

namespace bankproof::cuda::sparse {
namespace {

/// The elements of the vector that the columns name; the others are 0.
template <class V>
std::vector<V> read_named(Operation& on, const cusparseDnVecDescr& x,
                          const std::vector<Element<V>>& elements) {
  std::vector<bool> is_named(static_cast<std::size_t>(x.size));
  for (const Element<V>& one : elements) is_named[static_cast<std::size_t>(one.column)] = true;
  Chosen chosen;
  for (std::size_t k = 0; k < is_named.size(); ++k) {
    if (is_named[k]) chosen.numbers.push_back(k);
  }
  const auto named = blas::read<V>(on, blas::typed("x", x.values, x.type), chosen);
  std::vector<V> values(is_named.size());
  auto next = named.begin();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_named[k]) values[k] = *next++;
  }
  return values;
}

struct Vectors {
  cusparseOperation_t op;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnVecDescr_t x;
  cusparseConstDnVecDescr_t y;
};

void check(const Vectors& of) {
  require_object(of.a, "matrix");
  require_object(of.x, "vector x");
  require_object(of.y, "vector y");
  const bool plain = of.op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  require(of.x->size == (plain ? of.a->columns : of.a->rows), "x has another size than op(A)");
  require(of.y->size == (plain ? of.a->rows : of.a->columns), "y has another size than op(A)");
}

template <class V>
void multiply_vector(Operation& on, const cusparseSpMatDescr& a, cusparseOperation_t op, V alpha,
                     V beta, const cusparseDnVecDescr& x, const cusparseDnVecDescr& y) {
  const VectorShape shape{y.size, 1};
  const auto place = blas::typed("y", y.values, y.type);
  std::vector<V> sums(static_cast<std::size_t>(y.size));
  if (beta != V(0)) {
    sums = blas::read<V>(on, place, shape);
    for (V& one : sums) one *= beta;
  }
  if (alpha != V(0)) {
    const auto elements = applied(op, elements_of<V>(on, a));
    const auto from = read_named<V>(on, x, elements);
    std::vector<blas::Wide<V>> products(sums.size());
    for (const Element<V>& one : elements) {
      products[static_cast<std::size_t>(one.row)] +=
          blas::Wide<V>(one.value) * blas::Wide<V>(from[static_cast<std::size_t>(one.column)]);
    }
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += alpha * V(products[k]);
  }
  blas::write(on, place, shape, sums);
}

struct Matrices {
  cusparseOperation_t op_a;
  cusparseOperation_t op_b;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnMatDescr_t b;
  cusparseConstDnMatDescr_t c;
};

void check(const Matrices& of) {
  require_object(of.a, "sparse matrix");
  require_object(of.b, "matrix B");
  require_object(of.c, "matrix C");
  const bool plain_a = of.op_a == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool plain_b = of.op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const std::int64_t inner = plain_a ? of.a->columns : of.a->rows;
  require(of.c->rows == (plain_a ? of.a->rows : of.a->columns), "C has other rows than op(A)");
  require(inner == (plain_b ? of.b->rows : of.b->columns), "op(A) and op(B) do not fit");
  require(of.c->columns == (plain_b ? of.b->columns : of.b->rows),
          "C has other columns than op(B)");
}

template <class V>
void multiply_matrix(Operation& on, const cusparseSpMatDescr& a, cusparseOperation_t op_a,
                     cusparseOperation_t op_b, V alpha, V beta, const cusparseDnMatDescr& b,
                     const cusparseDnMatDescr& c) {
  const auto n = static_cast<std::size_t>(c.columns);
  std::vector<V> sums(static_cast<std::size_t>(c.rows) * n);
  if (beta != V(0)) {
    sums = read_rows<V>(on, "C", c);
    for (V& one : sums) one *= beta;
  }
  if (alpha != V(0)) {
    const auto elements = applied(op_a, elements_of<V>(on, a));
    const std::vector<V> dense = read_rows<V>(on, "B", b);
    const auto width = static_cast<std::size_t>(b.columns);
    for (const Element<V>& one : elements) {
      const V factor = alpha * one.value;
      const auto inner = static_cast<std::size_t>(one.column);
      V* const to = sums.data() + static_cast<std::size_t>(one.row) * n;
      for (std::size_t j = 0; j < n; ++j) {
        if (op_b == CUSPARSE_OPERATION_NON_TRANSPOSE) {
          to[j] += factor * dense[inner * width + j];
        } else {
          const V other = dense[j * width + inner];
          const bool turns = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
          to[j] += factor * (turns ? blas::conjugate(other) : other);
        }
      }
    }
  }
  write_rows(on, "C", c, sums);
}

template <class Shapes>
cusparseStatus_t give_size(const char* call, cusparseHandle_t handle, const Shapes& of,
                           std::size_t* bytes) {
  return make_call(call, [&] {
    context_of(handle);
    check(of);
    require(bytes != nullptr, "the address for the size is null");
    *bytes = buffer_bytes;
  });
}
template <class Shapes>
cusparseStatus_t preprocess(const char* call, cusparseHandle_t handle, const Shapes& of) {
  return make_call(call, [&] {
    context_of(handle);
    check(of);
  });
}

}  // namespace
}  // namespace bankproof::cuda::sparse

using namespace bankproof::cuda::sparse;

extern "C" {
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void* beta, cusparseDnVecDescr_t y, cudaDataType computed,
                              cusparseSpMVAlg_t, void*) {
  constexpr const char* call = "cusparseSpMV";
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    check(Vectors{op, a, x, y});
    with_computed(computed, [&](auto kind) {
      using V = decltype(kind);
      const auto factor = scalar<V>(call, context, "alpha", alpha);
      const auto kept = scalar<V>(call, context, "beta", beta);
      perform(call, context, [=, a = *a, x = *x, y = *y](Operation& on) {
        multiply_vector<V>(on, a, op, factor(on), kept(on), x, y);
      });
    });
  });
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void*, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void*,
                                         cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t,
                                         size_t* bytes) {
  return give_size("cusparseSpMV_bufferSize", handle, Vectors{op, a, x, y}, bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void*, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void*,
                                         cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t,
                                         void*) {
  return preprocess("cusparseSpMV_preprocess", handle, Vectors{op, a, x, y});
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType computed,
                              cusparseSpMMAlg_t, void*) {
  constexpr const char* call = "cusparseSpMM";
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    check(Matrices{op_a, op_b, a, b, c});
    with_computed(computed, [&](auto kind) {
      using V = decltype(kind);
      const auto factor = scalar<V>(call, context, "alpha", alpha);
      const auto kept = scalar<V>(call, context, "beta", beta);
      perform(call, context, [=, a = *a, b = *b, c = *c](Operation& on) {
        multiply_matrix<V>(on, a, op_a, op_b, factor(on), kept(on), b, c);
      });
    });
  });
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void*, cusparseDnMatDescr_t c, cudaDataType,
                                         cusparseSpMMAlg_t, size_t* bytes) {
  return give_size("cusparseSpMM_bufferSize", handle, Matrices{op_a, op_b, a, b, c}, bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void*, cusparseDnMatDescr_t c, cudaDataType,
                                         cusparseSpMMAlg_t, void*) {
  return preprocess("cusparseSpMM_preprocess", handle, Matrices{op_a, op_b, a, b, c});
}
}
