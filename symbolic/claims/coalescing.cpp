// Asks whether accesses of a warp to global memory touch more sectors than they need; see
// question.hpp.
//
// A sector has c elements of the access. If lanes access D of them in S sectors, the sectors have
// c·S - D holes: elements that no lane accesses. More than M sectors too many, S > ⌈D / c⌉ + M, are
// at least c·(M + 1) holes. A row of holes ends at an element that is accessed, above or below: a
// break. It has at most c - 1 holes. So M + 1 breaks are not enough for M sectors too many, and a
// claim holds if no warp has M + 2 breaks.
//
// At a break no lane accesses the next element. It is enough to look at the lane beside: then the
// claim is proved of accesses whose addresses rise with the lane, or fall. Each lane is looked at
// by its number, so that its place in its sector and the distance to the next lane are mostly
// known. A lane may not come to the iteration of the others; then it accesses nothing.
//
// Two other ways need fewer lanes, and so less of solvers. If each lane but the first accesses the
// element behind that of the lane before, the lanes access a row of elements from lane 0 on; one
// sector too many at most, and none if lane 0 is at the begin of one. And if no M + 2 lanes access
// different sectors, all may read one element.
#include <algorithm>
#include <string>

#include "alignment.hpp"
#include "iterations.hpp"
#include "warps.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint32_t sector_bytes = 32;
constexpr unsigned sector_bits = 5;
constexpr unsigned address_bits = 64;
enum class Order : std::uint8_t { rising, falling };
/// Whether the hole is below the element that is accessed, or above.
enum class Hole : std::uint8_t { below, above };

class Coalescing {
 public:
  Coalescing(Subject& subject, const Access& access, Place place, std::uint32_t most)
      : subject_(subject),
        pool_(subject.pool),
        access_(access),
        place_(place),
        most_(most),
        aligned_(by_alignment(subject)) {}

  Question question() {
    Question made;
    made.most = most_;
    if (Warp(subject_, 1).is_row()) made.ways.push_back(row_of_elements());
    if (Warp(subject_, 1).are_lanes_known()) {
      for (const Order order : {Order::rising, Order::falling}) made.ways.push_back(breaks(order));
    }
    made.ways.push_back(different_sectors());
    const auto is_proved = [](const auto& way) { return way.empty(); };
    if (std::any_of(made.ways.begin(), made.ways.end(), is_proved)) made.ways.clear();
    Threads threads(subject_, Which::of_one_block, 1);
    made.participants = {threads.participant(0, *access_.instruction)};
    made.reached = reached_by(threads, access_, place_);
    return made;
  }

 private:
  Term offset(Threads& threads, std::size_t k) { return threads.of(k, place_.offset); }
  Term sector(Threads& threads, std::size_t k) {
    return pool_.part(offset(threads, k), sector_bits, address_bits - sector_bits);
  }
  Participant participant(Threads& threads, std::size_t k) {
    Participant one = threads.participant(k, *access_.instruction);
    one.object = place_.object;
    one.offset = offset(threads, k);
    return one;
  }
  void add(Threads& threads, const std::vector<Term>& statements,
           const std::vector<Participant>& participants, std::vector<Possibility>& all) const {
    if (is_excluded(pool_, statements)) return;
    all.push_back({threads.with_facts(statements), participants});
  }

  std::vector<Possibility> different_sectors() {
    std::vector<Possibility> all;
    const std::size_t count = most_ + 2;
    if (count > lanes_of_warp) return all;
    Warp warp(subject_, count);
    Threads& threads = warp.threads();
    std::vector<Term> statements;
    for (std::size_t k = 1; k < count; ++k) warp.join(k, statements);
    std::vector<Participant> participants;
    for (std::size_t k = 0; k < count; ++k) {
      participants.push_back(participant(threads, k));
      add_guard(threads, k, access_.guard, statements);
      if (k == 0) continue;
      // In order, so that each set of sectors is looked at once; and not one lane, in different
      // iterations.
      statements.push_back(pool_.below(sector(threads, k - 1), sector(threads, k), false));
      for (std::size_t other = 0; other < k; ++other) {
        statements.push_back(threads.differ(other, k));
      }
    }
    add(threads, statements, participants, all);
    return all;
  }

  /// Thread 0 is any lane that makes the access, and thread 1 the lane before.
  std::vector<Possibility> row_of_elements() {
    Warp warp(subject_, 2);
    Threads& threads = warp.threads();
    threads.let_others_be_missing();
    warp.take_lane_before(1);
    const Term is_first = pool_.equal(warp.lane(0), pool_.constant(0, lane_bits));
    const Term behind = pool_.add(offset(threads, 1), pool_.constant(access_.bytes, address_bits));
    const Term is_behind = pool_.equal(offset(threads, 0), behind);
    std::vector<Possibility> all;
    std::vector<Term> statements{pool_.negation(is_first),
                                 pool_.either(is_missing(threads, 1), pool_.negation(is_behind))};
    add_guard(threads, 0, access_.guard, statements);
    add(threads, statements, {participant(threads, 0)}, all);
    if (most_ != 0) return all;
    const Term place = aligned_(pool_.part(offset(threads, 0), 0, sector_bits));
    statements = {is_first, pool_.negation(pool_.equal(place, pool_.constant(0, sector_bits)))};
    add_guard(threads, 0, access_.guard, statements);
    add(threads, statements, {participant(threads, 0)}, all);
    return all;
  }

