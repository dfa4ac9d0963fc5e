// An access of a warp to one memory: faults, costs, races, bytes.
#include <algorithm>
#include <cstring>
#include <string>

#include "../isa/thread_text.hpp"
#include "../timing/events.hpp"
#include "matrix_rows.hpp"
#include "request.hpp"

namespace bankproof::ptx {
namespace {

/// How far the bytes lie outside of the memory, as text.
std::string distance(const Memory& memory, std::uint64_t at, std::uint32_t bytes) {
  auto offset = static_cast<std::int64_t>(at);
  // 32-bit addresses, which nvcc uses for shared memory, wrap around below 0.
  if (memory.space != Space::global && at >> 31 == 1) offset -= std::int64_t{1} << 32;
  if (offset < 0) {
    // Unsigned, since the smallest number has no negation.
    const std::uint64_t before = std::uint64_t{0} - static_cast<std::uint64_t>(offset);
    return std::to_string(before) + " bytes before the beginning of ";
  }
  const std::uint64_t end = at + bytes;
  return std::to_string(end - memory.bytes) + " bytes behind the end of ";
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

/// Removes the lanes that cannot be served, and reports why.
LaneMask check_bounds(const Request& request, const Memory& memory, LaneMask lanes) {
  LaneMask served = lanes;
  FaultLog& faults = request.warp.worker->faults;
  const auto access = [&] {
    return std::string(request.verb()) + " of " + std::to_string(request.bytes) + " bytes";
  };
  each_lane(lanes, [&](std::uint32_t lane) {
    const std::uint64_t at = request.at[lane];
    const bool outside = at > memory.bytes || memory.bytes - at < request.bytes;
    const bool misaligned = at % request.bytes != 0;
    if (!outside && !misaligned) return;
    served &= ~(LaneMask{1} << lane);
    const ThreadName thread = request.warp.name(lane);
    if (outside) {
      faults.add(FaultKind::out_of_bounds, request.site, no_site, thread, [&] {
        return access() + ", " + distance(memory, at, request.bytes) + name_of(memory) + " (" +
               std::to_string(memory.bytes) + " bytes)";
      });
    } else {
      faults.add(FaultKind::misaligned, request.site, no_site, thread,
                 [&] { return access() + " at " + shown(memory, at); });
    }
  });
  return served;
}

/// `run`: all lanes take part, and their bytes are contiguous.
void check_written(const Request& request, const Memory& memory, LaneMask lanes, bool run) {
  const bool whole_bytes = run && request.at[0] % 8 == 0;
  if (whole_bytes && memory.written->all(request.at[0], warp_lanes * request.bytes)) return;
  each_lane(lanes, [&](std::uint32_t lane) {
    if (memory.written->all(request.at[lane], request.bytes)) return;
    request.warp.worker->faults.add(
        FaultKind::uninitialized, request.site, no_site, request.warp.name(lane), [&] {
          return std::string(request.verb()) + " of " + std::to_string(request.bytes) +
                 " bytes that are not initialized, at " + shown(memory, request.at[lane]);
        });
  });
}

void note_written(const Request& request, const Memory& memory, LaneMask lanes, bool run) {
  if (run && request.at[0] % 8 == 0) {
    memory.written->set(request.at[0], warp_lanes * request.bytes);
  } else {
    each_lane(lanes,
              [&](std::uint32_t lane) { memory.written->set(request.at[lane], request.bytes); });
  }
}

/// Reports lanes of one store that write different values to one address.
void check_collisions(const Request& request, const Memory& memory, LaneMask lanes) {
  each_lane(lanes, [&](std::uint32_t lane) {
    each_lane(lanes & ((LaneMask{1} << lane) - 1), [&](std::uint32_t before) {
      const std::byte* values = request.values.bytes.data();
      if (request.at[lane] != request.at[before] ||
          std::memcmp(values + std::size_t{lane} * request.bytes,
                      values + std::size_t{before} * request.bytes, request.bytes) == 0) {
        return;
      }
      request.warp.worker->faults.add(
          FaultKind::colliding_writes, request.site, request.site, request.warp.name(lane), [&] {
            const LaunchMemory& launch = *request.warp.launch;
            return "store of a value that differs from that of " +
                   thread_text(request.warp.name(before), launch.grid, launch.block) + " at " +
                   shown(memory, request.at[lane]);
          });
    });
  });
}

template <std::uint32_t bytes>
void copy_lanes(const Request& request, std::byte* data, LaneMask lanes) {
  std::byte* values = request.values.bytes.data();
  if (request.operation == Operation::load) {
    each_lane(lanes, [&](std::uint32_t lane) {
      std::memcpy(values + std::size_t{lane} * bytes, data + request.at[lane], bytes);
    });
    return;
  }
  std::uint64_t changes = 0;
  each_lane(lanes, [&](std::uint32_t lane) {
    std::byte* to = data + request.at[lane];
    changes += std::memcmp(to, values + std::size_t{lane} * bytes, bytes) != 0;
    std::memcpy(to, values + std::size_t{lane} * bytes, bytes);
  });
  request.warp.worker->changes += changes;
}

void copy_run(const Request& request, std::byte* data) {
  std::byte* values = request.values.bytes.data();
  std::byte* memory = data + request.at[0];
  const std::size_t bytes = std::size_t{warp_lanes} * request.bytes;
  if (request.operation == Operation::load) {
    std::memcpy(values, memory, bytes);
  } else {
    request.warp.worker->changes += std::memcmp(memory, values, bytes) != 0;
    std::memcpy(memory, values, bytes);
  }
}

void move_bytes(const Request& request, std::byte* data, LaneMask lanes, bool contiguous) {
  if (contiguous) {
    copy_run(request, data);
    return;
  }
  switch (request.bytes) {
    case 1:
      return copy_lanes<1>(request, data, lanes);
    case 2:
      return copy_lanes<2>(request, data, lanes);
    case 4:
      return copy_lanes<4>(request, data, lanes);
    case 8:
      return copy_lanes<8>(request, data, lanes);
    case 16:
      return copy_lanes<16>(request, data, lanes);
    default:
      return copy_lanes<32>(request, data, lanes);
  }
}

void save_pages(const Request& request, const Memory& memory, LaneMask lanes) {
  Buffer& buffer = *memory.buffer;
  std::uint64_t last = ~std::uint64_t{0};
  each_lane(lanes, [&](std::uint32_t lane) {
    const std::uint64_t page = request.at[lane] / GlobalMemory::page_bytes;
    if (page == last) return;
    last = page;
    if (buffer.saved[page] == 0) request.warp.launch->global->save(buffer, page);
  });
}

/// Does the whole access except for bounds and costs.
void touch(Request& request, const Memory& memory, LaneMask lanes, bool apart, bool contiguous) {
  if (request.warp.clocks && memory.records.writes != nullptr) acquire(request, memory, lanes);
  if (memory.records.writes != nullptr) judge_races(request, memory, lanes, apart, contiguous);
  if (memory.written != nullptr && request.reads())
    check_written(request, memory, lanes, contiguous);
  if (memory.buffer != nullptr && request.writes()) save_pages(request, memory, lanes);
  LaneMask failed = 0;
  if (request.operation == Operation::atomic) {
    failed = perform_atomic(request, memory, lanes);
  } else {
    if (!apart && request.writes()) check_collisions(request, memory, lanes);
    move_bytes(request, memory.data, lanes, contiguous);
  }
  if (memory.written != nullptr && request.writes()) {
    note_written(request, memory, lanes, contiguous);
  }
  if (request.warp.clocks && memory.records.writes != nullptr) {
    synchronize(request, memory, lanes, failed);
  }
}

/// Touches one page after the other, each under its lock.
void touch_by_pages(Request& request, const Memory& memory, LaneMask lanes, bool apart,
                    bool contiguous) {
  while (lanes != 0) {
    const std::uint64_t page = request.at[first_of(lanes)] / GlobalMemory::page_bytes;
    LaneMask here = 0;
    each_lane(lanes, [&](std::uint32_t lane) {
      here |= LaneMask{request.at[lane] / GlobalMemory::page_bytes == page} << lane;
    });
    auto& locks = request.warp.launch->locks;
    const std::lock_guard lock(locks[(page + memory.index) % locks.size()]);
    touch(request, memory, here, apart, contiguous && here == all_lanes);
    lanes &= ~here;
  }
}

/// The addresses of one access; it is priced as a whole.
struct Priced {
  const LaneAddresses& at;
  LaneMask lanes;
  std::uint32_t bytes;  // per lane
};

void note_worst(std::optional<AccessPicture>& worst, const Request& request, const Memory& memory,
                const Priced& priced, std::uint64_t excess) {
  const ThreadName thread = request.warp.name(0);
  if (worst && (worst->excess > excess || (worst->excess == excess && !(thread < worst->warp)))) {
    return;
  }
  worst.emplace();
  worst->warp = thread;
  worst->lanes = priced.lanes;
  worst->element_bytes = priced.bytes;
  worst->buffer = memory.index;
  worst->addresses = priced.at;
  worst->excess = excess;
}

/// Adds the cost; returns the number of distinct elements.
std::uint32_t add_cost(const Request& request, const Memory& memory, const Priced& priced) {
  Worker& worker = *request.warp.worker;
  AccessCounts& counts = worker.counts[request.site];
  const bool shared = memory.space == Space::shared;
  const Cost& cost = shared
                         ? worker.costs.shared(request.site, priced.at, priced.lanes, priced.bytes)
                         : worker.costs.global(request.site, priced.at, priced.lanes, priced.bytes);
  if (shared) {
    counts.wavefronts += cost.stages;
    counts.ideal_wavefronts += cost.ideal;
    note_worst(counts.worst_shared, request, memory, priced, cost.stages - cost.ideal);
  } else {
    counts.lines += cost.stages;
    counts.ideal_lines += cost.ideal;
    counts.sectors += cost.sectors;
    counts.ideal_sectors += cost.ideal_sectors;
    note_worst(counts.worst_global, request, memory, priced, cost.sectors - cost.ideal_sectors);
  }
  if (request.warp.events != nullptr) {
    const std::uint32_t of_turn = cost.stages / cost.turns;
    for (std::uint32_t turn = 0; turn < cost.turns; ++turn) {
      request.warp.events->push_back(shared ? Event::shared(of_turn) : Event::global(of_turn));
    }
  }
  return cost.distinct;
}

/// Counts the access. Returns true only if no two lanes touch the same element.
bool count(const Request& request, const Memory& memory, LaneMask lanes) {
  AccessCounts& counts = request.warp.worker->counts[request.site];
  ++counts.accesses;
  counts.lanes += static_cast<std::uint64_t>(std::popcount(lanes));
  if (!request.rows_of_matrices) {
    const std::uint32_t distinct = add_cost(request, memory, {request.at, lanes, request.bytes});
    return distinct == static_cast<std::uint32_t>(std::popcount(lanes));
  }
  for (std::uint32_t matrix = 0; matrix < warp_lanes / rows_of_matrix; ++matrix) {
    LaneAddresses words;
    const LaneMask of_matrix = words_of_matrix(request.at, lanes, matrix, words);
    if (of_matrix != 0) add_cost(request, memory, {words, of_matrix, word_bytes});
  }
  return false;
}

/// Whether all lanes take part, and their bytes are contiguous.
bool is_run(const Request& request, LaneMask lanes) {
  if (lanes != all_lanes) return false;
  std::uint64_t difference = 0;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    difference |= request.at[lane] ^ (request.at[0] + lane * request.bytes);
  }
  return difference == 0;
}

}  // namespace

std::string shown(const Memory& memory, std::uint64_t offset) {
  const std::uint64_t shown = memory.space == Space::local ? offset % memory.bytes : offset;
  return "byte " + std::to_string(shown) + " of " + name_of(memory);
}

void perform(Request& request, const Memory& memory, LaneMask lanes) {
  // Unsigned: a negative offset becomes a huge one, which is also out of bounds.
  std::uint64_t wrong = memory.bytes < request.bytes;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const std::uint64_t at = request.at[lane];
    wrong |= (at | (memory.bytes - request.bytes - at)) >> 63 | (at & (request.bytes - 1));
  }
  if (wrong != 0) {
    const LaneMask served = check_bounds(request, memory, lanes);
    if (request.reads()) {
      each_lane(lanes & ~served, [&](std::uint32_t lane) {
        std::memset(request.values.bytes.data() + std::size_t{lane} * request.bytes, 0,
                    request.bytes);
      });
    }
    lanes = served;
    if (lanes == 0) return;
    const std::uint64_t first = request.at[first_of(lanes)];
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      if ((lanes >> lane & 1U) == 0) request.at[lane] = first;
    }
  }
  if (memory.space == Space::local) {
    // Each lane has its own local memory.
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) request.at[lane] += lane * memory.bytes;
  }
  const bool contiguous = is_run(request, lanes);
  if (memory.buffer != nullptr && !contiguous) {
    // Prefetches for all lanes, so that scattered lanes wait for memory together. The loop is not
    // in a function, because GCC considers a function that only prefetches to have no effect, and
    // removes the call.
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const std::uint64_t at = request.at[first_of(rest)];
      const Record* const writes = memory.records.writes + at / word_bytes;
      const Record* const reads = memory.records.reads + at / word_bytes;
      __builtin_prefetch(request.writes() ? writes : reads, 1);
      __builtin_prefetch(request.writes() ? reads : writes);
      __builtin_prefetch(memory.data + at);
      if (memory.written != nullptr) __builtin_prefetch(memory.written->bits().data() + at / 8);
    }
  }
  const bool counted = memory.space == Space::shared || memory.space == Space::global;
  const bool apart = !counted || count(request, memory, lanes);
  if (memory.buffer != nullptr && request.warp.launch->workers > 1) {
    touch_by_pages(request, memory, lanes, apart, contiguous);
  } else {
    touch(request, memory, lanes, apart, contiguous);
  }
}

}  // namespace bankproof::ptx
