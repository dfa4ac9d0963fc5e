// The oracle of races: compares all pairs of accesses, address by address.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "program.hpp"

namespace bankproof::cuda::tests {

class AllAccesses {
 public:
  using Found = std::set<std::pair<Node, std::uint64_t>>;  // an earlier operation, an address

  /// The races of an access with all earlier ones.
  Found add(const ProgramGraph& graph, Node node, const Touch& touch) {
    const std::set<Node> before = graph.before(node);
    Found found;
    for (std::uint64_t address = touch.begin; address < touch.end; ++address) {
      auto& earlier = made_[address];
      for (const auto& [other, kind] : earlier) {
        const bool ordered = other == node || before.count(other) != 0;
        const bool may_race = touch.frees || kind == AccessKind::write ||
                              touch.kind == AccessKind::write || kind != touch.kind;
        if (!ordered && may_race) found.insert({other, address});
      }
      if (touch.frees) {
        earlier.clear();
      } else {
        earlier.emplace_back(node, touch.kind);
      }
    }
    return found;
  }

 private:
  std::map<std::uint64_t, std::vector<std::pair<Node, AccessKind>>> made_;
};

}  // namespace bankproof::cuda::tests
