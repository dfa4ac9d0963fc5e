// Random scripts for properties of the machines: programs whose accesses are all known beforehand.
// They shrink to few blocks, warps, instructions and lanes, and to small addresses.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "../oracles/memory_machine/script.hpp"
#include "shrinking.hpp"

namespace bankproof::oracle {

inline std::ostream& operator<<(std::ostream& out, const Instruction& instruction) {
  if (instruction.kind == Instruction::Kind::barrier) return out << "barrier";
  if (instruction.kind == Instruction::Kind::compute) {
    return out << "compute " << instruction.operations;
  }
  out << (instruction.space == Instruction::Space::global     ? "global "
          : instruction.space == Instruction::Space::constant ? "constant "
                                                              : "")
      << (instruction.kind == Instruction::Kind::read ? "read" : "write");
  for (const auto& address : instruction.addresses) {
    if (address) {
      out << ' ' << *address;
    } else {
      out << " -";
    }
  }
  return out;
}

inline std::ostream& operator<<(std::ostream& out, const Script& script) {
  if (script.missing_threads > 0) {
    out << "last warps lack " << script.missing_threads << " threads\n";
  }
  for (std::size_t block = 0; block < script.blocks.size(); ++block) {
    for (std::size_t warp = 0; warp < script.blocks[block].size(); ++warp) {
      out << "block " << block << " warp " << warp << ":";
      const char* separator = " ";
      for (const Instruction& instruction : script.blocks[block][warp]) {
        out << separator << instruction;
        separator = "; ";
      }
      out << '\n';
    }
  }
  return out;
}

inline std::ostream& operator<<(std::ostream& out, const SimulatedMachine& machine) {
  using Kind = SimulatedMachine::Kind;
  out << (machine.kind == Kind::dmm   ? "DMM"
          : machine.kind == Kind::umm ? "UMM"
                                      : "HMM")
      << " w=" << machine.width << " l=" << machine.latency;
  if (machine.kind == Kind::hmm) out << " d=" << machine.dmms << " L=" << machine.global_latency;
  if (machine.constant_latency) out << " constants at " << *machine.constant_latency;
  if (machine.slots) out << " slots=" << *machine.slots;
  return out << (machine.mode == SimulatedMachine::Mode::lockstep ? " lockstep" : " overlapped");
}

}  // namespace bankproof::oracle

namespace bankproof::testing {

/// A machine and a script for it.
struct Scenario {
  oracle::SimulatedMachine machine;
  oracle::Script script;
  /// The address at which the arrays of the program begin; the script has no lower address.
  std::uint64_t first_word = 0;
};

inline std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  out << scenario.machine << '\n';
  if (scenario.first_word > 0) out << "arrays from word " << scenario.first_word << " on\n";
  return out << scenario.script;
}

