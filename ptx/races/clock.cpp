// Clocks as binary tries over warp numbers in which each inner node has two children (Patricia
// tries).
#include "clock.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace bankproof::ptx {

struct Clock::Node {
  // In a branch, `bit` is the bit in which the two children differ, and `warp` has the bits above
  // it, which all warps below the branch share. In a leaf, `warp` is the number of the warp, and
  // `bit` is 0. A branch without children knows all that the warps below it ever did.
  WarpNumber warp = 0;
  std::uint32_t bit = 0;
  std::array<std::shared_ptr<const Node>, 2> child;
  std::unique_ptr<const LaneEpochs> epochs;

  bool is_whole() const { return bit != 0 && child[0] == nullptr; }
  std::uint32_t side(WarpNumber of) const { return (of & bit) != 0 ? 1 : 0; }
  bool holds(WarpNumber of) const {
    return bit == 0 ? of == warp : ((of ^ warp) & ~(2 * bit - 1)) == 0;
  }
};

namespace {

using Node = Clock::Node;
using Tree = std::shared_ptr<const Node>;

Tree leaf(WarpNumber warp, const LaneEpochs& epochs) {
  return std::make_shared<Node>(Node{
      .warp = warp, .bit = 0, .child = {}, .epochs = std::make_unique<const LaneEpochs>(epochs)});
}

Tree branch(WarpNumber prefix, std::uint32_t bit, Tree zero, Tree one) {
  return std::make_shared<Node>(Node{
      .warp = prefix, .bit = bit, .child = {std::move(zero), std::move(one)}, .epochs = nullptr});
}

/// A copy of the node with another child.
Tree with_child(const Node& node, std::uint32_t side, Tree child) {
  std::array<Tree, 2> children = node.child;
  children[side] = std::move(child);
  return branch(node.warp, node.bit, std::move(children[0]), std::move(children[1]));
}

/// Joins two trees, neither of which belongs into the other.
Tree beside(const Tree& a, const Tree& b) {
  const std::uint32_t bit = std::bit_floor(a->warp ^ b->warp);
  const WarpNumber prefix = a->warp & ~(2 * bit - 1);
  return (a->warp & bit) == 0 ? branch(prefix, bit, a, b) : branch(prefix, bit, b, a);
}

Tree join_leaves(const Tree& a, const Tree& b) {
  LaneEpochs epochs{};
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    epochs[lane] = std::max((*a->epochs)[lane], (*b->epochs)[lane]);
  }
  if (epochs == *a->epochs) return a;
  if (epochs == *b->epochs) return b;
  return leaf(a->warp, epochs);
}

Tree join(const Tree& a, const Tree& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (a->bit < b->bit) return join(b, a);
  if (!a->holds(b->warp)) return beside(a, b);
  if (a->is_whole()) return a;
  if (a->bit == 0) return join_leaves(a, b);
  if (a->bit > b->bit) {
    const std::uint32_t side = a->side(b->warp);
    Tree child = join(a->child[side], b);
    return child == a->child[side] ? a : with_child(*a, side, std::move(child));
  }
  if (b->is_whole()) return b;
  Tree zero = join(a->child[0], b->child[0]);
  Tree one = join(a->child[1], b->child[1]);
  if (zero == a->child[0] && one == a->child[1]) return a;
  if (zero == b->child[0] && one == b->child[1]) return b;
  return branch(a->warp, a->bit, std::move(zero), std::move(one));
}

constexpr LaneEpochs filled(Epoch epoch) {
  LaneEpochs epochs{};
  for (Epoch& one : epochs) one = epoch;
  return epochs;
}

const LaneEpochs* find(const Node* node, WarpNumber warp) {
  static constexpr LaneEpochs all = filled(latest_epoch);
  while (node != nullptr && node->bit != 0) {
    if (node->is_whole()) return node->holds(warp) ? &all : nullptr;
    node = node->holds(warp) ? node->child[node->side(warp)].get() : nullptr;
  }
  return node != nullptr && node->warp == warp ? node->epochs.get() : nullptr;
}

}  // namespace

Clock::Clock(WarpNumber warp, const LaneEpochs& epochs) : root_(leaf(warp, epochs)) {}

Epoch Clock::of(WarpNumber warp, std::uint32_t lane) const {
  const LaneEpochs* epochs = find(root_.get(), warp);
  return epochs == nullptr ? 0 : (*epochs)[lane];
}

Epoch Clock::of_all_lanes(WarpNumber warp) const {
  const LaneEpochs* epochs = find(root_.get(), warp);
  return epochs == nullptr ? 0 : *std::min_element(epochs->begin(), epochs->end());
}

Clock Clock::of_warps(WarpNumber first, WarpNumber end) {
  Tree tree;
  while (first < end) {
    // The largest aligned piece that begins at `first`.
    const WarpNumber most = std::bit_floor(end - first);
    const WarpNumber size = first == 0 ? most : std::min(most, first & (0U - first));
    tree = join(tree, size == 1 ? leaf(first, filled(latest_epoch))
                                : branch(first, size / 2, nullptr, nullptr));
    first += size;
  }
  return Clock(std::move(tree));
}

Clock Clock::joined(const Clock& other) const { return Clock(join(root_, other.root_)); }

}  // namespace bankproof::ptx
