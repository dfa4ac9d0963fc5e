// Asks whether accesses of a warp to shared memory take more wavefronts than they should; see
// question.hpp.
//
// A wavefront serves one word of 4 bytes from each of 32 banks. Lanes are served in groups: all 32
// of them, 16 if each accesses 8 bytes, 8 if each accesses 16 bytes (docs/fidelity.md). A group
// takes more than K wavefronts if K + 1 of its lanes access different words of one bank. Two words
// of one lane are in different banks, so it is enough to look at the first words of lanes.
//
// There are two ways to exclude that. If the lanes of a warp are known, each lane of a group is
// looked at by its number: mostly it is known for two lanes whether they conflict, and no lane may
// conflict with K others. Otherwise K + 1 lanes are unknowns.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "warps.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr unsigned bank_bits = 5;

class Banks {
 public:
  /// `at_once` lanes are a group, of which no more than `limit` may conflict.
  Banks(Subject& subject, const Access& access, const Place& place, std::uint32_t at_once,
        std::uint32_t limit)
      : subject_(subject),
        pool_(subject.pool),
        access_(access),
        place_(place),
        at_once_(at_once),
        limit_(limit) {
    // An array of bytes may begin within a word, at the same byte of it for all threads.
    const std::uint64_t align = subject.inputs().object(place.object)->align;
    if (align % word_bytes != 0 && access.bytes < word_bytes) {
      const Term within =
          subject.inputs().unknown("begin within a word", 2, Scope::launch,
                                   std::bit_floor(std::max<std::uint64_t>(align, 1)));
      begin_ = pool_.zero_extended(within, pool_.width(place.offset));
    }
  }

  Question question() {
    Question made;
    if (limit_ < at_once_) {
      if (Warp(subject_, 1).are_lanes_known()) made.ways.push_back(by_number());
      made.ways.push_back(by_any_lanes());
    }
    const auto is_proved = [](const auto& way) { return way.empty(); };
    if (std::any_of(made.ways.begin(), made.ways.end(), is_proved)) made.ways.clear();
    return made;
  }

 private:
  Term word(Threads& threads, std::size_t k) {
    Term offset = threads.of(k, place_.offset);
    if (begin_) offset = pool_.add(offset, *begin_);
    return pool_.part(offset, 2, 30);
  }
  Term is_same_bank(Threads& threads, std::size_t a, std::size_t b) {
    return pool_.equal(pool_.part(word(threads, a), 0, bank_bits),
                       pool_.part(word(threads, b), 0, bank_bits));
  }
  /// Whether lanes that are so many bytes apart may access different words of one bank, wherever
  /// the first one is.
  static bool may_conflict(std::int64_t apart) {
    constexpr std::int64_t row = word_bytes << bank_bits;
    // A multiple of a row, or a number of bytes that comes near to one.
    const std::int64_t nearest = (apart + (apart < 0 ? -row : row) / 2) / row * row;
    return nearest != 0 && std::abs(apart - nearest) < word_bytes;
  }
  Participant participant(Threads& threads, std::size_t k) {
    Participant one = threads.participant(k, *access_.instruction);
    one.object = place_.object;
    one.offset = threads.of(k, place_.offset);
    return one;
  }
  std::vector<Possibility> way(Threads& threads, const std::vector<Term>& statements,
                               const std::vector<Participant>& participants) const {
    if (is_excluded(pool_, statements)) return {};
    return {{threads.with_facts(statements), participants}};
  }

  /// Thread 0 is any that makes the access, and thread l + 1 is lane l of its warp.
  std::vector<Possibility> by_number() {
    Warp warp(subject_, lanes_of_warp + 1);
    Threads& threads = warp.threads();
    threads.let_others_be_missing();
    for (std::uint32_t lane = 0; lane < lanes_of_warp; ++lane) warp.take_lane(lane + 1, lane);
    Term some = pool_.truth(false);
    for (std::uint32_t lane = 0; lane < lanes_of_warp; ++lane) {
      const std::uint32_t group = lane / at_once_ * at_once_;
      constexpr unsigned count_bits = 6;
      Term others = pool_.constant(0, count_bits);
      // A limit of 1 excludes pairs, and each pair is looked at once. For a higher limit, each lane
      // counts all others that it conflicts with.
      for (std::uint32_t other = limit_ == 1 ? lane + 1 : group; other < group + at_once_;
           ++other) {
        if (other == lane) continue;
        others = pool_.add(others,
                           pool_.zero_extended(conflict(threads, lane + 1, other + 1), count_bits));
      }
      const Term are_many = pool_.below(pool_.constant(limit_ - 1, count_bits), others, false);
      some = pool_.either(some, are_many);
    }
    std::vector<Term> statements{some};
    add_guard(threads, 0, access_.guard, statements);
    return way(threads, statements, {participant(threads, 0)});
  }