/// The block without barrier number `which`, which is removed from the script of every warp.
inline oracle::BlockScript without_barrier(const oracle::BlockScript& block, std::size_t which) {
  oracle::BlockScript result = block;
  for (oracle::WarpScript& warp : result) {
    std::size_t barrier = 0;
    for (std::size_t k = 0; k < warp.size(); ++k) {
      if (warp[k].kind != oracle::Instruction::Kind::barrier || barrier++ != which) continue;
      warp.erase(warp.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
  }
  return result;
}

inline std::size_t barriers_of(const oracle::BlockScript& block) {
  return static_cast<std::size_t>(
      std::count_if(block.front().begin(), block.front().end(), [](const auto& instruction) {
        return instruction.kind == oracle::Instruction::Kind::barrier;
      }));
}

/// Scripts with one block, one warp of every block, one barrier of a block, one access or one lane
/// less, fewer operations, or a smaller address that is not below `lowest`.
inline std::vector<oracle::Script> simpler(const oracle::Script& script, std::uint64_t lowest = 0) {
  std::vector<oracle::Script> result;
  if (script.missing_threads > 0) result.emplace_back(script).missing_threads = 0;
  const auto erase = [](auto& container, std::size_t k) {
    container.erase(container.begin() + static_cast<std::ptrdiff_t>(k));
  };
  for (std::size_t b = 0; script.blocks.size() > 1 && b < script.blocks.size(); ++b) {
    erase(result.emplace_back(script).blocks, b);
  }
  const std::size_t warps = script.blocks[0].size();
  for (std::size_t w = 0; warps > 1 && w < warps; ++w) {
    if (w + 1 == warps && script.missing_threads > 0) continue;  // keep the last warp
    for (auto& block : result.emplace_back(script).blocks) erase(block, w);
  }
  for (std::size_t b = 0; b < script.blocks.size(); ++b) {
    const oracle::BlockScript& block = script.blocks[b];
    for (std::size_t barrier = 0; barrier < barriers_of(block); ++barrier) {
      result.emplace_back(script).blocks[b] = without_barrier(block, barrier);
    }
    for (std::size_t w = 0; w < block.size(); ++w) {
      for (std::size_t k = 0; k < block[w].size(); ++k) {
        const oracle::Instruction& instruction = block[w][k];
        if (instruction.kind == oracle::Instruction::Kind::barrier) continue;
        erase(result.emplace_back(script).blocks[b][w], k);
        if (instruction.operations > 1) result.emplace_back(script).blocks[b][w][k].operations = 1;
        for (std::size_t lane = 0; lane < instruction.addresses.size(); ++lane) {
          auto& shorter = result.emplace_back(script).blocks[b][w][k];
          erase(shorter.addresses, lane);
          if (!shorter.values.empty()) erase(shorter.values, lane);
          if (instruction.addresses[lane].value_or(lowest) > lowest) {
            result.emplace_back(script).blocks[b][w][k].addresses[lane] = lowest;
            --*result.emplace_back(script).blocks[b][w][k].addresses[lane];
          }
        }
      }
    }
  }
  return result;
}

/// Scenarios with a simpler script, arrays that begin at word 0, or a machine with smaller
/// latencies, fewer DMMs or all blocks resident. The width stays, since the addresses mean nothing
/// at another width.
inline std::vector<Scenario> simpler(const Scenario& scenario) {
  std::vector<Scenario> result;
  for (const oracle::Script& script : simpler(scenario.script, scenario.first_word)) {
    result.push_back({scenario.machine, script, scenario.first_word});
  }
  if (scenario.first_word > 0) result.emplace_back(scenario).first_word = 0;
  const auto with_smaller = [&](std::uint64_t oracle::SimulatedMachine::*number) {
    for (const std::uint64_t smaller :
         {std::uint64_t{1}, scenario.machine.*number / 2, scenario.machine.*number - 1}) {
      if (smaller < 1 || smaller >= scenario.machine.*number) continue;
      result.emplace_back(scenario).machine.*number = smaller;
    }
  };
  with_smaller(&oracle::SimulatedMachine::latency);
  with_smaller(&oracle::SimulatedMachine::global_latency);
  with_smaller(&oracle::SimulatedMachine::dmms);
  if (scenario.machine.slots) result.emplace_back(scenario).machine.slots.reset();
  return result;
}

/// The features that scenarios may have.
struct ScenarioShape {
  bool hierarchical = true;  ///< also HMMs
  bool several_blocks = true;
  bool barriers = true;
  bool bounded_slots = true;  ///< fewer slots than blocks
  bool writes = true;
  bool partial_warps = true;  ///< the last warp of a block may have fewer threads
  bool unaligned = true;      ///< arrays may begin anywhere
  bool constants = false;     ///< also a constant memory
  bool computations = false;  ///< computations, some of which take time
};

/// Everything that scenarios may contain.
inline constexpr ScenarioShape everything{.constants = true, .computations = true};

namespace detail {

using Kind = oracle::SimulatedMachine::Kind;
using Mode = oracle::SimulatedMachine::Mode;

inline rc::Gen<oracle::Instruction> any_access(const oracle::SimulatedMachine& machine,
                                               const ScenarioShape& shape,
                                               std::uint64_t first_word) {
  using oracle::Instruction;
  const auto width = machine.width;
  const auto address =
      rc::gen::map(rc::gen::pair(rc::gen::weightedElement<bool>({{4, true}, {1, false}}),
                                 rc::gen::inRange(first_word, first_word + 3 * width)),
                   [](const std::pair<bool, std::uint64_t>& lane) {
                     return lane.first ? std::optional(lane.second) : std::nullopt;
                   });
  const auto addresses = rc::gen::mapcat(
      rc::gen::inRange<std::size_t>(0, width + 1),
      [=](std::size_t lanes) { return rc::gen::container<oracle::Addresses>(lanes, address); });
  using Space = Instruction::Space;
  std::vector<Space> spaces = {Space::shared};
  if (machine.kind == Kind::hmm) spaces.push_back(Space::global);
  if (machine.constant_latency) spaces.push_back(Space::constant);
  const auto write = shape.writes ? rc::gen::arbitrary<bool>() : rc::gen::just(false);
  const auto value = rc::gen::inRange<std::int64_t>(1, 1000);
  return rc::gen::map(rc::gen::tuple(addresses, rc::gen::elementOf(spaces), write, value),
                      [](const std::tuple<oracle::Addresses, Space, bool, std::int64_t>& drawn) {
                        const auto& [lanes, space, is_write, first_value] = drawn;
                        if (!is_write || space == Space::constant) {
                          return Instruction::read(lanes, space);
                        }
                        std::vector<std::int64_t> values(lanes.size());
                        for (std::size_t lane = 0; lane < values.size(); ++lane) {
                          values[lane] = first_value * 100 + static_cast<std::int64_t>(lane);
                        }
                        return Instruction::write(lanes, values, space);
                      });
}

inline rc::Gen<oracle::Instruction> any_instruction(const oracle::SimulatedMachine& machine,
                                                    const ScenarioShape& shape,
                                                    std::uint64_t first_word) {
  auto access = any_access(machine, shape, first_word);
  if (!shape.computations) return access;
  const auto computation =
      rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 5), &oracle::Instruction::compute);
  return rc::gen::weightedOneOf<oracle::Instruction>({{3, access}, {1, computation}});
}

/// A block as its intervals between barriers: interval → warp → instructions.
using Intervals = std::vector<std::vector<std::vector<oracle::Instruction>>>;

inline oracle::BlockScript joined(const Intervals& intervals, std::size_t warps) {
  oracle::BlockScript block(warps);
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    for (std::size_t warp = 0; warp < warps; ++warp) {
      if (k > 0) block[warp].push_back(oracle::Instruction::barrier());
      const auto& part = intervals[k][warp];
      block[warp].insert(block[warp].end(), part.begin(), part.end());
    }
  }
  return block;
}

