// The attributes of a sparse matrix that is a triangle.
#include "descriptors.hpp"

namespace bankproof::cuda::sparse {
namespace {

/// Both attributes are enumerators of four bytes.
void require_attribute(cusparseSpMatAttribute_t attribute, const void* data, std::size_t bytes) {
  require(data != nullptr, "the address of the attribute is null");
  require(attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE,
          "there is no such attribute");
  require(bytes == sizeof(int), fmt::format("an attribute has 4 bytes, not {}", bytes));
}

}  // namespace
}  // namespace bankproof::cuda::sparse

using namespace bankproof::cuda::sparse;

extern "C" {
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  constexpr const char* call = "cusparseSpMatSetAttribute";
  return make_call(call, [&] {
    require_object(matrix, "matrix");
    require_attribute(attribute, data, bytes);
    int value = 0;
    require(bankproof::cuda::libraries::read_host(call, "the attribute", data, bytes, &value) == 0,
            "the host has no such memory");
    require(value == 0 || value == 1, "the attribute has no such value");
    if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
      matrix->fill_mode = static_cast<cusparseFillMode_t>(value);
    } else {
      matrix->diagonal = static_cast<cusparseDiagType_t>(value);
    }
  });
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  constexpr const char* call = "cusparseSpMatGetAttribute";
  return make_call(call, [&] {
    require_object(matrix, "matrix");
    require_attribute(attribute, data, bytes);
    const int value = attribute == CUSPARSE_SPMAT_FILL_MODE ? static_cast<int>(matrix->fill_mode)
                                                            : static_cast<int>(matrix->diagonal);
    require(bankproof::cuda::libraries::write_host(call, "the attribute", data, bytes, &value) == 0,
            "the host has no such memory");
  });
}
}