  Term conflict(Threads& threads, std::size_t a, std::size_t b) {
    const Term apart = pool_.subtract(threads.of(b, place_.offset), threads.of(a, place_.offset));
    if (pool_.is_constant(apart) &&
        !may_conflict(signed_value(pool_.node(apart).value, pool_.width(apart)))) {
      return pool_.truth(false);
    }
    Term both = pool_.both(is_same_bank(threads, a, b),
                           pool_.negation(pool_.equal(word(threads, a), word(threads, b))));
    for (const std::size_t k : {a, b}) {
      if (pool_.is_constant(both, 0)) return both;
      both = pool_.both(both, is_active(pool_, threads, k, access_));
      both = pool_.both(both, is_there(subject_, threads, k, access_));
    }
    return both;
  }

  std::vector<Possibility> by_any_lanes() {
    const std::size_t count = limit_ + 1;
    Warp warp(subject_, count);
    Threads& threads = warp.threads();
    std::vector<Term> statements;
    for (std::size_t k = 1; k < count; ++k) warp.join(k, statements);
    const auto group = [&](std::size_t k) {
      const auto bits = static_cast<unsigned>(std::countr_zero(at_once_));
      return pool_.part(warp.lane(k), bits, lane_bits - bits);
    };
    std::vector<Participant> participants;
    for (std::size_t k = 0; k < count; ++k) {
      participants.push_back(participant(threads, k));
      add_guard(threads, k, access_.guard, statements);
      if (k == 0) continue;
      if (at_once_ < lanes_of_warp) statements.push_back(pool_.equal(group(0), group(k)));
      statements.push_back(is_same_bank(threads, 0, k));
      // Not one thread that might have read different values; and in order, so that each set of
      // words is looked at once.
      statements.push_back(pool_.below(word(threads, k - 1), word(threads, k), false));
      for (std::size_t other = 0; other < k; ++other) {
        statements.push_back(threads.differ(other, k));
      }
    }
    return way(threads, statements, participants);
  }

  Subject& subject_;
  Pool& pool_;
  const Access& access_;
  Place place_;
  std::optional<Term> begin_;
  std::uint32_t at_once_;
  std::uint32_t limit_;
};

}  // namespace

Asked ask_banks(Subject& subject, std::optional<std::uint32_t> most) {
  Asked asked{.claim = Claim::banks};
  Threads threads(subject, Which::of_one_block, 1);
  for (const Access& access : subject.trace().accesses) {
    if (access.is_echo) continue;
    const auto places = places_of(subject.pool, subject.inputs(), access.address);
    if (!may_be_in(ptx::Space::shared, subject.inputs(), access, places)) continue;
    asked.about(*access.instruction);
    if (access.first_of_arrays) {
      ask_about_choice(subject, access, asked);
    }
    const Participant one = threads.participant(0, *access.instruction);
    const auto refuse = [&](Unasked why) {
      asked.questions.push_back(Question::cannot_be_asked(why, {one}));
    };
    const std::uint32_t groups = std::max(access.bytes / word_bytes, 1U);
    // So many wavefronts a warp takes without a conflict: one for each group.
    const std::uint32_t least = access.row_lanes == 0 ? groups : access.row_lanes / 8;
    if (!places || places->size() != 1 || groups > 4) {
      refuse(Unasked::address);
    } else if (most.value_or(least) < least) {
      refuse(Unasked::wavefronts);
    } else {
      Question question = Banks(subject, access, places->front(), lanes_of_warp / groups,
                                most.value_or(least) / least)
                              .question();
      if (question.ways.empty()) continue;
      question.participants = {one};
      question.most = most.value_or(least);
      question.reached = reached_by(threads, access, places->front());
      asked.questions.push_back(std::move(question));
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
