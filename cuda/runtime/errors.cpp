// The names and texts of CUDA's errors, and the last error of a host thread.
#include "runtime.hpp"

using bankproof::cuda::Runtime;

namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define error(NAME, TEXT) {NAME, #NAME, TEXT},
constexpr ErrorText error_texts[] = {
#include "errors.def"
};
#undef error

const ErrorText* text_of(cudaError_t error) {
  for (const ErrorText& text : error_texts) {
    if (text.error == error) return &text;
  }
  return nullptr;
}

}  // namespace

extern "C" {
// A program that asks what an error is has looked at it.
const char* cudaGetErrorName(cudaError_t error) {
  if (error != cudaSuccess) Runtime::error();
  const ErrorText* const text = text_of(error);
  return text != nullptr ? text->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  if (error != cudaSuccess) Runtime::error();
  const ErrorText* const text = text_of(error);
  return text != nullptr ? text->text : "unrecognized error code";
}
cudaError_t cudaGetLastError() { return Runtime::take_error(); }
cudaError_t cudaPeekAtLastError() { return Runtime::error(); }
}
