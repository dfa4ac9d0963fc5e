// Oracle for the memory machines: what a script of accesses does and how long it takes on a DMM, a
// UMM or an HMM, overlapped or in lockstep (docs/model.md, rules 1 to 9 and 11; MOD 2 and 3, HMM
// III and IV, THS 3).
//
// Overlapped, it advances time unit by time unit and looks at every warp in every unit; in
// lockstep, round by round. It must stay this slow and plain: no event queue, no closed form, no
// jump over idle time. A reader can then compare it with docs/model.md sentence by sentence.
//
// The order within one time unit: accesses complete; everything that takes no time happens
// (residents.hpp); then each free port, of a memory or of a DMM's arithmetic (rule 11), dispatches
// at most one access or computation. An access or computation takes at least one time unit, so a
// dispatch causes nothing else in its own time unit. Two memories share no word, so their dispatch
// order does not matter.
//
// The rules leave these points open; the oracle decides:
// - A port's cursor is a place (DMM, slot, warp), not a warp: the cursor stays where it is when the
//   slot takes another block.
// - In lockstep, the log records an access at the start of its round, plus the stages that its
//   memory serves in this round before the access.
// - A launch that dispatches nothing takes no time. A read without requests gives no values.
// - A shared memory has words but no arrays, so a block sees the values that earlier blocks left
//   there. The script decides where the arrays of a block lie, and takes care that they start out
//   uninitialized.
//
// Example: width 4, latency 5, warp 0 at 7, 5, 15, 0 and warp 1 at 10, 11, 12, 9. A DMM dispatches
// warp 0 at time 0 (2 stages) and warp 1 at 2 (1 stage), which completes at 2 + 1 + 5 − 1 = 7.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "memories.hpp"
#include "residents.hpp"
#include "script.hpp"

namespace bankproof::oracle {

inline void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("oracle: " + what);
}

inline void require_sound(const SimulatedMachine& machine, const Script& script) {
  require(machine.width >= 1 && machine.dmms >= 1, "width and DMMs start at 1");
  require(machine.latency >= 1 && machine.global_latency >= 1, "latencies start at 1");
  require(machine.constant_latency.value_or(1) >= 1, "latencies start at 1");
  require(machine.slots.value_or(1) >= 1, "a DMM has at least one slot");
  require(script.missing_threads < machine.width, "a warp has at least one thread");
  for (const BlockScript& block : script.blocks) {
    require(!block.empty() && block.size() == script.blocks.front().size(),
            "all blocks have the same number of warps, at least one");
    for (const WarpScript& warp : block) {
      const bool is_last = &warp == &block.back();
      const std::uint64_t threads = machine.width - (is_last ? script.missing_threads : 0);
      for (const Instruction& instruction : warp) {
        require(instruction.addresses.size() <= threads, "more threads than the warp has");
        require(instruction.kind != Instruction::Kind::write ||
                    instruction.values.size() == instruction.addresses.size(),
                "a write has a value a thread");
        require(instruction.space != Instruction::Space::constant ||
                    (machine.constant_latency && instruction.kind != Instruction::Kind::write),
                "constants are read, and where there are some");
      }
    }
  }
}

class MemoryMachine {
 public:
  MemoryMachine(const SimulatedMachine& machine, const Script& script)
      : machine_(machine),
        script_(script),
        residents_(script, number_of_dmms(machine), machine.slots,
                   machine.mode == SimulatedMachine::Mode::overlapped
                       ? Residents::EmptyAccesses::take_no_time
                       : Residents::EmptyAccesses::take_a_round) {
    outcome_.memories.resize(number_of_memories(machine));
    for (const BlockScript& block : script.blocks) outcome_.reads.emplace_back(block.size());
  }

  Outcome overlapped() {
    const std::size_t ports = number_of_ports(machine_);
    std::vector<std::uint64_t> port_free_at(ports, 0);
    std::vector<std::size_t> cursor(ports, 0);
    for (outcome_.time = 0;; ++outcome_.time) {
      complete_accesses();
      residents_.settle(outcome_);
      if (residents_.all_ended()) return outcome_;
      for (std::size_t port = 0; port < ports; ++port) {
        if (port_free_at[port] > outcome_.time) continue;
        port_free_at[port] = outcome_.time + dispatch_next(port, cursor[port]);
      }
    }
  }