  /// Thread 0 is any that makes the access, and thread l + 1 is lane l of its warp.
  std::vector<Possibility> breaks(Order order) {
    Warp warp(subject_, lanes_of_warp + 1);
    warp.threads().let_others_be_missing();
    for (std::uint32_t lane = 0; lane < lanes_of_warp; ++lane) warp.take_lane(lane + 1, lane);
    constexpr unsigned count_bits = 8;
    Term count = pool_.constant(0, count_bits);
    for (std::uint32_t lane = 0; lane < lanes_of_warp; ++lane) {
      for (const Hole hole : {Hole::below, Hole::above}) {
        const Term is_one = is_break(warp.threads(), lane, hole, order);
        count = pool_.add(count, pool_.zero_extended(is_one, count_bits));
      }
    }
    std::vector<Term> statements{pool_.below(pool_.constant(most_ + 1, count_bits), count, false)};
    add_guard(warp.threads(), 0, access_.guard, statements);
    std::vector<Possibility> all;
    add(warp.threads(), statements, {participant(warp.threads(), 0)}, all);
    return all;
  }

  Term is_break(Threads& threads, std::uint32_t lane, Hole hole, Order order) {
    const std::size_t k = lane + 1;
    const Term bytes = pool_.constant(access_.bytes, address_bits);
    const Term here = offset(threads, k);
    const Term place = aligned_(pool_.part(here, 0, sector_bits));
    // The next element is in the same sector.
    const std::uint32_t last = hole == Hole::below ? 0 : sector_bytes - access_.bytes;
    const Term is_inside = pool_.negation(pool_.equal(place, pool_.constant(last, sector_bits)));
    const Term found = pool_.both(is_inside, pool_.both(is_active(pool_, threads, k, access_),
                                                        is_there(subject_, threads, k, access_)));
    const bool looks_back = (hole == Hole::below) == (order == Order::rising);
    if (lane == (looks_back ? 0 : lanes_of_warp - 1) || pool_.is_constant(found, 0)) return found;
    // Nor does the lane beside access it. Of several lanes that access one element, the break is at
    // the last one in this direction.
    const std::size_t beside = looks_back ? k - 1 : k + 1;
    const Term there = offset(threads, beside);
    const Term next = hole == Hole::below ? pool_.subtract(here, bytes) : pool_.add(here, bytes);
    const Term accesses = pool_.either(pool_.equal(there, here), pool_.equal(there, next));
    return pool_.both(found, pool_.either(is_missing(threads, beside), pool_.negation(accesses)));
  }

  /// The block has no such lane, the lane does something else, or it left a loop before the
  /// iteration: after iteration j.
  Term is_missing(Threads& threads, std::size_t k) {
    Term some =
        pool_.negation(pool_.both(is_active(pool_, threads, k, access_), threads.is_there(k, {})));
    for (auto loop = access_.loop; loop; loop = subject_.trace().loops[*loop].parent) {
      const LoopInstance& of = subject_.trace().loops[*loop];
      if (do_all_go_on(subject_, of)) continue;
      some = pool_.either(some, threads.of(k, leaves_before(subject_, of)));
    }
    return some;
  }

  Subject& subject_;
  Pool& pool_;
  const Access& access_;
  Place place_;
  std::uint32_t most_;
  Substitution aligned_;
};

}  // namespace

Asked ask_coalesced(Subject& subject, std::uint32_t most) {
  Asked asked{.claim = Claim::coalesced};
  const Inputs& inputs = subject.inputs();
  for (const Access& access : subject.trace().accesses) {
    if (access.is_echo) continue;
    const auto places = places_of(subject.pool, inputs, access.address);
    if (!may_be_in(ptx::Space::global, inputs, access, places)) continue;
    asked.about(*access.instruction);
    Threads threads(subject, Which::of_one_block, 1);
    const Participant one = threads.participant(0, *access.instruction);
    if (!places || places->size() != 1) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::address, {one}));
    } else if (access.may_be_shorter) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::length, {one}));
    } else if (access.bytes > sector_bytes / 2) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::width, {one}));
    } else {
      if (access.first_of_arrays) {
        // Sectors that several arrays have too many add up; none too many of each are none at all.
        const bool is_of_each = most == 0;
        ask_about_choice(subject, access, asked,
                         is_of_each ? std::optional(places->front().object) : std::nullopt);
      }
      Question question = Coalescing(subject, access, places->front(), most).question();
      if (!question.ways.empty()) asked.questions.push_back(std::move(question));
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
