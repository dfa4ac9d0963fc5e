// The stack of contexts of a thread, compared with a list.
#include <gtest/gtest.h>
// Must follow GoogleTest.
#include <rapidcheck/gtest.h>

#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

CUcontext current() {
  CUcontext context = nullptr;
  RC_ASSERT(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
  return context;
}

RC_GTEST_PROP(Contexts, of_a_thread_are_a_stack, ()) {
  RC_ASSERT(cuInit(0) == CUDA_SUCCESS);
  const CUcontext at_first = current();  // the runtime's, if another test has used it
  CUcontext made[3];
  std::vector<CUcontext> expected;
  for (CUcontext& context : made) {
    RC_ASSERT(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
    expected.push_back(context);
  }
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9));
  for (const int step : steps) {
    const CUcontext chosen = made[step % 3];
    CUcontext popped = nullptr;
    if (step < 3) {
      RC_ASSERT(cuCtxPushCurrent(chosen) == CUDA_SUCCESS);
      expected.push_back(chosen);
    } else if (step < 6) {
      RC_ASSERT(cuCtxSetCurrent(chosen) == CUDA_SUCCESS);
      if (!expected.empty()) expected.pop_back();
      expected.push_back(chosen);
    } else if (expected.empty()) {
      RC_ASSERT(cuCtxPopCurrent(&popped) == CUDA_ERROR_INVALID_CONTEXT);
    } else {
      RC_ASSERT(cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
      RC_ASSERT((popped == expected.back()));
      expected.pop_back();
    }
    RC_ASSERT((current() == (expected.empty() ? at_first : expected.back())));
  }
  while (!expected.empty()) {
    RC_ASSERT(cuCtxPopCurrent(nullptr) == CUDA_SUCCESS);
    expected.pop_back();
  }
  for (const CUcontext context : made) {
    RC_ASSERT(cuCtxDestroy(context) == CUDA_SUCCESS);
    RC_ASSERT(cuCtxPushCurrent(context) == CUDA_ERROR_INVALID_CONTEXT);
  }
  const char* name = nullptr;
  cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &name);
}

TEST(Contexts, that_are_primary_live_as_long_as_they_are_retained) {
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  CUcontext first = nullptr;
  CUcontext second = nullptr;
  unsigned flags = 0;
  int before = 0;
  int active = 0;
  ASSERT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &before), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&second, 0), CUDA_SUCCESS);
  EXPECT_EQ(first, second);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(cuCtxDestroy(first), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, before);
  const char* name = nullptr;
  cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &name);
}

}  // namespace
}  // namespace bankproof::cuda::tests
