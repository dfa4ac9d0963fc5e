// Accesses of every s-th word: the threads of a warp have words first, first + s, first + 2s, …
#pragma once

#include "../../../algorithms/layout.hpp"
#include "../../builder/parameters.hpp"

namespace bankproof::proofs {

/// A full warp's access of stride s ≥ 1.
struct StridedAccess {
  Query& q;
  IntTerm w = width(q);
  IntTerm s;
  IntTerm first = q.number("first", 0, 5);
  CommonDivisor divisor = q.divisor(s, w);  ///< of s and w

  StridedAccess(Query& query, std::uint64_t example) : q(query), s(q.number("s", 1, example)) {}

  IntTerm word(const IntTerm& lane) const { return row_major(lane, first, s); }
};

/// Two threads of the access.
struct StridedLanes : StridedAccess {
  struct Example {
    std::uint64_t s;
    std::uint64_t one;
    std::uint64_t other;
  };

  IntTerm one;
  IntTerm other;

  StridedLanes(Query& query, const Example& example)
      : StridedAccess(query, example.s),
        one(below(q, "one", w, example.one)),
        other(below(q, "other", w, example.other)) {
    q.assume(one != other);
  }

  Truth in_different_banks() const { return word(one) % w != word(other) % w; }
  IntTerm distance() const { return other - one; }

  /// The distance of the two threads in units of w/g, if their words are in one bank. Write s =
  /// g·s′, w = g·w′ and 1 = s′x + w′y. The distance of the words is a multiple m of w, so
  /// distance·s′ = m·w′, and distance = distance·(s′x + w′y) = w′(mx + distance·y).
  IntTerm periods() const {
    const auto& [g, s_part, w_part, x, y] = divisor;
    const IntTerm m = word(other) / w - word(one) / w;
    const IntTerm one_part = s_part * x + w_part * y;
    q.multiply_equals(x, s, g * s_part);
    q.multiply_equals(y, w, g * w_part);
    q.compare_multiples(g, one_part, 1);
    q.multiply_equals(distance(), s, g * s_part);
    q.multiply_equals(m, w, g * w_part);
    q.compare_multiples(g, distance() * s_part, m * w_part);
    q.multiply_equals(distance(), one_part, 1);
    q.multiply_equals(x, distance() * s_part, m * w_part);
    return m * x + distance() * y;
  }
};

/// Runs an access of stride s on the machine.
std::string replay_stride(const Values& values);

}  // namespace bankproof::proofs
