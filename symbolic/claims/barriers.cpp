// Asks whether all threads of a block come to the same barriers; see question.hpp.
//
// The proof is by induction on the barriers to which a block comes: if two threads are in the same
// iteration of each loop that has barriers, both come to the next barrier or neither does, and both
// begin the next iteration or neither does. A thread that ends before a barrier, as by
// `if (i >= n) return;`, is not asked about: the barrier does not wait for it.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

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

std::vector<const Barrier*> barriers_of(const Trace& trace, std::size_t loop) {
  std::vector<const Barrier*> all;
  for (const Barrier& barrier : trace.barriers) {
    for (auto around = barrier.loop; around; around = trace.loops[*around].parent) {
      if (*around == loop) all.push_back(&barrier);
    }
  }
  return all;
}

const Barrier* barrier_at(const Trace& trace, const Event& event) {
  if (event.kind == Event::Kind::barrier) return &trace.barriers[event.index];
  if (event.kind == Event::Kind::warp_barrier) return &trace.warp_barriers[event.index];
  if (event.kind == Event::Kind::meeting) return &trace.meetings[event.index];
  return nullptr;
}

/// Which events paths lead to from one of these barriers.
std::vector<bool> are_behind(const Trace& trace, const std::vector<const Barrier*>& barriers) {
  std::vector<bool> found(trace.events.size());
  std::vector<std::size_t> waiting;
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const Barrier* const one = barrier_at(trace, trace.events[e]);
    if (one != nullptr && std::find(barriers.begin(), barriers.end(), one) != barriers.end()) {
      waiting.push_back(e);
    }
  }
  while (!waiting.empty()) {
    const std::size_t here = waiting.back();
    waiting.pop_back();
    for (const Event::Next& next : trace.events[here].next) {
      if (found[next.event]) continue;
      found[next.event] = true;
      waiting.push_back(next.event);
    }
  }
  return found;
}

bool leads_to(const Trace& trace, const std::vector<bool>& behind,
              const std::vector<const Barrier*>& barriers) {
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const Barrier* const one = barrier_at(trace, trace.events[e]);
    const bool is_one =
        one != nullptr && std::find(barriers.begin(), barriers.end(), one) != barriers.end();
    if (behind[e] && is_one) return true;
  }
  return false;
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

/// The conditions that each thread fulfills if it comes to these barriers, to an instruction behind
/// them, or to any barrier that is not before them. A thread that does not fulfill them comes to
/// none of these, as if it had ended.
std::vector<Term> of_threads_that_go_on(Subject& subject,
                                        const std::vector<const Barrier*>& barriers) {
  const Trace& trace = subject.trace();
  std::vector<Term> parts = barriers.front()->guard.parts();
  std::sort(parts.begin(), parts.end());
  const auto keep = [&](std::vector<Term> others) {
    std::sort(others.begin(), others.end());
    std::vector<Term> both;
    std::set_intersection(parts.begin(), parts.end(), others.begin(), others.end(),
                          std::back_inserter(both));
    parts = std::move(both);
  };
  for (const Barrier* const barrier : barriers) keep(barrier->guard.parts());
  const std::vector<bool> behind = are_behind(trace, barriers);
  for (std::size_t e = 0; e < trace.events.size(); ++e) {
    const Event& event = trace.events[e];
    if (event.kind == Event::Kind::access && behind[e]) {
      keep(trace.accesses[event.index].guard.parts());
    }
    if (event.kind == Event::Kind::step && behind[e]) keep(trace.steps[event.index].parts());
    const Barrier* const other = barrier_at(trace, event);
    if (other == nullptr) continue;
    const std::vector<bool> behind_other = are_behind(trace, {other});
    const bool is_before = !behind[e] && leads_to(trace, behind_other, barriers);
    if (!is_before) keep(other->guard.parts());
  }
  std::erase_if(parts, [&](Term part) { return is_of_iteration(subject, part); });
  return parts;
}

/// Asks whether one thread can come to barriers, and another one not.
class Barriers {
 public:
  explicit Barriers(Subject& subject)
      : subject_(subject),
        pool_(subject.pool),
        threads_(subject, Which::of_one_block, 2, shared_counters(subject.trace())) {
    asked_.claim = Claim::barriers;
  }

  Asked all() {
    const Trace& trace = subject_.trace();
    for (const Barrier& one : trace.barriers) ask({&one}, one.guard.parts(), {});
    for (const Barrier& one : trace.warp_barriers) {
      ask({&one}, one.guard.parts(), {are_in_one_warp(threads_, pool_, 0, 1)});
    }
    std::set<std::pair<std::vector<Term>, std::uint32_t>> met;
    for (const Barrier& one : trace.meetings) {
      // A shuffle often comes behind others, to which the same lanes come.
      if (met.emplace(one.guard.parts(), one.lanes).second) {
        ask_of_lanes(one);
      } else {
        asked_.about(*one.instruction);
      }
    }
    for (std::size_t l = 0; l < trace.loops.size(); ++l) {
      if (!trace.loops[l].has_barrier) continue;
      for (const Term part : trace.loops[l].went_on) ask(barriers_of(trace, l), {part}, {});
    }
    return std::move(asked_);
  }

 private:
  /// Each lane of the mask comes, and no other one.
  void ask_of_lanes(const Barrier& one) {
    const auto is_in_mask = [&](std::size_t thread) {
      const Term lane = pool_.part(threads_.number(thread), 0, 5);
      const Term bits =
          pool_.shift_right(pool_.constant(one.lanes, 32), pool_.zero_extended(lane, 32), false);
      return pool_.equal(pool_.part(bits, 0, 1), pool_.constant(1, 1));
    };
    ask({&one}, one.guard.parts(), {are_in_one_warp(threads_, pool_, 0, 1), is_in_mask(1)});
    if (one.lanes == 0xffffffff) return;
    std::vector<Term> statements = one.guard.parts();
    statements.push_back(pool_.negation(is_in_mask(0)));
    asked_.questions.push_back(Question::can(threads_.with_facts(statements),
                                             {threads_.participant(0, *one.instruction)}));
  }

  /// Can the first thread do it, and the second one, which goes on, not?
  void ask(const std::vector<const Barrier*>& barriers, const std::vector<Term>& parts,
           std::vector<Term> premises) {
    const ptx::Instruction& instruction = *barriers.front()->instruction;
    asked_.about(instruction);
    Term all_of_second = pool_.truth(true);
    for (const Term part : parts) all_of_second = pool_.both(all_of_second, threads_.of(1, part));
    for (const Term part : of_threads_that_go_on(subject_, barriers)) {
      const Term of_second = threads_.of(1, part);
      // The same for all threads: all of them end, or none does.
      if (of_second == part) continue;
      premises.push_back(of_second);
      asked_.some_end = true;
    }
    std::vector<Term> statements = parts;
    statements.push_back(pool_.negation(all_of_second));
    if (pool_.is_constant(statements.back(), 0)) return;
    statements.insert(statements.end(), premises.begin(), premises.end());
    asked_.questions.push_back(Question::can(
        threads_.with_facts(statements),
        {threads_.participant(0, instruction), threads_.participant(1, instruction)}));
  }

  Subject& subject_;
  Pool& pool_;
  Threads threads_;
  Asked asked_;
};

}  // namespace

Asked ask_barriers(Subject& subject) { return Barriers(subject).all(); }

}  // namespace bankproof::symbolic
