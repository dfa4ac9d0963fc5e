// Runs a launch that a solver has found, on the reference machine, and looks for the fault.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../cuda/session/session.hpp"
#include "../claims/question.hpp"
#include "../premises/elements.hpp"

namespace bankproof::symbolic {

/// A buffer of a launch, for a parameter or a part of one that is a pointer.
struct LaunchBuffer {
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  // of the pointer, in its parameter
  std::uint32_t unit = 4;    // bytes of the numbers with which it begins, 4 where it has others
};

/// What launches a kernel, but for the contents of its buffers.
struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint64_t shared = 0;
  /// The bytes of each parameter; of pointers, any.
  std::vector<std::vector<std::byte>> parameters;
  std::map<std::size_t, std::vector<LaunchBuffer>> buffers;  // by parameter
  /// What threads load, as the solver has it: buffers may be full of that.
  std::vector<std::uint32_t> loaded;
};

/// What the buffers begin with, and variables that a host can have written.
struct Contents {
  enum class Kind : std::uint8_t { zeros, counting, random, same } kind = Kind::zeros;
  std::uint32_t word = 0;  // each one, for `same`
};

/// What the machine found.
struct Replayed {
  bool shows = false;
  bool has_contents = false;  // for which all holds that is stated of elements
  std::string message;        // of the fault, with threads and addresses
  ptx::SourceLine at;
  /// What shows the same again: words for `bankproof kernel`, behind the file. Empty if none can.
  std::vector<std::string> words{};
  /// If it shows nothing: another fault, which ends threads before they come there.
  std::string other_fault{};
};

/// What an access of a warp shows of the fault, in words; nothing if it shows none.
using Evidence =
    std::function<std::optional<std::string>(const ptx::AccessPicture& picture, bool is_shared)>;

class Replays {
 public:
  /// `file` has the kernel, by its mangled name. Its launches begin with contents for which the
  /// conditions hold. The variables are some of the file's module; see written_by_hosts().
  Replays(cuda::SharedKernelFile file, std::string kernel,
          std::vector<ElementCondition> conditions = {},
          std::vector<const ptx::Variable*> variables = {})
      : file_(std::move(file)),
        kernel_(std::move(kernel)),
        conditions_(std::move(conditions)),
        variables_(std::move(variables)) {}

  /// Whether the machine shows the fault that the claim excludes, at one of these lines, for some
  /// contents of the buffers. `array` is in the machine's messages about the array that is accessed
  /// (empty: any array): a line may access others, beyond sizes that nobody states. `most` is the
  /// number of the claims `banks` and `coalesced`; `evidence` judges accesses for the claim
  /// `address`. `is_of_data`: the solver chose numbers that the machine computes in another way,
  /// such as what threads load. Then an index has wrapped around only if it is far outside, and all
  /// that is loaded is 0.
  Replayed operator()(const Launch& launch, Claim claim, const std::vector<ptx::SourceLine>& lines,
                      const std::string& array, std::uint32_t most, const Evidence& evidence = {},
                      bool is_of_data = false) const;

 private:
  bool allows(const Launch& launch, Contents contents) const;
  ptx::KernelReport run(const Launch& launch, Contents contents) const;

  cuda::SharedKernelFile file_;
  std::string kernel_;
  std::vector<ElementCondition> conditions_;
  std::vector<const ptx::Variable*> variables_;  // with the contents of buffers
  /// How many launches with these contents came to the limit of instructions.
  mutable std::array<int, 4> endless_{};
};

}  // namespace bankproof::symbolic
