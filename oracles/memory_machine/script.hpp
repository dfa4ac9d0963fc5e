// What the memory machine oracle is given and what it answers: a machine, a script of accesses
// and barriers for each warp of each block, and the outcome. Plain data, no behaviour beyond
// spelling it. A script is a program whose addresses are known beforehand, which is all that
// the times of DESIGN, "The machines, exactly", depend on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "../stages.hpp"

namespace bankproof::oracle {

struct Instruction {
  enum class Kind { read, write, barrier };
  /// The shared memory of the warp's own DMM, or the global memory of an HMM. A DMM and a UMM
  /// have one memory, to which every access goes.
  enum class Space { shared, global };

  Kind kind = Kind::barrier;
  Space space = Space::shared;
  Addresses addresses;
  std::vector<std::int64_t> values;  ///< of a write: one a thread, those of masked threads unused

  static Instruction read(Addresses addresses, Space space = Space::shared) {
    return {Kind::read, space, std::move(addresses), {}};
  }
  static Instruction write(Addresses addresses, std::vector<std::int64_t> values,
                           Space space = Space::shared) {
    return {Kind::write, space, std::move(addresses), std::move(values)};
  }
  static Instruction barrier() { return {}; }
};

using WarpScript = std::vector<Instruction>;
using BlockScript = std::vector<WarpScript>;

/// One launch. All blocks have the same number of warps, at least one.
struct Script {
  std::vector<BlockScript> blocks;
};

struct MachineParameters {
  enum class Kind { dmm, umm, hmm };
  enum class Mode { overlapped, lockstep };
  enum class Writer { lowest, highest };  ///< whose value stays, of several threads at one address

  Kind kind = Kind::dmm;
  std::uint64_t dmms = 1;            ///< d; a DMM and a UMM count as one
  std::uint64_t width = 1;           ///< w, of every memory
  std::uint64_t latency = 1;         ///< l, of the only memory or of each shared memory
  std::uint64_t global_latency = 1;  ///< L, of an HMM's global memory
  std::optional<std::uint64_t> slots = std::nullopt;  ///< resident blocks of a DMM; else all
  Mode mode = Mode::overlapped;
  Writer writer = Writer::lowest;
};

struct MemoryOutcome {
  std::map<std::uint64_t, std::int64_t> words;  ///< what was written; every other word is 0
  std::uint64_t accesses = 0;                   ///< dispatched ones, so none that is empty
  std::uint64_t requests = 0;                   ///< threads served, before merging
  std::uint64_t stages = 0;
};

struct Dispatch {
  std::uint64_t time = 0;
  std::size_t memory = 0;
  std::size_t block = 0;
  std::size_t warp = 0;         ///< within its block
  std::size_t instruction = 0;  ///< within its script, from 0, barriers counted
  std::uint64_t stages = 0;

  friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

/// What one read gave, a thread each; nothing for a masked thread.
using ReadValues = std::vector<std::optional<std::int64_t>>;

struct Outcome {
  std::uint64_t time = 0;
  /// The only memory; or the shared memories of DMM 0 … d−1, then the global memory.
  std::vector<MemoryOutcome> memories;
  std::vector<Dispatch> dispatches;  ///< in the order in which they happen
  /// reads[block][warp] holds an entry for each read of that warp, empty ones included.
  std::vector<std::vector<std::vector<ReadValues>>> reads;
};

}  // namespace bankproof::oracle
