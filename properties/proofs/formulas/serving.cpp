// The closed form of the access rules counts the same stages as the rules.
#include "../../../proofs/formulas/serving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "../../../testing/property.hpp"
#include "rules.hpp"

namespace bankproof::formulas {
namespace {

/// Counts the stages if `lanes` lanes form a phase: each phase takes the number of rows in its
/// fullest bank.
std::uint64_t stages_of_phases(const Serving& serving, const std::vector<Address>& elements,
                               Width lanes) {
  std::map<std::pair<std::uint64_t, std::uint64_t>,
           std::map<std::uint64_t, std::set<std::uint64_t>>>
      phases;
  for (std::size_t lane = 0; lane < elements.size(); ++lane) {
    for (std::uint32_t turn = 0; turn < serving.turns; ++turn) {
      const std::uint64_t word = (elements[lane] * serving.multiply + turn) / serving.divide;
      const std::uint64_t bank = serving.by_rows ? 0 : word % serving.banks;
      phases[{lane / lanes, turn}][bank].insert(word / serving.row);
    }
  }
  std::uint64_t stages = 0;
  for (const auto& [phase, banks] : phases) {
    std::size_t fullest = 0;
    for (const auto& [bank, rows] : banks) fullest = std::max(fullest, rows.size());
    stages += fullest;
  }
  return stages * serving.repeats;
}

bool partners_agree(const std::vector<Address>& elements, std::size_t distance) {
  for (std::size_t lane = 0; lane < elements.size(); ++lane) {
    const std::size_t partner = lane ^ distance;
    if (partner < elements.size() && elements[lane] != elements[partner]) return false;
  }
  return true;
}

BANKPROOF_PROPERTY(Serving, counts_the_stages_of_the_rules, (const RuleCase& drawn)) {
  AccessRule rule = drawn.rule();
  const auto address = rc::gen::oneOf(
      rc::gen::inRange<Address>(0, 8), rc::gen::inRange<Address>(0, 256),
      rc::gen::map(rc::gen::inRange<Address>(0, 8), [](Address a) { return 32 * a; }));
  const auto lanes = *rc::gen::inRange<std::size_t>(1, width_of(rule) + std::size_t{1});
  auto elements = *rc::gen::container<std::vector<Address>>(lanes, address);
  if (*rc::gen::inRange(0, 3) == 0) {  // partners share an element
    for (std::size_t lane = 0; lane < lanes; ++lane)
      elements[lane] = elements[lane & ~std::size_t{1}];
  }
  const Serving serving = serving_of(rule);
  const bool merged = partners_agree(elements, 1) || partners_agree(elements, 2);
  RC_ASSERT(stages_of_phases(serving, elements, merged ? serving.merged_lanes : serving.lanes) ==
            stages_of(rule, elements));
}

}  // namespace
}  // namespace bankproof::formulas
