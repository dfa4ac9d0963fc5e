// Asks Z3; see excluding.hpp.
#include "excluding.hpp"

#include <algorithm>
#include <set>

#include "../solving/hidden_places.hpp"
#include "../solving/hidden_sums.hpp"

namespace bankproof::symbolic {

namespace {

/// Banks are the lowest bits of addresses; bit-vectors show them best.
Effort quick(Claim claim) {
  return {.integers_ms = claim == Claim::banks ? 50U : 250U, .bits_ms = 400};
}

}  // namespace

const Possibility* Excluding::first_open(Claim claim, const std::vector<Possibility>& way,
                                         const std::vector<Term>& bounds, bool is_quick,
                                         std::vector<Excluded>& excluded) {
  Effort effort = quick(claim);
  // Bounds help where products are numbers.
  effort.tries_bits = bounds.empty();
  if (!is_quick) {
    effort.integers_ms *= 8;
    effort.bits_ms = 3000;
  }
  for (const Possibility& possibility : way) {
    std::vector<Term> asked = possibility.statements.asked;
    if (!bounds.empty()) {
      const std::vector<Term>& more = possibility.statements.within_bounds;
      asked.insert(asked.end(), more.begin(), more.end());
      asked.insert(asked.end(), bounds.begin(), bounds.end());
    }
    const std::vector<Term> statements = asked;
    std::sort(asked.begin(), asked.end());
    if (const Excluded* const one = known(asked)) {
      excluded.push_back(*one);
      continue;
    }
    Decided decided = decided_in_ways(statements, effort, is_quick);
    if (decided.kind != Decided::Kind::never) return &possibility;
    excluded.push_back(decided.excluded);
    never_.emplace_back(std::move(asked), std::move(decided.excluded));
  }
  return nullptr;
}

/// Nothing if it is not known that these, which are sorted, cannot hold.
const Excluded* Excluding::known(const std::vector<Term>& asked) const {
  const auto found = std::find_if(never_.begin(), never_.end(), [&](const auto& fewer) {
    return std::includes(asked.begin(), asked.end(), fewer.first.begin(), fewer.first.end());
  });
  return found == never_.end() ? nullptr : &found->second;
}

/// Asks Z3 first with unknowns in place of quotients, of where blocks begin, and of sums. If the
/// statements are impossible even so, they are impossible; otherwise Z3 is asked about the
/// statements themselves.
Decided Excluding::decided_in_ways(const std::vector<Term>& asked, const Effort& effort,
                                   bool is_quick) {
  Pool& pool = subject_.pool;
  if (!is_quick) return decide(pool, asked, effort);
  const std::vector<Term> without_quotients = opaque_(asked);
  if (without_quotients != asked) {
    Decided decided = decide(pool, without_quotients, effort);
    if (decided.kind == Decided::Kind::never) return decided;
  }
  const std::vector<Term> without_places = with_places_hidden(pool, without_quotients);
  const std::vector<Term> without_sums = with_sums_hidden(pool, without_places);
  Effort integers = effort;
  integers.tries_bits = false;
  Effort rest = effort;
  std::vector<const std::vector<Term>*> ways;
  if (without_places != without_quotients) ways.push_back(&without_places);
  if (without_sums != without_places) ways.push_back(&without_sums);
  if (!ways.empty()) {
    ways.push_back(&asked);
    rest.tries_integers = false;
  }
  for (const std::vector<Term>* const statements : ways) {
    Decided decided = decide(pool, *statements, integers);
    if (decided.kind == Decided::Kind::never) return decided;
  }
  return decide(pool, asked, rest);
}

void Excluding::foresee(Claim claim, std::span<const Question> questions) {
  if (!foresees_) return;
  std::set<std::vector<Term>> asked;
  for (const Question& question : questions) {
    // Where there are several possibilities, the first one may be open.
    if (question.ways.empty() || question.ways.front().size() != 1) continue;
    std::vector<Term> statements = question.ways.front().front().statements.asked;
    std::sort(statements.begin(), statements.end());
    if (known(statements) == nullptr) asked.insert(std::move(statements));
  }
  std::vector<std::vector<Term>> simpler;
  simpler.reserve(asked.size());
  for (const std::vector<Term>& statements : asked) simpler.push_back(opaque_(statements));
  Effort effort = quick(claim);
  effort.tries_bits = false;
  std::vector<Decided> decided = decide_all(subject_.pool, simpler, effort);
  std::size_t excluded = 0;
  auto statements = asked.begin();
  for (Decided& one : decided) {
    if (one.kind == Decided::Kind::never) {
      ++excluded;
      never_.emplace_back(*statements, std::move(one.excluded));
    }
    ++statements;
  }
  // What Z3 does not exclude is asked again.
  foresees_ = 2 * excluded >= decided.size();
}

}  // namespace bankproof::symbolic
