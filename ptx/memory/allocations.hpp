// What malloc() and free() of one thread do, and their faults.
//
// free() is judged as a write of all bytes of the allocation: it races with an access of another
// thread unless something orders them.
#pragma once

#include <cstdint>

#include "warp_memory.hpp"

namespace bankproof::ptx {

/// The address of a new allocation; 0 for no bytes, and if the heap has too little left.
std::uint64_t allocate(MemoryWarp& warp, std::uint64_t bytes);

/// Frees the allocation that begins at this address, for a lane at this site of the program. Null
/// is ignored; a second free is a fault. Returns false if no allocation of the heap began there.
bool free_allocation(MemoryWarp& warp, std::uint32_t site, std::uint32_t lane,
                     std::uint64_t address);

}  // namespace bankproof::ptx
