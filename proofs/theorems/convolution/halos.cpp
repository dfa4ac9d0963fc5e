// Tiles and halos of lines (rows K3 and K4, CONV 7.4 and 7.5). For every length, radius and block,
// the threads of a block load, before the barrier, all words of shared memory that they read after
// it.
#include "../../../algorithms/tiled_convolution/line.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

/// A block of t threads, a mask of radius v, and the cells that hold the halo.
struct Line {
  Query& q;
  IntTerm v = q.number("v", 0, 6);
  IntTerm t = q.number("t", 1, 4);
  IntTerm block = q.number("block", 0, 1);
  IntTerm turns = ceil_div(v, t);  ///< turns of a halo
  IntTerm stride;                  ///< cells from one turn to the next

  /// In a false twin, consecutive turns load `overlap` cells twice.
  explicit Line(Query& query, std::uint64_t overlap = 0) : q(query), stride(t - overlap) {}

  /// Whether a thread loads this cell: on_left() as a cell of the left halo, own() as a cell of the
  /// block's own elements, on_right() as a cell of the right halo.
  Truth on_left(const IntTerm& turn, const IntTerm& thread, const IntTerm& cell) const {
    return is_thread(thread) && turn >= 1 && turn <= turns &&
           left_cell(v, stride, turn, thread) == cell && cell >= 0 && cell < v;
  }
  Truth own(const IntTerm& thread, const IntTerm& cell) const {
    return is_thread(thread) && v + thread == cell && cell >= v && cell < v + t;
  }
  Truth on_right(const IntTerm& turn, const IntTerm& thread, const IntTerm& cell) const {
    return is_thread(thread) && turn >= 0 && turn < turns &&
           right_cell(v, t, turn, thread) == cell && cell >= v + t && cell < v + t + v;
  }

 private:
  Truth is_thread(const IntTerm& thread) const { return thread >= 0 && thread < t; }
};

Theorem halo_is_loaded() {
  return Theorem{
      .id = "K3.loaded",
      .source = "CONV 7.4, figure 7.11, for any radius",
      .statement =
          "each cell that a thread of the tiled kernel reads is one of the block's t + 2v, and was "
          "loaded by a thread of the block with the element that the mask wants",
      .domain = "all v, t and blocks"}
      .proof([](Query& q) {
        const Line line(q);
        const auto& [query, v, t, block, turns, stride] = line;
        const IntTerm thread = below(q, "thread", t, 3);
        const IntTerm j = q.number("j", 0, 6);
        q.assume(j <= 2 * v);
        const IntTerm cell = thread + j;
        q.claim("in bounds", cell >= 0 && cell < t + 2 * v);
        // The proof assumes that each load writes cells[k] ← N[block·t + k − v].
        const Function cells = q.function("cells");
        const auto load = [&](const Truth& loads, const IntTerm& k) {
          q.assume(implies(loads, cells(cell) == block * t + k - v));
        };
        // The turns in which this cell is loaded, if it is in the left halo or in the right halo.
        const IntTerm turn = ceil_div(v - cell, t);
        q.compare_multiples(t, 0, turn);
        q.compare_multiples(t, turns, turn - 1);
        q.multiply_by({t});
        const IntTerm of_left = cell - v + turn * t;
        const Truth on_left = line.on_left(turn, of_left, cell);
        q.claim("on the left", implies(cell < v, on_left));
        load(on_left, left_cell(v, t, turn, of_left));
        const IntTerm past = cell - v - t;
        q.compare_multiples(t, past / t, turns);
        const Truth on_right = line.on_right(past / t, past % t, cell);
        q.claim("on the right", implies(cell >= v + t, on_right));
        load(on_right, right_cell(v, t, past / t, past % t));
        const Truth own = line.own(cell - v, cell);
        q.claim("between them", implies(cell >= v && cell < v + t, own));
        load(own, v + (cell - v));
        q.claim("the element", cells(cell) == row_major(block, thread, t) + j - v);
      })
      .false_twin([](Query& q) {
        // There is only one turn, as in figure 7.11: with v = 3 and blocks of 2 threads, no
        // thread loads cell 0.
        Line line(q);
        line.v = 3;
        line.t = 2;
        line.turns = 1;
        line.stride = line.t;
        const IntTerm cell(0);
        q.claim("on the left", line.on_left(1, cell - line.v + line.t, cell));
      });
}

