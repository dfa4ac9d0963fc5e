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

/// Calls use(Family{}) for each of these families.
template <class... Families>
void for_each_of(auto use) {
  (use(Families{}), ...);
}
/// Calls use(Family{}) for each family.
void for_each_family(auto use) {
  for_each_of<AccessByOneThread<Mode::lockstep>, AccessAcrossGroups<Mode::lockstep>,
              AccessByOneThread<Mode::overlapped>, AccessAcrossGroups<Mode::overlapped>,
              AccessToCutArrays, ConflictFreeAccess, CopyToShared, CopyOfCutArrays, SumOnPram,
              PairwiseSumOnDmm, PairwiseSumOnUmm, SumByOneDmm, SumByAllDmms, SumRecursive,
              SimplePrefixSumsOnDmm, SimplePrefixSumsOnUmm, OptimalPrefixSumsOnDmm,
              OptimalPrefixSumsOnUmm, PermutationByPlan, PermutationByDestination,
              PermutationBySchedule, TransposeOfWholeTiles, TransposeJustAboveATile,
              TableDownAndAlong, TableWithTransposes, TableInTwoPasses, TableByDiagonals,
              TableInOnePass, TableByHybrid, ConvolutionOnPram, ConvolutionByNumbers,
              ConvolutionInsideGroups, ConvolutionOfProducts<MachineKind::dmm>,
              ConvolutionOfProducts<MachineKind::umm>, ConvolutionOfPieces<MachineKind::dmm>,
              ConvolutionOfPieces<MachineKind::umm>, ConvolutionOfShares,
              ProductOnOneMemory<MachineKind::dmm>, ProductOnOneMemory<MachineKind::umm>,
              ImageOnOneMemory<MachineKind::dmm>, ImageOnOneMemory<MachineKind::umm>,
              ProductByTiles, ImageByTiles>(use);
}

}  // namespace bankproof::proofs
