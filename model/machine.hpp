// The machines: PRAM, DMM, UMM, HMM and asynchronous HMM (HMM II and III, MOD 2, THS 3).
//
//     Dmm machine({.width = 4, .latency = 5});
//     Array<int> a(machine.memory(), std::vector<int>(16), "a");
//     Time taken = machine.launch({.threads = 8}, program, a);
//
// Each machine takes its parameters. All machines but the PRAM also take Options: overlapped or
// lockstep time, the choice of the winner among several writers, and a seed. The PRAM is always in
// lockstep.
#pragma once

#include <string>

#include "engine.hpp"

namespace bankproof {

/// The common part of the PRAM, the DMM and the UMM.
template <class R>
class BasicOneMemory : public Engine<R> {
 public:
  Memory& memory() const { return Engine<R>::memory(0); }

 protected:
  using Engine<R>::Engine;
};

/// Processors that access any address of one memory in one time unit (HMM V, for comparison).
template <class R>
class BasicPram : public BasicOneMemory<R> {
 public:
  explicit BasicPram(WriterPolicy writers = WriterPolicy::highest, std::uint64_t seed = 0)
      : BasicOneMemory<R>("PRAM", widest_warp, 1, {}, {Mode::lockstep, writers, seed}) {
    this->add_memory("memory", MemoryKind::uniform, 1, unlimited);
  }
};

/// One memory of `width` banks or address groups; all blocks are resident unless a limit is set.
struct MemoryMachine {
  Width width = 32;
  Latency latency = 1;
  std::uint64_t capacity = unlimited;  ///< words
  std::uint64_t resident_threads = unlimited;
};

namespace detail {
/// The end of a description. Overlapped time is the default, and the description does not mention
/// it.
inline std::string mode_of(const Options& options) {
  return options.mode == Mode::lockstep ? ", lockstep)" : ")";
}
inline std::string description_of(const std::string& name, const MemoryMachine& machine,
                                  const Options& options) {
  return name + "(w=" + std::to_string(machine.width) + ", l=" + std::to_string(machine.latency) +
         mode_of(options);
}
}  // namespace detail

/// The discrete memory machine: bank conflicts, as in shared memory.
template <class R>
class BasicDmm : public BasicOneMemory<R> {
 public:
  explicit BasicDmm(const MemoryMachine& machine, Options options = {})
      : BasicOneMemory<R>(detail::description_of("DMM", machine, options), machine.width, 1,
                          {.resident_threads = machine.resident_threads}, options) {
    this->add_memory("memory", MemoryKind::banks, machine.latency, machine.capacity);
  }
};

/// The unified memory machine: address groups, as in global memory.
template <class R>
class BasicUmm : public BasicOneMemory<R> {
 public:
  explicit BasicUmm(const MemoryMachine& machine, Options options = {})
      : BasicOneMemory<R>(detail::description_of("UMM", machine, options), machine.width, 1,
                          {.resident_threads = machine.resident_threads}, options) {
    this->add_memory("memory", MemoryKind::groups, machine.latency, machine.capacity);
  }
};

/// DMMs that share one UMM, the global memory.
struct HierarchicalMachine {
  std::uint64_t dmms = 1;
  Width width = 32;
  Latency shared_latency = 1;
  Latency global_latency = 1;
  std::uint64_t capacity = unlimited;          ///< words of each shared memory
  std::uint64_t resident_threads = unlimited;  ///< the most on each DMM
};

/// The hierarchical memory machine.
template <class R>
class BasicHmm : public Engine<R> {
 public:
  explicit BasicHmm(const HierarchicalMachine& machine, Options options = {})
      : BasicHmm("HMM", machine, {.resident_threads = machine.resident_threads}, options) {}

  Memory& shared(std::uint64_t dmm) const { return Engine<R>::memory(dmm); }
  Memory& global() const { return Engine<R>::memory(dmms_); }
  std::uint64_t dmms() const { return dmms_; }

 protected:
  BasicHmm(const std::string& name, const HierarchicalMachine& machine,
           typename Engine<R>::Limits limits, Options options)
      : Engine<R>(name + "(d=" + std::to_string(machine.dmms) +
                      ", w=" + std::to_string(machine.width) +
                      ", l=" + std::to_string(machine.shared_latency) +
                      ", L=" + std::to_string(machine.global_latency) + detail::mode_of(options),
                  machine.width, machine.dmms, limits, options),
        dmms_(machine.dmms) {
    for (std::uint64_t dmm = 0; dmm < dmms_; ++dmm) {
      this->add_memory("shared " + std::to_string(dmm), MemoryKind::banks, machine.shared_latency,
                       machine.capacity);
    }
    this->add_memory("global", MemoryKind::groups, machine.global_latency, unlimited);
  }

 private:
  std::uint64_t dmms_;
};

/// The asynchronous HMM (THS 3.4): DMMs are delayed at random, and forget their shared memories
/// when a launch ends. In overlapped time an access is delayed now and then by up to `drift` time
/// units; in lockstep a DMM misses a round now and then, unless `drift` is 0.
template <class R>
class BasicAsynchronousHmm : public BasicHmm<R> {
 public:
  explicit BasicAsynchronousHmm(const HierarchicalMachine& machine, Time drift,
                                Options options = {})
      : BasicHmm<R>(
            "asynchronous HMM", machine,
            {.resident_threads = machine.resident_threads, .drift = drift, .forgets_shared = true},
            options) {}
};

using Pram = BasicPram<Rules>;
using Dmm = BasicDmm<Rules>;
using Umm = BasicUmm<Rules>;
using Hmm = BasicHmm<Rules>;
using AsynchronousHmm = BasicAsynchronousHmm<Rules>;

}  // namespace bankproof
