// Every call that orders the operations of a program matters: correct programs have no race, and if
// one of these calls is left out, the race that it prevented is found.
#include <functional>

#include "../../../cuda/runtime/reports.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// Makes the calls that order a program, all but one.
class Orders {
 public:
  /// `without` is the number of the call that is left out, from 0; −1 for none.
  explicit Orders(int without) : without_(without) {}

  template <class Call>
  void operator()(Call call) {
    if (made_++ == without_) return;
    EXPECT_EQ(call(), cudaSuccess);
  }
  int made() const { return made_; }

 private:
  int without_;
  int made_ = 0;
};

/// Two streams, an event, memory of the device and page-locked memory of the host.
struct Parts {
  explicit Parts(unsigned flags = cudaStreamNonBlocking) {
    for (cudaStream_t& stream : streams) EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), 0);
    for (cudaEvent_t& event : events) EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    for (int*& array : device) {
      EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&array), bytes), cudaSuccess);
      EXPECT_EQ(cudaMemset(array, 0, bytes), cudaSuccess);
    }
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  ~Parts() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    for (cudaEvent_t event : events) cudaEventDestroy(event);
    for (int* array : device) cudaFree(array);
    cudaFreeHost(pinned);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  cudaStream_t streams[2] = {};
  cudaEvent_t events[2] = {};
  int* device[2] = {};
  int* pinned = nullptr;
};

struct Ordered {
  const char* name;
  std::function<void(Orders&)> run;
};

const Ordered programs[] = {
    {"a stream waits for an event of another stream",
     [](Orders& ordered) {
       const Parts p;
       add(p.device[0], 1, size, p.streams[0]);
       ordered([&] { return cudaEventRecord(p.events[0], p.streams[0]); });
       ordered([&] { return cudaStreamWaitEvent(p.streams[1], p.events[0], 0); });
       add(p.device[0], 2, size, p.streams[1]);
     }},
    {"the host waits for a stream before it uses another",
     [](Orders& ordered) {
       const Parts p;
       add(p.device[0], 1, size, p.streams[0]);
       ordered([&] { return cudaStreamSynchronize(p.streams[0]); });
       add(p.device[0], 2, size, p.streams[1]);
     }},
    {"the host waits for an event",
     [](Orders& ordered) {
       const Parts p;
       EXPECT_EQ(cudaMemsetAsync(p.device[0], 0, bytes, p.streams[0]), cudaSuccess);
       EXPECT_EQ(cudaEventRecord(p.events[0], p.streams[0]), cudaSuccess);
       ordered([&] { return cudaEventSynchronize(p.events[0]); });
       add(p.device[0], 2, size, p.streams[1]);
     }},
    {"the host waits for the device",
     [](Orders& ordered) {
       const Parts p;
       add(p.device[0], 1, size, p.streams[0]);
       ordered([] { return cudaDeviceSynchronize(); });
       std::vector<int> numbers(size);
       EXPECT_EQ(cudaMemcpy(numbers.data(), p.device[0], bytes, cudaMemcpyDeviceToHost), 0);
     }},
    {"a fill of the default stream, and a kernel of a non-blocking stream",
     [](Orders& ordered) {
       const Parts p;
       EXPECT_EQ(cudaMemset(p.device[0], 0, bytes), cudaSuccess);
       ordered([] { return cudaStreamSynchronize(nullptr); });
       add(p.device[0], 2, size, p.streams[1]);
     }},
    {"page-locked memory that one copy writes and another reads",
     [](Orders& ordered) {
       const Parts p;
       EXPECT_EQ(
           cudaMemcpyAsync(p.pinned, p.device[0], bytes, cudaMemcpyDeviceToHost, p.streams[0]),
           cudaSuccess);
       ordered([&] { return cudaStreamSynchronize(p.streams[0]); });
       EXPECT_EQ(
           cudaMemcpyAsync(p.device[1], p.pinned, bytes, cudaMemcpyHostToDevice, p.streams[1]),
           cudaSuccess);
     }},
    {"memory that a stream allocates, and another stream uses and frees",
     [](Orders& ordered) {
       const Parts p;
       int* array = nullptr;
       EXPECT_EQ(cudaMallocAsync(reinterpret_cast<void**>(&array), bytes, p.streams[0]), 0);
       ordered([&] { return cudaEventRecord(p.events[0], p.streams[0]); });
       ordered([&] { return cudaStreamWaitEvent(p.streams[1], p.events[0], 0); });
       EXPECT_EQ(cudaMemsetAsync(array, 0, bytes, p.streams[1]), cudaSuccess);
       ordered([&] { return cudaEventRecord(p.events[1], p.streams[1]); });
       ordered([&] { return cudaStreamWaitEvent(p.streams[0], p.events[1], 0); });
       EXPECT_EQ(cudaFreeAsync(array, p.streams[0]), cudaSuccess);
     }},
    {"a variable that a copy writes and a kernel of another stream reads",
     [](Orders& ordered) {
       const Parts p;
       const int value = 2;
       EXPECT_EQ(cudaMemcpyToSymbolAsync(variable_of_kernels(), &value, sizeof value, 0,
                                         cudaMemcpyHostToDevice, p.streams[0]),
                 cudaSuccess);
       ordered([&] { return cudaStreamSynchronize(p.streams[0]); });
       add_variable_to(p.device[0], p.streams[1]);
     }},
    {"a graph that forks and joins",
     [](Orders& ordered) {
       const Parts p;
       cudaGraph_t graph = nullptr;
       cudaGraphExec_t executable = nullptr;
       EXPECT_EQ(cudaStreamBeginCapture(p.streams[0], cudaStreamCaptureModeGlobal), cudaSuccess);
       EXPECT_EQ(cudaEventRecord(p.events[0], p.streams[0]), cudaSuccess);
       EXPECT_EQ(cudaStreamWaitEvent(p.streams[1], p.events[0], 0), cudaSuccess);
       add(p.device[0], 1, size, p.streams[1]);
       EXPECT_EQ(cudaEventRecord(p.events[1], p.streams[1]), cudaSuccess);
       ordered([&] { return cudaStreamWaitEvent(p.streams[0], p.events[1], 0); });
       add(p.device[0], 2, size, p.streams[0]);
       EXPECT_EQ(cudaStreamWaitEvent(p.streams[0], p.events[1], 0), cudaSuccess);  // joins
       EXPECT_EQ(cudaStreamEndCapture(p.streams[0], &graph), cudaSuccess);
       EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
       EXPECT_EQ(cudaGraphLaunch(executable, p.streams[0]), cudaSuccess);
       ordered([&] { return cudaStreamSynchronize(p.streams[0]); });
       EXPECT_EQ(cudaMemsetAsync(p.device[0], 0, bytes, p.streams[1]), cudaSuccess);
       EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
       EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
     }},
};