/// The script with `missing` fewer threads in the last warp of each block.
inline oracle::Script without_threads(oracle::Script script, std::uint64_t missing,
                                      std::uint64_t width) {
  script.missing_threads = missing;
  for (oracle::BlockScript& block : script.blocks) {
    for (oracle::Instruction& instruction : block.back()) {
      const std::size_t lanes =
          std::min<std::size_t>(instruction.addresses.size(), width - missing);
      instruction.addresses.resize(lanes);
      if (!instruction.values.empty()) instruction.values.resize(lanes);
    }
  }
  return script;
}

inline rc::Gen<oracle::Script> any_script(const oracle::SimulatedMachine& machine,
                                          const ScenarioShape& shape, std::uint64_t first_word) {
  const auto instructions = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 5), [=](auto count) {
    return rc::gen::container<std::vector<oracle::Instruction>>(
        count, any_instruction(machine, shape, first_word));
  });
  const std::size_t most_intervals = shape.barriers ? 3 : 1;
  const std::size_t most_blocks = shape.several_blocks ? 5 : 1;
  const auto block_of = [=](std::size_t warps) {
    using Interval = std::vector<std::vector<oracle::Instruction>>;
    const auto interval = rc::gen::container<Interval>(warps, instructions);
    const auto intervals =
        rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, most_intervals + 1),
                        [=](auto count) { return rc::gen::container<Intervals>(count, interval); });
    return rc::gen::map(intervals, [=](const Intervals& parts) { return joined(parts, warps); });
  };
  const auto missing = rc::gen::inRange<std::uint64_t>(0, shape.partial_warps ? machine.width : 1);
  return rc::gen::mapcat(
      rc::gen::tuple(rc::gen::inRange<std::size_t>(1, most_blocks + 1),
                     rc::gen::inRange<std::size_t>(1, 5), missing),
      [=](const std::tuple<std::size_t, std::size_t, std::uint64_t>& drawn) {
        const auto& [blocks, warps, threads] = drawn;
        return rc::gen::map(
            rc::gen::container<std::vector<oracle::BlockScript>>(blocks, block_of(warps)),
            [width = machine.width, threads = threads](const auto& all) {
              return without_threads(oracle::Script{.blocks = all}, threads, width);
            });
      });
}

