// Faults of accesses: all messages about memory are made here.
#pragma once

#include "race_shadow.hpp"
#include "request.hpp"

namespace bankproof::ptx {

/// The lane's bytes do not lie in the memory.
void report_outside(const Request& request, const Memory& memory, std::uint32_t lane);
/// The lane's offset is not a multiple of the number of its bytes.
void report_misaligned(const Request& request, const Memory& memory, std::uint32_t lane);
/// The lane's address belongs to no memory.
void report_nowhere(const Request& request, std::uint32_t lane, std::uint64_t address);
/// The lane writes to memory that kernels only read.
void report_constant(const Request& request, const Memory& memory, std::uint32_t lane);
/// The lane gives the address of a matrix's row, and the address is not in shared memory.
void report_row_elsewhere(const Request& request, std::uint32_t lane, std::uint64_t address);
/// The lane reads bytes that were never written.
void report_uninitialized(const Request& request, const Memory& memory, std::uint32_t lane);
/// The lane and the lane `before` write different values to the same offset.
void report_collision(const Request& request, const Memory& memory, std::uint32_t lane,
                      std::uint32_t before);
/// The lane frees an allocation of the heap that is freed already.
void report_double_free(const MemoryWarp& warp, std::uint32_t site, std::uint32_t lane,
                        std::uint32_t index);
/// The access races with an earlier access, as `viewer` sees it.
void report_race(const Request& request, const Memory& memory, const Viewer& viewer,
                 const FoundRace& race);

}  // namespace bankproof::ptx
