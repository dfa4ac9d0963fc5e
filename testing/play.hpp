// Plays an oracle's script on the machines and returns an outcome in the oracle's terms, so that
// this outcome and the oracle's can be compared word by word.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "../model/machine.hpp"
#include "../oracles/memory_machine/script.hpp"
#include "scripts.hpp"

namespace bankproof::testing {

/// The machine types for one set of rules: the real rules, or rules with a planted bug.
template <class R>
struct MachinesOf {
  using Dmm = BasicDmm<R>;
  using Umm = BasicUmm<R>;
  using Hmm = BasicHmm<R>;
};

namespace detail {

/// Records dispatches. The program that plays the script tells the recorder which instruction each
/// warp is at.
class Recorder : public Observer {
 public:
  /// Records a launch that begins at this time.
  Recorder(oracle::Outcome& outcome, const oracle::Script& script, Time begin)
      : outcome_(outcome), begin_(begin) {
    for (const auto& block : script.blocks) {
      current_.emplace_back(block.size());
      outcome.reads.emplace_back(block.size());
    }
  }
  void at(const Warp& warp, std::size_t instruction) {
    current_[warp.block()][warp.index()] = instruction;
  }
  void read(const Warp& warp, oracle::ReadValues values) {
    outcome_.reads[warp.block()][warp.index()].push_back(std::move(values));
  }
  void accessed(const AccessEvent& event) override {
    const std::size_t memory = event.memory().port;
    oracle::MemoryOutcome& counts = outcome_.memories[memory];
    ++counts.accesses;
    counts.requests += static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
    counts.stages += event.stages;
    outcome_.dispatches.push_back({event.time - begin_, memory, event.warp.block(),
                                   event.warp.index(),
                                   current_[event.warp.block()][event.warp.index()], event.stages});
  }

