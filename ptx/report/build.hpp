// Turns the counts of a launch, which are by instruction, into a report by source line.
//
// The visits of a line say how often warps executed it. A line has several instructions, which may
// be executed different numbers of times. Compilers emit different numbers of instructions for a
// line, but the same memory accesses and barriers. So if a line has accesses or barriers, its
// visits are the executions of its most executed access or barrier; copies in an unrolled loop (the
// same opcode at the same column) count as one instruction. The visits of any other line are the
// executions of its most executed instruction. Instructions inlined from a header count only if the
// line has no instructions of its own.
//
// The caller supplies the time of a launch (timing/replay.hpp). The time of a line is the number of
// stages of its accesses, during which they hold the ports of the memories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../isa/child_grid.hpp"
#include "../isa/shape.hpp"
#include "origins.hpp"
#include "report.hpp"

namespace bankproof::ptx {

/// The counts of a launch, by site.
struct LaunchCounts {
  std::span<const std::uint64_t> visits;  // executions by warps
  std::span<const std::uint64_t> lanes;   // executions by threads
  const SiteCounts& accesses;
  const FaultLog& faults;
  std::uint64_t thread_instructions = 0;
  std::uint64_t time = 0;
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  std::string_view printed{};
  // Of a launch whose kernels launched kernels. Fault::thread has the number of its grid: `first`
  // for that of the launch, and first + 1 + k for grid k of `grids`. `kernels` are the demangled
  // names of ChildGrid::kernel.
  std::uint32_t first = 0;
  std::span<const ChildGrid> grids{};
  std::span<const std::string> kernels{};
  std::uint64_t launches = 1;  // that the counts are of
};

/// Collects launches, of one kernel or of several, into one report.
class ReportBuilder {
 public:
  /// The machine as in --machine.
  explicit ReportBuilder(std::string machine) : machine_(std::move(machine)) {}

  /// A kernel whose launches are added to one builder. The first launch that executes an
  /// instruction finds the instruction's place in the report, for all launches.
  class Kernel;

  /// `origins` has the origin of each counted site. `kernel` is the kernel's demangled name.
  void add(const std::string& kernel, std::span<const Origin> origins, const LaunchCounts& counts);
  /// The kernel is added to no other builder.
  void add(Kernel& kernel, const LaunchCounts& counts);
  /// Adds only the launch's faults.
  void add_faults(const Kernel& kernel, const LaunchCounts& counts);
  /// The counts of the launch that was added last are those of launch `from`.
  void add_taken(const std::string& kernel, std::uint64_t from, bool executed);
  /// Says which kernels launched the grids of a launch, whose counts are added as those of other
  /// launches; `kernel` and `counts` are those of the launch.
  void add_parents(const std::string& kernel, const LaunchCounts& counts);
  /// The number that the next launch gets.
  std::uint64_t launches() const { return launches_; }

  /// `names` returns the name of a buffer from its number; it is called for each buffer in a
  /// picture.
  KernelReport report(const std::function<std::string(std::uint32_t)>& names) const;

 private:
  struct Executions {
    std::uint64_t visits = 0;
    std::uint64_t lanes = 0;
  };
  // The kinds of instructions that may give a line its visits. The highest kind that the line has
  // decides: accesses before other instructions, and the line's own code before inlined code.
  enum class Rank : std::uint8_t { inlined, own, inlined_access, own_access };
  using Representative = std::tuple<Rank, std::uint32_t, std::string>;  // rank, column and opcode
  struct Line {
    AccessCounts counts;
    std::map<std::string, std::map<Representative, Executions>> executed;  // by kernel
    std::map<SourceLine, std::uint64_t> inlined;  // each line with its time
    std::set<std::string> functions;
  };
  // The kind, the line, the chain of calls and, for a race, the line of the other access.
  using FaultKey = std::tuple<FaultKind, SourceLine, std::vector<SourceLine>, SourceLine>;
  struct SeenFault {
    ThreadName thread;
    FaultReport report;
  };

  /// Where an instruction is counted; null until it is executed.
  struct Place {
    Line* line = nullptr;
    std::uint64_t* inlined = nullptr;  // null if the line's own code
    Executions* executed = nullptr;
    AccessCounts* opcode = nullptr;
  };

  Place& place_of(Kernel& kernel, std::size_t site);
  void add_accesses(Kernel& kernel, std::size_t site, const AccessCounts& accesses);
  void add_fault(const Fault& fault, const Kernel& kernel, const LaunchCounts& counts);
  static LineReport line_report(const SourceLine& at, const Line& line);

  std::string machine_;
  std::vector<std::string> kernels_;
  std::uint64_t launches_ = 0;
  std::uint64_t time_ = 0;
  std::uint64_t instructions_ = 0;
  std::string printed_;
  std::map<SourceLine, Line> lines_;
  std::map<std::string, AccessCounts> opcodes_;
  std::map<FaultKey, SeenFault> faults_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> children_;  // by parent and kernel
  // By the launch from which they are taken, and by whether they were executed.
  std::map<std::pair<std::uint64_t, bool>, TakenLaunches> taken_;
};

class ReportBuilder::Kernel {
 public:
  /// As for ReportBuilder::add(); `origins` outlives the kernel.
  Kernel(std::string name, std::span<const Origin> origins)
      : name_(std::move(name)), origins_(origins), places_(origins.size()) {}

 private:
  friend class ReportBuilder;
  std::string name_;
  std::span<const Origin> origins_;
  std::vector<Place> places_;
};

/// The number of stages of the accesses in shared and global memory.
inline std::uint64_t stages_of(const AccessCounts& counts) {
  return counts.wavefronts + counts.lines;
}

}  // namespace bankproof::ptx
