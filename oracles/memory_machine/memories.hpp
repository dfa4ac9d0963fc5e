// Part of the memory machine oracle: the memories, the effect of an access on its memory, and its
// cost there (docs/model.md, rules 2, 3, 6 and 7). It handles one request after the other, and must
// never become fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../stages.hpp"
#include "script.hpp"

namespace bankproof::oracle {

inline std::size_t number_of_dmms(const SimulatedMachine& machine) {
  return machine.kind == SimulatedMachine::Kind::hmm ? machine.dmms : 1;
}

inline std::size_t number_of_memories(const SimulatedMachine& machine) {
  const std::size_t memories = machine.kind == SimulatedMachine::Kind::hmm ? machine.dmms + 1 : 1;
  return machine.constant_latency ? memories + 1 : memories;
}

/// A port is where warps wait for their turn. The first ports are those of the memories. After
/// them, the arithmetic of each DMM has a port.
inline std::size_t number_of_ports(const SimulatedMachine& machine) {
  return number_of_memories(machine) + number_of_dmms(machine);
}

inline bool is_global(const SimulatedMachine& machine, std::size_t memory) {
  return machine.kind == SimulatedMachine::Kind::hmm && memory == machine.dmms;
}

inline bool is_constant(const SimulatedMachine& machine, std::size_t memory) {
  return machine.constant_latency && memory + 1 == number_of_memories(machine);
}

/// Arithmetic has latency 1, so an operation takes one time unit.
inline std::uint64_t latency_of(const SimulatedMachine& machine, std::size_t port) {
  if (port >= number_of_memories(machine)) return 1;
  if (is_constant(machine, port)) return *machine.constant_latency;
  return is_global(machine, port) ? machine.global_latency : machine.latency;
}

/// The port that serves an instruction of a warp on this DMM.
inline std::size_t port_of(const SimulatedMachine& machine, std::size_t dmm,
                           const Instruction& instruction) {
  if (instruction.kind == Instruction::Kind::compute) return number_of_memories(machine) + dmm;
  if (instruction.space == Instruction::Space::constant) return number_of_memories(machine) - 1;
  if (machine.kind != SimulatedMachine::Kind::hmm) return 0;
  return instruction.space == Instruction::Space::global ? machine.dmms : dmm;
}

/// The constant memory serves one address a stage, as a UMM with groups of one word does.
inline std::uint64_t stages_of(const SimulatedMachine& machine, std::size_t memory,
                               const Addresses& addresses) {
  if (is_constant(machine, memory)) return umm_stages(addresses, 1).count;
  const bool groups = machine.kind == SimulatedMachine::Kind::umm || is_global(machine, memory);
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

/// Threads write one after the other. Upwards, the highest thread's value stays; downwards, the
/// lowest thread's value stays.
inline void write_words(MemoryOutcome& memory, const Instruction& instruction,
                        SimulatedMachine::Writer writer) {
  const std::size_t lanes = instruction.addresses.size();
  for (std::size_t step = 0; step < lanes; ++step) {
    const std::size_t lane = writer == SimulatedMachine::Writer::highest ? step : lanes - 1 - step;
    if (instruction.addresses[lane]) {
      memory.words[*instruction.addresses[lane]] = instruction.values[lane];
    }
  }
}

}  // namespace bankproof::oracle
