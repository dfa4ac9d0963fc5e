// The acquisitions and publications of strong accesses (PTX ISA, "Release and Acquire Patterns").
// Only precise launches, which have a clock for each lane, call these functions.
#include <cstring>
#include <mutex>
#include <utility>

#include "mbarrier.hpp"
#include "request.hpp"
#include "synchronization.hpp"

namespace bankproof::ptx {
namespace {

bool acquires(const Access& access) {
  return access.semantics == Semantics::acquire_release || access.semantics == Semantics::acquire;
}

bool arrives(const Access& access) {
  return access.atomic == AtomicOperation::arrive ||
         access.atomic == AtomicOperation::arrive_and_drop;
}

/// Whether the arrival at an mbarrier that the lane has just performed was the last of its phase.
bool completes_phase(const Request& request, std::uint32_t lane) {
  const MemoryOperands& operands = request.operands;
  std::uint64_t before = 0;
  std::uint64_t arrivals = 0;
  std::memcpy(&before, value_of(request.values, lane, request.bytes), sizeof before);
  std::memcpy(&arrivals, request.warp.frame + operands.values[1] + lane * lane_bytes(operands.type),
              sizeof arrivals);
  const bool drop = operands.access.atomic == AtomicOperation::arrive_and_drop;
  return (before ^ after_arrivals(before, arrivals, drop)) >> mbarrier_phase_bit != 0;
}

/// Calls the function with each element of each lane.
template <class Function>
void each_element(const Request& request, const Memory& memory, const Function& function) {
  const Access& access = request.operands.access;
  each_lane(request.lanes, [&](std::uint32_t lane) {
    for (std::uint32_t k = 0; k < access.vector; ++k) {
      const std::uint32_t bytes = access.element_bytes;
      function(
          LaneElement{lane, memory.begin + request.at[lane] + std::uint64_t{k} * bytes, bytes});
    }
  });
}

/// Several workers share the history of global memory.
std::unique_lock<std::mutex> lock_history(const Request& request, const Memory& memory) {
  LaunchMemory& launch = *request.warp.launch;
  if (!launch.several || memory.buffer == nullptr) return {};
  return std::unique_lock(launch.publishing);
}

}  // namespace

void acquire(const Request& request, const Memory& memory) {
  const Access& access = request.operands.access;
  if (!request.reads || !acquires(access)) return;
  const auto lock = lock_history(request, memory);
  const Publications& published = memory.shadow.history->published;
  each_element(request, memory, [&](const LaneElement& at) {
    observe(request.warp, at, published.find(at.address, at.bytes), true, access.scope);
  });
}

void publish(const Request& request, const Memory& memory, LaneMask failed) {
  MemoryWarp& warp = request.warp;
  const Access& access = request.operands.access;
  const auto lock = lock_history(request, memory);
  Publications& published = memory.shadow.history->published;
  if (access.semantics == Semantics::weak) {
    const bool* const any = memory.shadow.has_published;
    const bool none = any == nullptr ? published.empty() : !*any;
    if (!request.writes || none) return;
    each_lane(request.lanes, [&](std::uint32_t lane) {
      published.end(memory.begin + request.at[lane], request.bytes);
    });
    return;
  }
  const bool releases =
      access.semantics == Semantics::acquire_release || access.semantics == Semantics::release;
  each_element(request, memory, [&](const LaneElement& at) {
    if (request.reads) {
      observe(warp, at, published.find(at.address, at.bytes), acquires(access), access.scope);
    }
    if (!request.writes || (failed >> at.lane & 1U) != 0) return;
    Publication publication =
        publication_of(warp, at, releases, access.scope, request.operands.after_copies);
    if (memory.shadow.has_published != nullptr) *memory.shadow.has_published = true;
    if (arrives(access)) {
      published.arrive(at.address, publication, completes_phase(request, at.lane));
    } else if (request.reads) {
      published.add(at.address, publication);
    } else {
      published.put(at.address, std::move(publication));
    }
  });
  if (releases) begin_epoch(warp);
}

}  // namespace bankproof::ptx
