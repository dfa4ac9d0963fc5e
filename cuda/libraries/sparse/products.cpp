// Products of a sparse matrix with a vector (SpMV) and with a dense matrix (SpMM).
//
// A matrix in any format becomes the list of its elements. Its offsets and indices are checked, and
// of the vector only the elements that the indices name are read.
#include <memory>

#include "../blas/numbers.hpp"
#include "descriptors.hpp"

namespace bankproof::cuda::sparse {
namespace {

using blas::Complex;
using blas::DoubleComplex;
using libraries::Operation;
using libraries::VectorShape;

template <class V>
struct Element {
  std::int64_t row = 0;
  std::int64_t column = 0;
  V value{};
};

std::vector<std::int64_t> read_indices(Operation& on, const char* name, const void* memory,
                                       cusparseIndexType_t type, std::int64_t count,
                                       cusparseIndexBase_t base) {
  std::vector<std::int64_t> indices;
  if (type == CUSPARSE_INDEX_64I) {
    indices = on.read<std::int64_t>(name, memory, VectorShape{count, 1});
  } else {
    const auto narrow = on.read<std::int32_t>(name, memory, VectorShape{count, 1});
    indices.assign(narrow.begin(), narrow.end());
  }
  for (std::int64_t& index : indices) index -= base;
  return indices;
}

void require_below(const Operation& on, const char* what, std::int64_t index, std::int64_t end) {
  if (index >= 0 && index < end) return;
  on.refuse_index(
      fmt::format("{} {} leads out of the matrix, where they are below {}", what, index, end));
}

/// The row of each element of a compressed matrix; of CSC, the column.
std::vector<std::int64_t> lines_of(Operation& on, const cusparseSpMatDescr& a, std::int64_t lines) {
  const auto offsets = read_indices(on, "the offsets", a.offsets, a.offset_type, lines + 1, a.base);
  std::vector<std::int64_t> result;
  for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
    require_below(on, "the offset", offsets[line], a.count + 1);
    require_below(on, "the offset", offsets[line + 1], a.count + 1);
    if (offsets[line] != static_cast<std::int64_t>(result.size()) ||
        offsets[line + 1] < offsets[line]) {
      on.refuse_index(fmt::format("the offsets {} and {} do not grow from 0", offsets[line],
                                  offsets[line + 1]));
    }
    result.resize(static_cast<std::size_t>(offsets[line + 1]), static_cast<std::int64_t>(line));
  }
  return result;
}

template <class V>
std::vector<Element<V>> elements_of(Operation& on, const cusparseSpMatDescr& a) {
  const bool by_columns = a.format == CUSPARSE_FORMAT_CSC;
  const std::int64_t lines = by_columns ? a.columns : a.rows;
  const std::int64_t others = by_columns ? a.rows : a.columns;
  const auto first =
      a.format == CUSPARSE_FORMAT_COO
          ? read_indices(on, "the indices of rows", a.offsets, a.index_type, a.count, a.base)
          : lines_of(on, a, lines);
  const auto count = static_cast<std::int64_t>(first.size());
  const auto second = read_indices(on, "the indices", a.indices, a.index_type, count, a.base);
  const auto values =
      blas::read<V>(on, blas::typed("the values", a.values, a.type), VectorShape{count, 1});
  std::vector<Element<V>> elements;
  elements.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    require_below(on, "the index", first[k], lines);
    require_below(on, "the index", second[k], others);
    elements.push_back(by_columns ? Element<V>{second[k], first[k], values[k]}
                                  : Element<V>{first[k], second[k], values[k]});
  }
  return elements;
}

/// The elements of op(A).
template <class V>
std::vector<Element<V>> applied(cusparseOperation_t op, std::vector<Element<V>> elements) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return elements;
  for (Element<V>& one : elements) {
    std::swap(one.row, one.column);
    if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) one.value = blas::conjugate(one.value);
  }
  return elements;
}

