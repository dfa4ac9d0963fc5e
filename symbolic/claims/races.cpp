// Asks whether two threads touch one byte, one of them writing; see question.hpp.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "families.hpp"
#include "intervals.hpp"
#include "warps.hpp"

namespace bankproof::symbolic {

namespace {

bool is_private(const Access& access) {
  return access.space == ptx::Space::local || access.space == ptx::Space::constant ||
         access.space == ptx::Space::param;
}

bool is_a_writer_among(const Access& a, const Access& b) {
  if (is_private(a) || is_private(b)) return false;
  return a.kind != AccessKind::read || b.kind != AccessKind::read;
}

/// Strong accesses, such as atomic and volatile ones, race, too, if they are of elements of other
/// sizes, or not in the scope of each other (PTX ISA, "Morally Strong Operations").
bool may_race(const Access& a, const Access& b, Which which) {
  if (!a.is_strong() || !b.is_strong()) return true;
  const bool are_in_scope = which == Which::of_one_block ||
                            (a.is_strong_for_all_blocks() && b.is_strong_for_all_blocks());
  return a.element_bytes() != b.element_bytes() || !are_in_scope;
}

/// With fewer pairs, there is a question for each pair.
constexpr std::size_t fewest_of_family = 3;

class Races {
 public:
  Races(Subject& subject, Which which, std::optional<std::set<Term>> objects = {})
      : subject_(subject),
        pool_(subject.pool),
        which_(which),
        objects_(std::move(objects)),
        threads_(subject, which, 2) {
    asked_.claim = which == Which::of_one_block ? Claim::race : Claim::blocks;
  }

  Asked all() {
    const Trace& trace = subject_.trace();
    if (which_ == Which::of_one_block) {
      some_end_ = ask_barriers(subject_).some_end;
      try {
        in_warp_ = together_in_warp(trace);
        const std::set<Together> pairs = together(trace);
        ask({pairs.begin(), pairs.end()});
      } catch (const TooManyPaths&) {
        const ptx::Instruction& barrier = *trace.barriers.front().instruction;
        asked_.questions.push_back(
            Question::cannot_be_asked(Unasked::paths, {threads_.participant(0, barrier)}));
      }
      for (const Trace::UnderWay& one : trace.under_way) ask_own(one);
      if (some_end_) refuse_copies(trace, threads_, asked_);
    } else {
      std::vector<Together> pairs;
      for (std::size_t a = 0; a < trace.accesses.size(); ++a) {
        for (std::size_t b = a; b < trace.accesses.size(); ++b) {
          const bool is_echo = trace.accesses[a].is_echo || trace.accesses[b].is_echo;
          if (!is_echo && may_be_asked(a, b)) pairs.push_back({a, b, {}, {}});
        }
      }
      ask(pairs);
    }
    return std::move(asked_);
  }

 private:
  /// Asks about all pairs: about those of two families at once, and about each one if that does not
  /// exclude them.
  void ask(const std::vector<Together>& pairs) {
    const std::vector<Family> families = families_of(subject_);
    std::vector<std::size_t> family_of(subject_.trace().accesses.size());
    for (std::size_t f = 0; f < families.size(); ++f) {
      for (const std::size_t member : families[f].members) family_of[member] = f;
    }
    // Pairs of the same families, which no barrier separates in the same way.
    using Key = std::tuple<std::size_t, std::size_t, Lateness, Lateness, bool>;
    std::map<Key, std::vector<const Together*>> alike;
    std::vector<Key> keys;
    for (const Together& pair : pairs) {
      const Key key{family_of[pair.first], family_of[pair.second], pair.first_late,
                    pair.second_late, in_warp_.count({pair.first, pair.second}) != 0};
      auto& some = alike[key];
      if (some.empty()) keys.push_back(key);
      some.push_back(&pair);
    }
    for (const Key& key : keys) {
      const std::vector<const Together*>& some = alike.at(key);
      std::vector<Question> questions;
      for (const Together* const pair : some) {
        if (auto question = question_of(*pair)) questions.push_back(std::move(*question));
      }
      if (questions.size() >= fewest_of_family) {
        if (auto all = of_families(families[std::get<0>(key)], families[std::get<1>(key)],
                                   *some.front(), questions)) {
          questions = {std::move(*all)};
        }
      }
      std::move(questions.begin(), questions.end(), std::back_inserter(asked_.questions));
    }
  }

  /// One question about pairs that have one each: whether members of two families touch a byte, or
  /// else whether a pair does. Nothing if it cannot be asked.
  std::optional<Question> of_families(const Family& first, const Family& second,
                                      const Together& pair, std::vector<Question>& of_pairs) {
    const auto can_be_asked = [](const Question& one) { return one.unasked == Unasked::no; };
    if (!std::all_of(of_pairs.begin(), of_pairs.end(), can_be_asked)) return std::nullopt;
    std::vector<Term> bounds = first.bounds;
    for (const Term one : second.bounds) bounds.push_back(threads_.of(1, one));
    auto question = question_of(first.access, second.access, pair, false, bounds);
    if (!question || !can_be_asked(*question)) return std::nullopt;
    std::vector<Possibility> pairs;
    for (Question& one : of_pairs) {
      pairs.push_back(std::move(one.ways.front().front()));
      question->participants.insert(question->participants.end(), one.participants.begin(),
                                    one.participants.end());
    }
    question->ways.push_back(std::move(pairs));
    return question;
  }

