// Asks whether accesses are where a formula says; see question.hpp.
#include "../execution/objects.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

Asked ask_address(Subject& subject, const std::vector<AccessToElements>& accesses,
                  const std::vector<Term>& indices) {
  Pool& pool = subject.pool;
  Threads threads(subject, Which::of_one_block, 1);
  Asked asked{.claim = Claim::address};
  for (const auto& [access, element] : accesses) {
    asked.about(*access->instruction);
    Participant one = threads.participant(0, *access->instruction);
    const auto places = places_of(pool, subject.inputs(), access->address);
    if (!places || places->size() != 1 ||
        (access->bytes > element && access->bytes % element != 0)) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::address, {one}));
      continue;
    }
    one.object = places->front().object;
    one.offset = places->front().offset;
    for (std::uint32_t before = 0; before < access->bytes; before += element) {
      Question question{.participants = {one}, .ways = {}};
      question.within = element > access->bytes ? element - access->bytes : 0;
      for (const Term index : indices) {
        std::vector<Term> statements = access->guard.parts();
        question.expected.push_back(
            pool.subtract(pool.scale(index, element), pool.constant(before, 64)));
        const Term expected = question.expected.back();
        const Term is_there = question.within == 0
                                  ? pool.equal(*one.offset, expected)
                                  : pool.at_most(pool.subtract(*one.offset, expected),
                                                 pool.constant(question.within, 64), false);
        statements.push_back(pool.negation(is_there));
        question.ways.emplace_back();
        if (pool.is_constant(statements.back(), 0)) continue;
        question.ways.back().push_back({threads.with_facts(statements), {one}});
      }
      asked.questions.push_back(std::move(question));
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