/// The kinds of the findings about the program's calls.
std::vector<ptx::FaultKind> findings_of(const Ordered& program, Orders& ordered) {
  take_launches();
  take_findings();
  program.run(ordered);
  return take_kinds();
}

TEST(Orders, of_correct_programs_leave_no_race) {
  for (const Ordered& program : programs) {
    Orders all(-1);
    EXPECT_THAT(findings_of(program, all), testing::IsEmpty()) << program.name;
    EXPECT_GT(all.made(), 0) << program.name;
  }
}

TEST(Orders, are_missed_if_they_are_left_out) {
  for (const Ordered& program : programs) {
    Orders all(-1);
    program.run(all);
    for (int k = 0; k < all.made(); ++k) {
      Orders others(k);
      EXPECT_THAT(findings_of(program, others), testing::Contains(ptx::FaultKind::race))
          << program.name << ", without call " << k;
    }
  }
}

/// Blocking streams and the default stream order each other.
TEST(Orders, are_not_needed_between_blocking_streams_and_the_default_stream) {
  take_findings();
  const Parts p(cudaStreamDefault);
  add(p.device[0], 1, size, p.streams[0]);
  EXPECT_EQ(cudaMemset(p.device[0], 0, bytes), cudaSuccess);
  add(p.device[0], 1, size, p.streams[1]);
  EXPECT_THAT(take_findings(), testing::IsEmpty());
}

TEST(Orders, are_not_needed_between_reads_or_other_bytes) {
  take_findings();
  const Parts p;
  add(p.device[0], 1, size / 2, p.streams[0]);
  add(p.device[0] + size / 2, 1, size / 2, p.streams[1]);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (cudaStream_t stream : p.streams) {
    EXPECT_EQ(cudaMemcpyAsync(stream == p.streams[0] ? p.device[1] : p.pinned, p.device[0], bytes,
                              cudaMemcpyDefault, stream),
              cudaSuccess);
  }
  EXPECT_THAT(take_findings(), testing::IsEmpty());
}

TEST(Orders, of_a_race_are_told_with_both_places) {
  take_findings();
  const Parts p;
  add(p.device[0], 1, size, p.streams[0]);
  EXPECT_EQ(cudaMemsetAsync(p.device[0], 0, bytes, p.streams[1]), cudaSuccess);
  const std::vector<ptx::FaultReport> found = take_findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(
      found[0].message,
      testing::AllOf(testing::HasSubstr("cudaMemset writes 256 bytes from byte 0"),
                     testing::HasSubstr("is not ordered with"), testing::HasSubstr("add_to_each")));
}

}  // namespace
}  // namespace bankproof::cuda::tests
