// Copies by cp.async that a thread has begun, and may not have waited for.
//
// Such a copy reads and writes like another thread (docs/kernels.md), at any time until its own
// thread waits for it; for others, until a barrier after that. So it may race with what its thread
// accesses meanwhile (Trace::under_way), and behind each barrier that it passes it counts as made
// once more, as an echo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace.hpp"

namespace bankproof::symbolic {

struct CopyUnderWay {
  const ptx::Instruction* instruction = nullptr;
  /// Which of its copies, where an instruction has begun several.
  std::size_t number = 0;
  /// What it reads and writes, and on which condition it has been begun.
  std::vector<Access> accesses{};
  /// How many groups have been committed since its own was; -1: its own has not been.
  int groups = -1;
  /// Iterations that have begun since, of loops.
  struct Passed {
    std::size_t loop = 0;  // in Loops
    unsigned iterations = 0;
    bool is_from_before = false;  // it was under way when the loop was entered
    bool operator==(const Passed&) const = default;
  };
  std::vector<Passed> passed{};

  bool is_same(const CopyUnderWay& other) const {
    return instruction == other.instruction && number == other.number && passed == other.passed;
  }
};

/// Whether the same copies are under way, and as many groups have been committed since.
bool are_the_same(const std::vector<CopyUnderWay>& a, const std::vector<CopyUnderWay>& b);

/// Where two paths meet: what may be under way after either.
std::vector<CopyUnderWay> all_under_way(const std::vector<CopyUnderWay>& a,
                                        const std::vector<CopyUnderWay>& b);

}  // namespace bankproof::symbolic
