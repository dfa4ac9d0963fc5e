// Splits a regular bipartite multigraph into up to 64 regular graphs of nearly equal degree, in
// about the time it takes to read and write the graph once.
//
// The left nodes are taken in turn. Every right node knows how many edges each group still wants
// from it, and which groups want most. An edge goes to a group with room at its left node, among
// the groups that want the most edges from its right node. If there is no such group, it goes to
// any group with room at both ends. If there is no such group either, another edge of the same left
// node moves to another group and makes room. This suffices for all but the last few left nodes.
// For these, earlier left nodes exchange edges. Say v has no room in group x, and u has none in
// group y. Some edge (u', v) in x goes to y, and in return an edge (u', w) in y goes to x, if w has
// room there; otherwise the search goes on from w in place of v.
//
// The searches have a budget. The budget may run out, for example if each node has few neighbors.
// Then the graph is not split into groups, and halving.hpp has to halve it.
//
// Example: degree 128 gives two groups of 64. The first node's edges are 0–0, 0–1, 0–2, …: the
// first goes to group 0, the second to group 1, and so on.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "edges.hpp"

namespace bankproof::detail {

/// Splits graphs, one after another.
template <class Index>
class Grouping {
 public:
  /// Writes the groups to `out`, one after the other; group g has the degree degree_of(g). Returns
  /// false if the budget ran out; `graph` is then unchanged.
  bool split(const Edges<Index>& graph, const Edges<Index>& out, unsigned groups) {
    begin(graph, out, groups);
    for (std::uint64_t u = 0; u < graph.nodes; ++u) {
      if (!place_edges_of(u)) return false;
    }
    return true;
  }

  std::uint64_t groups() const { return groups_.size(); }
  std::uint64_t first_of(std::uint64_t group) const { return first_[group]; }
  std::uint64_t degree_of(std::uint64_t group) const { return groups_[group].degree; }

 private:
  using GroupSet = std::uint64_t;
  static GroupSet bit(unsigned group) { return GroupSet{1} << group; }

  void begin(const Edges<Index>& graph, const Edges<Index>& out, unsigned groups) {
    graph_ = graph;
    groups_.clear();
    first_.clear();
    for (std::uint64_t g = 0, first = 0; g < groups; ++g) {
      const std::uint64_t degree = graph.degree / groups + (g < graph.degree % groups ? 1 : 0);
      groups_.push_back(out.part(first, degree));
      first_.push_back(first);
      first += degree;
    }
    room_.resize(graph.nodes * groups);
    for (std::uint64_t v = 0; v < graph.nodes; ++v) {
      for (unsigned g = 0; g < groups; ++g) room(v, g) = static_cast<Index>(degree_of(g));
    }
    hungriest_.assign(graph.nodes, hungriest_of(0));
    budget_ = 4 * graph.all.size();
    turn_ = 0;
  }

  Index& room(std::uint64_t right, unsigned group) { return room_[right * groups_.size() + group]; }

  /// The groups that want the most edges from a right node.
  GroupSet hungriest_of(std::uint64_t right) {
    const Index most = *std::max_element(&room(right, 0), &room(right, 0) + groups_.size());
    GroupSet result = 0;
    for (unsigned g = 0; g < groups_.size() && most > 0; ++g) {
      if (room(right, g) == most) result |= bit(g);
    }
    return result;
  }

  /// The groups that want any edge from a right node.
  GroupSet hungry(std::uint64_t right) {
    GroupSet result = 0;
    for (unsigned g = 0; g < groups_.size(); ++g) {
      if (room(right, g) > 0) result |= bit(g);
    }
    return result;
  }

  void take_room(std::uint64_t right, unsigned group) {
    --room(right, group);
    if ((hungriest_[right] &= ~bit(group)) == 0) hungriest_[right] = hungriest_of(right);
  }

  bool place_edges_of(std::uint64_t u) {
    placed_.fill(0);
    open_ = groups_.size() == 64 ? ~GroupSet{0} : bit(static_cast<unsigned>(groups_.size())) - 1;
    for (const Edge<Index>& edge : graph_.of(u)) {
      const GroupSet common = hungriest_[edge.target] & open_;
      if (common != 0) [[likely]] {
        const GroupSet later = common >> turn_ << turn_;
        const auto group = static_cast<unsigned>(std::countr_zero(later != 0 ? later : common));
        turn_ = (group + 1) % 64;
        take_room(edge.target, group);
        put(u, edge, group);
      } else if (!put_anywhere(u, edge) && !move_aside(u, edge) && !exchange_rows(u, edge)) {
        return false;
      }
    }
    return true;
  }

  void put(std::uint64_t u, const Edge<Index>& edge, unsigned group) {
    groups_[group].of(u)[placed_[group]] = edge;
    if (++placed_[group] == degree_of(group)) open_ ^= bit(group);
  }

