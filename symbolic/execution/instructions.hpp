// What several sources ask of an instruction.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "../../ptx/syntax/syntax.hpp"
#include "../../ptx/syntax/types.hpp"

namespace bankproof::symbolic {

inline std::optional<ptx::Space> space_of(const ptx::Instruction& i) {
  for (const std::string& modifier : i.modifiers) {
    if (const auto found = ptx::space_named(modifier)) return found;
  }
  return std::nullopt;
}

inline const ptx::FundamentalType* last_type(const ptx::Instruction& i) {
  for (std::size_t k = i.modifiers.size(); k-- > 0;) {
    if (const auto* const type = ptx::find_type(i.modifiers[k])) return type;
  }
  return nullptr;
}

/// Whether the lanes of a warp execute the instruction together.
inline bool is_meeting(const ptx::Instruction& i) {
  return i.has("sync") &&
         (i.base == "shfl" || i.base == "vote" || i.base == "match" || i.base == "redux" ||
          i.base == "elect" || i.base == "mma" || i.base == "ldmatrix");
}
/// Whether threads come together in the kernel.
inline bool has_barriers(const ptx::Function& kernel) {
  for (const ptx::Statement& statement : kernel.body) {
    const auto* const i = std::get_if<ptx::Instruction>(&statement);
    if (i == nullptr) continue;
    if (i->base == "bar" || i->base == "barrier" || is_meeting(*i)) return true;
  }
  return false;
}

inline unsigned elements_of(const ptx::Instruction& i) {
  return i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
}

}  // namespace bankproof::symbolic
