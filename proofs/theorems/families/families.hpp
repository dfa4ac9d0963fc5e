// Families of tasks whose times come near to their upper bounds. From some size on, each member
// takes more than 0.99 times the upper bound that a theorem proves. Theorems prove this on terms,
// tests run members on the machines, and a table shows how near these members come.
//
// A family is a row of the table (table.hpp) and a function that makes its members. In the row's
// domain, members from `least` on take more than 0.99 times `factor` times the terms of their
// bound. The closed form of the member `least` may take long to evaluate.
#pragma once

#include "accesses.hpp"
#include "convolutions.hpp"
#include "permutations.hpp"
#include "products.hpp"
#include "sums.hpp"
#include "tables.hpp"

namespace bankproof::proofs {

/// The mode that a family is about.
template <class Family>
constexpr Mode mode_of() {
  if constexpr (requires { Family::Algorithm::mode; }) {
    return Family::Algorithm::mode;
  } else {
    return Mode::lockstep;
  }
}
/// The time of a family's task in that mode.
template <class Family, class N>
N closed_time(const TaskOf<N>& task) {
  using A = typename Family::Algorithm;
  if constexpr (requires { A::time(task); }) {
    return A::time(task);
  } else {
    return lockstep_time(A::cost(task), task.machine);
  }
}

/// Calls use(Family{}) for each family.
template <class Use>
void for_each_family(Use use) {
  constexpr MachineKind dmm = MachineKind::dmm;
  constexpr MachineKind umm = MachineKind::umm;
  use(AccessByOneThread<Mode::lockstep>{});
  use(AccessAcrossGroups<Mode::lockstep>{});
  use(AccessByOneThread<Mode::overlapped>{});
  use(AccessAcrossGroups<Mode::overlapped>{});
  use(AccessToCutArrays{});
  use(ConflictFreeAccess{});
  use(CopyToShared{});
  use(CopyOfCutArrays{});
  use(SumOnPram{});
  use(PairwiseSumOnDmm{});
  use(PairwiseSumOnUmm{});
  use(SumByOneDmm{});
  use(SumByAllDmms{});
  use(SumRecursive{});
  use(SimplePrefixSumsOnDmm{});
  use(SimplePrefixSumsOnUmm{});
  use(OptimalPrefixSumsOnDmm{});
  use(OptimalPrefixSumsOnUmm{});
  use(PermutationByPlan{});
  use(PermutationByDestination{});
  use(PermutationBySchedule{});
  use(TransposeOfWholeTiles{});
  use(TransposeJustAboveATile{});
  use(TableDownAndAlong{});
  use(TableWithTransposes{});
  use(TableInTwoPasses{});
  use(TableByDiagonals{});
  use(TableInOnePass{});
  use(TableByHybrid{});
  use(ConvolutionOnPram{});
  use(ConvolutionByNumbers{});
  use(ConvolutionInsideGroups{});
  use(ConvolutionOfProducts<dmm>{});
  use(ConvolutionOfProducts<umm>{});
  use(ConvolutionOfPieces<dmm>{});
  use(ConvolutionOfPieces<umm>{});
  use(ConvolutionOfShares{});
  use(ProductOnOneMemory<dmm>{});
  use(ProductOnOneMemory<umm>{});
  use(ImageOnOneMemory<dmm>{});
  use(ImageOnOneMemory<umm>{});
  use(ProductByTiles{});
  use(ImageByTiles{});
}

}  // namespace bankproof::proofs