 private:
  oracle::Outcome& outcome_;
  Time begin_;
  std::vector<std::vector<std::size_t>> current_;
};

/// Attaches observers to a machine for as long as this object lives.
template <class Machine>
class Attached {
 public:
  Attached(Machine& machine, Observer& first, std::vector<Observer*> others)
      : machine_(machine), observers_(std::move(others)) {
    observers_.insert(observers_.begin(), &first);
    for (Observer* observer : observers_) machine_.attach(*observer);
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached() {
    for (Observer* observer : observers_) machine_.detach(*observer);
  }

 private:
  Machine& machine_;
  std::vector<Observer*> observers_;
};

using Word = std::int64_t;
using Memories = std::deque<Array<Word>>;  ///< one array in each memory, by the memory's port

/// The positions of a machine's memories in `Memories`; see Scenario::first_word for their arrays.
struct Stage {
  Memories arrays = {};
  std::size_t global = 0;    ///< number of the global, or only, memory
  std::size_t constant = 0;  ///< number of the constant memory, if there is one
  Address first_word = 0;
};

inline Program scripted(Warp& warp, const oracle::Script& script, Stage& stage,
                        Recorder& recorder) {
  using oracle::Instruction;
  using Space = Instruction::Space;
  const auto& instructions = script.blocks[warp.block()][warp.index()];
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const Instruction& instruction = instructions[k];
    recorder.at(warp, k);
    if (instruction.kind == Instruction::Kind::barrier) {
      co_await barrier();
      continue;
    }
    if (instruction.kind == Instruction::Kind::compute) {
      co_await compute(instruction.operations);
      continue;
    }
    Array<Word>& array = stage.arrays[instruction.space == Space::global     ? stage.global
                                      : instruction.space == Space::constant ? stage.constant
                                                                             : warp.dmm()];
    Lanes<Address> index = warp.all(Address{0});
    Mask mask;
    for (Width lane = 0; lane < instruction.addresses.size(); ++lane) {
      if (!instruction.addresses[lane]) continue;
      mask.add(lane);
      index[lane] = *instruction.addresses[lane] - stage.first_word;
    }
    const auto taking_part = warp.only(mask);
    if (instruction.kind == Instruction::Kind::write) {
      Lanes<Word> values = warp.all(Word{0});
      std::copy(instruction.values.begin(), instruction.values.end(), values.begin());
      co_await array.write(index, values);
    } else {
      const Lanes<Word> values = co_await array.read(index);
      oracle::ReadValues seen(instruction.addresses.size());
      for_each_lane(mask, [&](Width lane) { seen[lane] = values[lane]; });
      recorder.read(warp, std::move(seen));
    }
  }
}

}  // namespace detail

/// The number of words of each memory that scripts may address.
inline constexpr std::uint64_t scripted_words = 256;

/// Runs the scenario's script on this machine, whose memories hold 0. The last of `memories` is the
/// global memory, if there is one. `observers` also watch the run.
template <class Machine>
oracle::Outcome play_on(Machine& machine, std::vector<Memory*> memories, const Scenario& scenario,
                        const std::vector<Observer*>& observers) {
  const oracle::Script& script = scenario.script;
  detail::Stage stage{.global = memories.size() - 1,
                      .constant = memories.size(),
                      .first_word = scenario.first_word};
  if (scenario.machine.constant_latency) {
    memories.push_back(&machine.add_constant_memory(*scenario.machine.constant_latency));
  }
  oracle::Outcome outcome;
  outcome.memories.resize(memories.size());
  detail::Recorder recorder(outcome, script, machine.time());
  const detail::Attached attached(machine, recorder, observers);
  for (Memory* memory : memories) {
    stage.arrays.emplace_back(*memory, std::vector<detail::Word>(scripted_words), memory->name(),
                              scenario.first_word);
  }
  const std::uint64_t warps = script.blocks.empty() ? 1 : script.blocks[0].size();
  outcome.time = machine.launch(
      {.blocks = script.blocks.size(), .threads = warps * machine.width() - script.missing_threads},
      detail::scripted, script, stage, recorder);
  for (std::size_t memory = 0; memory < memories.size(); ++memory) {
    const auto words = stage.arrays[memory].values();
    for (std::size_t index = 0; index < words.size(); ++index) {
      if (words[index] == 0) continue;
      outcome.memories[memory].words[scenario.first_word + index] = words[index];
    }
  }
  return outcome;
}

/// Runs the scenario `launches` times on the machine it describes, built with these rules, and
/// returns the outcome of the last launch. More than one launch requires a machine without
/// constants.
template <class R = Rules>
oracle::Outcome play(const Scenario& scenario, const std::vector<Observer*>& observers = {},
                     std::optional<WriterPolicy> writers = std::nullopt, int launches = 1) {
  using oracle::SimulatedMachine;
  const SimulatedMachine& wanted = scenario.machine;
  const auto width = static_cast<Width>(wanted.width);
  const std::uint64_t warps = scenario.script.blocks.empty() ? 1 : scenario.script.blocks[0].size();
  const std::uint64_t resident = wanted.slots ? *wanted.slots * warps * width : unlimited;
  const bool lowest = wanted.writer == SimulatedMachine::Writer::lowest;
  const Options options{
      .mode = wanted.mode == SimulatedMachine::Mode::lockstep ? Mode::lockstep : Mode::overlapped,
      .writers = writers.value_or(lowest ? WriterPolicy::lowest : WriterPolicy::highest)};
  const auto launched_on = [&](auto& machine, const std::vector<Memory*>& memories) {
    for (int launch = 1; launch < launches; ++launch) {
      play_on(machine, memories, scenario, observers);
    }
    return play_on(machine, memories, scenario, observers);
  };
  const MemoryMachine single{
      .width = width, .latency = wanted.latency, .resident_threads = resident};
  if (wanted.kind == SimulatedMachine::Kind::dmm) {
    typename MachinesOf<R>::Dmm machine(single, options);
    return launched_on(machine, {&machine.memory()});
  }
  if (wanted.kind == SimulatedMachine::Kind::umm) {
    typename MachinesOf<R>::Umm machine(single, options);
    return launched_on(machine, {&machine.memory()});
  }
  typename MachinesOf<R>::Hmm machine({.dmms = wanted.dmms,
                                       .width = width,
                                       .shared_latency = wanted.latency,
                                       .global_latency = wanted.global_latency,
                                       .resident_threads = resident},
                                      options);
  std::vector<Memory*> memories;
  for (std::uint64_t dmm = 0; dmm < wanted.dmms; ++dmm) memories.push_back(&machine.shared(dmm));
  memories.push_back(&machine.global());
  return launched_on(machine, memories);
}

}  // namespace bankproof::testing
