// Incomplete factors with the pattern of the matrix, in its place: LU (csrilu02) and Cholesky's, of
// the lower triangle (csric02).
//
// A row follows the rows above it. A pivot that is 0 or missing does not end the call; its number
// is kept for cusparseXcsrilu02_zeroPivot, which waits for the stream.
#include <memory>

#include "elements.hpp"

namespace bankproof::cuda::sparse {

struct Pivots {
  std::int64_t first_zero = -1;  // the first pivot that is 0, with the matrix's base
};
struct Boost {
  bool is_on = false;
  double least = 0;
  DoubleComplex value;
};
/// What an analysis was made of.
struct Analyzed {
  int rows = -1;
  int count = -1;
};

}  // namespace bankproof::cuda::sparse

// cuSPARSE lets the library define these types.
struct csrilu02Info {
  std::shared_ptr<bankproof::cuda::sparse::Pivots> pivots =
      std::make_shared<bankproof::cuda::sparse::Pivots>();
  bankproof::cuda::sparse::Analyzed analyzed;
  bankproof::cuda::sparse::Boost boost;
};
struct csric02Info {
  std::shared_ptr<bankproof::cuda::sparse::Pivots> pivots =
      std::make_shared<bankproof::cuda::sparse::Pivots>();
  bankproof::cuda::sparse::Analyzed analyzed;
};

namespace bankproof::cuda::sparse {
namespace {

/// The elements of the matrix, row by row.
template <class W>
class Rows {
 public:
  Rows(const Operation& on, std::int64_t count, const std::vector<Element<W>>& elements)
      : rows_(static_cast<std::size_t>(count)) {
    for (const Element<W>& one : elements) {
      auto& row = rows_[static_cast<std::size_t>(one.row)];
      if (!row.empty() && row.back().column >= one.column) {
        on.refuse_index(fmt::format("the indices {} and {} of row {} do not grow",
                                    row.back().column, one.column, one.row));
      }
      row.push_back(one);
    }
  }
  std::vector<Element<W>>& operator[](std::int64_t row) {
    return rows_[static_cast<std::size_t>(row)];
  }
  /// Null if it is not stored.
  W* find(std::int64_t row, std::int64_t column) {
    for (Element<W>& one : (*this)[row]) {
      if (one.column == column) return &one.value;
    }
    return nullptr;
  }
  std::int64_t count() const { return static_cast<std::int64_t>(rows_.size()); }
  std::vector<W> values() const {
    std::vector<W> all;
    for (const auto& row : rows_) {
      for (const Element<W>& one : row) all.push_back(one.value);
    }
    return all;
  }

 private:
  std::vector<std::vector<Element<W>>> rows_;
};

/// Returns the first row whose pivot is 0 or missing, or -1.
template <class W>
std::int64_t factorize_lu(Rows<W>& a, const Boost& boost) {
  std::int64_t first_zero = -1;
  for (std::int64_t i = 0; i < a.count(); ++i) {
    for (Element<W>& one : a[i]) {
      const std::int64_t k = one.column;
      if (k >= i) break;
      const W* const pivot = a.find(k, k);
      one.value /= pivot != nullptr ? *pivot : W(0);
      for (const Element<W>& above : a[k]) {
        W* const changed = above.column > k ? a.find(i, above.column) : nullptr;
        if (changed != nullptr) *changed -= one.value * above.value;
      }
    }
    W* const pivot = a.find(i, i);
    if (pivot != nullptr && boost.is_on && boost.least >= std::abs(*pivot)) {
      *pivot = blas::computed<W>(boost.value);
    }
    if (first_zero < 0 && (pivot == nullptr || *pivot == W(0))) first_zero = i;
  }
  return first_zero;
}

/// Of the lower triangle; a pivot that is not above 0 has no root.
template <class W>
std::int64_t factorize_cholesky(Rows<W>& a) {
  std::int64_t first_zero = -1;
  for (std::int64_t i = 0; i < a.count(); ++i) {
    bool has_pivot = false;
    for (Element<W>& one : a[i]) {
      const std::int64_t k = one.column;
      for (const Element<W>& left : a[i]) {
        const W* const other = left.column < k ? a.find(k, left.column) : nullptr;
        if (other != nullptr) one.value -= left.value * blas::conjugate(*other);
      }
      if (k < i) {
        const W* const pivot = a.find(k, k);
        one.value /= pivot != nullptr ? *pivot : W(0);
      } else {
        has_pivot = std::real(one.value) > 0;
        one.value = W(std::sqrt(std::real(one.value)));
      }
    }
    if (first_zero < 0 && !has_pivot) first_zero = i;
  }
  return first_zero;
}

struct Matrix {
  int rows;
  int count;
  const cusparseMatDescr* descriptor;
  const void* values;
  const int* offsets;
  const int* indices;