inline rc::Gen<oracle::SimulatedMachine> any_machine(const ScenarioShape& shape) {
  const auto kind = shape.hierarchical ? rc::gen::element(Kind::dmm, Kind::umm, Kind::hmm)
                                       : rc::gen::element(Kind::dmm, Kind::umm);
  const auto slots =
      shape.bounded_slots ? rc::gen::inRange<std::uint64_t>(0, 4) : rc::gen::just<std::uint64_t>(0);
  const auto number = [](std::uint64_t end) { return rc::gen::inRange<std::uint64_t>(1, end); };
  const auto constants =
      shape.constants ? rc::gen::inRange<std::uint64_t>(0, 6) : rc::gen::just<std::uint64_t>(0);
  return rc::gen::map(rc::gen::tuple(kind, number(4), number(6), number(8), number(12), slots,
                                     constants, rc::gen::element(Mode::overlapped, Mode::lockstep)),
                      [](const auto& drawn) {
                        const auto& [drawn_kind, d, w, l, L, bound, constant, mode] = drawn;
                        oracle::SimulatedMachine machine;
                        machine.kind = drawn_kind;
                        machine.dmms = drawn_kind == Kind::hmm ? d : 1;
                        machine.width = w;
                        machine.latency = l;
                        machine.global_latency = L;
                        if (bound > 0) machine.slots = bound;
                        if (constant > 0) machine.constant_latency = constant;
                        machine.mode = mode;
                        return machine;
                      });
}

}  // namespace detail

/// Any scenario of this shape.
inline rc::Gen<Scenario> any_scenario(const ScenarioShape& shape = {}) {
  const auto drawn = rc::gen::mapcat(detail::any_machine(shape), [=](const auto& machine) {
    // Arrays may begin at any bank, in one of the first two rows of banks.
    const auto first = rc::gen::inRange<std::uint64_t>(0, shape.unaligned ? 2 * machine.width : 1);
    return rc::gen::mapcat(first, [=](std::uint64_t word) {
      return rc::gen::map(detail::any_script(machine, shape, word),
                          [=](const oracle::Script& script) {
                            return Scenario{machine, script, word};
                          });
    });
  });
  // RapidCheck's sizes grow from case to case; here all cases have the full size.
  return shrinking_to<Scenario>(rc::gen::resize(rc::kNominalSize, drawn),
                                [](const Scenario& scenario) { return simpler(scenario); });
}

}  // namespace bankproof::testing

namespace rc {
template <>
struct Arbitrary<bankproof::testing::Scenario> {
  static Gen<bankproof::testing::Scenario> arbitrary() {
    return bankproof::testing::any_scenario();
  }
};
}  // namespace rc
