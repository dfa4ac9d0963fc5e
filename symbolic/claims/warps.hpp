// Threads of one warp, for claims about its accesses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

inline constexpr std::uint32_t lanes_of_warp = 32;
inline constexpr unsigned lane_bits = 5;

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
  /// From now on, thread k > 0 is the one before thread `of`, or the one behind it, if the
  /// statement holds; thread `of` has one there in its warp.
  Term neighbor(std::size_t k, std::size_t of, bool is_before);

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

/// Statements that thread k makes the access.
inline void add_guard(Threads& threads, std::size_t k, const Guard& guard,
                      std::vector<Term>& statements) {
  for (const Term part : guard.parts()) statements.push_back(threads.of(k, part));
}

/// Whether one of the statements is known not to hold.
inline bool is_excluded(const Pool& pool, const std::vector<Term>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [&](Term statement) { return pool.is_constant(statement, 0); });
}

}  // namespace bankproof::symbolic