  void check() const {
    require(rows >= 0 && count >= 0, "a size is below 0");
    require_object(descriptor, "descriptor");
    if (descriptor->type != CUSPARSE_MATRIX_TYPE_GENERAL) {
      throw Refused{CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
                    "the matrix has to be a general one"};
    }
  }
  cusparseSpMatDescr described(cudaDataType type) const {
    return {CUSPARSE_FORMAT_CSR,
            rows,
            rows,
            count,
            const_cast<int*>(offsets),
            const_cast<int*>(indices),
            const_cast<void*>(values),
            CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_32I,
            descriptor->base,
            type};
  }
};

void require_buffer(const void* buffer) {
  constexpr std::uintptr_t alignment = 128;
  require(buffer != nullptr && reinterpret_cast<std::uintptr_t>(buffer) % alignment == 0,
          "the address of the buffer is no multiple of 128");
}
void require_policy(cusparseSolvePolicy_t policy) {
  require(policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL || policy == CUSPARSE_SOLVE_POLICY_USE_LEVEL,
          "there is no such policy");
}

template <class Info>
cusparseStatus_t create_info(const char* call, Info** info) {
  return make_call(call, [&] {
    require(info != nullptr, "the address for the info is null");
    *info = objects<Info>().make();
  });
}
template <class Info>
cusparseStatus_t destroy_info(const char* call, Info* info) {
  return make_call(call, [&] {
    require_object(info, "info");
    objects<Info>().destroy(info);
  });
}
template <class Info>
cusparseStatus_t give_buffer_size(const char* call, cusparseHandle_t handle, const Matrix& matrix,
                                  const Info* info, int* bytes) {
  return make_call(call, [&] {
    context_of(handle);
    matrix.check();
    require_object(info, "info");
    require(bytes != nullptr, "the address for the size is null");
    *bytes = static_cast<int>(buffer_bytes);
  });
}

/// Finds pivots that are not stored.
template <class Info>
cusparseStatus_t analyze(const char* call, cusparseHandle_t handle, const Matrix& matrix,
                         Info* info, cusparseSolvePolicy_t policy, void* buffer) {
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    matrix.check();
    require_object(info, "info");
    require_policy(policy);
    require_buffer(buffer);
    info->analyzed = {matrix.rows, matrix.count};
    const auto a = matrix.described(CUDA_R_64F);  // no value is read
    perform(call, context, [=, pivots = info->pivots](Operation& on) {
      std::vector<bool> is_stored(static_cast<std::size_t>(a.rows));
      for (const Position& one : positions_of(on, a)) {
        if (one.row == one.column) is_stored[static_cast<std::size_t>(one.row)] = true;
      }
      on.write_one("the buffer", buffer, std::uint64_t{0});
      pivots->first_zero = -1;
      for (std::size_t row = is_stored.size(); row-- > 0;) {
        if (!is_stored[row]) pivots->first_zero = static_cast<std::int64_t>(row) + a.base;
      }
    });
  });
}

/// Writes what factorize(rows) makes of the chosen elements.
template <class V, class Info, class IsUsed, class Factorize>
cusparseStatus_t factorize_in_place(const char* call, cusparseHandle_t handle, const Matrix& matrix,
                                    Info* info, cusparseSolvePolicy_t policy, void* buffer,
                                    const IsUsed& is_used, const Factorize& factorize) {
  return make_call(call, [&] {
    using W = blas::Wide<V>;
    const cusparseContext& context = context_of(handle);
    matrix.check();
    require_object(info, "info");
    require(info->analyzed.rows == matrix.rows && info->analyzed.count == matrix.count,
            "there was no analysis of this matrix with this info");
    require_policy(policy);
    require_buffer(buffer);
    const auto a = matrix.described(blas::type_of<V>);
    perform(call, context, [=, pivots = info->pivots](Operation& on) {
      on.write_one("the buffer", buffer, std::uint64_t{0});
      Rows<W> rows(on, a.rows, elements_of<W>(on, a, is_used));
      const std::int64_t zero = factorize(rows);
      pivots->first_zero = zero < 0 ? -1 : zero + a.base;
      Chosen chosen;
      const auto positions = positions_of(on, a);
      for (std::size_t k = 0; k < positions.size(); ++k) {
        if (is_used(positions[k])) chosen.numbers.push_back(k);
      }
      blas::write(on, blas::typed("the values", a.values, a.type), chosen, rows.values());
    });
  });
}

template <class V>
cusparseStatus_t incomplete_lu(const char* call, cusparseHandle_t handle, const Matrix& matrix,
                               csrilu02Info* info, cusparseSolvePolicy_t policy, void* buffer) {
  const Boost boost = objects<csrilu02Info>().is_live(info) ? info->boost : Boost{};
  return factorize_in_place<V>(
      call, handle, matrix, info, policy, buffer, [](const Position&) { return true; },
      [boost](auto& rows) { return factorize_lu(rows, boost); });
}
template <class V>
cusparseStatus_t incomplete_cholesky(const char* call, cusparseHandle_t handle,
                                     const Matrix& matrix, csric02Info* info,
                                     cusparseSolvePolicy_t policy, void* buffer) {
  return factorize_in_place<V>(
      call, handle, matrix, info, policy, buffer,
      [](const Position& at) { return at.column <= at.row; },
      [](auto& rows) { return factorize_cholesky(rows); });
}

