// The upper bound on contiguous access without barriers on a UMM (row C2). Rounds may begin at
// different positions inside an address group.
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "access.hpp"

namespace bankproof::proofs {
namespace {

/// Let g = gcd(p, w). Of the rounds before the last round, one in w/g is aligned on a UMM. An
/// aligned round crosses no groups, because the fraction of p·t/w grows by at most 1 − g/w in a
/// round.
void prove_alignments(Query& q, const Access& c) {
  const IntTerm before = c.before_last();
  const auto [g, part, of_w, x, y] = q.divisor(c.p, c.w);
  const IntTerm period = c.w / g;
  q.compare_multiples(g, period, of_w);
  q.claim("the period", period == of_w && period >= 1 && c.w == g * period);
  const auto [full, rest] = q.quotient(c.p, c.w);
  const IntTerm more = part - full * period;  // the rest in units of g
  q.multiply_by({full});
  q.claim("the rest", rest == g * more);
  q.compare_multiples(g, period, more);
  q.claim("less than a period", more < period);

  const IntTerm groups = c.p * before / c.w;
  q.multiply_by({before, groups, full * before});
  q.claim("in units of g", g * (period * groups) <= g * (part * before));
  q.compare_multiples(g, part * before, period * groups);
  q.claim("groups", period * groups <= part * before);
  const IntTerm beyond = groups - full * before;
  q.claim("beyond whole warps", period * beyond <= period * before - before);
  const IntTerm aligned = ceil_div(before, period);
  q.compare_multiples(period, before - beyond, aligned);
  q.compare_multiples(period, before, aligned);
  q.claim("no more than others", beyond + aligned <= before && aligned <= before);

  const RoundsByAlignment<IntTerm> rounds(c);
  q.claim("rounds of all kinds",
          rounds.remaining >= 0 && rounds.crossing >= 0 && rounds.aligned >= 0);
}

Theorem overlapped_at_most_on_umm() {
  const auto claim = [](const Access& c, std::uint64_t times) {
    return is_at_most(contiguous_overlapped_time_on_umm(c), times, bound_of(c));
  };
  return Theorem{
      .id = "C2.upper.UMM",
      .source = "MOD 3",
      .statement = "without barriers contiguous access takes at most 2(n/w + nl/p + l) on the UMM",
      .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const Access c = any_access(q);
        const IntTerm before = c.before_last();
        prove_alignments(q, c);
        const RoundsByAlignment<IntTerm> rounds(c);
        const IntTerm full = c.p / c.w;

        const IntTerm most = 2 * (c.p + c.w * c.l);  // bounds w times a round's time
        const IntTerm remaining = larger(2 * full + 1, c.l + 1);
        const IntTerm crossing = larger(2 * full + 2, c.l + 1);
        q.multiply_by({c.w});
        q.claim("a round", c.w * larger(c.warps(), c.l) <= most &&
                               c.w * (c.warps() + full + c.l) <= most && c.w * remaining <= most &&
                               c.w * crossing <= most);
        const IntTerm last = contiguous_groups(c.last_start(), c.rest(), c.w);
        const IntTerm own = ceil_div(c.rest(), c.w);
        q.claim("the last one", c.w * (last + c.l - 1) <= 2 * (c.rest() + c.w * c.l) &&
                                    c.w * (2 * own + c.l - 2) <= 2 * (c.rest() + c.w * c.l));
        const IntTerm end = 2 * (c.rest() + c.w * c.l);
        q.multiply_equals(c.w * (c.l - 1), c.rounds(), before + 1);
        q.multiply_by({full, c.w, before, c.w * full});
        q.claim("of one warp", c.w * contiguous_lockstep_time_on_umm(c) <= before * most + end);
        q.multiply_by({rounds.aligned, rounds.crossing, rounds.remaining});
        q.claim("the rounds before",
                c.w * (rounds.aligned * larger(c.warps(), c.l) + rounds.remaining * remaining +
                       rounds.crossing * crossing) <=
                    before * most);
        q.multiply_by({c.w});
        const IntTerm time = contiguous_overlapped_time_on_umm(c);
        q.claim("all", c.w * time <= before * most + end);
        q.multiply_by({c.l});
        q.multiply_by({c.p, c.w, c.w * c.l});
        q.claim("the bound", claim(c, 2));
      })
      .false_twin(prove_a_hundredth_less<AccessAcrossGroups<Mode::overlapped>>);
}

}  // namespace

std::vector<Theorem> theorems_on_overlapped_access() { return {overlapped_at_most_on_umm()}; }

}  // namespace bankproof::proofs
