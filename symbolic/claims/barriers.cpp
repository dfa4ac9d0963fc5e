// Asks whether all threads of a block come to the same barriers; see question.hpp.
//
// The proof is by induction on the barriers to which a block comes: if two threads are in the same
// iteration
// of each loop that has barriers, both come to the next barrier or neither does, and both begin the
// next iteration or neither does.
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

}  // namespace

Asked ask_barriers(Subject& subject) {
  Pool& pool = subject.pool;
  const Trace& trace = subject.trace();
  Threads threads(subject, Which::of_one_block, 2, shared_counters(trace));
  Asked asked{.claim = Claim::barriers};
  // Can the first thread do it, and the second one not?
  const auto ask = [&](const std::vector<Term>& parts, const ptx::Instruction& instruction) {
    asked.about(instruction);
    Term all_of_second = pool.truth(true);
    for (const Term part : parts) all_of_second = pool.both(all_of_second, threads.of(1, part));
    std::vector<Term> statements = parts;
    statements.push_back(pool.negation(all_of_second));
    if (pool.is_constant(statements.back(), 0)) return;
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
