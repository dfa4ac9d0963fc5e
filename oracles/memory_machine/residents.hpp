// Part of the memory machine oracle: the places of blocks and warps, and all events that take no
// time (docs/model.md, rules 2, 8 and 9). These are ends, barriers, empty accesses, and blocks that
// take freed slots. This code is as plain as possible and must never become fast: each step looks
// at every warp again.
//
// The rules leave these points open; the oracle decides:
// - Everything that takes no time and can happen now happens now, in chains of any length: a
//   barrier after a barrier, a block that ends as it starts. First the warps advance as far as they
//   can; then the free slots, lowest first, take the next blocks of their DMM. These two steps
//   repeat until the second step fills no slot. So if two slots become free at one time, the higher
//   slot is filled before the lower slot is filled a second time.
// - A warp without instructions has ended when its block starts. It is a fault if another warp of
//   the block waits at a barrier at this time or later.
// - The fault is raised as soon as one warp has ended while another waits, no matter which came
//   first and what the other warps do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "script.hpp"

namespace bankproof::oracle {

struct Warp {
  enum class State { ready, in_flight, waiting, ended };
  State state = State::ready;
  std::size_t next = 0;            ///< the instruction that the warp is at
  std::uint64_t completes_at = 0;  ///< if in flight
};

struct Slot {
  std::size_t dmm = 0;
  std::optional<std::size_t> block;  ///< nothing if the slot is free
  std::vector<Warp> warps;
};

/// A read or write without a request; barriers and computations are not accesses.
inline bool is_empty_access(const Instruction& instruction) {
  if (instruction.kind != Instruction::Kind::read && instruction.kind != Instruction::Kind::write) {
    return false;
  }
  for (const auto& address : instruction.addresses) {
    if (address) return false;
  }
  return true;
}

class Residents {
 public:
  enum class EmptyAccesses { take_no_time, take_a_round };

  Residents(const Script& script, std::size_t dmms, std::optional<std::uint64_t> slots_of_a_dmm,
            EmptyAccesses empty_accesses)
      : script_(script), empty_accesses_(empty_accesses) {
    const std::size_t number = slots_of_a_dmm.value_or(script.blocks.size());
    for (std::size_t dmm = 0; dmm < dmms; ++dmm) {
      next_block_.push_back(dmm);
      for (std::size_t slot = 0; slot < number; ++slot) slots.push_back({dmm, std::nullopt, {}});
    }
  }

  /// Performs everything that takes no time. Afterwards every ready warp is at an access or a
  /// computation.
  void settle(Outcome& outcome) {
    do {
      for (Slot& slot : slots) {
        if (slot.block) go_on(slot, outcome);
      }
      for (Slot& slot : slots) {
        if (slot.block && count(slot, Warp::State::ended) == slot.warps.size()) slot.block.reset();
      }
    } while (start_blocks());
  }

  bool all_ended() const {
    for (const Slot& slot : slots) {
      if (slot.block) return false;
    }
    return true;
  }

  const Instruction& instruction(const Slot& slot, std::size_t warp) const {
    return script_.blocks[*slot.block][warp][slot.warps[warp].next];
  }

  std::vector<Slot> slots;  ///< by DMM, then by number: the order of rules 5 and 7

 private:
  static std::size_t count(const Slot& slot, Warp::State state) {
    std::size_t result = 0;
    for (const Warp& warp : slot.warps) {
      if (warp.state == state) ++result;
    }
    return result;
  }

  void go_on(Slot& slot, Outcome& outcome) {
    for (;;) {
      for (std::size_t warp = 0; warp < slot.warps.size(); ++warp) go_on(slot, warp, outcome);
      const std::size_t waiting = count(slot, Warp::State::waiting);
      if (waiting > 0 && count(slot, Warp::State::ended) > 0) {
        throw std::runtime_error("oracle: a warp ends while another waits at a barrier");
      }
      if (waiting < slot.warps.size()) return;
      for (Warp& warp : slot.warps) {
        warp.state = Warp::State::ready;
        ++warp.next;
      }
    }
  }

  /// A computation without operations never takes time; in lockstep, an empty access takes part in
  /// a round.
  bool takes_no_time(const Instruction& instruction) const {
    if (instruction.kind == Instruction::Kind::compute) return instruction.operations == 0;
    return empty_accesses_ == EmptyAccesses::take_no_time && is_empty_access(instruction);
  }

  void go_on(Slot& slot, std::size_t number, Outcome& outcome) {
    Warp& warp = slot.warps[number];
    if (warp.state != Warp::State::ready) return;
    const WarpScript& script = script_.blocks[*slot.block][number];
    while (warp.next < script.size() && takes_no_time(script[warp.next])) {
      if (script[warp.next].kind == Instruction::Kind::read) {
        outcome.reads[*slot.block][number].emplace_back(script[warp.next].addresses.size());
      }
      ++warp.next;
    }
    if (warp.next == script.size()) {
      warp.state = Warp::State::ended;
    } else if (script[warp.next].kind == Instruction::Kind::barrier) {
      warp.state = Warp::State::waiting;
    }
  }

  bool start_blocks() {
    bool any = false;
    for (Slot& slot : slots) {
      std::size_t& next = next_block_[slot.dmm];
      if (slot.block || next >= script_.blocks.size()) continue;
      slot.block = next;
      slot.warps.assign(script_.blocks[next].size(), Warp{});
      next += next_block_.size();
      any = true;
    }
    return any;
  }

  const Script& script_;
  EmptyAccesses empty_accesses_;
  std::vector<std::size_t> next_block_;  ///< block number for each DMM: i, i+d, i+2d, …
};

}  // namespace bankproof::oracle
