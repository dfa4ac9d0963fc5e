// Handles of cublasLt, and descriptors with their attributes.
#include "descriptors.hpp"

#include <array>
#include <cstddef>
#include <set>

#include "numbers.hpp"

// cublasLt lets the library define this type.
struct cublasLtContext {};

namespace bankproof::cuda::blas_lt {
namespace {

/// They outlive the program's static variables, whose destructors may use them.
template <class T>
Handles<T>& objects() {
  static auto* const all = new Handles<T>;
  return *all;
}
std::set<cublasLtHandle_t>& destroyed() {
  static auto* const all = new std::set<cublasLtHandle_t>;
  return *all;
}

struct Attribute {
  int number;
  std::size_t offset;
  std::size_t bytes;
};
#define ATTRIBUTE(Kind, number, member) \
  Attribute { number, offsetof(Kind, member), sizeof(Kind::member) }
constexpr std::array of_layout = {
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_LD, leading),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, plane),
    ATTRIBUTE(Layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, batch_mode)};
constexpr std::array of_description = {
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, computed),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale_type),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointer_mode),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_TRANSA, op_a),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_TRANSB, op_b),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_TRANSC, op_c),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_FILL_MODE, fill_mode),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_leading),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, sm_count),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_a),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale_b),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scale_c),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale_d),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, aux_type),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, aux_scale),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, aux_largest),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_FAST_ACCUM, is_fast),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode_a),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode_b),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_C_SCALE_MODE, mode_c),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_D_SCALE_MODE, mode_d),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, mode_aux),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, block_scales),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, mode_blocks),
    ATTRIBUTE(Description, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, emulation)};
constexpr std::array of_preference = {
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reduction),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_a),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_b),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_c),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_d),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, waves),
    ATTRIBUTE(Preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations)};
#undef ATTRIBUTE

template <class Table>
const Attribute& find_attribute(const Table& table, int number) {
  for (const Attribute& one : table) {
    if (one.number == number) return one;
  }
  throw Refused{CUBLAS_STATUS_INVALID_VALUE, fmt::format("there is no attribute {}", number)};
}

template <class Kind, class Opaque, class Table>
cublasStatus_t set_attribute(const char* call, Opaque* opaque, const Table& table, int number,
                             const void* from, std::size_t bytes) {
  return make_call(call, [&] {
    Kind kind = read_kind<Kind>(opaque);
    const Attribute& attribute = find_attribute(table, number);
    require(from != nullptr, "the address of the value is null");
    require(bytes == attribute.bytes,
            fmt::format("the attribute {} has {} bytes, not {}", number, attribute.bytes, bytes));
    std::memcpy(reinterpret_cast<std::byte*>(&kind) + attribute.offset, from, bytes);
    write_kind(opaque, kind);
  });
}
/// With 0 bytes, only tells how many are needed.
template <class Kind, class Opaque, class Table>
cublasStatus_t get_attribute(const char* call, const Opaque* opaque, const Table& table, int number,
                             void* to, std::size_t bytes, std::size_t* written) {
  return make_call(call, [&] {
    const Kind kind = read_kind<Kind>(opaque);
    const Attribute& attribute = find_attribute(table, number);
    require(bytes != 0 || written != nullptr, "both the size and the address for it are 0");
    if (bytes != 0) {
      require(to != nullptr, "the address for the value is null");
      require(bytes >= attribute.bytes,
              fmt::format("the attribute {} has {} bytes, not {}", number, attribute.bytes, bytes));
      std::memcpy(to, reinterpret_cast<const std::byte*>(&kind) + attribute.offset,
                  attribute.bytes);
    }
    if (written != nullptr) *written = attribute.bytes;
  });
}

