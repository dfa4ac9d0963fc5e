// Places in the program's host code: where it made a call of CUDA's runtime.
//
// A call keeps the return addresses of its callers. Only a report finds out what they mean, by the
// program's debug information (DWARF, through libdw) or else by its symbols.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace bankproof::cuda {

/// The return addresses of a call, innermost first; 0 after the last.
using HostCall = std::array<std::uintptr_t, 24>;

/// The callers of the function that calls this one.
HostCall host_call();

struct HostPlace {
  std::string file;          // empty without debug information
  std::uint32_t line = 0;    // 0 without debug information
  std::string function;      // demangled; empty if the program has no symbols
  std::uint64_t offset = 0;  // in the function, or in the file of the program
};

/// The place in the program that led to the call: the caller of the outermost function of CUDA or
/// of the machine. A kernel's launch is where the program launches it, not a compiler's stub.
HostPlace place_of(const HostCall& call);

/// "main.cpp:12", or "main+0x4a" without debug information.
std::string text_of(const HostPlace& place);

}  // namespace bankproof::cuda
