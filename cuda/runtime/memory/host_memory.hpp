// Whether the host's memory is there: a copy from or to an address that the program cannot access
// is a finding, and not the end of the program.
#pragma once

#include <cstddef>

namespace bankproof::cuda {

/// How many of the bytes, from the first on, are on pages that the program can read. All of them if
/// the system does not tell. One page may be in a program's memory by chance: this finds pointers
/// that are null or wild, and copies that go far beyond their memory.
std::size_t readable_bytes(const void* begin, std::size_t bytes);

}  // namespace bankproof::cuda
