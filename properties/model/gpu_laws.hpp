// Laws that the access rules of chips obey. gpu_agreement.cpp checks the laws on all chips, and
// made_up_chips.cpp checks them on made-up chips. Each law takes one access, and fails the
// property's case if the access breaks the law.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "gpu_literal.hpp"

namespace bankproof::gpu_properties {

/// Calls check(rule, literal formulation) for every rule of the chip.
void for_each_rule_of(const Chip& chip, const auto& check) {
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    if (const auto rule = shared_rule(chip, bytes)) {
      check(*rule, [=](const Elements& elements) {
        return shared_literally(chip.shared, bytes, elements);
      });
    }
    for (const std::uint32_t piece :
         {GlobalMemoryRule::sector_bytes, GlobalMemoryRule::line_bytes}) {
      if (const auto rule = global_rule(chip, bytes, piece)) {
        check(*rule,
              [=](const Elements& elements) { return pieces_literally(bytes, piece, elements); });
      }
    }
  }
}

/// The law that the canaries break: the rule counts the same stages as the literal formulation.
inline void counts_alike(AccessRule rule, const Formulation& formulation,
                         const Elements& elements) {
  RC_ASSERT(stages_of(rule, elements) == formulation(elements));
}

inline void never_beats_its_ideal(AccessRule rule, const Elements& elements) {
  const bool idle = std::all_of(elements.begin(), elements.end(),
                                [](Address element) { return element == no_request; });
  RC_ASSERT(ideal_of(rule, elements) <= stages_of(rule, elements));
  RC_ASSERT((ideal_of(rule, elements) == 0) == idle);
}

inline void serves_no_conflict_together(AccessRule rule, const Elements& elements) {
  const auto places = places_of(rule, elements);
  RC_ASSERT(places.size() == elements.size());
  // A bank serves one row at a time. A memory without banks serves one piece at a time.
  std::map<std::pair<std::uint32_t, Bank>, std::uint64_t> served;
  std::set<std::uint32_t> stages;
  for (std::size_t lane = 0; lane < places.size(); ++lane) {
    RC_ASSERT(places[lane].has_value() == (elements[lane] != no_request));
    if (!places[lane]) continue;
    stages.insert(places[lane]->stage);
    const Bank unit = conflicts_in_groups(rule) ? 0 : places[lane]->bank;
    const auto entry = served.try_emplace({places[lane]->stage, unit}, places[lane]->group).first;
    RC_ASSERT(entry->second == places[lane]->group);
  }
  RC_ASSERT(stages.size() == stages_of(rule, elements));
  // Parenthesized, because RC_ASSERT would take the expression apart and evaluate both sides.
  RC_ASSERT((stages.empty() || *stages.rbegin() + 1 == stages.size()));
}

}  // namespace bankproof::gpu_properties
