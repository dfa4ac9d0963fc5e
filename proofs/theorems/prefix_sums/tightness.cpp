// The upper bounds on optimal prefix sums are tight (row P2): times come near to them. A level of h
// numbers adds ⌊h/2⌋ pairs, and leaves ⌊h/2⌋ numbers.
#include <array>
#include <functional>

#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariant of the levels: holds(k, level, sum) is about the first k levels, which leave
/// `level` numbers. The step proves facts about a level, and in_level(level) gives the invariants
/// of its turns.
void give_levels_of_pairs(
    Query& q, const IntTerm& n,
    const std::function<Truth(const IntTerm& k, const IntTerm& level, const OfRounds& sum)>& holds,
    const std::function<void(const IntTerm& level)>& in_level) {
  q.claim("as many levels", q.logarithm(n / 2 + 1) <= q.logarithm(n));
  q.give(OverPowers<OfRounds>("levels")
             .holds([=](auto& k, auto& power, auto& sum) { return holds(k, n / power, sum); })
             .step([=, &q](auto& power) {
               const IntTerm level = n / power;
               halve(n, power);
               q.scale(level, 1, power);
               q.claim("as many numbers", level <= n);
               in_level(level);
             }));
}
/// Proves that one number is left after all levels.
void prove_one_is_left(Query& q, const IntTerm& n) {
  const IntTerm power = q.power_of_two(q.logarithm(n / 2 + 1));
  q.apply(multiples_are_apart(), {power, 1, n / power});
  q.claim("one is left", n / power <= 1);
}

/// All pairs of a level are in one turn. Each pair takes six stages, but the last pair may have no
/// number to its right. The first k levels take at least six stages for each number that they
/// remove, less 8k stages.
Theorem tight_on_banks() {
  using Family = OptimalPrefixSumsOnDmm;
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    prove_small_logarithm(q, n, 14, 1170);
    const auto in_level = [=, &q](const IntTerm& level) {
      q.give(OverNumbers<OfRounds>("turns of a level").holds([=, &q](auto& k, auto& sum) {
        q.apply(multiples_are_apart(), {n, 1, ceil_div(level / 2, n)});
        q.apply(multiples_are_apart(), {n, 1, k});
        q.multiply_equals(n, k, 0);
        return k <= 1 && sum.stages + 2 * k >= 6 * smaller(k * n, level / 2);
      }));
    };
    give_levels_of_pairs(
        q, n,
        [=](const IntTerm& k, const IntTerm& level, const OfRounds& sum) {
          return sum.stages + 8 * k + 6 * level >= 6 * n;
        },
        in_level);
    const auto task = Family::task(n);
    const IntTerm time = time_of<PrefixSums>(task);
    prove_one_is_left(q, n);
    q.claim("the time", time + 6 + 8 * q.logarithm(n) >= 6 * n);
    q.multiply_by({n});
    q.claim("near", comes_near<Family>(time, task));
  });
}

