// Finds loops by dominators; see loops.hpp.
#include "loops.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bankproof::symbolic {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The blocks that can be reached, in reverse postorder: without edges back, an order in which each
/// block comes behind its predecessors.
std::vector<std::size_t> reverse_postorder(const ptx::Flow& flow) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> next(flow.blocks.size());
  std::vector<bool> met(flow.blocks.size());
  std::vector<std::size_t> path{0};
  met[0] = true;
  while (!path.empty()) {
    const std::size_t block = path.back();
    const auto& successors = flow.blocks[block].successors;
    if (next[block] == successors.size()) {
      order.push_back(block);
      path.pop_back();
    } else if (const std::size_t to = successors[next[block]++]; !met[to]) {
      met[to] = true;
      path.push_back(to);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Immediate dominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001).
class Dominators {
 public:
  Dominators(const ptx::Flow& flow, const std::vector<std::size_t>& order)
      : place_(flow.blocks.size(), none), immediate_(flow.blocks.size(), none) {
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
    std::vector<std::vector<std::size_t>> predecessors(flow.blocks.size());
    for (const std::size_t block : order) {
      for (const std::size_t to : flow.blocks[block].successors) predecessors[to].push_back(block);
    }
    immediate_[0] = 0;
    for (bool changes = true; changes;) {
      changes = false;
      for (const std::size_t block : order) {
        if (block == 0) continue;
        std::size_t found = none;
        for (const std::size_t from : predecessors[block]) {
          if (immediate_[from] == none) continue;
          found = found == none ? from : common(from, found);
        }
        changes = changes || immediate_[block] != found;
        immediate_[block] = found;
      }
    }
  }

  bool dominates(std::size_t a, std::size_t b) const {
    while (place_[b] > place_[a]) b = immediate_[b];
    return a == b;
  }

 private:
  std::size_t common(std::size_t a, std::size_t b) const {
    while (a != b) {
      while (place_[a] > place_[b]) a = immediate_[a];
      while (place_[b] > place_[a]) b = immediate_[b];
    }
    return a;
  }

  std::vector<std::size_t> place_;
  std::vector<std::size_t> immediate_;
};

}  // namespace

std::optional<Loops> loops_of(const ptx::Flow& flow) {
  Loops found;
  found.order = reverse_postorder(flow);
  const Dominators dominators(flow, found.order);
  std::vector<std::size_t> place(flow.blocks.size(), none);
  for (std::size_t i = 0; i < found.order.size(); ++i) place[found.order[i]] = i;
  std::vector<std::vector<std::size_t>> predecessors(flow.blocks.size());
  std::vector<std::vector<std::size_t>> ends(flow.blocks.size());  // by header
  for (const std::size_t block : found.order) {
    for (const std::size_t to : flow.blocks[block].successors) {
      predecessors[to].push_back(block);
      if (place[to] > place[block]) continue;
      if (!dominators.dominates(to, block)) return std::nullopt;
      ends[to].push_back(block);
    }
  }
  found.of.resize(flow.blocks.size());
  // An outer header comes first in the order.
  for (const std::size_t header : found.order) {
    if (ends[header].empty()) continue;
    std::vector<bool> inside(flow.blocks.size());
    inside[header] = true;
    std::vector<std::size_t> waiting = ends[header];
    while (!waiting.empty()) {
      const std::size_t block = waiting.back();
      waiting.pop_back();
      if (inside[block]) continue;
      inside[block] = true;
      waiting.insert(waiting.end(), predecessors[block].begin(), predecessors[block].end());
    }
    Loop loop{.header = header, .blocks = {}, .parent = found.of[header]};
    for (std::size_t block = 0; block < inside.size(); ++block) {
      if (!inside[block]) continue;
      loop.blocks.push_back(block);
      found.of[block] = found.loops.size();
    }
    found.loops.push_back(std::move(loop));
  }
  return found;
}

}  // namespace bankproof::symbolic
