// Sums on terms, by induction on the number of terms, with the invariants that the proof gives
// (invariants.hpp). If the number of terms is a constant, the code simply adds the terms up.
#pragma once

#include "../../algorithms/rounds.hpp"
#include "query.hpp"

namespace bankproof::proofs {

/// Calls f(number, name) for each number of a sum.
template <class F>
void each_number(IntTerm& sum, F f) {
  f(sum, "sum");
}
template <class F>
void each_number(Rounds<IntTerm>& sum, F f) {
  f(sum.stages, "stages");
  f(sum.rounds, "rounds");
  f(sum.requests, "requests");
}
template <class F>
void each_number(Cost<IntTerm>& sum, F f) {
  for (Rounds<IntTerm>* const rounds : {&sum.global, &sum.shared, &sum.constant}) {
    each_number(*rounds, f);
  }
  f(sum.overlap, "overlap");
  f(sum.launches, "launches");
}

/// A sum of counts about which nothing else is known.
template <class Sum>
Sum fresh_sum(Query& query) {
  Sum sum{};
  each_number(sum, [&](IntTerm& number, const char* name) { number = query.fresh(name); });
  return sum;
}

/// A sum that a proof adds up by induction. It records what the script says about it.
template <class Sum>
class Induction {
 public:
  Induction(Query& query, Form form, std::string name, const IntTerm& limit)
      : query_(query), name_(std::move(name)) {
    sum_->form = form;
    sum_->limit = limit.written().node();
  }

  SumStep& script() { return *sum_; }
  IntTerm place(IntTerm term) {
    sum_->places.push_back(term.written().node());
    return term;
  }

  /// The sum of no terms keeps the invariant.
  void start(const Truth& holds) { sum_->base = query_.claim_step(name_ + ": no terms", holds); }

  /// States the goal that one more term keeps the invariant true. `to_next` gets the sum so far,
  /// adds the term, and returns the invariant of the new sum.
  template <class ToNext>
  void step(ToNext to_next) {
    const Query::Scope scope(query_, step_);
    query_.invariants().enter(name_);
    Sum sum{};
    each_number(sum, [&](IntTerm& number, const char* name) {
      number = query_.sum_so_far(name);
      sum_->partial.push_back(number.written().node());
    });
    const Truth holds = to_next(sum);
    query_.invariants().leave();
    sum_->one_more = query_.claim_step(name_ + ": one term more", holds);
  }
  /// The term that comes next. Each of its numbers is a count (docs/trust.md, T29).
  void add(Sum term) {
    each_number(term, [&](IntTerm& number, const char*) {
      sum_->terms.push_back(number.written().node());
      sum_->terms_are_counts.push_back(query_.count_term(name_ + ": a term is a count", number));
    });
  }

  /// The whole sum, about which the invariant is known.
  template <class Holds>
  Sum whole(Holds holds) {
    Sum sum{};
    std::size_t part = 0;
    each_number(sum, [&](IntTerm& number, const char* name) {
      number = query_.new_sum(name, written(part++));
      sum_->whole.push_back(number.written().node());
    });
    step_.sum = sum_;
    step_.name = name_;
    query_.learn_sum(holds(sum), std::move(step_));
    each_number(sum, [&](IntTerm& number, const char*) {
      sum_->is_count.push_back(query_.know_sum(number));
    });
    return sum;
  }

 private:
  Written written(std::size_t part) const {
    const auto of = [](const WrittenPointer& node) { return Written(node); };
    const Written term = of(sum_->terms.at(part));
    const Written place = of(sum_->places.back());
    if (sum_->next) return Written::of(sum_->form, {of(sum_->limit), place, of(sum_->next), term});
    return Written::of(sum_->form, {of(sum_->limit), place, term});
  }

  Query& query_;
  std::string name_;
  Step step_{.kind = Step::Kind::sum};
  std::shared_ptr<SumStep> sum_ = std::make_shared<SumStep>();
};

template <class F>
auto sum_over(const IntTerm& count, F f) {
  using Sum = decltype(f(count));
  if (const auto number = count.constant()) {
    Sum sum{};
    for (std::uint64_t k = 0; k < *number; ++k) sum += f(IntTerm(k));
    return sum;
  }
  Query& query = count.query();
  const auto of = query.invariants().take<OverNumbers<Sum>>();
  of.prove_base();
  Induction<Sum> all(query, Form::over_numbers, of.name(), count);
  all.script().limit_is_right =
      query.require_not_negative(of.name() + ": a number of terms", count);
  all.start(of.statement(query.constant(0), Sum{}));
  all.step([&](Sum& sum) {
    const IntTerm k = all.place(query.place("k"));
    query.guard(k < count);
    of.prove_step(k);
    query.suppose_so_far(of.statement(k, sum));
    const Sum term = f(k);
    of.prove_after(k, term);
    all.add(term);
    sum += term;
    return of.statement(k + 1, sum);
  });
  return all.whole([&](const Sum& sum) { return of.statement(count, sum); });
}

template <class F>
auto sum_over_powers(const IntTerm& end, F f) {
  using Sum = decltype(f(end));
  if (const auto number = end.constant()) {
    Sum sum{};
    for (std::uint64_t power = 1; power < *number; power *= 2) sum += f(IntTerm(power));
    return sum;
  }
  Query& query = end.query();
  const auto of = query.invariants().take<OverPowers<Sum>>();
  of.prove_base();
  Induction<Sum> all(query, Form::over_powers, of.name(), end);
  all.script().limit_is_right = query.claim_step(of.name() + ": a number of powers", end >= 1);
  all.start(of.statement(query.constant(0), query.constant(1), Sum{}));
  all.step([&](Sum& sum) {
    const IntTerm k = all.place(query.place("k"));
    const IntTerm power = all.place(query.place("power", 1));
    query.guard(power < end);
    of.prove_step(power);
    query.suppose_so_far(of.statement(k, power, sum));
    const Sum term = f(power);
    of.prove_after(power, term);
    all.add(term);
    sum += term;
    return of.statement(k + 1, 2 * power, sum);
  });
  const IntTerm log = query.logarithm(end);
  const IntTerm last = query.power_of_two(log);
  return all.whole([&](const Sum& sum) { return of.statement(log, last, sum); });
}

template <class Next, class F>
auto sum_over_chain(const IntTerm& start, Next next, F f) {
  using Sum = decltype(f(start));
  if (start.constant()) {
    Sum sum{};
    IntTerm number = start;
    for (; *number.constant() > 1; number = next(number)) sum += f(number);
    return sum;
  }
  Query& query = start.query();
  const auto of = query.invariants().take<OverChain<Sum>>();
  of.prove_base();
  Induction<Sum> all(query, Form::over_chain, of.name(), start);
  all.start(of.statement(start, Sum{}));
  all.step([&](Sum& sum) {
    const IntTerm number = all.place(query.place("number", 2));
    of.prove_step(number);
    query.suppose_so_far(of.statement(number, sum));
    const Sum term = f(number);
    of.prove_after(number, term);
    all.add(term);
    sum += term;
    const IntTerm next_number = next(number);
    all.script().next = next_number.written().node();
    return next_number < number && of.statement(next_number, sum);
  });
  const IntTerm last = query.end_of_chain("number");
  all.script().last = last.written().node();
  Sum sum = all.whole([&](const Sum& of_all) { return last <= 1 && of.statement(last, of_all); });
  of.use_whole(sum);
  return sum;
}

}  // namespace bankproof::proofs
