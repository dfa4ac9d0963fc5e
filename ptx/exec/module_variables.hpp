// The __device__ and __constant__ variables of a module, whose values persist across launches, for
// kernels and for the host.
//
// A variable in global memory becomes a buffer, named `__device__ name`, when a launch or the host
// first needs it. Constant memory is laid out anew for each kernel. A variable has the value that
// the host has written last, or the value of its initializer if the host has written none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../memory/buffers.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// The addresses of Program::globals. Makes a buffer for each variable that has none.
std::vector<std::uint64_t> place_globals(const Program& program, GlobalMemory& memory,
                                         ModuleMemory& module);

/// The constant memory of a launch. `globals` is the result of place_globals().
std::vector<std::byte> constants_of(const Program& program, std::span<const std::uint64_t> globals,
                                    const ModuleMemory& module);

/// The bytes that the host reads from a variable of the module in global or constant memory. Throws
/// Error for a variable that the machine cannot have.
std::vector<std::byte> read_variable(const Module& module, const Variable& variable,
                                     GlobalMemory& memory, ModuleMemory& contents);

/// The host writes the whole variable: `bytes` has bytes_of() bytes. Throws Error.
void write_variable(const Module& module, const Variable& variable, GlobalMemory& memory,
                    ModuleMemory& contents, std::span<const std::byte> bytes);

}  // namespace bankproof::ptx
