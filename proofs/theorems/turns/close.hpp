// False twins of theorems on upper bounds, and of theorems that times come near to these bounds.
// Each twin is about one member of a family whose times come near (families.hpp). The twin of an
// upper bound claims the bound with a constant that is less by a hundredth. A theorem that times
// come near says that the time exceeds a multiple of the bound; its twin claims a multiple that is
// a hundredth larger. The member's time comes from the closed form in machine words.
//
// Example: the pairwise sum on the DMM takes at most 3(n/w + nl/p + l log n); the twin says 2.97.
#pragma once

#include <cstdint>

#include "../../builder/bounds.hpp"
#include "../families/families.hpp"

namespace bankproof::proofs {

/// A member whose closed form is quick to evaluate, and `hundredths`: the member's time exceeds
/// this number of hundredths of its bound's terms. The number is 99 times the factor of the bound,
/// or less for families whose members from `least` on are too large to evaluate.
template <class Family>
struct CloseMember {
  static constexpr std::uint64_t wanted = 99 * Family::row.factor;
  static constexpr std::uint64_t of_largest = (Family::row.thousandths - 1) / 10;
  static constexpr bool is_largest = [] {
    if constexpr (Family::row.least_takes_long || Family::row.least == 0) {
      return true;
    } else {
      return of_largest >= wanted || Family::row.least > std::uint64_t{1} << 34U;
    }
  }();
  static constexpr std::uint64_t number = [] {
    if constexpr (is_largest) {
      return std::uint64_t{Family::row.largest};
    } else {
      return std::uint64_t{Family::row.least};
    }
  }();
  static constexpr std::uint64_t hundredths =
      is_largest && of_largest < wanted ? of_largest : wanted;

  /// The time exceeds `of_terms` hundredths of the bound's terms.
  static Truth takes_more_than(std::uint64_t of_terms) {
    const std::uint64_t time = closed_time<Family>(Family::task(number));
    return is_above(IntTerm(time), of_terms,
                    *Family::Algorithm::upper(Family::task(IntTerm(number))));
  }
};

/// The twin's false claim: the time is at most Close::hundredths hundredths of the bound's terms.
template <class Family>
void prove_a_hundredth_less(Query& q) {
  using Close = CloseMember<Family>;
  q.claim("the bound", !Close::takes_more_than(Close::hundredths));
}
/// The twin's false claim: the time exceeds Close::hundredths + Family::row.factor hundredths of
/// the bound's terms.
template <class Family>
void prove_a_hundredth_more(Query& q) {
  using Close = CloseMember<Family>;
  q.claim("near", Close::takes_more_than(Close::hundredths + Family::row.factor));
}

}  // namespace bankproof::proofs
