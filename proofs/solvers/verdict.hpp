// Verdicts: the conclusions from the answers of solvers, about a theorem or about a property of a
// layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bankproof::proofs {

/// Only `proved` passes.
enum class Verdict : std::uint8_t { proved, refuted, unknown, error };

constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"proved", "refuted", "unknown", "error"};
  return names[static_cast<std::size_t>(verdict)];
}

/// The verdict that follows from the answers of one solver.
struct Finding {
  Verdict verdict = Verdict::error;
  std::string why = "nothing was checked";  ///< empty if the verdict is `proved`
};

}  // namespace bankproof::proofs
