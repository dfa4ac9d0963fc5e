// Input and output of the memory machine oracle: a machine, a script of accesses and barriers for
// each warp of each block, and the outcome. Plain data without behaviour. A script is a program
// whose addresses are known in advance. The times that the rules in docs/model.md give depend only
// on the machine and on these addresses.
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
  enum class Kind { read, write, compute, barrier };
  /// The shared memory of the warp's own DMM, the global memory of an HMM, or the constant memory.
  /// A DMM or a UMM has one memory, which takes all accesses except those to constants.
  enum class Space { shared, global, constant };

  Kind kind = Kind::barrier;
  Space space = Space::shared;
  Addresses addresses = {};
  std::vector<std::int64_t> values = {};  ///< of a write: one for each thread; unused if masked
  std::uint64_t operations = 0;           ///< of a computation, for each thread of the warp

  static Instruction read(Addresses addresses, Space space = Space::shared) {
    return {.kind = Kind::read, .space = space, .addresses = std::move(addresses)};
  }
  static Instruction write(Addresses addresses, std::vector<std::int64_t> values,
                           Space space = Space::shared) {
    return {.kind = Kind::write,
            .space = space,
            .addresses = std::move(addresses),
            .values = std::move(values)};
  }
  static Instruction compute(std::uint64_t operations) {
    return {.kind = Kind::compute, .operations = operations};
  }
  static Instruction barrier() { return {}; }
};

using WarpScript = std::vector<Instruction>;
using BlockScript = std::vector<WarpScript>;

/// One launch. All blocks have the same number of warps, at least one.
struct Script {
  std::vector<BlockScript> blocks;
  /// The number of threads that the last warp of each block lacks; less than the width.
  std::uint64_t missing_threads = 0;
};

struct SimulatedMachine {
  enum class Kind { dmm, umm, hmm };
  enum class Mode { overlapped, lockstep };
  /// The thread whose value stays when several threads write one address.
  enum class Writer { lowest, highest };

  Kind kind = Kind::dmm;
  std::uint64_t dmms = 1;            ///< d; 1 for a DMM or a UMM
  std::uint64_t width = 1;           ///< w, of every memory
  std::uint64_t latency = 1;         ///< l, of the only memory or of each shared memory
  std::uint64_t global_latency = 1;  ///< L, of an HMM's global memory
  /// Latency of the constant memory; nothing if the machine has no constant memory.
  std::optional<std::uint64_t> constant_latency = std::nullopt;
  std::optional<std::uint64_t> slots = std::nullopt;  ///< resident blocks of a DMM; nothing: all
  Mode mode = Mode::overlapped;
  Writer writer = Writer::lowest;
};

struct MemoryOutcome {
  std::map<std::uint64_t, std::int64_t> words;  ///< what was written; every other word is 0
  std::uint64_t accesses = 0;                   ///< dispatched accesses, so no empty ones
  std::uint64_t requests = 0;                   ///< threads served, before merging
  std::uint64_t stages = 0;
};

struct Dispatch {
  std::uint64_t time = 0;
  std::size_t memory = 0;
  std::size_t block = 0;
  std::size_t warp = 0;         ///< within its block
  std::size_t instruction = 0;  ///< its number in its warp's script, from 0; barriers count
  std::uint64_t stages = 0;

  friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

/// The values of one read, one for each thread; nothing for a masked thread.
using ReadValues = std::vector<std::optional<std::int64_t>>;

struct Outcome {
  std::uint64_t time = 0;
  /// The only memory, or the shared memories of DMM 0 … d−1 and then the global memory. The
  /// constant memory, if there is one, comes last.
  std::vector<MemoryOutcome> memories;
  std::vector<Dispatch> dispatches;  ///< in the order in which they happen
  /// reads[block][warp] has one entry for each read of the warp, empty reads included.
  std::vector<std::vector<std::vector<ReadValues>>> reads;
};

}  // namespace bankproof::oracle
