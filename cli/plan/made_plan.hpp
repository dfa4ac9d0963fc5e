// A plan that `schedule` has made and verified, before it is written.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../algorithms/permutation/affine.hpp"
#include "../../algorithms/permutation/schedule.hpp"
#include "../readers/permutation_argument.hpp"

namespace bankproof::cli {

/// The lanes of S or D; idle lanes hold −1, converted to the type.
using LaneValues = std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>,
                                std::vector<std::uint64_t>>;

/// S and D, each with `rows` rows of `lanes` lanes; a bank plan has one row.
struct PassArrays {
  std::uint64_t rows = 1;
  std::uint64_t lanes = 0;
  LaneValues s;
  LaneValues d;
};

struct MadePlan {
  enum class Kind : std::uint8_t { banks, affine, scheduled };

  Kind kind = Kind::banks;
  std::string permutation;  ///< as shown in reports
  std::string sha256;
  std::uint64_t n = 0;
  Width width = 1;
  MatrixShape shape = {1, 0};        ///< only of kind scheduled
  std::vector<PassArrays> passes;    ///< one, or three
  AffineForm form;                   ///< the form of the permutation
  std::optional<AffinePlan> affine;  ///< only of kind affine

  std::uint64_t warps() const {
    std::uint64_t sum = 0;
    for (const PassArrays& pass : passes) sum += pass.rows * (pass.lanes / width);
    return sum;
  }
};

/// "banks", "affine" or "scheduled", as in plan.json.
std::string_view name_of(MadePlan::Kind kind);

/// make_plan calls it with the name of each step as the step begins, to show progress.
using Report = std::function<void(std::string_view step)>;

/// Throws InputError when the arrays alone (the permutation, S and D) exceed the machine's memory.
void require_plan_memory(const PermutationArgument& permutation, Width width, bool global);

/// Makes a plan, a schedule if `global`, and verifies it; throws std::logic_error if it is wrong.
MadePlan make_plan(const PermutationArgument& permutation, Width width, bool global,
                   const Report& report);

}  // namespace bankproof::cli
