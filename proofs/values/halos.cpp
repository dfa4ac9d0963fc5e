// Tiles and halos of lines (rows K3 and K4, CONV 7.4 and 7.5), for every length, radius and block:
// what a thread reads in shared memory was loaded there, by its block, before the barrier.
#include "../../algorithms/tiled_convolution/line.hpp"
#include "../parameters.hpp"
#include "values.hpp"

namespace bankproof::proofs {
namespace {

/// A block of t threads, a mask of radius v, and where the halo's cells are loaded.
struct Line {
  Query& q;
  IntTerm v;
  IntTerm t;
  IntTerm block;
  IntTerm turns;  ///< of a halo

  explicit Line(Query& query)
      : q(query),
        v(q.number("v", 0, 3)),
        t(q.number("t", 1, 4)),
        block(q.number("block", 0, 1)),
        turns(ceil_div(v, t)) {}

  /// Whether a thread loads this cell of the halo on the left, its own elements, that on the right.
  Truth on_left(const IntTerm& turn, const IntTerm& thread, const IntTerm& cell) const {
    return is_thread(thread) && turn >= IntTerm(1) && turn <= turns &&
           left_cell(v, t, turn, thread) == cell && cell >= IntTerm(0) && cell < v;
  }
  Truth own(const IntTerm& thread, const IntTerm& cell) const {
    return is_thread(thread) && v + thread == cell && cell >= v && cell < v + t;
  }
  Truth on_right(const IntTerm& turn, const IntTerm& thread, const IntTerm& cell) const {
    return is_thread(thread) && turn >= IntTerm(0) && turn < turns &&
           right_cell(v, t, turn, thread) == cell && cell >= v + t && cell < v + t + v;
  }

 private:
  Truth is_thread(const IntTerm& thread) const { return thread >= IntTerm(0) && thread < t; }
};

Theorem halo_is_loaded() {
  return {.id = "K3.loaded",
          .source = "CONV 7.4, figure 7.11, for any radius",
          .statement =
              "each cell that a thread of the tiled kernel reads is one of the block's t + 2v, was "
              "loaded by a thread of the block, and holds the element that the mask wants",
          .domain = "all v, t and blocks",
          .proof =
              [](Query& q) {
                const Line line(q);
                const auto& [query, v, t, block, turns] = line;
                const IntTerm thread = below(q, "thread", t, 3);
                const IntTerm j = q.number("j", 0, 6);
                q.assume(j <= IntTerm(2) * v);
                const IntTerm cell = thread + j;
                q.prove("in bounds", cell >= IntTerm(0) && cell < t + IntTerm(2) * v);
                // The cell is of the left halo, or the right one, in these turns.
                const IntTerm turn = ceil_div(v - cell, t);

                q.compare_multiples(t, IntTerm(0), turn);
                q.compare_multiples(t, turns, turn - IntTerm(1));
                q.multiply_by({t});
                q.prove("on the left",
                        implies(cell < v, line.on_left(turn, cell - v + turn * t, cell)));
                const IntTerm past = cell - v - t;
                q.compare_multiples(t, past / t, turns);
                q.prove("on the right",
                        implies(cell >= v + t, line.on_right(past / t, past % t, cell)));
                q.prove("between them",
                        implies(cell >= v && cell < v + t, line.own(cell - v, cell)));
                const IntTerm first = block * t - v;
                q.prove("the element", first + cell == (block * t + thread) + j - v);
              },
          .false_twin =
              [](Query& q) {
                // In one turn, as figure 7.11 has it: with v = 3 and blocks of 2, cell 0.
                Line line(q);
                line.v = IntTerm(3);
                line.t = IntTerm(2);
                line.turns = IntTerm(1);
                const IntTerm cell(0);
                q.prove("on the left", line.on_left(IntTerm(1), cell - line.v + line.t, cell));
              }};
}

/// Two loads of the tiled kernel.
Truth no_cell_twice(Query& q, const Line& line) {
  const auto loads = [&](const std::string& name, std::uint64_t example) {
    return std::pair(q.number(name, 0, example), below(q, name + "_thread", line.t, 1));
  };
  const auto [turn, thread] = loads("turn", 1);
  const auto [other, other_thread] = loads("other", 2);
  const IntTerm cell = q.number("cell", 0, 1);
  q.compare_multiples(line.t, turn, other);
  const Truth same = turn == other && thread == other_thread;
  const Truth left =
      implies(line.on_left(turn, thread, cell) && line.on_left(other, other_thread, cell), same);
  const Truth right =
      implies(line.on_right(turn, thread, cell) && line.on_right(other, other_thread, cell), same);
  const Truth apart =
      !(line.on_left(turn, thread, cell) && line.own(other_thread, cell)) &&
      !(line.own(thread, cell) && line.on_right(other, other_thread, cell)) &&
      !(line.on_left(turn, thread, cell) && line.on_right(other, other_thread, cell));
  return left && right && apart;
}

Theorem halo_is_loaded_once() {
  return {.id = "K3.once",
          .source = "CONV 7.4",
          .statement = "no cell of the tiled kernel is loaded twice, so that no two threads race",
          .domain = "all v, t and blocks",
          .proof = [](Query& q) { q.prove("once", no_cell_twice(q, Line(q))); },
          .false_twin =
              [](Query& q) {
                // With cells of the left halo that reach as far as v + t.
                const Line line(q);
                const IntTerm thread = below(q, "thread", line.t, 3);
                const IntTerm other = below(q, "other", line.t, 0);
                q.prove("once", left_cell(line.v, line.t, IntTerm(1), thread) !=
                                    line.v + other - IntTerm(1));
              }};
}

/// An element that thread i of a block reads, when only the block's own are in shared memory;
/// wrongly, one past the block's counts as its own.
Truth is_read_where_it_is(Query& q, std::uint64_t more) {
  const IntTerm length = q.number("length", 1, 9);
  const IntTerm t = q.number("t", 1, 4);
  const IntTerm first = q.number("block", 0, 1) * t;
  const IntTerm element = below(q, "element", length, more == 0 ? 6 : 8);
  const IntTerm cell = element - first;
  const Truth here = cell >= IntTerm(0) && cell < t + IntTerm(more);
  // Thread u of the block loads element first + u to cell u, where there is one.
  const IntTerm& loader = cell;
  const Truth loaded =
      loader >= IntTerm(0) && loader < t && first + loader < length && first + loader == element;
  return implies(here, loaded) && implies(!here, element >= IntTerm(0) && element < length);
}

Theorem own_cells() {
  return {.id = "K4.loaded",
          .source = "CONV 7.5, figure 7.14",
          .statement =
              "where the simpler tiled kernel reads an element in shared memory, a thread of the "
              "block has loaded it; where it does not, the element is one of the array",
          .domain = "all lengths, t, blocks, masks and ghost cells",
          .proof = [](Query& q) { q.prove("loaded", is_read_where_it_is(q, 0)); },
          .false_twin = [](Query& q) { q.prove("loaded", is_read_where_it_is(q, 1)); }};
}

}  // namespace

std::vector<Theorem> theorems_on_halos() {
  return {halo_is_loaded(), halo_is_loaded_once(), own_cells()};
}

}  // namespace bankproof::proofs
