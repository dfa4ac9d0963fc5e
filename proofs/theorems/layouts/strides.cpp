// The stages of an access of stride s on the DMM (row M1): gcd(s, w) stages for a full warp, for
// every width and s ≥ 1. Threads that are a multiple of w/gcd(s, w) apart are in one bank, with
// different words; no other threads share a bank.
#include "strides.hpp"

#include "../lists.hpp"
#include "replay.hpp"

namespace bankproof::proofs {
namespace {

Theorem at_most() {
  return Theorem{
      .id = "M1.stride.at_most",
      .source = "bankproof",
      .statement =
          "a full warp's access of stride s has at most gcd(s, w) words in a bank: threads that "
          "share one are equal modulo w/gcd(s, w), of which there are that many",
      .domain = "all w, s ≥ 1 and first words"}
      .proof([](Query& q) {
        const StridedLanes lanes(q, {.s = 6, .one = 1, .other = 3});
        const auto& [g, s_part, period, x, y] = lanes.divisor;
        q.assume(!lanes.in_different_banks());
        const IntTerm periods = lanes.periods();
        q.claim_step("w/g times a whole number apart", lanes.distance() == period * periods);
        const IntTerm number = lanes.one / period;
        q.compare_multiples(period, lanes.other / period, number + periods);
        q.claim("equal modulo w/g", lanes.one % period == lanes.other % period);
        q.compare_multiples(period, number, g);
        q.claim("one of g", number >= 0 && number < g);
      })
      .false_twin([](Query& q) {
        // The false claim says that the distance of the threads is a multiple of two periods.
        const StridedLanes lanes(q, {.s = 6, .one = 1, .other = 3});
        q.assume(!lanes.in_different_banks());
        const IntTerm period = 2 * lanes.divisor.of_b;
        q.claim("equal modulo 2w/g", lanes.one % period == lanes.other % period);
      });
}

/// Threads number·w/g and other·w/g. The theorem claims that their words are in one bank.
struct OfOneBank : StridedAccess {
  IntTerm number;
  IntTerm other;

  OfOneBank(Query& query, std::uint64_t stride, std::uint64_t more, std::uint64_t example)
      : StridedAccess(query, stride),
        number(below(q, "number", divisor.g + more, example)),
        other(below(q, "other", divisor.g, 1)) {
    q.assume(number != other);
  }
  IntTerm lane(const IntTerm& k) const { return k * divisor.of_b; }
};

Theorem at_least() {
  return Theorem{.id = "M1.stride.at_least",
                 .source = "bankproof",
                 .statement =
                     "a full warp's access of stride s has gcd(s, w) different words in one bank: "
                     "those of threads 0, w/g, 2w/g, … below w",
                 .domain = "all w, s ≥ 1 and first words"}
      .proof([](Query& q) {
        const OfOneBank access(q, 6, 0, 0);
        const auto& [g, s_part, period, x, y] = access.divisor;
        const IntTerm w = access.w;
        for (const IntTerm& number : {access.number, access.other}) {
          const IntTerm lane = access.lane(number);
          q.compare_multiples(period, number, 0);
          q.compare_multiples(period, number, g);
          q.claim("a thread", lane >= 0 && lane < w);
          q.compare_multiples(w, access.word(lane) / w, access.first / w + number * s_part);
          q.multiply_equals(number * period, access.s, g * s_part);
          q.multiply_equals(number * s_part, w, g * period);
          q.claim("a multiple of w on", lane * access.s == number * s_part * w);
          q.claim("in this bank", access.word(lane) % w == access.first % w);
        }
        q.compare_multiples(period, access.number, access.other);
        q.claim("different threads", access.lane(access.number) != access.lane(access.other));
        q.compare_multiples(access.s, access.lane(access.number), access.lane(access.other));
        q.claim("different words",
                access.word(access.lane(access.number)) != access.word(access.lane(access.other)));
      })
      .false_twin([](Query& q) {
        // One thread more.
        const OfOneBank access(q, 6, 1, 2);
        q.claim("a thread", access.lane(access.number) < access.w);
      });
}

}  // namespace

std::string replay_stride(const Values& values) {
  return replay_bank_conflict(values, "one", "other", [&](std::uint64_t lane) {
    return row_major(lane, values.at("first"), values.at("s"));
  });
}

std::vector<Theorem> theorems_on_strides() { return {at_least(), at_most()}; }

}  // namespace bankproof::proofs
