// Functions of the host that streams and graphs call: they must not call CUDA, and other threads go
// on while they run.
#include <chrono>
#include <future>

#include "graph_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;

/// Calls a function of C++ as a function of the host.
void call(void* function) { (*static_cast<std::function<void()>*>(function))(); }

TEST(HostFunctions, must_not_call_cuda) {
  Memory m;
  std::vector<cudaError_t> errors;
  std::function<void()> function = [&] {
    void* p = nullptr;
    errors = {cudaMemset(m.a, 0, 4),   cudaStreamSynchronize(nullptr),
              cudaDeviceSynchronize(), cudaMalloc(&p, 4),
              cudaFree(m.b),           cudaMallocHost(&p, 4)};
  };
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, call, &function), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(errors.size(), 6U);
  EXPECT_THAT(errors, Each(cudaErrorNotPermitted));
  EXPECT_EQ(cudaMemset(m.a, 0, 4), cudaSuccess);
  cudaGetLastError();
}

// Else a program whose function takes a lock, which another thread holds while it calls CUDA, would
// end in a deadlock.
TEST(HostFunctions, let_other_threads_go_on) {
  for (const bool is_callback : {false, true}) {
    Memory m;
    std::future_status status = std::future_status::timeout;
    std::future<void> other;
    std::promise<void> begun;
    std::function<void()> function = [&] {
      begun.set_value();
      status = other.wait_for(std::chrono::seconds(20));
    };
    other = std::async(std::launch::async, [&] {
      begun.get_future().wait();
      cudaStream_t stream = nullptr;
      EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
      add(m.b, 1, size, stream);
      EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    });
    if (is_callback) {
      const auto callback = [](cudaStream_t, cudaError_t, void* data) { call(data); };
      EXPECT_EQ(cudaStreamAddCallback(nullptr, callback, &function, 0), cudaSuccess);
    } else {
      EXPECT_EQ(cudaLaunchHostFunc(nullptr, call, &function), cudaSuccess);
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(status, std::future_status::ready);
    EXPECT_THAT(m.values(m.b), Each(1));
  }
}

// The thread that waits may be another one than the one that calls the function.
TEST(HostFunctions, have_ended_when_a_thread_has_waited_for_them) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  std::promise<void> begun;
  bool ended = false;
  std::function<void()> function = [&] {
    begun.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ended = true;
  };
  const auto other = std::async(std::launch::async, [&] {
    begun.get_future().wait();
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_TRUE(ended);
  });
  EXPECT_EQ(cudaLaunchHostFunc(stream, call, &function), cudaSuccess);
  other.wait();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

}  // namespace
}  // namespace bankproof::cuda::tests