  Outcome lockstep() {
    for (outcome_.time = 0;;) {
      residents_.settle(outcome_);
      if (residents_.all_ended()) return outcome_;
      outcome_.time += play_round();
    }
  }

 private:
  void complete_accesses() {
    for (Slot& slot : residents_.slots) {
      for (Warp& warp : slot.warps) {
        if (warp.state != Warp::State::in_flight || warp.completes_at != outcome_.time) continue;
        warp.state = Warp::State::ready;
        ++warp.next;
      }
    }
  }

  /// Searches the places, round robin from the cursor on, for a warp that waits for the port, and
  /// dispatches it. Returns the stages of the dispatched access, or 0 if no warp is ready.
  std::uint64_t dispatch_next(std::size_t port, std::size_t& cursor) {
    const std::size_t warps = script_.blocks.front().size();
    const std::size_t places = residents_.slots.size() * warps;
    for (std::size_t step = 0; step < places; ++step) {
      const std::size_t place = (cursor + step) % places;
      Slot& slot = residents_.slots[place / warps];
      const std::size_t number = place % warps;
      if (!slot.block || slot.warps[number].state != Warp::State::ready) continue;
      if (port_of(machine_, slot.dmm, residents_.instruction(slot, number)) != port) continue;
      const std::uint64_t stages = perform(slot, number, outcome_.time);
      slot.warps[number].state = Warp::State::in_flight;
      slot.warps[number].completes_at = outcome_.time + stages + latency_of(machine_, port) - 1;
      cursor = (place + 1) % places;
      return stages;
    }
    return 0;
  }

  /// Every ready warp makes its next access. Returns the time of the slowest memory or of the
  /// slowest DMM's arithmetic.
  std::uint64_t play_round() {
    std::vector<std::uint64_t> stages(number_of_ports(machine_), 0);
    for (Slot& slot : residents_.slots) {
      if (!slot.block) continue;
      for (std::size_t number = 0; number < slot.warps.size(); ++number) {
        if (slot.warps[number].state != Warp::State::ready) continue;
        const std::size_t port = port_of(machine_, slot.dmm, residents_.instruction(slot, number));
        stages[port] += perform(slot, number, outcome_.time + stages[port]);
        ++slot.warps[number].next;
      }
    }
    std::uint64_t slowest = 0;
    for (std::size_t port = 0; port < stages.size(); ++port) {
      if (stages[port] == 0) continue;
      slowest = std::max(slowest, stages[port] + latency_of(machine_, port) - 1);
    }
    return slowest;
  }

  /// Carries out a warp's access, with all its effects; returns its stages. An empty access leaves
  /// no trace in memory, counts or log, except the values of a read; a computation leaves no trace
  /// at all.
  std::uint64_t perform(const Slot& slot, std::size_t number, std::uint64_t time) {
    const Instruction& instruction = residents_.instruction(slot, number);
    // In one time unit, a DMM's arithmetic performs one operation for all threads of a warp.
    if (instruction.kind == Instruction::Kind::compute) return instruction.operations;
    const std::size_t index = port_of(machine_, slot.dmm, instruction);
    MemoryOutcome& memory = outcome_.memories[index];
    if (instruction.kind == Instruction::Kind::read) {
      outcome_.reads[*slot.block][number].push_back(read_words(memory, instruction.addresses));
    } else {
      write_words(memory, instruction, machine_.writer);
    }
    const std::uint64_t stages = stages_of(machine_, index, instruction.addresses);
    if (stages == 0) return 0;
    ++memory.accesses;
    memory.stages += stages;
    for (const auto& address : instruction.addresses) memory.requests += address ? 1U : 0U;
    outcome_.dispatches.push_back(
        {time, index, *slot.block, number, slot.warps[number].next, stages});
    return stages;
  }

  SimulatedMachine machine_;
  const Script& script_;
  Residents residents_;
  Outcome outcome_;
};

/// Runs one launch on a machine whose memories hold 0 everywhere. Throws std::runtime_error for a
/// machine or script that makes no sense, and when a warp ends while another warp of its block
/// waits at a barrier.
inline Outcome run(const SimulatedMachine& machine, const Script& script) {
  require_sound(machine, script);
  MemoryMachine simulated(machine, script);
  return machine.mode == SimulatedMachine::Mode::overlapped ? simulated.overlapped()
                                                            : simulated.lockstep();
}

}  // namespace bankproof::oracle