  /// Puts the edge in any group with room at both ends.
  bool put_anywhere(std::uint64_t u, const Edge<Index>& edge) {
    const GroupSet common = hungry(edge.target) & open_;
    if (common == 0) return false;
    const auto group = static_cast<unsigned>(std::countr_zero(common));
    take_room(edge.target, group);
    put(u, edge, group);
    return true;
  }

  /// Puts the edge in the place of another edge of u, and moves that edge to another group with
  /// room.
  bool move_aside(std::uint64_t u, const Edge<Index>& edge) {
    for (GroupSet wanted = hungry(edge.target); wanted != 0; wanted &= wanted - 1) {
      const auto y = static_cast<unsigned>(std::countr_zero(wanted));
      for (std::uint64_t k = 0; k < placed_[y]; ++k) {
        Edge<Index>& other = groups_[y].of(u)[k];
        const GroupSet common = hungry(other.target) & open_;
        if (common == 0) continue;
        const auto x = static_cast<unsigned>(std::countr_zero(common));
        take_room(other.target, x);
        ++room(other.target, y);
        hungriest_[other.target] = hungriest_of(other.target);
        take_room(edge.target, y);
        put(u, std::exchange(other, edge), x);
        return true;
      }
    }
    return false;
  }

  /// One step of a search. Edge `x_place` of left node `left` changes places with its edge
  /// `y_place`. After the change, the right node of step `before` has room for one more edge in x,
  /// and the right node `right` has room for one edge less in x.
  struct Step {
    Index right;
    std::size_t before = 0;  ///< the step that reached `right`
    std::uint64_t left = 0;
    std::uint64_t x_place = 0;
    std::uint64_t y_place = 0;
  };

  /// Makes earlier left nodes exchange edges between groups x and y, and puts the edge in group x.
  bool exchange_rows(std::uint64_t u, const Edge<Index>& edge) {
    const auto x = static_cast<unsigned>(std::countr_zero(open_));
    for (GroupSet wanted = hungry(edge.target); wanted != 0; wanted &= wanted - 1) {
      const auto y = static_cast<unsigned>(std::countr_zero(wanted));
      if (!search(u, edge.target, x, y)) continue;
      for (std::size_t step = steps_.size() - 1; step != 0; step = steps_[step].before) {
        const Step& s = steps_[step];
        std::swap(groups_[x].of(s.left)[s.x_place], groups_[y].of(s.left)[s.y_place]);
      }
      const Index end = steps_.back().right;
      ++room(end, y);
      take_room(end, x);
      hungriest_[end] = hungriest_of(end);
      take_room(edge.target, y);
      put(u, edge, x);
      return true;
    }
    return false;
  }

  /// Searches breadth first from `start`; the last of steps_ reaches a right node with room in x.
  bool search(std::uint64_t u, Index start, unsigned x, unsigned y) {
    reached_.assign(graph_.nodes, false);
    reached_[start] = true;
    steps_.clear();
    steps_.push_back({start});
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (std::uint64_t left = u; left-- > 0;) {
        const auto in_x = groups_[x].of(left);
        if (budget_ < in_x.size()) return false;
        budget_ -= in_x.size();
        const std::uint64_t x_place = place_of(in_x, steps_[step].right);
        if (x_place == in_x.size()) continue;
        const auto in_y = groups_[y].of(left);
        for (std::uint64_t y_place = 0; y_place < in_y.size(); ++y_place) {
          const Index next = in_y[y_place].target;
          if (reached_[next]) continue;
          reached_[next] = true;
          steps_.push_back({next, step, left, x_place, y_place});
          if (room(next, x) > 0) return true;
        }
      }
    }
    return false;
  }

  /// The place of an edge to `target`; the number of edges if there is none.
  static std::uint64_t place_of(std::span<const Edge<Index>> edges, Index target) {
    unsigned found = 0;  // without an early exit the loop is vectorized
    for (const Edge<Index>& edge : edges) found |= static_cast<unsigned>(edge.target == target);
    if (found == 0) return edges.size();
    return static_cast<std::uint64_t>(
        std::find_if(edges.begin(), edges.end(),
                     [&](const Edge<Index>& edge) { return edge.target == target; }) -
        edges.begin());
  }

  Edges<Index> graph_{};
  std::vector<Edges<Index>> groups_;
  std::vector<std::uint64_t> first_;  ///< by group: the colors of the groups before it
  std::vector<Index> room_;           ///< [right node, group]: edges that the group still wants
  std::vector<GroupSet> hungriest_;   ///< by right node
  std::array<std::uint64_t, 64> placed_{};  ///< by group: edges of the current left node
  GroupSet open_ = 0;                       ///< groups with room at the current left node
  unsigned turn_ = 0;
  std::uint64_t budget_ = 0;
  std::vector<bool> reached_;
  std::vector<Step> steps_;
};

}  // namespace bankproof::detail
