// Builds the machine that the machine parameters of a task describe.
#pragma once

#include <utility>

#include "algorithm.hpp"

namespace bankproof {

/// The properties of a machine that a task does not fix.
struct Conditions {
  Options options = {};
  Time drift = 0;  ///< of an asynchronous HMM
};

/// Calls use(machine) with a new machine with these parameters, as a BasicOneMemory<R>& or a
/// BasicHmm<R>&, so that an algorithm is compiled for two types and not for five. R are the
/// machine's rules; a test passes mutated rules. On an HMM, p resident threads, rounded up to whole
/// warps, fit on each DMM.
template <class R = Rules, class Use>
auto with_machine(const MachineParameters& parameters, const Conditions& conditions, Use use) {
  const Options& options = conditions.options;
  const auto width = static_cast<Width>(parameters.w);
  const MemoryMachine one{.width = width, .latency = parameters.l, .capacity = parameters.capacity};
  const HierarchicalMachine several{.dmms = parameters.d,
                                    .width = width,
                                    .shared_latency = parameters.l,
                                    .global_latency = parameters.L,
                                    .capacity = parameters.capacity,
                                    .resident_threads = rounded_up(parameters.p, parameters.w)};
  switch (parameters.machine) {
    case MachineKind::pram: {
      BasicPram<R> machine(options.writers, options.seed);
      return use(static_cast<BasicOneMemory<R>&>(machine));
    }
    case MachineKind::dmm: {
      BasicDmm<R> machine(one, options);
      return use(static_cast<BasicOneMemory<R>&>(machine));
    }
    case MachineKind::umm: {
      BasicUmm<R> machine(one, options);
      return use(static_cast<BasicOneMemory<R>&>(machine));
    }
    case MachineKind::hmm: {
      BasicHmm<R> machine(several, options);
      return use(machine);
    }
    default: {
      BasicAsynchronousHmm<R> machine(several, conditions.drift, options);
      return use(static_cast<BasicHmm<R>&>(machine));
    }
  }
}

}  // namespace bankproof
