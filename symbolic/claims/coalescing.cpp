// Asks whether accesses of a warp to global memory touch more sectors than they need; see
// question.hpp.
//
// A sector has c elements of the access. If lanes access D of them in S sectors, the sectors have
// c·S - D holes: elements that no lane accesses. More than M sectors too many, S > ⌈D / c⌉ + M, are
// at least c·(M + 1) holes. A row of holes ends at an element that is accessed, above or below: a
// break. It has at most c - 1 holes. So M + 1 breaks are not enough for M sectors too many, and a
// claim holds if no warp has M + 2 breaks.
//
// At a break no lane accesses the next element. It is enough to look at a neighbor of the lane, in
// one direction: then the claim is proved of accesses whose addresses rise with the lane, or fall.
//
// Another way: no M + 2 lanes access different sectors. It shows that all lanes read one element.
#include <algorithm>
#include <string>

#include "warps.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint32_t sector_bytes = 32;
constexpr unsigned sector_bits = 5;
constexpr unsigned address_bits = 64;
/// With more sectors, breaks are not looked at: they would be too many.
constexpr std::uint32_t most_breaks = 5;

enum class Order : std::uint8_t { rising, falling };
/// Whether the hole is below the element that is accessed, or above.
enum class Hole : std::uint8_t { below, above };

class Coalescing {
 public:
  Coalescing(Subject& subject, const Access& access, Place place, std::uint32_t most)
      : subject_(subject), pool_(subject.pool), access_(access), place_(place), most_(most) {}

  Question question() {
    Question made;
    made.most = most_;
    if (most_ + 2 <= most_breaks) {
      for (const Order order : {Order::rising, Order::falling}) made.ways.push_back(breaks(order));
    }
    made.ways.push_back(different_sectors());
    const auto is_proved = [](const auto& way) { return way.empty(); };
    if (std::any_of(made.ways.begin(), made.ways.end(), is_proved)) made.ways.clear();
    Threads threads(subject_, Which::of_one_block, 1);
    made.participants = {threads.participant(0, *access_.instruction)};
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
      // In order, so that each set of sectors is looked at once.
      statements.push_back(pool_.below(sector(threads, k - 1), sector(threads, k), false));
    }
    add(threads, statements, participants, all);
    return all;
  }

  /// One possibility for each number of holes below.
  std::vector<Possibility> breaks(Order order) {
    std::vector<Possibility> all;
    const std::size_t count = most_ + 2;
    for (std::size_t below = 0; below <= count; ++below) {
      // Thread 2·k is a lane at a break, and 2·k + 1 its neighbor.
      Warp warp(subject_, 2 * count);
      Threads& threads = warp.threads();
      std::vector<Term> statements;
      for (std::size_t k = 1; k < count; ++k) warp.join(2 * k, statements);
      std::vector<Participant> participants;
      const auto hole = [&](std::size_t k) { return k < below ? Hole::below : Hole::above; };
      for (std::size_t k = 0; k < count; ++k) {
        participants.push_back(participant(threads, 2 * k));
        add_break(warp, 2 * k, hole(k), order, statements);
        if (k == 0) continue;
        if (hole(k - 1) == hole(k)) {
          statements.push_back(
              pool_.below(offset(threads, 2 * (k - 1)), offset(threads, 2 * k), false));
        }
      }
      add(threads, statements, participants, all);
    }
    return all;
  }

  void add_break(Warp& warp, std::size_t k, Hole hole, Order order, std::vector<Term>& statements) {
    Threads& threads = warp.threads();
    const Term bytes = pool_.constant(access_.bytes, address_bits);
    const Term here = offset(threads, k);
    add_guard(threads, k, access_.guard, statements);
    // The next element is in the same sector.
    const Term place = pool_.part(here, 0, sector_bits);
    const std::uint32_t last = hole == Hole::below ? 0 : sector_bytes - access_.bytes;
    statements.push_back(pool_.negation(pool_.equal(place, pool_.constant(last, sector_bits))));
    // Nor does the neighbor access it. Of the lanes that access one element, the neighbor's is the
    // last one in its direction.
    const std::size_t neighbor = k + 1;
    const bool is_before = (hole == Hole::below) == (order == Order::rising);
    const auto is_lane = [&](std::uint32_t lane) {
      return pool_.equal(warp.lane(k), pool_.constant(lane, lane_bits));
    };
    const Term is_last_of_block =
        pool_.equal(pool_.add(threads.number(k), pool_.constant(1, 32)), threads.block_size());
    const Term has_none =
        is_before ? is_lane(0) : pool_.either(is_lane(lanes_of_warp - 1), is_last_of_block);
    const Term is_neighbor = warp.neighbor(neighbor, k, is_before);
    const Term there = offset(threads, neighbor);
    const Term next = hole == Hole::below ? pool_.subtract(here, bytes) : pool_.add(here, bytes);
    Term accesses = pool_.either(pool_.equal(there, here), pool_.equal(there, next));
    for (const Term part : access_.guard.parts()) {
      accesses = pool_.both(accesses, threads.of(neighbor, part));
    }
    statements.push_back(pool_.either(has_none, pool_.both(is_neighbor, pool_.negation(accesses))));
  }

  Subject& subject_;
  Pool& pool_;
  const Access& access_;
  Place place_;
  std::uint32_t most_;
};

}  // namespace

Asked ask_coalesced(Subject& subject, std::uint32_t most) {
  Asked asked{.claim = Claim::coalesced};
  const Inputs& inputs = subject.inputs();
  for (const Access& access : subject.trace().accesses) {
    const auto places = places_of(subject.pool, inputs, access.address);
    if (!may_be_in(ptx::Space::global, inputs, access, places)) continue;
    ++asked.subjects;
    Threads threads(subject, Which::of_one_block, 1);
    const Participant one = threads.participant(0, *access.instruction);
    if (!places || places->size() != 1) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::address, {one}));
    } else if (access.bytes > sector_bytes / 2) {
      asked.questions.push_back(Question::cannot_be_asked(Unasked::width, {one}));
    } else {
      Question question = Coalescing(subject, access, places->front(), most).question();
      if (!question.ways.empty()) asked.questions.push_back(std::move(question));
    }
  }
  return asked;
}

}  // namespace bankproof::symbolic
