// False twins of theorems on upper bounds, and on how near times come to them: of a member of the
// family that comes near (families.hpp), the bound with a constant that is less by a hundredth, and
// the same the other way round. The member's time is had from
// the closed form in machine words.
//
// Example: the pairwise sum on the DMM takes at most 3(n/w + nl/p + l log n); the twin says 2.97.
#pragma once

#include <cstdint>

#include "../../builder/bounds.hpp"
#include "../families/families.hpp"

namespace bankproof::proofs {

/// A member of which the closed form is had at once, and how many hundredths of the terms of its
/// bound it takes more than: 99 of each 100, but of some families less, whose members from `least`
/// on are too large for that.
template <class Family>
struct CloseMember {
  static constexpr std::uint64_t wanted = 99 * Family::factor;
  static constexpr std::uint64_t of_largest = (Family::thousandths - 1) / 10;
  static constexpr bool is_largest = [] {
    if constexpr (
        requires { Family::least_takes_long; } || !requires { Family::least; }) {
      return true;
    } else {
      return of_largest >= wanted || Family::least > std::uint64_t{1} << 34U;
    }
  }();
  static constexpr std::uint64_t number = [] {
    if constexpr (is_largest) {
      return std::uint64_t{Family::largest};
    } else {
      return std::uint64_t{Family::least};
    }
  }();
  static constexpr std::uint64_t hundredths =
      is_largest && of_largest < wanted ? of_largest : wanted;

  /// Whether it takes more than so many hundredths of the terms.
  static Truth takes_more_than(std::uint64_t of_terms) {
    const std::uint64_t time = closed_time<Family>(Family::task(number));
    return is_above(IntTerm(time), of_terms,
                    *Family::Algorithm::upper(Family::task(IntTerm(number))));
  }
};

/// What is false: that it takes at most that.
template <class Family>
void prove_a_hundredth_less(Query& q) {
  using Close = CloseMember<Family>;
  q.prove("the bound", !Close::takes_more_than(Close::hundredths));
}
/// What is false: that it takes more than a hundredth more.
template <class Family>
void prove_a_hundredth_more(Query& q) {
  using Close = CloseMember<Family>;
  q.prove("near", Close::takes_more_than(Close::hundredths + Family::factor));
}

}  // namespace bankproof::proofs
