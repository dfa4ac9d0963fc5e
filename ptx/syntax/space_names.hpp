// The state spaces and how they are written (PTX ISA, "State Spaces").
//
// A name with `::`, such as shared::cluster, names a part of a space. Here each block is a cluster
// of its own, so shared::cluster is the shared memory of the block.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankproof::ptx {

enum class Space : std::uint8_t { global, shared, constant, local, param };

struct SpaceName {
  std::string_view name;  // without its dot
  Space space;
};
/// For each space, the name that declarations use comes first.
inline constexpr std::array<SpaceName, 9> space_names{{{"global", Space::global},
                                                       {"shared", Space::shared},
                                                       {"const", Space::constant},
                                                       {"local", Space::local},
                                                       {"param", Space::param},
                                                       {"shared::cta", Space::shared},
                                                       {"shared::cluster", Space::shared},
                                                       {"param::entry", Space::param},
                                                       {"param::func", Space::param}}};

/// The space that an instruction's modifier names.
constexpr std::optional<Space> space_named(std::string_view modifier) {
  for (const SpaceName& known : space_names) {
    if (known.name == modifier) return known.space;
  }
  return std::nullopt;
}

/// The state space that a directive such as `.shared` gives to variables.
constexpr std::optional<Space> space_of_directive(std::string_view directive) {
  const bool is_whole = directive.find(':') == std::string_view::npos;
  if (!directive.starts_with('.') || !is_whole) return std::nullopt;
  return space_named(directive.substr(1));
}

constexpr std::string_view name_of(Space space) {
  for (const SpaceName& known : space_names) {
    if (known.space == space) return known.name;
  }
  return {};
}

}  // namespace bankproof::ptx
