// Asks whether all threads of a block come to the same barriers; see question.hpp.
//
// The proof is by induction on the barriers to which a block comes: if two threads are in the same
// iteration of each loop that has barriers, both come to the next barrier or neither does, and both
// begin the next iteration or neither does. A thread that ends before all barriers, as in
// `if (i >= n) return;`, is not asked about: no barrier waits for it.
#include <algorithm>
#include <iterator>

#include "intervals.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

namespace {

/// The counters of the loops with barriers, of which all threads are in the same iteration.
std::vector<Term> shared_counters(const Trace& trace) {
  std::vector<Term> counters;
  for (const LoopInstance& loop : trace.loops) {
    if (loop.has_barrier) counters.push_back(loop.counter);
  }
  return counters;
}

const ptx::Instruction* barrier_of(const Trace& trace, std::size_t loop) {
  for (const Barrier& barrier : trace.barriers) {
    for (auto around = barrier.loop; around; around = trace.loops[*around].parent) {
      if (*around == loop) return barrier.instruction;
    }
  }
  return nullptr;
}

/// The events to which paths lead from a barrier.
std::vector<const Event*> behind_barriers(const Trace& trace) {
  std::vector<bool> found(trace.events.size());
  std::vector<std::size_t> waiting;
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    if (trace.events[e].kind == Event::Kind::barrier) waiting.push_back(e);
  }
  std::vector<const Event*> events;
  while (!waiting.empty()) {
    const std::size_t here = waiting.back();
    waiting.pop_back();
    for (const Event::Next& next : trace.events[here].next) {
      if (found[next.event]) continue;
      found[next.event] = true;
      events.push_back(&trace.events[next.event]);
      waiting.push_back(next.event);
    }
  }
  return events;
}

/// Whether something of a thread that a term is about may be another in each iteration of a loop.
bool is_of_iteration(const Subject& subject, Term term) {
  std::optional<Term> first;  // counter; what is older is of no loop
  for (const LoopInstance& loop : subject.trace().loops) {
    first = first ? std::min(*first, loop.counter) : loop.counter;
  }
  bool is = false;
  std::unordered_map<Term, bool> met;
  each_unknown(subject.pool, term, met, [&](Term unknown) {
    const bool is_of_thread = subject.inputs().scope(unknown) == Scope::thread;
    is = is || (first && unknown >= *first && is_of_thread);
  });
  return is;
}

/// What holds of each thread that comes to a barrier, and to what is behind one, in each iteration:
/// a thread of which it does not hold has ended before them.
std::vector<Term> of_threads_that_go_on(Subject& subject) {
  const Trace& trace = subject.trace();
  if (trace.barriers.empty()) return {};
  std::vector<Term> parts = trace.barriers.front().guard.parts();
  std::sort(parts.begin(), parts.end());
  const auto keep = [&](std::vector<Term> others) {
    std::sort(others.begin(), others.end());
    std::vector<Term> both;
    std::set_intersection(parts.begin(), parts.end(), others.begin(), others.end(),
                          std::back_inserter(both));
    parts = std::move(both);
  };
  for (const Barrier& barrier : trace.barriers) keep(barrier.guard.parts());
  for (const Event* const event : behind_barriers(trace)) {
    if (event->kind == Event::Kind::access) keep(trace.accesses[event->index].guard.parts());
  }
  std::erase_if(parts, [&](Term part) { return is_of_iteration(subject, part); });
  return parts;
}

}  // namespace

Asked ask_barriers(Subject& subject) {
  Pool& pool = subject.pool;
  const Trace& trace = subject.trace();
  Threads threads(subject, Which::of_one_block, 2, shared_counters(trace));
  Asked asked{.claim = Claim::barriers};
  const std::vector<Term> go_on = of_threads_that_go_on(subject);
  std::vector<Term> second_goes_on;
  for (const Term part : go_on) {
    const Term of_second = threads.of(1, part);
    // The same for all threads: all of them end, or none does.
    if (of_second == part) continue;
    second_goes_on.push_back(of_second);
  }
  asked.some_end = !second_goes_on.empty();
  // Can the first thread do it, and the second one, which goes on, not?
  const auto ask = [&](const std::vector<Term>& parts, const ptx::Instruction& instruction) {
    asked.about(instruction);
    Term all_of_second = pool.truth(true);
    for (const Term part : parts) all_of_second = pool.both(all_of_second, threads.of(1, part));
    std::vector<Term> statements = parts;
    statements.push_back(pool.negation(all_of_second));
    if (pool.is_constant(statements.back(), 0)) return;
    statements.insert(statements.end(), second_goes_on.begin(), second_goes_on.end());
    asked.questions.push_back(
        Question::can(threads.with_facts(statements),
                      {threads.participant(0, instruction), threads.participant(1, instruction)}));
  };
  for (const Barrier& barrier : trace.barriers) ask(barrier.guard.parts(), *barrier.instruction);
  for (std::size_t l = 0; l < trace.loops.size(); ++l) {
    const LoopInstance& loop = trace.loops[l];
    if (!loop.has_barrier) continue;
    for (const Term part : loop.went_on) ask({part}, *barrier_of(trace, l));
  }
  return asked;
}

}  // namespace bankproof::symbolic
