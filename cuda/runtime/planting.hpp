// Bugs planted in the kernels of a program, one instruction at a time, for tests that have to tell
// them: a test that passes with a barrier left out has not looked.
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
  no_order,     // a fence left out; an access that acquires or releases made a relaxed one, and
                // one that is volatile a weak one
  other_bound,  // < made ≤, > made ≥, and back
  other_place,  // an access to the element behind, in global or shared memory
};

/// A mistake that can be made in a kernel that this program has launched.
struct PossibleBug {
  std::string kernel;  // as reports call it
  BugKind kind = BugKind::no_barrier;
  std::size_t module = 0;  // of the program's .cu files
  std::size_t function = 0;
  std::size_t statement = 0;
  // Those of the same kind at the same source line of the kernel: compilers copy what is in loops
  // and inlined functions.
  std::vector<std::size_t> copies;
  std::string instruction;  // as it is without the mistake
  // The kernels that were launched, by function of the module: with the bug there are no others.
  std::shared_ptr<const std::set<std::size_t>> launched;
};

/// Those of all the kernels in `reports`, by kind, in the order of the kernel's text. Device
/// functions that were not inlined are left alone.
std::vector<PossibleBug> possible_bugs(const std::vector<ptx::KernelReport>& reports);

enum class Planting : std::uint8_t {
  here,
  in_all_copies,       // as if it were in the source
  trap_in_all_copies,  // in place of the bug: to see whether the instruction is reached at all
};

/// As long as it lives, the program's kernels are launched with that bug. Variables of its .cu file
/// are as at the program's start, and again what they were afterwards.
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
