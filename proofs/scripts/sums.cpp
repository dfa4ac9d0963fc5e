// Sums, by induction; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "scripter.hpp"

namespace bankproof::proofs {

void Scripter::add_up(const Step& step) {
  const SumStep& sum = *step.sum;
  std::vector<const Step*> guards;
  const Step* hypothesis = nullptr;
  Frame frame;
  const std::size_t parts = sum.partial.size();
  const std::size_t bounds = sum.form == Form::over_numbers  ? 2
                             : sum.form == Form::over_powers ? 3
                                                             : 1;
  for (const Step& one : step.inside) {
    if (one.kind == Kind::guard && guards.size() < parts + bounds) {
      guards.push_back(&one);
      introduced_.insert(one.fact);
      // What the sum so far is says nothing of the term.
      if (guards.size() > parts) frame.guards.emplace_back(one.fact, unified_(one.formula));
    }
    if (one.kind == Kind::inductive && hypothesis == nullptr) hypothesis = &one;
  }
  std::vector<std::string> places;
  for (const WrittenPointer& place : sum.places) {
    const WrittenPointer node = unified_(place);
    frame.numbers.push_back(node.get());
    places.push_back(fmt::format("place_{}", ++places_));
    defined_.places[node->value] = places.back();
  }
  std::vector<std::string> partial;
  for (const WrittenPointer& one : sum.partial) {
    const WrittenPointer node = unified_(one);
    frame.sums.push_back(node.get());
    partial.push_back(coq_name(node->name));
  }
  const char* const over = sum.form == Form::over_numbers  ? "numbers"
                           : sum.form == Form::over_powers ? "powers"
                                                           : "chain";
  std::vector<std::size_t> counted;
  for (std::size_t k = 0; k < parts; ++k) {
    if (is_counted(step, k, needed_)) {
      counted.push_back(k);
    } else {
      unneeded_.insert(sum.terms_are_counts[k]);
    }
  }
  std::string counts;
  std::string counts_so_far;
  std::string named;
  std::string named_so_far;
  std::string none;
  std::string more;
  for (const std::size_t k : counted) {
    counts += fmt::format("0 <= {} /\\ ", number(sum.whole[k]));
    counts_so_far += fmt::format("0 <= {} /\\ ", partial[k]);
    named += fact_name(sum.is_count[k]) + " & ";
    named_so_far += fact_name(guards[k]->fact) + " & ";
    none += "(conj (Z.le_refl 0) ";
    more += fmt::format("(conj (Z.add_nonneg_nonneg _ _ {} {}) ", fact_name(guards[k]->fact),
                        fact_name(sum.terms_are_counts[k]));
  }
  const std::string closed(counted.size(), ')');
  const bool is_chain = sum.form == Form::over_chain;
  const std::string last = is_chain ? coq_name(sum.last->name) : "";
  const std::string whole = text(step);
  write(fmt::format("assert (S{} : {}{}{}).", step.fact,
                    is_chain ? fmt::format("exists {}, ", last) : "", is_chain ? "" : counts,
                    is_chain ? chain_shows(step, counts) : whole));
  std::string call = fmt::format("sums_over_{}_{}", over, parts);
  if (is_chain) call += fmt::format(" (fun {} => {})", places[0], number(sum.next));
  for (const WrittenPointer& term : sum.terms) {
    call += fmt::format(" (fun {} => {})", places.back(), number(term));
  }
  call += fmt::format(" (fun {} {} => {}{}) ({})", fmt::join(places, " "), fmt::join(partial, " "),
                      counts_so_far, statement(hypothesis->formula), number(sum.limit));
  write(fmt::format("{{ apply ({}).", call));
  if (!is_chain) write(fmt::format("exact {}.", fact_name(sum.limit_is_right)));
  write(fmt::format("begins ({}{}{}).", none, fact_name(sum.base), closed));
  std::string intros = fmt::format("{} {}", fmt::join(places, " "), fmt::join(partial, " "));
  for (std::size_t k = parts; k < guards.size(); ++k) intros += " " + fact_name(guards[k]->fact);
  const std::string so_far = fmt::format("{}I{}", named_so_far, hypothesis->fact);
  write(counted.empty() ? fmt::format("intros {} {}.", intros, so_far)
                        : fmt::format("intros {} ({}).", intros, so_far));
  within(frame, [&] {
    follow(step.inside);
    const std::string next = fact_name(sum.one_more);
    write(is_chain
              ? fmt::format("exact (conj (proj1 {0}) {1}(proj2 {0}){2}). }}", next, more, closed)
              : fmt::format("exact {}{}{}. }}", more, next, closed));
  });
  for (const WrittenPointer& place : sum.places) defined_.places.erase(unified_(place)->value);
  if (is_chain) {
    write(fmt::format("destruct S{} as ({} & low & {}high). pose proof (conj low high) as {}.",
                      step.fact, last, named, fact_name(step.fact)));
  } else {
    write(counted.empty()
              ? fmt::format("pose proof S{} as {}.", step.fact, fact_name(step.fact))
              : fmt::format("destruct S{} as ({}{}).", step.fact, named, fact_name(step.fact)));
  }
  for (std::size_t k = 0; k < parts; ++k) text_of_[sum.is_count[k]] = number(sum.whole[k]);
}

std::string Scripter::chain_shows(const Step& step, const std::string& counts) {
  const WrittenPointer formula = unified_(step.formula);
  return fmt::format("{} /\\ {}{}", statement_in_coq(*formula->parts.at(0), defined_), counts,
                     statement_in_coq(*formula->parts.at(1), defined_));
}

}  // namespace bankproof::proofs
