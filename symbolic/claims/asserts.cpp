// Asks whether assertions hold; see question.hpp.
#include "threads.hpp"

namespace bankproof::symbolic {

Asked ask_asserts(Subject& subject) {
  Threads threads(subject, Which::of_one_block, 1);
  Asked asked{.claim = Claim::asserts};
  for (const Trap& trap : subject.trace().traps) {
    asked.about(*trap.instruction);
    asked.questions.push_back(Question::can(threads.with_facts(trap.guard.parts()),
                                            {threads.participant(0, *trap.instruction)}));
  }
  return asked;
}

}  // namespace bankproof::symbolic
