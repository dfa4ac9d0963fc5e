// Asks whether accesses of a warp to shared memory take more wavefronts than they should; see
// question.hpp.
//
// A wavefront serves one word of 4 bytes from each of 32 banks. Lanes are served in groups: all 32
// of them, 16 if each accesses 8 bytes, 8 if each accesses 16 bytes (docs/fidelity.md). A group
// takes more than K wavefronts if K + 1 of its lanes access different words of one bank. Two words
// of one lane are in different banks, so it is enough to look at the first words of lanes.
#include <algorithm>

#include "warps.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint32_t word_bytes = 4;

unsigned log2(std::uint32_t power) {
  unsigned exponent = 0;
  while ((1U << exponent) < power) ++exponent;
  return exponent;
}

}  // namespace

Asked ask_banks(Subject& subject, std::optional<std::uint32_t> most) {
  Pool& pool = subject.pool;
  Asked asked{.claim = Claim::banks};
  for (const Access& access : subject.trace().accesses) {
    const auto places = places_of(pool, subject.inputs(), access.address);
    if (!may_be_in(ptx::Space::shared, subject.inputs(), access, places)) continue;
    ++asked.subjects;
    const std::uint32_t groups = std::max(access.bytes / word_bytes, 1U);
    // So many wavefronts a warp takes without a conflict: one for each group.
    const std::uint32_t least = access.row_lanes == 0 ? groups : access.row_lanes / 8;
    const std::uint32_t limit = std::max(most.value_or(least) / least, 1U);
    const std::size_t count = std::min<std::size_t>(limit + 1, lanes_of_warp / groups + 1);
    Warp warp(subject, count);
    Threads& threads = warp.threads();
    std::vector<Term> statements;
    for (std::size_t k = 1; k < count; ++k) warp.join(k, statements);
    std::vector<Participant> participants;
    for (std::size_t k = 0; k < count; ++k) {
      participants.push_back(threads.participant(k, *access.instruction));
    }
    if (!places || places->size() != 1 || groups > 4) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::address, participants));
      continue;
    }
    if (most.value_or(least) < least) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::wavefronts, participants));
      continue;
    }
    if (count > lanes_of_warp / groups) continue;  // more lanes than a group has
    // The array begins at a multiple of a word, or the words would not be known.
    const Term offset = places->front().offset;
    if (subject.inputs().object(places->front().object)->align % word_bytes != 0 &&
        access.bytes < word_bytes) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::alignment, participants));
      continue;
    }
    const auto word = [&](std::size_t k) { return pool.part(threads.of(k, offset), 2, 30); };
    const auto group = [&](std::size_t k) {
      const unsigned bits = lane_bits - log2(groups);
      return pool.part(warp.lane(k), bits, lane_bits - bits);
    };
    for (std::size_t k = 0; k < count; ++k) {
      participants[k].object = places->front().object;
      participants[k].offset = threads.of(k, offset);
      add_guard(threads, k, access.guard, statements);
      if (k == 0) continue;
      if (groups > 1) statements.push_back(pool.equal(group(0), group(k)));
      statements.push_back(pool.equal(pool.part(word(0), 0, 5), pool.part(word(k), 0, 5)));
      // Not one thread that might have read different values; and in order, so that each set of
      // words is looked at once.
      statements.push_back(pool.below(word(k - 1), word(k), false));
      for (std::size_t other = 0; other < k; ++other) {
        statements.push_back(threads.differ(other, k));
      }
    }
    if (is_excluded(pool, statements)) continue;
    asked.questions.push_back(Question::can(threads.with_facts(statements), participants));
    asked.questions.back().most = most.value_or(least);
    asked.questions.back().reached = reached_by(threads, access, places->front());
  }
  return asked;
}

}  // namespace bankproof::symbolic
