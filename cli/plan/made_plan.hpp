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

/// Lanes of S or D, −1 of the type in those that are idle.
using LaneValues = std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>,
                                std::vector<std::uint64_t>>;

/// S and D of `rows` rows of `lanes` lanes each; a bank plan has one row.
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
  MatrixShape shape = {1, 0};        ///< of kind scheduled
  std::vector<PassArrays> passes;    ///< one, or three
  AffineForm form;                   ///< of the permutation
  std::optional<AffinePlan> affine;  ///< of kind affine

  std::uint64_t warps() const {
    std::uint64_t sum = 0;
    for (const PassArrays& pass : passes) sum += pass.rows * (pass.lanes / width);
    return sum;
  }
};

/// "banks", "affine" or "scheduled", as in plan.json.
std::string_view name_of(MadePlan::Kind kind);

/// Is told what begins, for people who wait.
using Report = std::function<void(std::string_view step)>;

/// Throws InputError when the arrays alone, S and D beside the permutation, exceed the machine's
/// memory.
void require_plan_memory(const PermutationArgument& permutation, Width width, bool global);

/// Makes a plan, a schedule if `global`, and verifies it; one that is not right is a
/// std::logic_error.
MadePlan make_plan(const PermutationArgument& permutation, Width width, bool global,
                   const Report& report);

}  // namespace bankproof::cli
