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

inline bool has_barriers(const ptx::Function& kernel) {
  for (const ptx::Statement& statement : kernel.body) {
    const auto* const i = std::get_if<ptx::Instruction>(&statement);
    if (i != nullptr && (i->base == "bar" || i->base == "barrier")) return true;
  }
  return false;
}

inline unsigned elements_of(const ptx::Instruction& i) {
  return i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
}

}  // namespace bankproof::symbolic