template <class V>
cusparseStatus_t set_boost(const char* call, cusparseHandle_t handle, csrilu02Info* info, int is_on,
                           const double* least, const void* value) {
  return make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    require_object(info, "info");
    if (is_on == 0) {
      info->boost = {};
      return;
    }
    if (context.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
      throw Refused{CUSPARSE_STATUS_NOT_SUPPORTED, "boosts are read from the host here"};
    }
    const auto tolerance = scalar<double>(call, context, "tol", least);
    const auto boosted = scalar<V>(call, context, "boost_val", value);
    Operation none(call);
    info->boost = {true, tolerance(none), blas::computed<DoubleComplex>(boosted(none))};
  });
}

template <class Info>
cusparseStatus_t give_zero_pivot(const char* call, cusparseHandle_t handle, Info* info,
                                 int* position) {
  cusparseStatus_t found = CUSPARSE_STATUS_SUCCESS;
  const auto status = make_call(call, [&] {
    const cusparseContext& context = context_of(handle);
    require_object(info, "info");
    require(position != nullptr, "the address for the position is null");
    if (bankproof_library_wait(context.stream) != cudaSuccess) {
      throw Refused{CUSPARSE_STATUS_EXECUTION_FAILED, "an operation of the stream failed"};
    }
    const auto zero = static_cast<int>(info->pivots->first_zero);
    if (zero >= 0) found = CUSPARSE_STATUS_ZERO_PIVOT;
    if (context.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
      perform(call, context, [=](Operation& on) { on.write_one("the position", position, zero); });
    } else {
      require(libraries::write_host(call, "the position", position, sizeof zero, &zero) == 0,
              "the host has no such memory");
    }
  });
  return status == CUSPARSE_STATUS_SUCCESS ? found : status;
}

}  // namespace
}  // namespace bankproof::cuda::sparse

using namespace bankproof::cuda::sparse;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define INCOMPLETE(L, T, V, kind, factorize)                                                    \
  cusparseStatus_t cusparse##L##kind##_bufferSize(                                              \
      cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor,        \
      T* values, const int* offsets, const int* indices, kind##Info_t info, int* bytes) {       \
    return give_buffer_size("cusparse" #L#kind "_bufferSize", handle,                           \
                            {rows, count, descriptor, values, offsets, indices}, info, bytes);  \
  }                                                                                             \
  cusparseStatus_t cusparse##L##kind##_analysis(                                                \
      cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor,        \
      const T* values, const int* offsets, const int* indices, kind##Info_t info,               \
      cusparseSolvePolicy_t policy, void* buffer) {                                             \
    return analyze("cusparse" #L#kind "_analysis", handle,                                      \
                   {rows, count, descriptor, values, offsets, indices}, info, policy, buffer);  \
  }                                                                                             \
  cusparseStatus_t cusparse##L##kind(cusparseHandle_t handle, int rows, int count,              \
                                     const cusparseMatDescr_t descriptor, T* values,            \
                                     const int* offsets, const int* indices, kind##Info_t info, \
                                     cusparseSolvePolicy_t policy, void* buffer) {              \
    return factorize<V>("cusparse" #L#kind, handle,                                             \
                        {rows, count, descriptor, values, offsets, indices}, info, policy,      \
                        buffer);                                                                \
  }
#define EACH(L, T, V)                                                                              \
  INCOMPLETE(L, T, V, csrilu02, incomplete_lu)                                                     \
  INCOMPLETE(L, T, V, csric02, incomplete_cholesky)                                                \
  cusparseStatus_t cusparse##L##csrilu02_numericBoost(                                             \
      cusparseHandle_t handle, csrilu02Info_t info, int is_on, double* least, T* value) {          \
    return set_boost<V>("cusparse" #L "csrilu02_numericBoost", handle, info, is_on, least, value); \
  }
EACH(S, float, float)
EACH(D, double, double)
EACH(C, cuComplex, Complex)
EACH(Z, cuDoubleComplex, DoubleComplex)
#undef EACH
#undef INCOMPLETE
// NOLINTEND(bugprone-macro-parentheses)

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  return create_info("cusparseCreateCsrilu02Info", info);
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return destroy_info("cusparseDestroyCsrilu02Info", info);
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position) {
  return give_zero_pivot("cusparseXcsrilu02_zeroPivot", handle, info, position);
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info) {
  return create_info("cusparseCreateCsric02Info", info);
}
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  return destroy_info("cusparseDestroyCsric02Info", info);
}
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position) {
  return give_zero_pivot("cusparseXcsric02_zeroPivot", handle, info, position);
}
}
