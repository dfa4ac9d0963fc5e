// Theorems that say that the closed form which is written for a program is what the program does.
//
// Example: programs/sums.cpp runs sum_pairwise() on formulas, and proves that its rounds are those
// of Sum::cost() for all n, p and w.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../../algorithms/algorithm.hpp"
#include "../builder/theorem.hpp"
#include "same.hpp"
#include "warp.hpp"

namespace bankproof::proofs {

/// A program of an algorithm, on a kind of machine.
struct ProgramOnFormulas {
  std::string id;      ///< of the theorem
  std::string source;  ///< of the program
  std::string what;    ///< "the pairwise sum on the DMM"
  std::string domain;  ///< "all n, p, w"
  std::string_view variant;
  MachineKind machine = MachineKind::dmm;
  std::vector<std::string_view> sizes;  ///< their names; all are at least 1
  /// Runs the program.
  std::function<WrittenRun(const TaskOf<Written>&)> run;
  /// The closed form.
  std::function<Cost<Written>(const TaskOf<Written>&)> closed;
  /// The sweeps of the program.
  std::function<std::vector<SweepShape<Written>>(const TaskOf<Written>&)> sweeps = {};
  /// The sweep of a level of its loops over powers, by the power; empty if levels do not sweep.
  std::function<SweepShape<Written>(const TaskOf<Written>&, const Written& power)> level = {};
};

Theorem theorem_on(const ProgramOnFormulas& program);

/// The theorem that each access of the program lies in its array.
Theorem theorem_on_accesses_of(const ProgramOnFormulas& program);

/// The theorem that the program, which writes, has no race.
Theorem theorem_on_races_of(const ProgramOnFormulas& program);

inline void add_theorems(std::vector<Theorem>& all, const ProgramOnFormulas& program) {
  all.push_back(theorem_on(program));
  all.push_back(theorem_on_accesses_of(program));
  all.push_back(theorem_on_races_of(program));
}

}  // namespace bankproof::proofs
