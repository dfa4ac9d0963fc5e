// Mutations of the kernels of a program: plants a bug in one instruction at a time, to check that
// tests detect it. A test that passes without a barrier does not check why the barrier is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../session/session.hpp"

namespace bankproof::cuda {

enum class BugKind : std::uint8_t {
  no_barrier,   // a barrier left out
  no_order,     // a fence left out, an acquire or release access made
                // relaxed, or a volatile access made weak
  other_bound,  // < and ≤ exchanged, or > and ≥
  other_place,  // an access moved to the next element, in global or shared memory
};

/// A bug that can be planted in a kernel that this program has launched.
struct PossibleBug {
  std::string kernel;  // the name in reports
  BugKind kind = BugKind::no_barrier;
  std::size_t module = 0;  // index of the program's .cu file
  std::size_t function = 0;
  std::size_t statement = 0;
  // The instructions at the same source line of the kernel that can have the same kind of bug:
  // compilers copy the bodies of loops and inlined functions.
  std::vector<std::size_t> copies;
  std::string instruction;  // without the bug
  // The launched kernels, as functions of the module. While the bug is planted, the module has no
  // other kernels.
  std::shared_ptr<const std::set<std::size_t>> launched;
};

/// The possible bugs of all kernels in `reports`, by kind, in the order of the kernel's text.
/// Device functions that were not inlined get no bugs.
std::vector<PossibleBug> possible_bugs(const std::vector<ptx::KernelReport>& reports);

enum class Planting : std::uint8_t {
  here,
  in_all_copies,       // as if the source had the bug
  trap_in_all_copies,  // a trap instead of the bug: shows whether the instruction is reached at all
};

/// While this object lives, the program launches its kernels with the bug. During this time, the
/// variables of the kernel's .cu file start from their initial values; afterwards they have their
/// former values again.
class PlantedBug {
 public:
  explicit PlantedBug(const PossibleBug& bug, Planting planting = Planting::here);
  ~PlantedBug();
  PlantedBug(const PlantedBug&) = delete;
  PlantedBug& operator=(const PlantedBug&) = delete;

 private:
  std::size_t module_;
  SharedKernelFile intact_;
};

}  // namespace bankproof::cuda
