// The results of running kernels: counts and faults, by source line.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../isa/counts.hpp"
#include "../isa/faults.hpp"

namespace bankproof::ptx {

/// A line of a source file; line 0 if the compiler names no line.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  auto operator<=>(const SourceLine&) const = default;
};

/// The counts of one line of the user's own file, including code inlined into it.
struct LineReport {
  SourceLine at;
  std::uint64_t visits = 0;        // how often warps came to the line
  std::uint64_t active_lanes = 0;  // summed over the visits
  AccessCounts counts;
  std::uint64_t time = 0;  // stages of the line's accesses on the ports of the memories
  // The lines of other files whose code was inlined here, the most expensive line first:
  // "block_scan.cuh:211".
  std::vector<SourceLine> inlined;
  std::vector<std::string> functions;  // plain names of functions with code at this line
  bool shared_suppressed = false;      // the excess is intended
  bool global_suppressed = false;
  std::string fingerprint;    // fingerprints.hpp
  bool shared_known = false;  // the baseline has the excess
  bool global_known = false;

  std::uint64_t shared_excess() const { return over(counts.wavefronts, counts.ideal_wavefronts); }
  std::uint64_t global_excess() const { return over(counts.sectors, counts.ideal_sectors); }

 private:
  static std::uint64_t over(std::uint64_t actual, std::uint64_t ideal) {
    return actual > ideal ? actual - ideal : 0;
  }
};

struct FaultReport {
  FaultKind kind = FaultKind::race;
  SourceLine at;
  std::vector<SourceLine> chain;  // the calls that led to `at`, innermost first
  std::vector<std::string>
      functions;        // plain names: inlined functions, innermost first; the kernel
  std::string message;  // with threads, buffer and distance; without the place
  std::uint64_t count = 0;
  bool suppressed = false;
  std::string fingerprint;  // fingerprints.hpp
  bool known = false;       // the baseline has the fault
  std::string command;      // runs the launch alone; empty if it was not saved
};

/// Launches from `first` to `last`, by their numbers in the report, from 0.
struct LaunchRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Launches whose counts are those of launch `from` of the same kernel: they would have repeated
/// it, and were not executed, or they made the same accesses on other values.
struct TakenLaunches {
  std::string kernel;  // demangled
  std::uint64_t from = 0;
  bool executed = false;
  std::vector<LaunchRange> launches;

  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const LaunchRange& range : launches) sum += range.last - range.first + 1;
    return sum;
  }
};

/// Launches of a kernel by another one, or by itself.
struct ChildLaunches {
  std::string kernel;  // demangled, as `parent`
  std::string parent;
  std::uint64_t launches = 0;
};

struct KernelReport {
  std::string kernel;   // demangled
  std::string machine;  // as in --machine
  std::uint64_t launches = 0;
  std::uint64_t time = 0;           // time units of all launches on the machine
  std::uint64_t instructions = 0;   // executed by threads
  std::vector<LineReport> lines;    // by file and line
  std::vector<FaultReport> faults;  // by file, line and kind
  AccessCounts totals;
  std::map<std::string, AccessCounts> opcodes;  // totals by instruction: "ld.shared.v4.u32"
  std::string printed;  // output of printf, block after block of each launch
  std::map<std::uint32_t, std::string> buffers;  // names of the buffers in pictures, by number
  std::vector<TakenLaunches> taken;              // by `from`
  std::vector<ChildLaunches> children;           // launches that kernels launched
  // Calls of CUDA's libraries that were checked as a whole, by name.
  std::map<std::string, std::uint64_t> library_calls;
  bool has_baseline = false;  // so that findings are known or new
};

}  // namespace bankproof::ptx