  bool may_be_asked(std::size_t a, std::size_t b) const {
    const Access& first = subject_.trace().accesses[a];
    const Access& second = subject_.trace().accesses[b];
    const bool is_shared = first.space == ptx::Space::shared || second.space == ptx::Space::shared;
    if (which_ == Which::of_two_blocks && is_shared) return false;
    return is_a_writer_among(first, second) && is_asked_about(first) && is_asked_about(second);
  }

  /// Nothing if the terms alone show that the two do not race.
  std::optional<Question> question_of(const Together& pair) {
    const Access& first = subject_.trace().accesses[pair.first];
    const Access& second = subject_.trace().accesses[pair.second];
    if (!may_be_asked(pair.first, pair.second)) return std::nullopt;
    asked_.about(*first.instruction, *second.instruction);
    const bool collide = !may_race(first, second, which_);
    if (collide && !may_collide(pair.first, pair.second)) return std::nullopt;
    return question_of(first, second, pair, collide, {});
  }

  /// Whether threads 0 and 1 touch one byte by these accesses, or collide there. `more` is what
  /// else holds.
  std::optional<Question> question_of(const Access& first, const Access& second,
                                      const Together& pair, bool collide,
                                      const std::vector<Term>& more) {
    Participant one = threads_.participant(0, *first.instruction);
    Participant other = threads_.participant(1, *second.instruction);
    const std::optional<Term> overlaps = overlap(first, second, one, other);
    if (!overlaps) return Question::cannot_be_asked(Unasked::address, {one, other});
    std::vector<Term> statements{*overlaps};
    // Rows are read by other lanes than those that give their addresses.
    if (first.row_lanes == 0 && second.row_lanes == 0) {
      statements.push_back(threads_.differ(0, 1));
    }
    add_guard(threads_, 0, first.guard, statements);
    add_guard(threads_, 1, second.guard, statements);
    statements.insert(statements.end(), more.begin(), more.end());
    if (collide) {
      statements.push_back(are_in_one_warp(threads_, pool_, 0, 1));
      if (first.stored) {
        const Term other_value = threads_.of(1, *first.stored);
        statements.push_back(pool_.negation(pool_.equal(*first.stored, other_value)));
      }
    }
    if (which_ == Which::of_one_block) {
      relate(pair, statements);
      // A barrier of warps orders them for the threads of a warp.
      if (in_warp_.count({pair.first, pair.second}) == 0) {
        statements.push_back(pool_.negation(are_in_one_warp(threads_, pool_, 0, 1)));
      }
    }
    if (is_excluded(pool_, statements)) return std::nullopt;
    return Question::can(threads_.with_facts(statements), {one, other});
  }

  /// Whether lanes of a warp may store different values to one place at once, as by
  /// `st.volatile`: it is not defined which one stays.
  bool may_collide(std::size_t a, std::size_t b) const {
    const std::vector<Access>& all = subject_.trace().accesses;
    const bool is_at_once =
        a == b || (all[a].first_of_arrays && all[a].first_of_arrays == all[b].first_of_arrays);
    return is_at_once && which_ == Which::of_one_block && all[a].kind == AccessKind::write;
  }

  /// A thread accesses what its own copy, for which it has not waited, accesses.
  void ask_own(const Trace::UnderWay& meeting) {
    const Access& access = subject_.trace().accesses[meeting.access];
    if (!is_asked_about(meeting.copy) || !is_asked_about(access)) return;
    asked_.about(*meeting.copy.instruction, *access.instruction);
    Participant one = threads_.participant(0, *meeting.copy.instruction);
    Participant other = threads_.participant(0, *access.instruction);
    const std::optional<Term> overlaps = overlap(meeting.copy, access, one, other, 0);
    if (!overlaps) {
      asked_.questions.push_back(Question::cannot_be_asked(Unasked::address, {one, other}));
      return;
    }
    std::vector<Term> statements{*overlaps};
    add_guard(threads_, 0, meeting.copy.guard, statements);
    add_guard(threads_, 0, access.guard, statements);
    if (is_excluded(pool_, statements)) return;
    asked_.questions.push_back(Question::can(threads_.with_facts(statements), {one, other}));
  }

  bool is_asked_about(const Access& access) const {
    if (!objects_) return true;
    const auto places = places_of(pool_, subject_.inputs(), access.address);
    return !places || std::any_of(places->begin(), places->end(), [&](const Place& place) {
      return objects_->count(place.object) != 0;
    });
  }

