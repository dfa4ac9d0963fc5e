// A plan as it is read from a folder, to be verified: nothing in it is trusted, and nothing that
// makes or writes plans is included.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../model/units.hpp"
#include "../readers/npy.hpp"

namespace bankproof::cli {

/// i ↦ the xor of columns[k] over the bits k of i, and of the offset.
struct LoadedMap {
  std::vector<std::uint64_t> columns;
  std::uint64_t offset = 0;
};

struct LoadedPlan {
  std::string kind;  ///< banks, affine or scheduled
  std::uint64_t n = 0;
  Width width = 1;
  std::string sha256;
  std::uint64_t rows = 1;     ///< of kind scheduled
  std::uint64_t columns = 0;  ///< likewise
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
  std::optional<LoadedMap> s_map;  ///< of kind affine
  std::optional<LoadedMap> d_map;
};

/// Reads plan.json and the arrays that it names. Throws InputError for what cannot be read: no such
/// folder or file, no JSON, another format or version, a field that is missing or makes no sense, a
/// file that is truncated.
LoadedPlan load_plan(const std::string& folder);

}  // namespace bankproof::cli
