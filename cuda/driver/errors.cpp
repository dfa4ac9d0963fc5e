// The names and texts of the driver's errors. A program that asks for one has looked at its error.
#include <array>

#include "calls.hpp"

using bankproof::cuda::Runtime;

namespace {

struct ErrorName {
  CUresult error;
  const char* name;
  const char* text;
};

constexpr ErrorName error_names[] = {
#define error(name, text) {name, #name, text},
#include "errors.def"
#undef error
};

CUresult text_part(CUresult error, const char** answer, const char* ErrorName::*part) {
  if (answer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (error != CUDA_SUCCESS) Runtime::error();
  *answer = nullptr;
  for (const ErrorName& one : error_names) {
    if (one.error == error) *answer = one.*part;
  }
  return *answer != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {
CUresult cuGetErrorName(CUresult error, const char** name) {
  return text_part(error, name, &ErrorName::name);
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  return text_part(error, text, &ErrorName::text);
}
}