  /// Whether each of the two threads has the object for itself.
  bool is_own(Term object) const {
    const auto space = subject_.inputs().object(object)->space;
    return space == ptx::Space::local ||
           (which_ == Which::of_two_blocks && space == ptx::Space::shared);
  }

  /// The statement that thread 0 and thread `second_thread` touch one byte; says in the
  /// participants where. Nothing if an address is not known.
  std::optional<Term> overlap(const Access& first, const Access& second, Participant& one,
                              Participant& other, std::size_t second_thread = 1) {
    const auto places_a = places_of(pool_, subject_.inputs(), first.address);
    const auto places_b = places_of(pool_, subject_.inputs(), second.address);
    if (!places_a || !places_b) return std::nullopt;
    Term overlaps = pool_.truth(false);
    for (const Place& x : *places_a) {
      for (const Place& y : *places_b) {
        if (x.object != y.object || is_own(x.object)) continue;
        const Term at_y = threads_.of(second_thread, y.offset);
        const Term near = pool_.either(
            pool_.below(pool_.subtract(x.offset, at_y), pool_.constant(second.bytes, 64), false),
            pool_.below(pool_.subtract(at_y, x.offset), pool_.constant(first.bytes, 64), false));
        const Term both = pool_.both(x.condition, threads_.of(second_thread, y.condition));
        overlaps = pool_.either(overlaps, pool_.both(near, both));
        one.object = other.object = x.object;
        one.offset = x.offset;
        other.offset = at_y;
      }
    }
    return overlaps;
  }

  /// In a loop with barriers, both threads count from the barrier that they share.
  void relate(const Together& pair, std::vector<Term>& statements) {
    const Trace& trace = subject_.trace();
    const auto around = [&](std::size_t access) {
      Event event{.kind = Event::Kind::access, .index = access, .next = {}};
      return loops_around(trace, event);
    };
    const std::vector<std::size_t> of_first = around(pair.first);
    const std::vector<std::size_t> of_second = around(pair.second);
    const auto has = [](const std::vector<std::size_t>& loops, std::size_t loop) {
      return std::find(loops.begin(), loops.end(), loop) != loops.end();
    };
    for (std::size_t l = 0; l < trace.loops.size(); ++l) {
      const LoopInstance& loop = trace.loops[l];
      if (!loop.has_barrier) continue;
      const auto has_passed = [&](const Lateness& lateness) {
        const auto found = lateness.find(l);
        return found != lateness.end() && found->second.passed;
      };
      Term enters = pool_.truth(true);
      for (const Term part : loop.entered) enters = pool_.both(enters, part);
      if (has_passed(pair.first_late)) statements.push_back(pool_.negation(enters));
      if (has_passed(pair.second_late)) {
        statements.push_back(pool_.negation(threads_.of(1, enters)));
      }
      // The iteration of an access, or the last one before it, less what it is later; nothing if
      // that can be any number.
      const auto begun = [&](const std::vector<std::size_t>& loops, const Lateness& lateness,
                             std::size_t thread) -> std::optional<std::pair<bool, Term>> {
        const auto found = lateness.find(l);
        const Late late = found == lateness.end() ? Late{} : found->second;
        const bool is_behind = found != lateness.end() && !late.passed && loop.last && !loop.parent;
        if ((!has(loops, l) && !is_behind) || late.by >= many) return std::nullopt;
        const Term counter = threads_.of(thread, has(loops, l) ? loop.counter : *loop.last);
        return std::pair(late.entered, pool_.subtract(counter, pool_.constant(late.by, 64)));
      };
      const auto a = begun(of_first, pair.first_late, 0);
      const auto b = begun(of_second, pair.second_late, 1);
      for (const auto& one : {a, b}) {
        if (one && one->first) {
          statements.push_back(pool_.equal(one->second, pool_.constant(0, 64)));
        }
      }
      // Both begin with the iteration of the barrier.
      if (a && b && !a->first && !b->first) {
        statements.push_back(pool_.equal(a->second, b->second));
      }
      // All threads end such a loop after the same iteration; only a loop around it could have them
      // in different rounds. A thread that has ended before makes none of its iterations.
      if (loop.last && !loop.parent && !some_end_) {
        statements.push_back(pool_.equal(*loop.last, threads_.of(1, *loop.last)));
      }
    }
  }

  Subject& subject_;
  Pool& pool_;
  Which which_;
  std::optional<std::set<Term>> objects_;
  Threads threads_;
  std::set<std::pair<std::size_t, std::size_t>> in_warp_;
  bool some_end_ = false;  // before barriers
  Asked asked_;
};

}  // namespace

Asked ask_race(Subject& subject) { return Races(subject, Which::of_one_block).all(); }
Asked ask_race_about(Subject& subject, const std::set<Term>& objects) {
  return Races(subject, Which::of_one_block, objects).all();
}
Asked ask_blocks(Subject& subject) { return Races(subject, Which::of_two_blocks).all(); }

}  // namespace bankproof::symbolic
