// The compiled code of a program, which launches use as soon as it is there.
//
// Compiled code and the interpreter work on the same operations, frames and counts. Each warp has
// the list of pieces that its turn uses, or none; block_step takes the piece of its block, and the
// turn goes on in compiled code until something happens that only the interpreter does.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../compiled/options.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// The code of a counted block; `run` is null if the block is interpreted.
struct CompiledPiece {
  compiled::Run run = nullptr;
  const Op* ops = nullptr;  // the function's first operation
  std::uint32_t block = 0;  // in the code
};

class CompiledCode : public std::enable_shared_from_this<CompiledCode> {
 public:
  CompiledCode() = default;
  ~CompiledCode();
  CompiledCode(const CompiledCode&) = delete;
  CompiledCode& operator=(const CompiledCode&) = delete;

  /// The pieces by the numbers of counted blocks; null as long as all blocks are interpreted.
  const CompiledPiece* pieces() const { return pieces_.load(std::memory_order_acquire); }

  /// Whether compiling has begun; it may have ended, or failed.
  bool has_begun() const { return begun_.load(std::memory_order_relaxed); }

  /// Compiles the program if it has earned it: at once or in the background. `more` instructions of
  /// threads were executed since the last call.
  void consider(const Program& program, const CompileOptions& options, std::uint64_t more);

  /// Why the program cannot be compiled; empty if it is compiled, or was not tried yet.
  std::string why_not() const;
  /// How its next launch runs, for a person.
  std::string status(const CompileOptions& options) const;

 private:
  struct Job;
  void finish(const Job& job);
  void refuse(const std::string& why);

  std::atomic<const CompiledPiece*> pieces_ = nullptr;
  std::atomic<std::uint64_t> executed_ = 0;
  std::atomic<bool> begun_ = false;
  mutable std::mutex mutex_;
  std::string why_not_;
  std::vector<CompiledPiece> table_;
  const compiled::Compiler* compiler_ = nullptr;
  void* loaded_ = nullptr;
};

}  // namespace bankproof::ptx
