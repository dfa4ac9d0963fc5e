// Mutations of the kernels of a program: each plants a bug in one instruction, to check that the
// program's tests detect the bug. If a test passes without a barrier, it does not check what the
// barrier is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../session/session.hpp"

namespace bankproof::cuda {

enum class MutationKind : std::uint8_t {
  no_barrier,   // a barrier left out
  no_order,     // a fence left out, an acquire or release access made
                // relaxed, or a volatile access made weak
  other_bound,  // < and ≤ exchanged, or > and ≥
  other_place,  // an access moved to the next element, in global or shared memory
};

/// A possible mutation of a kernel that this program has launched.
struct Mutation {
  std::string kernel;  // the name in reports
  MutationKind kind = MutationKind::no_barrier;
  std::size_t module = 0;  // index of the program's .cu file
  std::size_t function = 0;
  std::size_t statement = 0;
  // All instructions of the kernel at the same source line that can have the same kind of mutation.
  // There may be several, since compilers copy the bodies of loops and inlined functions.
  std::vector<std::size_t> copies;
  std::string instruction;  // without the mutation
  // The indices of the launched kernels in the module's functions. While a Mutant lives, the module
  // has no other kernels.
  std::shared_ptr<const std::set<std::size_t>> launched;
};

/// The possible mutations of all kernels in `reports`. They are sorted by kind; mutations of one
/// kind in a kernel are in the order of the kernel's text. Device functions that were not inlined
/// get no mutations.
std::vector<Mutation> possible_mutations(const std::vector<ptx::KernelReport>& reports);

enum class MutationPlaces : std::uint8_t {
  here,
  in_all_copies,       // as if the source had the mutation
  trap_in_all_copies,  // a trap instead of the mutation: shows whether the instruction is reached
                       // at all
};

/// While this object lives, the program launches its kernels with the mutation. During this time,
/// the variables of the kernel's .cu file start from their initial values; afterwards they have
/// their former values again.
class Mutant {
 public:
  explicit Mutant(const Mutation& mutation, MutationPlaces places = MutationPlaces::here);
  ~Mutant();
  Mutant(const Mutant&) = delete;
  Mutant& operator=(const Mutant&) = delete;

 private:
  std::size_t module_;
  SharedKernelFile intact_;
};

}  // namespace bankproof::cuda