/// No two loads of the tiled kernel load the same cell.
Truth no_cell_twice(Query& q, const Line& line) {
  const auto loads = [&](const std::string& name, std::uint64_t in_turn, std::uint64_t by) {
    return std::pair(q.number(name, 0, in_turn), below(q, name + "_thread", line.t, by));
  };
  const auto [turn, thread] = loads("turn", 1, 0);
  const auto [other, other_thread] = loads("other", 2, 3);
  const IntTerm cell = q.number("cell", 0, 3);
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
  return Theorem{
      .id = "K3.once",
      .source = "CONV 7.4",
      .statement = "no cell of the tiled kernel is loaded twice, so that no two threads race",
      .domain = "all v, t and blocks"}
      .proof([](Query& q) { q.claim("once", no_cell_twice(q, Line(q))); })
      .false_twin([](Query& q) {
        // Turns 1 and 2 of the left halo both load cell 3, with v = 6 and t = 4.
        q.claim("once", no_cell_twice(q, Line(q, 1)));
      });
}

/// An element that the mask wants for a thread, in the kernel whose blocks load only their own
/// elements. If the wanted element is beyond an end of the line, the thread takes the nearest
/// element.
struct OwnElements {
  IntTerm length;
  IntTerm t;
  IntTerm block;
  IntTerm wanted;
  IntTerm nearest = larger(0, smaller(wanted, length - 1));
  IntTerm cell = nearest - row_major(block, 0, t);

  /// Whether the thread reads the element in shared memory, which has `cells` cells.
  Truth is_here(const IntTerm& cells) const { return cell >= 0 && cell < cells; }
  /// Whether a thread of the block loads this cell. Threads without an output load nothing.
  Truth is_loaded() const { return cell >= 0 && cell < t && row_major(block, cell, t) < length; }
};

Theorem halo_is_read_again() {
  return Theorem{
      .id = "K4.loaded",
      .source = "CONV 7.5, figure 7.14, for any length and radius",
      .statement =
          "each cell that a thread of the simpler tiled kernel reads is one of the block's t, and "
          "was loaded by a thread of the block with the element that the mask wants; what the "
          "thread reads in global memory instead is an element of another block",
      .domain = "all lengths, v, t and blocks"}
      .proof([](Query& q) {
        const auto [length, v, t, block] =
            q.numbers({{"n", 1, 10}, {"v", 0, 2}, {"t", 1, 4}, {"block", 0, 1}});
        const IntTerm thread = below(q, "thread", t, 3);
        const IntTerm j = q.number("j", 0, 4);
        const IntTerm i = row_major(block, thread, t);
        q.assume(j <= 2 * v && i < length);
        const OwnElements of{length, t, block, i + j - v};
        q.claim("in bounds", of.nearest >= 0 && of.nearest < length);
        q.claim("what is wanted",
                implies(of.wanted >= 0 && of.wanted < length, of.nearest == of.wanted));
        q.claim("loaded", implies(of.is_here(t), of.is_loaded()));
        // The proof assumes that each load writes cells[k] ← N[block·t + k].
        const Function cells = q.function("cells");
        q.assume(implies(of.is_loaded(), cells(of.cell) == row_major(block, of.cell, t)));
        q.claim("the element", implies(of.is_here(t), cells(of.cell) == of.nearest));
        const IntTerm first = row_major(block, 0, t);
        q.claim("of another block",
                implies(!of.is_here(t), of.nearest < first || of.nearest >= first + t));
      })
      .false_twin([](Query& q) {
        // With one cell more than threads, no thread loads the last cell: N[4] for block 0 of 4
        // threads.
        const IntTerm t(4);
        const OwnElements of{10, t, 0, 4};
        q.claim("loaded", implies(of.is_here(t + 1), of.is_loaded()));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_halos() {
  return {halo_is_loaded(), halo_is_loaded_once(), halo_is_read_again()};
}

}  // namespace bankproof::proofs
