// Threads of one warp, for claims about its accesses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "../execution/objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

inline constexpr std::uint32_t lanes_of_warp = 32;
inline constexpr unsigned lane_bits = 5;

/// The counters of all loops: the iterations in which the lanes of a warp are together.
std::vector<Term> counters_of(const Trace& trace);

/// Several threads, which are in the same iteration of each loop. They may have left an earlier
/// loop after different iterations.
///
/// If the shape of the block tells which indices the lanes of a warp have, a thread's indices are
/// terms of those of another; otherwise they are unknowns, and a statement relates them.
class Warp {
 public:
  Warp(Subject& subject, std::size_t count);

  Threads& threads() { return threads_; }
  /// The place of a thread in its warp: five bits.
  Term lane(std::size_t k) { return subject_.pool.part(threads_.number(k), 0, lane_bits); }
  /// From now on, thread k > 0 is any of the warp of thread 0, if the statements hold that are
  /// added.
  void join(std::size_t k, std::vector<Term>& statements);
  /// From now on, thread k > 0 is the one with this place in the warp of thread 0, if the block has
  /// it. Only if the lanes of warps are known.
  void take_lane(std::size_t k, std::uint32_t lane);
  bool are_lanes_known() const { return layout_ != Layout::unknown; }
  /// From now on, thread k > 0 is the lane before thread 0, if that is not the first one of its
  /// warp. Only if the lanes of a warp lie along x.
  void take_lane_before(std::size_t k);
  bool is_row() const { return layout_ == Layout::row; }

 private:
  /// Which indices the lanes of a warp have.
  enum class Layout : std::uint8_t {
    row,   // along x
    rows,  // the whole of x, a power of two, and some rows along y
    unknown
  };
  /// An axis along which threads have different indices.
  struct Axis {
    Term index{};  // an unknown
    unsigned width = 0;
  };
  std::optional<Axis> axis(char name) const;
  /// For thread k, the lowest bits of an index of thread 0 are others.
  void put_low_bits(std::size_t k, const Axis& axis, Term low);
  void put_same(std::size_t k, const std::optional<Axis>& axis);
  Layout find_layout();

  Subject& subject_;
  Threads threads_;
  std::optional<Axis> x_, y_, z_;
  unsigned x_bits_ = 0;  // of the lanes of `rows`
  Layout layout_;
};

/// Whether a generic access may be one to this space, as far as its places are known. A parameter
/// points to global memory.
inline bool may_be_in(ptx::Space space, const Inputs& inputs, const Access& access,
                      const std::optional<std::vector<Place>>& places) {
  if (access.space) return *access.space == space;
  return !places || std::any_of(places->begin(), places->end(), [&](const Place& place) {
    return inputs.object(place.object)->space.value_or(ptx::Space::global) == space;
  });
}

/// Asks whether lanes of one warp may choose different places at once, of those that `access` and
/// the accesses behind it have instead of one access; with an object, places in this object alone.
/// Each place is looked at alone.
void ask_about_choice(Subject& subject, const Access& access, Asked& asked,
                      std::optional<Term> object = {});

/// Statements that thread k makes the access.
inline void add_guard(Threads& threads, std::size_t k, const Guard& guard,
                      std::vector<Term>& statements) {
  for (const Term part : guard.parts()) statements.push_back(threads.of(k, part));
}

/// The statement that thread k makes the access, if it comes to the iteration.
Term is_active(Pool& pool, Threads& threads, std::size_t k, const Access& access);
/// The statement that the block has thread k, and what holds of it if it comes to the iteration.
Term is_there(const Subject& subject, Threads& threads, std::size_t k, const Access& access);

/// Where some threads may end before a barrier, nobody knows when the copies are made that they
/// leave under way.
inline void refuse_copies(const Trace& trace, Threads& threads, Asked& asked) {
  for (const ptx::Instruction* const copy : trace.left_under_way) {
    asked.questions.push_back(
        Question::cannot_be_asked(Unasked::under_way, {threads.participant(0, *copy)}));
  }
}

/// Thread 0 makes the access.
inline Possibility reached_by(Threads& threads, const Access& access, const Place& place) {
  Participant one = threads.participant(0, *access.instruction);
  one.object = place.object;
  one.offset = place.offset;
  return {threads.with_facts(access.guard.parts()), {one}};
}

/// Whether one of the statements is known not to hold.
inline bool is_excluded(const Pool& pool, const std::vector<Term>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [&](Term statement) { return pool.is_constant(statement, 0); });
}

}  // namespace bankproof::symbolic
