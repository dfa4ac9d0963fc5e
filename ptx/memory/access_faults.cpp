// Says what is wrong with an access, where, and by which thread; see access_faults.hpp.
#include "access_faults.hpp"

#include <string>

#include "../isa/thread_text.hpp"
#include "../syntax/cpp_names.hpp"

namespace bankproof::ptx {
namespace {

const char* verb(const Request& request) {
  if (request.frees) return "free";
  return !request.writes ? "load" : !request.reads ? "store" : "atomic operation";
}

/// "load of 4 bytes"
std::string sized(const Request& request) {
  return std::string(verb(request)) + " of " + std::to_string(request.bytes) + " bytes";
}

std::string name_of(const Memory& memory) {
  switch (memory.space) {
    case Space::shared:
      return "shared memory";
    case Space::local:
      return "local memory";
    case Space::constant:
      return "constant memory";
    case Space::param:
      return "the parameters";
    case Space::global:
      break;
  }
  return "'" + memory.buffer->name + "'";
}

/// "byte 12 of shared memory", "byte 12 of 'input'".
std::string shown(const Memory& memory, std::uint64_t offset) {
  const std::uint64_t shown =
      memory.space == Space::local ? offset % LocalMemory::stride(memory.storage.bytes) : offset;
  return "byte " + std::to_string(shown) + " of " + name_of(memory);
}

/// How far the accessed bytes lie before or behind the memory that they miss, as text.
std::string distance(const Memory& memory, std::uint64_t at, std::uint32_t bytes) {
  auto offset = static_cast<std::int64_t>(at);
  // 32-bit addresses, which nvcc uses for shared memory, wrap around below 0.
  if (memory.space != Space::global && at >> 31 == 1) offset -= std::int64_t{1} << 32;
  if (offset < 0) {
    // Negates as an unsigned number, since the smallest signed number has no negation.
    const std::uint64_t before = std::uint64_t{0} - static_cast<std::uint64_t>(offset);
    return std::to_string(before) + " bytes before the beginning of ";
  }
  const std::uint64_t end = at + bytes;
  return std::to_string(end - memory.storage.bytes) + " bytes behind the end of ";
}

template <class Message>
void report(const Request& request, FaultKind kind, std::uint32_t other_site, std::uint32_t lane,
            const Message& message) {
  request.warp.worker->faults.add(kind, request.site, other_site, request.warp.name(lane), message);
}

/// Names a thread of another grid with its kernel.
std::string text_of(const LaunchMemory& launch, WarpNumber warp, const ThreadName& thread) {
  const Grid& grid = launch.grid_of(warp);
  std::string text = thread_text(thread, grid.grid, grid.block);
  if (grid.number == launch.number) return text;
  return text + " of " + demangled(grid.kernel);
}

/// Explains a race with a copy by the wait or the barrier that is missing; empty if `race.other` is
/// no copy.
std::string copy_text(const Request& request, const Viewer& viewer, const FoundRace& race) {
  const WarpNumber other = race.other.warp;
  if (!request.warp.launch->is_copier(other)) return {};
  if (viewer.is_own_copier(other) && race.other_lane == race.lane) {
    return ", the same thread, whose cp.async may still be in flight: it must first wait for the "
           "copy (cp.async.wait_group with fewer groups, cp.async.wait_all, or an mbarrier)";
  }
  if (viewer.is_copier(other)) {
    const MemoryWarp& copying = *request.warp.block->warps[other - viewer.first - viewer.copiers];
    if (copying.copies->done(race.other_lane) >= race.other.epoch) {
      return ", which has waited for its cp.async: a barrier must follow that wait";
    }
  }
  return ", whose cp.async may still be in flight: that thread must first wait for the copy "
         "(cp.async.wait_group with fewer groups, cp.async.wait_all, or an mbarrier), and a "
         "barrier must follow that wait";
}

}  // namespace

void report_outside(const Request& request, const Memory& memory, std::uint32_t lane) {
  const bool is_global = memory.buffer != nullptr;
  const std::uint32_t site_of_free =
      is_global ? request.warp.launch->global->heap().site_of_free(memory.index) : no_site;
  report(request, FaultKind::out_of_bounds, site_of_free, lane, [&] {
    return sized(request) + ", " + distance(memory, request.at[lane], request.bytes) +
           name_of(memory) + " (" + std::to_string(memory.storage.bytes) + " bytes)";
  });
}

void report_misaligned(const Request& request, const Memory& memory, std::uint32_t lane) {
  report(request, FaultKind::misaligned, no_site, lane,
         [&] { return sized(request) + " at " + shown(memory, request.at[lane]); });
}

void report_nowhere(const Request& request, std::uint32_t lane, std::uint64_t address) {
  report(request, FaultKind::out_of_bounds, no_site, lane, [&] {
    return sized(request) + " at address " + std::to_string(address) +
           ", which belongs to no buffer";
  });
}

void report_constant(const Request& request, const Memory& memory, std::uint32_t lane) {
  report(request, FaultKind::out_of_bounds, no_site, lane, [&] {
    return std::string(verb(request)) + " at " + shown(memory, request.at[lane]) +
           ", which kernels only read";
  });
}

void report_row_elsewhere(const Request& request, std::uint32_t lane, std::uint64_t address) {
  report(request, FaultKind::out_of_bounds, no_site, lane, [&] {
    return std::string(verb(request)) + " of a matrix's row at address " + std::to_string(address) +
           ", which is not in shared memory";
  });
}

void report_uninitialized(const Request& request, const Memory& memory, std::uint32_t lane) {
  report(request, FaultKind::uninitialized, no_site, lane, [&] {
    return sized(request) + " that are not initialized, at " + shown(memory, request.at[lane]);
  });
}

void report_collision(const Request& request, const Memory& memory, std::uint32_t lane,
                      std::uint32_t before) {
  report(request, FaultKind::colliding_writes, request.site, lane, [&] {
    const LaunchMemory& launch = *request.warp.launch;
    return "store of a value that differs from that of " +
           thread_text(request.warp.name(before), launch.grid, launch.block) + " at " +
           shown(memory, request.at[lane]);
  });
}

void report_double_free(const MemoryWarp& warp, std::uint32_t site, std::uint32_t lane,
                        std::uint32_t index) {
  const GlobalMemory& global = *warp.launch->global;
  warp.worker->faults.add(FaultKind::double_free, site, global.heap().site_of_free(index),
                          warp.name(lane), [&] { return "free of '" + global[index].name + "'"; });
}

void report_race(const Request& request, const Memory& memory, const Viewer& viewer,
                 const FoundRace& race) {
  LaunchMemory& launch = *request.warp.launch;
  launch.told_race = true;
  report(request, FaultKind::race, race.other.site, race.lane, [&] {
    const ThreadName other = launch.name(race.other.warp, race.other_lane);
    std::string text = std::string(verb(request)) + " at " + shown(memory, request.at[race.lane]) +
                       " is not ordered with a " + (race.other.write ? "write" : "read") + " by " +
                       text_of(launch, race.other.warp, other);
    text += copy_text(request, viewer, race);
    // Cache operators such as that of __ldcg order no accesses.
    const bool strong = request.operands.access.semantics != Semantics::weak;
    if (strong != race.other.strong) {
      text += std::string(", which is ") + (strong ? "plain" : "atomic or volatile") +
              ": plain accesses race even with atomic operations; access it by atomic "
              "operations or as volatile everywhere";
    }
    return text;
  });
}

}  // namespace bankproof::ptx
