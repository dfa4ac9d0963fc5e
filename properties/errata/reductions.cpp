// Programs that compute a result of n words in less than l log n. In some programs, data decide
// whether or where threads access memory, so even an omitted access carries information. In other
// programs, the threads of a warp learn from votes (docs/errata.md, row S5).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "../../algorithms/number.hpp"
#include "../../model/machine.hpp"
#include "../../model/observers/collisions.hpp"
#include "../../model/observers/races.hpp"
#include "../../testing/property.hpp"

namespace bankproof::testing {
namespace {

using InputWords = std::vector<Address>;
using WordArray = Array<Address>;

constexpr Width w = 32;
constexpr Latency l = 1000;
/// The time that the tokens of MOD theorem 2 require of every program whose result depends on w
/// words.
constexpr Time printed = l * 5;
/// The time that S5.values requires of a sum of w words by w threads: l log (32/log 35).
constexpr Time by_values = l * 3;

/// Each thread whose word is 1 writes a 1.
Program or_of(Warp& warp, WordArray& x, WordArray& result) {
  const Lanes<Address> mine = co_await x.read(warp.thread());
  const MaskScope those_with_a_one = warp.only(mine != Address{0});
  co_await result.write(warp.same(0), warp.all(Address{1}));
}

/// A thread reads the word whose index x[0] gives.
Program named_word(Warp& warp, WordArray& x, WordArray& result) {
  const Lanes<Address> name = co_await x.read(warp.same(0));
  const Lanes<Address> word = co_await x.read(name);
  co_await result.write(warp.same(0), word);
}

/// A vote tells every thread of a warp whether any thread's word is 1.
Program voted_or(Warp& warp, WordArray& x, WordArray& result) {
  const Lanes<Address> mine = co_await x.read(warp.thread());
  const Address any = warp.any(mine != Address{0}) ? 1 : 0;
  co_await result.write(warp.same(0), warp.all(any));
}

/// The warp adds the words of its threads.
Program sum_of_lanes(Warp& warp, WordArray& x, WordArray& result) {
  const Lanes<Address> mine = co_await x.read(warp.thread());
  Address sum = 0;
  for (const Address& word : mine) sum += word;
  co_await result.write(warp.same(0), warp.all(sum));
}

/// The result of a program, and its time.
struct Told {
  Address result = 0;
  Time time = 0;
};

/// Reports races, and different values written to one word, as faults.
Told run(Program (*program)(Warp&, WordArray&, WordArray&), const InputWords& words,
         std::uint64_t threads) {
  Dmm machine({.width = w, .latency = l});
  Races races;
  Collisions collisions;
  machine.attach(races);
  machine.attach(collisions);
  WordArray x(machine.memory(), words, "x");
  WordArray result(machine.memory(), InputWords{0}, "result");
  const Time time = machine.launch({.threads = threads}, program, x, result);
  return {result.values()[0], time};
}

TEST(Errata, or_of_32_words_takes_two_accesses_where_MOD_theorem_2_has_five_latencies) {
  // The result depends on each word: the test tries all zeros, and a single 1 at each position.
  InputWords words(w);
  EXPECT_EQ(run(or_of, words, w).result, 0U);
  for (Address& word : words) {
    word = 1;
    const Told told = run(or_of, words, w);
    EXPECT_EQ(told.result, 1U);
    EXPECT_EQ(told.time, 2 * l);
    EXPECT_LT(told.time, printed);
    word = 0;
  }
}

BANKPROOF_PROPERTY(Errata, or_in_two_accesses_is_right_for_all_words, ()) {
  const InputWords words =
      *rc::gen::container<InputWords>(w, rc::gen::weightedElement<Address>({{20, 0}, {1, 1}}));
  const bool one = words != InputWords(w);
  const Told told = run(or_of, words, w);
  RC_ASSERT(told.result == (one ? 1U : 0U));
  RC_ASSERT(told.time == (one ? 2 * l : l));
}

// Data decide neither an access nor the winner of a write.
TEST(Errata, a_vote_tells_the_or_of_a_warp_after_one_read) {
  InputWords words(w);
  EXPECT_EQ(run(voted_or, words, w).result, 0U);
  for (Address& word : words) {
    word = 1;
    const Told told = run(voted_or, words, w);
    EXPECT_EQ(told.result, 1U);
    EXPECT_EQ(told.time, 2 * l);
    EXPECT_LT(told.time, printed);
    word = 0;
  }
}

BANKPROOF_PROPERTY(Errata, a_warp_that_adds_its_lanes_is_below_the_bound_by_values, ()) {
  InputWords words(w);
  for (Address i = 0; i < w; ++i) words[i] = *rc::gen::element<Address>(0, Address{1} << i);
  const Told told = run(sum_of_lanes, words, w);
  RC_ASSERT(told.result == std::accumulate(words.begin(), words.end(), Address{0}));
  RC_ASSERT(told.time == 2 * l);
  RC_ASSERT(told.time < by_values);
}

TEST(Errata, a_word_that_another_names_depends_on_all_after_two_reads) {
  for (Address named = 1; named < w; ++named) {
    InputWords words(w);
    words[0] = named;
    EXPECT_EQ(run(named_word, words, 1).result, 0U);
    words[named] = 1;
    const Told told = run(named_word, words, 1);
    EXPECT_EQ(told.result, 1U);  // so the result depends on x[named] and on x[0]
    EXPECT_EQ(told.time, 3 * l);
    EXPECT_LT(told.time, printed);
  }
}

}  // namespace
}  // namespace bankproof::testing