/// The elements of the vector that the columns name; the others are 0.
template <class V>
std::vector<V> read_named(Operation& on, const cusparseDnVecDescr& x,
                          const std::vector<Element<V>>& elements) {
  std::vector<bool> is_named(static_cast<std::size_t>(x.size));
  for (const Element<V>& one : elements) is_named[static_cast<std::size_t>(one.column)] = true;
  const std::size_t bytes = blas::bytes_of(x.type);
  libraries::Segments segments;
  for (std::size_t k = 0; k < is_named.size(); ++k) {
    if (is_named[k]) libraries::add_elements(segments, static_cast<std::int64_t>(k), 1, bytes);
  }
  const auto read = [&] {
    std::vector<V> values;
    blas::with_type(x.type, [&](auto kind) {
      for (const auto& one : on.read<decltype(kind)>("x", x.values, segments)) {
        values.push_back(blas::computed<V>(one));
      }
    });
    return values;
  };
  const std::vector<V> named = read();
  std::vector<V> values(is_named.size());
  auto next = named.begin();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_named[k]) values[k] = *next++;
  }
  return values;
}

/// A scalar, read at once from the host or by the operation from the device.
template <class V>
std::function<V(Operation&)> scalar(const char* call, const cusparseContext& context,
                                    const char* name, const void* pointer) {
  require(pointer != nullptr, fmt::format("{} is null", name));
  if (context.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
    return [=](Operation& on) { return on.read_one<V>(name, pointer); };
  }
  V value{};
  require(libraries::read_host(call, name, pointer, sizeof value, &value) == 0,
          "the host has no such memory");
  return [value](Operation&) { return value; };
}

void perform(const char* call, const cusparseContext& context,
             std::function<void(Operation&)> act) {
  if (libraries::perform(call, context.stream, std::move(act)) != cudaSuccess) {
    throw Refused{CUSPARSE_STATUS_EXECUTION_FAILED, "the operation failed"};
  }
}

/// Calls use(V{}) with the type of the computation.
template <class Use>
void with_computed(cudaDataType type, const Use& use) {
  switch (type) {
    case CUDA_R_32F:
      return use(float{});
    case CUDA_R_64F:
      return use(double{});
    case CUDA_C_32F:
      return use(Complex{});
    case CUDA_C_64F:
      return use(DoubleComplex{});
    default:
      throw Refused{CUSPARSE_STATUS_NOT_SUPPORTED,
                    fmt::format("the machine computes in float and double, not in the type {}",
                                static_cast<int>(type))};
  }
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

/// A dense matrix in memory: lines of its order.
struct Lines {
  std::int64_t count = 0;
  std::int64_t size = 0;
  libraries::Segments segments;
};
Lines lines_of(const cusparseDnMatDescr& of) {
  const bool by_columns = of.order == CUSPARSE_ORDER_COL;
  Lines lines{by_columns ? of.columns : of.rows, by_columns ? of.rows : of.columns, {}};
  for (std::int64_t k = 0; k < lines.count; ++k) {
    libraries::add_elements(lines.segments, k * of.leading, lines.size, blas::bytes_of(of.type));
  }
  return lines;
}

struct DenseShape {
  libraries::Segments segments;
};
libraries::Segments segments_of(const DenseShape& shape, std::size_t) { return shape.segments; }

/// Row by row, whatever the order in memory is.
template <class V>
std::vector<V> read_rows(Operation& on, const char* name, const cusparseDnMatDescr& of) {
  const Lines lines = lines_of(of);
  auto memory =
      blas::read<V>(on, blas::typed(name, of.values, of.type), DenseShape{lines.segments});
  if (of.order == CUSPARSE_ORDER_ROW) return memory;
  std::vector<V> rows(memory.size());
  for (std::size_t k = 0; k < memory.size(); ++k) {
    const auto size = static_cast<std::size_t>(lines.size);
    rows[k % size * static_cast<std::size_t>(lines.count) + k / size] = memory[k];
  }
  return rows;
}
template <class V>
void write_rows(Operation& on, const char* name, const cusparseDnMatDescr& of,
                const std::vector<V>& rows) {
  const Lines lines = lines_of(of);
  std::vector<V> memory = rows;
  if (of.order == CUSPARSE_ORDER_COL) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto size = static_cast<std::size_t>(lines.size);
      memory[k] = rows[k % size * static_cast<std::size_t>(lines.count) + k / size];
    }
  }
  blas::write(on, blas::typed(name, of.values, of.type), DenseShape{lines.segments}, memory);
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

// The machine's products need no memory of the program. A size of 0 would be right, too; programs
// allocate what they are told.
constexpr std::size_t buffer_bytes = 8;

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