/// Calls make() for what the structure has to hold.
template <class Opaque, class Make>
cublasStatus_t init(const char* call, Opaque* opaque, std::size_t bytes, const Make& make) {
  return make_call(call, [&] {
    require(opaque != nullptr, "the address of the structure is null");
    require(bytes >= sizeof(Opaque),
            fmt::format("the program's structure has {} bytes, not {}", bytes, sizeof(Opaque)));
    const auto kind = make();
    *opaque = {};
    write_kind(opaque, kind);
  });
}
template <class Opaque, class Make>
cublasStatus_t create(const char* call, Opaque** opaque, const Make& make) {
  return make_call(call, [&] {
    require(opaque != nullptr, "the address for the pointer is null");
    const auto kind = make();
    *opaque = objects<Opaque>().make();
    write_kind(*opaque, kind);
  });
}
template <class Kind, class Opaque>
cublasStatus_t destroy(const char* call, Opaque* opaque) {
  return make_call(call, [&] {
    require(objects<Opaque>().is_live(opaque),
            fmt::format("the {} does not exist; was it destroyed?", Kind::what));
    *opaque = {};
    objects<Opaque>().destroy(opaque);
  });
}

Layout layout_of(cudaDataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
  require(bytes_of(type) != 0,
          fmt::format("the machine has no numbers of the type {}", static_cast<int>(type)));
  Layout layout;
  layout.type = static_cast<std::uint32_t>(type);
  layout.rows = rows;
  layout.columns = columns;
  layout.leading = ld;
  return layout;
}
Description description_of(cublasComputeType_t computed, cudaDataType scale) {
  Description description;
  description.computed = computed;
  description.scale_type = scale;
  return description;
}

}  // namespace

cublasStatus_t tell_why(const char* call, const Refused& refused) {
  libraries::say(call, refused.why);
  return refused.status;
}

void require_handle(cublasLtHandle_t handle) {
  if (handle != nullptr && destroyed().count(handle) == 0) return;
  throw Refused{CUBLAS_STATUS_NOT_INITIALIZED, "the handle does not exist; was it destroyed?"};
}

}  // namespace bankproof::cuda::blas_lt

using namespace bankproof::cuda::blas_lt;

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return make_call("cublasLtCreate", [&] {
    require(handle != nullptr, "the address for the handle is null");
    *handle = objects<cublasLtContext>().make();
  });
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return make_call("cublasLtDestroy", [&] {
    require_handle(handle);
    require(objects<cublasLtContext>().is_live(handle), "this is no handle of cublasLt");
    objects<cublasLtContext>().destroy(handle);
    destroyed().insert(handle);
  });
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t bytes,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t leading) {
  return init("cublasLtMatrixLayoutInit", layout, bytes,
              [&] { return layout_of(type, rows, columns, leading); });
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t leading) {
  return create("cublasLtMatrixLayoutCreate", layout,
                [&] { return layout_of(type, rows, columns, leading); });
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy<Layout>("cublasLtMatrixLayoutDestroy", layout);
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t description, size_t bytes,
                                               cublasComputeType_t computed, cudaDataType scale) {
  return init("cublasLtMatmulDescInit", description, bytes,
              [&] { return description_of(computed, scale); });
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t computed, cudaDataType scale) {
  return create("cublasLtMatmulDescCreate", description,
                [&] { return description_of(computed, scale); });
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  return destroy<Description>("cublasLtMatmulDescDestroy", description);
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     size_t bytes) {
  return init("cublasLtMatmulPreferenceInit", preference, bytes, [] { return Preference{}; });
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create("cublasLtMatmulPreferenceCreate", preference, [] { return Preference{}; });
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy<Preference>("cublasLtMatmulPreferenceDestroy", preference);
}

// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define ATTRIBUTES(Name, Object, Number, Kind, table)                                             \
  cublasStatus_t cublasLt##Name##SetAttribute(Object object, Number number, const void* from,     \
                                              size_t bytes) {                                     \
    return set_attribute<Kind>("cublasLt" #Name "SetAttribute", object, table, number, from,      \
                               bytes);                                                            \
  }                                                                                               \
  cublasStatus_t cublasLt##Name##GetAttribute(Object object, Number number, void* to,             \
                                              size_t bytes, size_t* written) {                    \
    return get_attribute<Kind>("cublasLt" #Name "GetAttribute", object, table, number, to, bytes, \
                               written);                                                          \
  }
ATTRIBUTES(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, Layout, of_layout)
ATTRIBUTES(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, Description,
           of_description)
ATTRIBUTES(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
           Preference, of_preference)
#undef ATTRIBUTES
// NOLINTEND(bugprone-macro-parentheses)
}
