// cuSPARSE's descriptors of matrices for its old functions: they only keep what a program sets.
#include "descriptors.hpp"

namespace bankproof::cuda::sparse {
namespace {

template <class T>
cusparseStatus_t set_of_descriptor(const char* call, cusparseMatDescr_t descriptor,
                                   T cusparseMatDescr::*member, T value) {
  return make_call(call, [&] {
    require_object(descriptor, "descriptor");
    descriptor->*member = value;
  });
}
/// The member's first value, if there is no such descriptor.
template <class T>
T of_descriptor(const cusparseMatDescr* descriptor, T cusparseMatDescr::*member) {
  return objects<cusparseMatDescr>().is_live(descriptor) ? descriptor->*member
                                                         : cusparseMatDescr().*member;
}

}  // namespace
}  // namespace bankproof::cuda::sparse

using namespace bankproof::cuda::sparse;

extern "C" {
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor) {
  return make_call("cusparseCreateMatDescr", [&] {
    require(descriptor != nullptr, "the address for the descriptor is null");
    *descriptor = objects<cusparseMatDescr>().make();
  });
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  return make_call("cusparseDestroyMatDescr", [&] {
    require_object(descriptor, "descriptor");
    objects<cusparseMatDescr>().destroy(descriptor);
  });
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) {
  return set_of_descriptor("cusparseSetMatType", descriptor, &cusparseMatDescr::type, type);
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor) {
  return of_descriptor(descriptor, &cusparseMatDescr::type);
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t mode) {
  return set_of_descriptor("cusparseSetMatFillMode", descriptor, &cusparseMatDescr::fill_mode,
                           mode);
}
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor) {
  return of_descriptor(descriptor, &cusparseMatDescr::fill_mode);
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type) {
  return set_of_descriptor("cusparseSetMatDiagType", descriptor, &cusparseMatDescr::diagonal, type);
}
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor) {
  return of_descriptor(descriptor, &cusparseMatDescr::diagonal);
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) {
  return set_of_descriptor("cusparseSetMatIndexBase", descriptor, &cusparseMatDescr::base, base);
}
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor) {
  return of_descriptor(descriptor, &cusparseMatDescr::base);
}
}
