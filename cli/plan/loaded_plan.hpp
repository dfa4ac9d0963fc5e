// A plan as read from a folder, to be verified: the reader trusts nothing in it, and includes
// nothing that makes or writes plans.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../model/units.hpp"
#include "../readers/npy.hpp"

namespace bankproof::cli {

/// Maps i to the offset xor all columns[k] for which bit k of i is set.
struct LoadedMap {
  std::vector<std::uint64_t> columns;
  std::uint64_t offset = 0;
};

struct LoadedPlan {
  std::string kind;  ///< banks, affine or scheduled
  std::uint64_t n = 0;
  Width width = 1;
  std::string sha256;
  std::uint64_t rows = 1;     ///< only of kind scheduled
  std::uint64_t columns = 0;  ///< only of kind scheduled
  std::uint64_t warps = 0;    ///< as plan.json has it
  struct Pass {
    std::uint64_t rows = 1;  ///< as plan.json has it
    std::uint64_t lanes = 0;
    std::string s_name;
    std::string d_name;
    NpyLanes s;
    NpyLanes d;
  };
  std::vector<Pass> passes;        ///< one, or three
  std::optional<LoadedMap> s_map;  ///< only of kind affine
  std::optional<LoadedMap> d_map;
};

/// Reads plan.json and the arrays that it names. Throws InputError if it cannot read the plan: a
/// folder or file is missing or truncated, the text is not JSON, the format or version is not the
/// expected one, or a field is missing or meaningless.
LoadedPlan load_plan(const std::string& folder);

}  // namespace bankproof::cli