namespace on_groups {

using OnUmm = OptimalPrefixSumsOnUmm;
constexpr std::uint64_t w = OnUmm::w;
constexpr std::uint64_t warps = OnUmm::warps;
constexpr std::uint64_t p = warps * w + 1;  // turn t begins t words after a group's beginning

/// wp times the stages of a level of i pairs are at least a_pair·i − a_level. In a full turn, five
/// accesses have three pieces for each warp, and two accesses have two pieces for each warp. Each
/// of these accesses has one piece more. An access that begins with a group has one piece less for
/// each warp.
constexpr std::uint64_t a_turn = 19 * warps + 7;
constexpr std::uint64_t a_pair = w * a_turn - 12 * warps;
constexpr std::uint64_t a_level = a_pair * p + 460 * p * warps;

/// Full turns of a level of h numbers. In a full turn all threads take part, also in the accesses
/// to the number after a pair.
IntTerm full_turns(const IntTerm& h) { return (h - 1) / 2 / p; }

/// Accesses to every second word, or to consecutive words, from word `first` of a turn on.
struct AccessOfTurn {
  std::uint64_t step;
  std::uint64_t first;
  std::uint64_t period;   ///< one of `period` turns is aligned
  std::uint64_t aligned;  ///< the number of the aligned turn
  std::uint64_t times;    ///< how often a turn makes this access
};
constexpr std::array accesses = {AccessOfTurn{2, 0, w / 2, 0, 1}, AccessOfTurn{2, 1, w / 2, 0, 2},
                                 AccessOfTurn{2, 2, w / 2, w / 2 - 1, 2},
                                 AccessOfTurn{1, 0, w, 0, 2}};

/// The pieces of this access in turn k. If all p threads take part, there is a piece for each warp
/// and each group. If the turn is aligned, there is one piece less for each warp.
Truth has_pieces(const AccessOfTurn& access, const IntTerm& k, const IntTerm& threads) {
  const IntTerm step(access.step);
  const Run<IntTerm> run{step * (k * p) + access.first, threads};
  const IntTerm stages = access.step == 1
                             ? group_stages(run, IntTerm(w))
                             : stages_of_stride(MemoryKind::groups, run, step, IntTerm(w));
  const Truth aligned = k % access.period == access.aligned;
  return stages >= 0 &&
         implies(threads == p, stages > access.step * warps &&
                                   (aligned || stages > IntTerm((access.step + 1) * warps)));
}
/// Assumes has_pieces() for the accesses in turn k of a level of h numbers.
void know_pieces(const IntTerm& h, const IntTerm& k) {
  Query& q = k.query();
  const IntTerm start = k * p;
  const IntTerm count = smaller(p, h / 2 - start);
  const IntTerm next = smaller(count, minus_or_zero((h - 1) / 2, start));
  q.claim("threads of a turn", count >= 0 && next >= 0 && next <= p &&
                                   implies(k < full_turns(h), count == p && next == p));
  for (const AccessOfTurn& access : accesses) {
    const Truth law = has_pieces(access, k, access.first == 2 ? next : count);
    q.assume_shown(law);
  }
}

/// Proves has_pieces() for any turn. Call it early, while few facts are known.
void prove_pieces(Query& q) {
  for (const AccessOfTurn& access : accesses) {
    const Query::Scope scope(q);
    const IntTerm k = q.fresh("turn");
    const IntTerm threads = q.fresh("threads", 0);
    q.assume(threads <= p);
    const IntTerm behind = access.step * k + access.first;
    const IntTerm address = access.step * warps * w * k + behind;
    const IntTerm group = access.step * warps * k + behind / w;
    q.compare_multiples(w, address / w, group);
    q.claim("its first group", address / w == group);
    q.claim("pieces", has_pieces(access, k, threads));
  }
}

/// The number of pieces that the first k turns save because some of these turns are aligned. The
/// function is defined turn by turn.
class PiecesLess {
 public:
  explicit PiecesLess(Query& q) : less_(q.function("pieces_less")) {
    q.assume(less_(0) == 0);
    const Query::Scope scope(q);
    const IntTerm k = q.fresh("turns");
    q.induct(
        0, k,
        [&](const IntTerm& turns) {
          const IntTerm half(w / 2);
          return less_(turns) == 3 * warps * ceil_div(turns, half) + 2 * warps * (turns / half) +
                                     2 * warps * ceil_div(turns, w);
        },
        [&](const IntTerm& turn) { define(turn); });
    q.claim("some are aligned", is_small(k));
  }
  IntTerm operator()(const IntTerm& k) const { return less_(k); }
  void define(const IntTerm& k) const {
    IntTerm after = less_(k);
    for (const AccessOfTurn& access : accesses) {
      const Truth aligned = k % access.period == access.aligned;
      after += select(aligned, IntTerm(access.times * warps), 0);
    }
    k.query().assume(less_(k + 1) == after);
  }
  /// An upper bound on the saved pieces, for any number of turns.
  Truth is_small(const IntTerm& k) const { return w * less_(k) <= warps * (12 * k + 436); }

 private:
  Function less_;
};

Theorem near() {
  return tight<OnUmm>([](Query& q) {
    prove_pieces(q);
    const PiecesLess less(q);
    const IntTerm n = q.number("n", OnUmm::row.least, OnUmm::row.least);
    prove_small_logarithm(q, n, 42, 100'000'000'000);
    const auto in_level = [=, &q](const IntTerm& level) {
      q.give(OverNumbers<OfRounds>("turns of a level")
                 .holds([=, &q](auto& k, auto& sum) {
                   q.assume_shown(less.is_small(k));
                   const IntTerm full = smaller(k, full_turns(level));
                   return sum.stages + less(k) >= a_turn * full;
                 })
                 .step([=](auto& k) {
                   know_pieces(level, k);
                   less.define(k);
                 }));
    };
    give_levels_of_pairs(
        q, n,
        [=](const IntTerm& k, const IntTerm& level, const OfRounds& sum) {
          return w * p * sum.stages + (a_level + a_pair) * k >= a_pair * (n - level);
        },
        in_level);
    const auto task = OnUmm::task(n);
    const IntTerm time = time_of<PrefixSums>(task);
    prove_one_is_left(q, n);
    q.claim("near", comes_near<OnUmm>(time, task));
  });
}

}  // namespace on_groups
}  // namespace

std::vector<Theorem> theorems_on_tightness_of_prefix_sums() {
  return {tight_on_banks(), on_groups::near()};
}

}  // namespace bankproof::proofs
