// The faults of programs on a machine, and the one place that words their messages (docs/model.md,
// rule 13).
//
// Every fault says what happened, where, in which thread, what was expected and got, and, if the
// launch gave it, the command that reproduces the fault. For example:
//
//   read past the end of a: index 1024, size 1024; transpose on DMM(w=32, l=5), block 0, warp 3,
//   thread 7, round 12; reproduce: bankproof run transpose
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "units.hpp"

namespace bankproof {

enum class FaultKind : std::uint8_t {
  out_of_bounds,
  uninitialized,
  race,
  colliding_writes,
  divergent_barrier,
  broken_declaration,
  read_only,
  foreign_memory,
  capacity,
  launch,  ///< an impossible launch, or an impossible use of arrays or lanes
};

/// A position in a run.
struct Place {
  std::string machine;    ///< for example "DMM(w=32, l=5)"
  std::string program;    ///< the launch's name
  std::string reproduce;  ///< a command, or empty
  std::uint64_t block = 0;
  std::uint64_t warp = 0;  ///< of the block
  std::optional<Width> lane = std::nullopt;
  std::uint64_t round = 0;  ///< number of the warp's latest access in this launch, from 0
};

/// A program broke a rule of the machine. `what()` is one line.
class Fault : public std::runtime_error {
 public:
  Fault(FaultKind kind, const std::string& message, bool placed = true)
      : std::runtime_error(message), kind_(kind), placed_(placed) {}
  FaultKind kind() const { return kind_; }
  /// Whether what() names the place of the fault. If it does not, the machine adds what it knows
  /// about the launch.
  bool placed() const { return placed_; }

 private:
  FaultKind kind_;
  bool placed_;
};

/// "; transpose on DMM(w=32, l=5), block 0, warp 3, thread 7, round 12; reproduce: …"
inline std::string describe(const Place& place) {
  std::string text = "; " + (place.program.empty() ? std::string("program") : place.program) +
                     " on " + place.machine + ", block " + std::to_string(place.block) + ", warp " +
                     std::to_string(place.warp);
  if (place.lane) text += ", thread " + std::to_string(*place.lane);
  text += ", round " + std::to_string(place.round);
  if (!place.reproduce.empty()) text += "; reproduce: " + place.reproduce;
  return text;
}

namespace fault {

inline Fault out_of_bounds(bool is_write, const std::string& array, Address index,
                           std::uint64_t size, const Place& place) {
  return {FaultKind::out_of_bounds, std::string(is_write ? "write" : "read") + " past the end of " +
                                        array + ": index " + std::to_string(index) +
                                        (index > unlimited / 2 ? " (below 0)" : "") + ", size " +
                                        std::to_string(size) + describe(place)};
}

inline Fault uninitialized(const std::string& array, Address index, const Place& place) {
  return {FaultKind::uninitialized,
          "read of an uninitialized word of " + array + ": index " + std::to_string(index) +
              ", expected a write of a program or assign() before it, got "
              "none" +
              describe(place)};
}

/// `before` is an earlier access that is not ordered with the access at `place`.
inline Fault race(const std::string& array, Address index, const std::string& access,
                  const std::string& before, const Place& place) {
  return {FaultKind::race,
          "race on " + array + ", index " + std::to_string(index) + ": " + access + " and " +
              before + ", expected a barrier or a launch between them, got none" + describe(place)};
}

inline Fault colliding_writes(const std::string& array, Address index, Width first,
                              const Place& place) {
  return {FaultKind::colliding_writes,
          "colliding writes to " + array + ", index " + std::to_string(index) + ": thread " +
              std::to_string(first) +
              " writes another value in the same access, expected one writer or one value" +
              describe(place)};
}

inline Fault broken_declaration(const std::string& array, const std::string& declared,
                                const std::string& observed, const Place& place) {
  return {FaultKind::broken_declaration, "access to " + array + " declared " + declared +
                                             ", observed " + observed + describe(place)};
}

inline Fault barrier_under_mask(const Place& place) {
  return {FaultKind::divergent_barrier,
          "barrier under a partial mask: expected all threads of the warp" + describe(place)};
}

/// Two warps of one block: `ended` has ended while `waiting` waits at barrier `barrier`, from 0.
inline Fault warp_ended_at_barrier(std::uint64_t ended, std::uint64_t waiting,
                                   std::uint64_t barrier, const Place& place) {
  return {FaultKind::divergent_barrier,
          "divergent barrier: warp " + std::to_string(ended) + " ended while warp " +
              std::to_string(waiting) + " waits at barrier " + std::to_string(barrier) +
              "; expected every warp of the block at it" + describe(place)};
}

inline Fault write_to_constant(const std::string& array, const Place& place) {
  return {FaultKind::read_only,
          "write to " + array + " in constant memory, expected reads only" + describe(place)};
}

inline Fault foreign_memory(const std::string& array, const std::string& memory,
                            const Place& place) {
  return {FaultKind::foreign_memory,
          "access to " + array + " in memory " + memory +
              ", expected the global memory or the shared memory of the block's own DMM, on this "
              "machine" +
              describe(place)};
}

/// `taken` is `wanted` rounded up to whole rows of banks.
inline Fault capacity(const std::string& memory, std::uint64_t wanted, std::uint64_t taken,
                      std::uint64_t free) {
  return {FaultKind::capacity,
          "memory " + memory + " is full: wanted " + std::to_string(wanted) +
              " words, which take " + std::to_string(taken) + ", got " + std::to_string(free) +
              " free",
          false};
}

/// An impossible launch, machine or program set-up.
inline Fault impossible(FaultKind kind, const std::string& what) { return {kind, what, false}; }

inline Fault bad_launch(const std::string& what, const std::string& machine) {
  return {FaultKind::launch, "launch on " + machine + ": " + what};
}

/// The same fault with the launch in which it happened.
inline Fault placed_in(const Fault& fault, const Place& place) {
  return {fault.kind(),
          fault.what() + ("; " + (place.program.empty() ? "program" : place.program)) + " on " +
              place.machine + (place.reproduce.empty() ? "" : "; reproduce: " + place.reproduce)};
}

}  // namespace fault

}  // namespace bankproof
