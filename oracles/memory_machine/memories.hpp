// Part of the memory machine oracle: the memories, what an access does to one and what it costs
// there (DESIGN, "The machines, exactly", 2, 3, 6 and 7). One request after the other, never fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../stages.hpp"
#include "script.hpp"

namespace bankproof::oracle {

inline std::size_t number_of_dmms(const MachineParameters& machine) {
  return machine.kind == MachineParameters::Kind::hmm ? machine.dmms : 1;
}

inline std::size_t number_of_memories(const MachineParameters& machine) {
  return machine.kind == MachineParameters::Kind::hmm ? machine.dmms + 1 : 1;
}

inline bool is_global(const MachineParameters& machine, std::size_t memory) {
  return machine.kind == MachineParameters::Kind::hmm && memory == machine.dmms;
}

inline std::uint64_t latency_of(const MachineParameters& machine, std::size_t memory) {
  return is_global(machine, memory) ? machine.global_latency : machine.latency;
}

/// The memory to which an instruction of a warp on this DMM goes.
inline std::size_t memory_of(const MachineParameters& machine, std::size_t dmm,
                             const Instruction& instruction) {
  if (machine.kind != MachineParameters::Kind::hmm) return 0;
  return instruction.space == Instruction::Space::global ? machine.dmms : dmm;
}

inline std::uint64_t stages_of(const MachineParameters& machine, std::size_t memory,
                               const Addresses& addresses) {
  const bool groups = machine.kind == MachineParameters::Kind::umm || is_global(machine, memory);
  return groups ? umm_stages(addresses, machine.width).count
                : dmm_stages(addresses, machine.width).count;
}

inline ReadValues read_words(const MemoryOutcome& memory, const Addresses& addresses) {
  ReadValues values(addresses.size());
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if (!addresses[lane]) continue;
    const auto written = memory.words.find(*addresses[lane]);
    values[lane] = written == memory.words.end() ? 0 : written->second;
  }
  return values;
}

/// Threads write one after the other: upwards, the highest thread's value stays; downwards, the
/// lowest one's.
inline void write_words(MemoryOutcome& memory, const Instruction& instruction,
                        MachineParameters::Writer writer) {
  const std::size_t lanes = instruction.addresses.size();
  for (std::size_t step = 0; step < lanes; ++step) {
    const std::size_t lane = writer == MachineParameters::Writer::highest ? step : lanes - 1 - step;
    if (instruction.addresses[lane]) {
      memory.words[*instruction.addresses[lane]] = instruction.values[lane];
    }
  }
}

}  // namespace bankproof::oracle
