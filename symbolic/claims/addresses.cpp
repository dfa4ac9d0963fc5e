// Asks whether accesses are where a formula says; see question.hpp.
#include "../execution/objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

Asked ask_address(Subject& subject, const std::vector<const Access*>& accesses,
                  const std::vector<Term>& indices) {
  Pool& pool = subject.pool;
  Threads threads(subject, Which::of_one_block, 1);
  Asked asked{.claim = Claim::address};
  for (const Access* const access : accesses) {
    asked.about(*access->instruction);
    Participant one = threads.participant(0, *access->instruction);
    const auto places = places_of(pool, subject.inputs(), access->address);
    if (!places || places->size() != 1) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::address, {one}));
      continue;
    }
    one.object = places->front().object;
    one.offset = places->front().offset;
    Question question{.participants = {one}, .ways = {}};
    for (const Term index : indices) {
      std::vector<Term> statements = access->guard.parts();
      question.expected.push_back(pool.scale(index, access->bytes));
      statements.push_back(pool.negation(pool.equal(*one.offset, question.expected.back())));
      question.ways.emplace_back();
      if (pool.is_constant(statements.back(), 0)) continue;
      question.ways.back().push_back({threads.with_facts(statements), {one}});
    }
    asked.questions.push_back(std::move(question));
  }
  return asked;
}

}  // namespace bankproof::symbolic
