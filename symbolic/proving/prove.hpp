// Decides claims about a compiled kernel, for all inputs: asks the questions of each claim, has
// both solvers answer, and has the machine replay what they find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../claims/question.hpp"
#include "../execution/inputs.hpp"
#include "../premises/signature.hpp"
#include "../replay/replay.hpp"

namespace bankproof::symbolic {

/// A formula for the accesses of a line: indices of elements in their array. Several formulas,
/// separated by semicolons, are for several accesses.
struct StatedAddress {
  std::uint32_t line = 0;
  std::string array;  // empty: the accesses to any
  std::string formulas;
};

/// A name in formulas for addresses that has each of some values, one for each of several accesses.
struct StatedRange {
  std::string name;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// What a user asks about a kernel.
struct Request {
  cuda::SharedKernelFile file;
  const ptx::Function* kernel = nullptr;     // of `file`
  std::string source_text;                   // of the CUDA source; empty for PTX
  std::vector<cuda::ParameterType> types{};  // of the parameters; empty if they are not known
  Shape shape{};
  std::vector<std::string> where;                            // conditions on launches
  std::vector<std::pair<std::string, std::string>> buffers;  // a parameter and a number of elements
  std::vector<std::string> symbols{};  // variables of the module that the host writes
  std::string shared;         // bytes of dynamic shared memory, as a formula; empty if not stated
  std::vector<Claim> claims;  // empty: all that can be asked
  std::optional<std::uint32_t> most_wavefronts;
  std::uint32_t most_sectors = 0;  // more than needed
  std::vector<StatedAddress> addresses;
  std::vector<StatedRange> ranges;
  /// Hears which step begins.
  std::function<void(const std::string&)> progress;
  /// If it is true, no further question is asked, and open claims stay unknown.
  std::function<bool()> is_stopped;
};

/// What the user states is wrong: a formula, a name, or statements that contradict each other.
class PremiseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `nothing`: the kernel has nothing that the claim is about.
enum class Verdict : std::uint8_t { proved, refuted, unknown, unsupported, nothing };

constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"proved", "refuted", "unknown", "unsupported", "nothing"};
  return names[static_cast<std::size_t>(verdict)];
}

/// A thread of an example.
struct ExampleThread {
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
  std::string object;  // empty for a barrier
  std::optional<std::uint64_t> offset;
};

/// A launch and threads for which the statements of a question hold.
struct Example {
  Launch launch{};
  std::vector<std::pair<std::string, std::string>> values{};  // of parameters, by name
  std::vector<ExampleThread> threads{};
  std::optional<Replayed> replayed{};
  /// Without a replay, why the machine cannot run it; empty if the launch is too large.
  std::string why_not_run{};
};

/// A parameter, or an axis of the grid, is at most a power of two, and perhaps at least 0 or 1.
struct SizeBound {
  unsigned exponent = 0;
  std::optional<unsigned> least{};
  auto operator<=>(const SizeBound&) const = default;
};
/// The bounds of parameters and of the grid's axes, by their names: rows, gridDim.x.
using SizeBounds = std::map<std::string, SizeBound>;
/// "'rows <= 1 << 15', '0 <= step', 'step <= 1 << 15'", as --where takes them.
std::string as_conditions(const SizeBounds& bounds);

/// A question that is not proved.
struct Finding {
  Verdict verdict = Verdict::unknown;
  std::vector<ptx::SourceLine> lines{};
  std::vector<std::string> opcodes{};
  std::string why{};  // for `unknown`: why, and what to state to get on
  std::optional<Example> example{};
  SizeBounds within{};  // if not empty: it is proved for parameters within these bounds
};

struct Decision {
  Claim claim = Claim::race;
  Verdict verdict = Verdict::unknown;
  std::size_t subjects = 0;              // accesses, pairs of accesses or barriers
  std::size_t questions = 0;             // those for which solvers were needed
  std::vector<ptx::SourceLine> lines{};  // of the subjects, in their order
  std::vector<Finding> findings{};
  std::string why{};  // where no finding says it
  /// The wavefronts, or the sectors more than needed, that an access may take, if that is stated.
  std::optional<std::uint32_t> most{};
  SizeBounds within{};  // bounds that are assumed; empty if it is proved without any
  double seconds = 0;
};

struct KernelProof {
  std::string kernel;  // demangled
  std::vector<Decision> decisions{};
  std::vector<std::string> assumptions{};
  /// Lines that no thread reaches under the premises.
  std::vector<ptx::SourceLine> unreachable{};
  /// Lines of which nobody knows whether a thread reaches them.
  std::vector<ptx::SourceLine> maybe_unreachable{};
  std::size_t reached = 0;  // accesses and barriers that an example reaches
  double seconds = 0;       // in all
};

/// Throws PremiseError, ptx::Error for code without a meaning, and proofs::SolverError.
KernelProof prove(const Request& request);

}  // namespace bankproof::symbolic
