// Asks Z3; see excluding.hpp.
#include "excluding.hpp"

#include <algorithm>
#include <set>

#include "../solving/at_once.hpp"
#include "../solving/definitions.hpp"
#include "../solving/hidden_places.hpp"
#include "../solving/hidden_sums.hpp"

namespace bankproof::symbolic {

namespace {

/// Bounds on sizes exclude what they exclude much sooner.
constexpr std::chrono::seconds most_of_question{40};

/// Banks are the lowest bits of addresses; bit-vectors show them best.
Effort quick(Claim claim) {
  return {.integers_ms = claim == Claim::banks ? 50U : 250U, .bits_ms = 400};
}

/// What Z3 finds at the first try that excludes the statements, or at the last one.
template <class Tries>
Decided decide_by(const Pool& pool, const Tries& tries) {
  Decided decided;
  for (const auto& one : tries) {
    decided = decide(pool, one.statements, one.effort);
    if (decided.kind == Decided::Kind::never) break;
  }
  return decided;
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
    if (is_quick && open_.count(asked) != 0) return &possibility;
    if (ends()) return &possibility;
    Decided decided = is_quick ? decide_by(subject_.pool, tries(statements, effort))
                               : decide(subject_.pool, statements, effort);
    if (decided.kind != Decided::Kind::never) return &possibility;
    excluded.push_back(decided.excluded);
    never_.emplace_back(std::move(asked), std::move(decided.excluded));
  }
  return nullptr;
}

bool Excluding::ends() const {
  return (is_stopped_ && is_stopped_()) ||
         std::chrono::steady_clock::now() - begin_ > most_of_question;
}

/// Nothing if it is not known that these, which are sorted, cannot hold.
const Excluded* Excluding::known(const std::vector<Term>& asked) const {
  const auto found = std::find_if(never_.begin(), never_.end(), [&](const auto& fewer) {
    return std::includes(asked.begin(), asked.end(), fewer.first.begin(), fewer.first.end());
  });
  return found == never_.end() ? nullptr : &found->second;
}

/// First with unknowns in place of quotients, of where blocks begin, and of sums, and last the
/// statements themselves: if those are impossible, these are.
std::vector<Excluding::Try> Excluding::tries(const std::vector<Term>& asked, const Effort& effort) {
  Pool& pool = subject_.pool;
  std::vector<Try> all;
  const std::vector<Term> without_quotients = opaque_(asked);
  if (without_quotients != asked) all.push_back({without_quotients, effort});
  const std::vector<Term> without_places = with_places_hidden(pool, without_quotients);
  const std::vector<Term> without_sums = with_sums_hidden(pool, without_places);
  Effort integers = effort;
  integers.tries_bits = false;
  const std::size_t before = all.size();
  if (without_places != without_quotients) all.push_back({without_places, integers});
  if (without_sums != without_places) all.push_back({without_sums, integers});
  if (all.size() == before) {
    add_definitions(all, asked, integers);
    all.push_back({asked, effort});
    return all;
  }
  add_definitions(all, asked, integers);
  Effort bits = effort;
  bits.tries_integers = false;
  all.push_back({asked, integers});
  all.push_back({asked, bits});
  return all;
}

void Excluding::add_definitions(std::vector<Try>& all, const std::vector<Term>& asked,
                                const Effort& effort) {
  std::vector<Term> defined = with_definitions(subject_.pool, asked);
  if (defined != asked) all.push_back({std::move(defined), effort});
}

void Excluding::foresee(Claim claim, std::span<const Question> questions) {
  if (!foresees_) return;
  std::set<std::vector<Term>> met;
  std::vector<std::vector<Term>> asked;  // each of them sorted
  std::vector<std::vector<Try>> all_tries;
  for (const Question& question : questions) {
    // Where there are several possibilities, the first one may be open.
    if (question.ways.empty() || question.ways.front().size() != 1) continue;
    const std::vector<Term>& statements = question.ways.front().front().statements.asked;
    std::vector<Term> sorted = statements;
    std::sort(sorted.begin(), sorted.end());
    if (known(sorted) != nullptr || open_.count(sorted) != 0) continue;
    if (!met.insert(sorted).second) continue;
    all_tries.push_back(tries(statements, quick(claim)));
    asked.push_back(std::move(sorted));
  }
  const std::vector<Decided> decided = at_once(
      all_tries.size(), [&](std::size_t k) { return decide_by(subject_.pool, all_tries[k]); });
  std::size_t excluded = 0;
  for (std::size_t k = 0; k < decided.size(); ++k) {
    if (decided[k].kind == Decided::Kind::never) {
      ++excluded;
      never_.emplace_back(std::move(asked[k]), decided[k].excluded);
    } else {
      open_.insert(std::move(asked[k]));
    }
  }
  foresees_ = 2 * excluded >= decided.size();
}

}  // namespace bankproof::symbolic
