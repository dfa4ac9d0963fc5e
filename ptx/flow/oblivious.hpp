// Oblivious kernels: no value that a kernel loads reaches an address, a branch, or the guard of an
// access. Such a kernel makes the same accesses whatever the buffers contain.
//
//   out[i] = in[i] + 1           oblivious: i is computed from special registers and parameters
//   out[i] = in[index[i]]        not: a loaded value is part of an address
//   if (in[i] > 0) out[i] = 0    not: a loaded value decides a branch
//   out[i] = max(in[i], 0)       oblivious: the loaded value only chooses a value
//   out[i] = in[i] ? in[j] : 0   not: a loaded value decides who uses another (selected_loads.hpp)
//
// The analysis marks registers, and the local and the shared memory, that may hold loaded values,
// until nothing changes. It does not follow the order of instructions: a register that is marked
// anywhere is marked everywhere. Parameters and constants are fixed when a launch begins, so loads
// of them mark nothing. Where lanes diverge needs no rule of its own: a branch that depends on a
// loaded value makes the kernel not oblivious. Clocks and the launch's number count as loaded, and
// so do the results of atomic operations.
#pragma once

#include <optional>
#include <string>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

/// An instruction for which a kernel is not oblivious.
struct DataDependence {
  std::string what;  // "an address", "a branch", "a guard", …
  Place place;
};

/// Empty if the kernel is oblivious. A kernel that calls functions, or has instructions that the
/// analysis does not know, is not.
std::optional<DataDependence> data_dependence(const Function& kernel);

}  // namespace bankproof::ptx
