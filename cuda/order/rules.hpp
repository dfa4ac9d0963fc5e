// The rules by which one thing of a CUDA program happens before another, and the numbers of the
// things.
//
// The rules are those of CUDA's documentation; what it does not promise is not ordered.
// - Programming Guide, "Streams", "Events" and "Graphs"
// - Runtime API, "Stream synchronization behavior": the default streams
// - Runtime API, cudaEventRecord, cudaStreamWaitEvent, cudaStreamDestroy, cudaStreamSynchronize,
//   cudaDeviceSynchronize, cudaGraphLaunch
#pragma once

#include <cstdint>

namespace bankproof::cuda {

// The caller numbers threads, events and devices as it likes; streams get their numbers here.
enum class Host : std::uint64_t {};
enum class Event : std::uint64_t {};
enum class Device : std::uint32_t {};
enum class Stream : std::uint32_t {};

enum class StreamKind : std::uint8_t {
  blocking,      // from cudaStreamCreate; it and the legacy stream wait for each other
  non_blocking,  // with cudaStreamNonBlocking
};

/// Why one thing happens before another.
enum class Rule : std::uint8_t {
  host_order,              // a thread's operations happen one after the other,
  stream_order,            // and so do a stream's
  host_knowledge,          // an operation knows what the thread that enqueued it knew
  creation,                // whoever uses a stream knows what its creator knew
  legacy_waits,            // the legacy stream waits for the blocking streams,
  legacy_is_waited_for,    // and they wait for it
  event_wait,              // cudaStreamWaitEvent
  event_synchronization,   // cudaEventSynchronize
  stream_synchronization,  // cudaStreamSynchronize
  device_synchronization,  // cudaDeviceSynchronize
  edge,                    // a node of a graph knows its predecessors
  join,                    // what follows in the stream knows the nodes of the graph
  passing,                 // a thread starts or joins another
};

}  // namespace bankproof::cuda
