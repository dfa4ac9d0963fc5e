// Accesses to several arrays, conflict-free accesses and copies (rows C3–C7): exact lockstep times,
// and upper bounds with explicit constants for both modes.
#include "../../algorithms/copy.hpp"

#include <gmock/gmock.h>

#include <deque>
#include <numeric>
#include <vector>

#include "../../testing/property.hpp"

namespace bankproof {
namespace {

using Word = std::uint64_t;

struct Collect {
  std::vector<Word>& seen;
  void operator()(const Progression& i, const Lanes<Word>& values, Mask mask) const {
    for_each_lane(mask, [&](Width lane) { seen[i[lane]] = values[lane]; });
  }
};

std::vector<Word> numbered(std::uint64_t n) {
  std::vector<Word> words(n);
  std::iota(words.begin(), words.end(), Word{1});
  return words;
}

/// k segments of random lengths with random gaps between them.
rc::Gen<std::vector<Segment>> any_segments() {
  const auto piece =
      rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, 10), rc::gen::inRange<std::uint64_t>(0, 80));
  return rc::gen::map(
      rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(piece),
      [](const auto& pieces) {
        std::vector<Segment> segments;
        Address next = 0;
        for (const auto& [gap, length] : pieces) {
          segments.push_back({next + gap, length});
          next += gap + length;
        }
        return segments;
      });
}

std::uint64_t end_of(const std::vector<Segment>& segments) {
  return segments.empty() ? 0 : segments.back().start + segments.back().length;
}

template <class Machine>
Time time_of_segments(const std::vector<Segment>& segments, std::uint64_t p, Width w, Latency l,
                      Mode mode) {
  Machine machine({.width = w, .latency = l}, {.mode = mode});
  Array<Word> a(machine.memory(), numbered(end_of(segments)), "a");
  const Concatenation words(segments);
  std::vector<Word> seen(words.size());
  Collect collect{seen};
  const Time time = machine.launch({.threads = p}, read_segments<Word, Collect>, a, words, collect);
  for (std::uint64_t i = 0; i < words.size(); ++i) RC_ASSERT(seen[i] == words[i] + 1);
  return time;
}

// HMM theorem 2, in the form that holds. In ⌈n/p⌉ rounds the warps make at most n/w + ⌈n/p⌉
// accesses. Each end of a segment inside an access cuts the access into one more piece. A piece of
// at most w words lies in at most 2 groups.
BANKPROOF_PROPERTY(Segments, take_at_most_the_bound_when_threads_share_their_concatenation, ()) {
  const auto segments = *any_segments();
  const auto p = *rc::gen::inRange<std::uint64_t>(1, 200);
  const auto w = *rc::gen::inRange<Width>(1, 33);
  const auto l = *rc::gen::inRange<Latency>(1, 30);
  const std::uint64_t n = Concatenation(segments).size();
  const std::uint64_t rounds = ceil_div(n, p);
  const Time bound = 2 * (n / w + rounds + segments.size()) + rounds * (l - 1);
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    RC_ASSERT(time_of_segments<Dmm>(segments, p, w, l, mode) <= bound);
    RC_ASSERT(time_of_segments<Umm>(segments, p, w, l, mode) <= bound);
  }
}

Program read_in_turn(Warp& warp, std::deque<Array<Word>>& arrays) {
  for (auto& a : arrays) {
    for (auto i : warp.each(a.size())) co_await a.read(i);
  }
}

// The theorem's bound O(n/w + nl/p + l) is O(n/w + l) for p = n; here 2·(n/w + l) would be 42.
TEST(Segments, refute_theorem_2_of_HMM_when_accessed_one_array_after_another) {
  const Width w = 4;
  const Latency l = 5;
  const std::uint64_t arrays_of_w_words = 16;
  const std::uint64_t n = arrays_of_w_words * w;
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    Dmm machine({.width = w, .latency = l}, {.mode = mode});
    std::deque<Array<Word>> arrays;
    for (std::uint64_t k = 0; k < arrays_of_w_words; ++k) {
      arrays.emplace_back(machine.memory(), std::vector<Word>(w), "a" + std::to_string(k));
    }
    EXPECT_EQ(machine.launch({.threads = n}, read_in_turn, arrays), n / w * l);

    std::vector<Segment> segments;
    for (std::uint64_t k = 0; k < arrays_of_w_words; ++k) segments.push_back({k * w, w});
    EXPECT_EQ(time_of_segments<Dmm>(segments, n, w, l, mode), n / w + l - 1);
  }
}

Program read_by_index(Warp& warp, Array<Word>& a, const std::vector<Address>& index) {
  for (auto i : warp.each(index.size())) {
    Lanes<Address> at = warp.all(Address{0});
    for_each_lane(warp.mask(), [&](Width lane) { at[lane] = index[i[lane]]; });
    co_await a.read(at, AccessKind::conflict_free);
  }
}

// OPT lemma 1: conflict-free accesses take the time of contiguous ones at any addresses. For w | p
// | n this time is at most n/w + (n/p)·l.
BANKPROOF_PROPERTY(ConflictFreeAccesses, take_the_time_of_contiguous_ones, ()) {
  const auto w = *rc::gen::inRange<std::uint64_t>(1, 17);
  const std::uint64_t p = w * *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto n = p * *rc::gen::inRange<std::uint64_t>(1, 5);
  const auto l = *rc::gen::inRange<std::uint64_t>(1, 30);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  // Each warp accesses each bank once, in random order and in random rows.
  std::mt19937_64 random(seed);
  std::vector<Address> index(n);
  std::iota(index.begin(), index.end(), Address{0});
  for (auto warp = index.begin(); warp != index.end(); warp += static_cast<std::ptrdiff_t>(w)) {
    const auto end = warp + static_cast<std::ptrdiff_t>(w);
    std::shuffle(warp, end, random);
    for (auto i = warp; i != end; ++i) *i = random() % (n / w) * w + *i % w;
  }
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    Dmm machine({.width = static_cast<Width>(w), .latency = l}, {.mode = mode});
    Array<Word> a(machine.memory(), numbered(n), "a");
    const Time time = machine.launch({.threads = p}, read_by_index, a, index);
    const ContiguousAccess same{n, p, w, l};
    RC_ASSERT(time == (mode == Mode::lockstep ? contiguous_lockstep_time_on_dmm(same)
                                              : contiguous_overlapped_time_on_dmm(same)));
    RC_ASSERT(time <= n / w + n / p * l);
  }
}

struct CopyRun {
  Time time;
  std::vector<std::vector<Word>> shared;
};

CopyRun run_copy(const Copy& c, const std::vector<Segment>& segments, Mode mode) {
  Hmm machine(
      {.dmms = c.d, .width = static_cast<Width>(c.w), .shared_latency = c.l, .global_latency = c.L},
      {.mode = mode});
  Array<Word> a(machine.global(), numbered(end_of(segments)), "a");
  const Concatenation words(segments);
  std::deque<Array<Word>> shared;
  for (std::uint64_t dmm = 0; dmm < c.d; ++dmm) {
    shared.emplace_back(machine.shared(dmm), Share::of(dmm, c.n, c.d, c.w).words(), "share");
  }
  CopyRun run;
  run.time = machine.launch({.blocks = c.d, .threads = c.p},
                            copy_to_shared<Word, std::deque<Array<Word>>>, a, words, shared);
  for (const auto& array : shared) {
    run.shared.emplace_back(array.values().begin(), array.values().end());
  }
  return run;
}

void assert_copied(const Copy& c, const std::vector<Segment>& segments, const CopyRun& run) {
  const Concatenation words(segments);
  std::uint64_t next = 0;
  for (const auto& share : run.shared) {
    for (const Word value : share) RC_ASSERT(value == words[next++] + 1);
  }
  RC_ASSERT(next == c.n);
}

rc::Gen<Copy> any_copy() {
  const auto number = [](std::uint64_t end) { return rc::gen::inRange<std::uint64_t>(1, end); };
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange<std::uint64_t>(0, 800), number(6), number(90),
                                     number(18), number(6), number(40)),
                      [](const auto& drawn) {
                        const auto& [n, d, p, w, l, L] = drawn;
                        return Copy{n, d, p, w, l, L};
                      });
}

BANKPROOF_PROPERTY(Copy, takes_the_closed_lockstep_time, ()) {
  const Copy c = *any_copy();
  const std::vector<Segment> whole{{0, c.n}};
  const CopyRun run = run_copy(c, whole, Mode::lockstep);
  assert_copied(c, whole, run);
  RC_ASSERT(run.time == c.lockstep_time());
}

// OPT lemma 2 as printed: (n/(pd))·((pd/w + L − 1) + (p/w + l − 1)).
TEST(Copy, meets_the_printed_form_of_OPT_lemma_2) {
  for (std::uint64_t w = 1; w <= 5; ++w) {
    for (std::uint64_t d = 1; d <= 4; ++d) {
      for (std::uint64_t p = w; p <= 3 * w; p += w) {
        for (std::uint64_t rounds = 1; rounds <= 3; ++rounds) {
          const std::uint64_t n = rounds * p * d;
          const Copy c{n, d, p, w, 2, 9};
          const Time printed = rounds * ((p * d / w + c.L - 1) + (p / w + c.l - 1));
          EXPECT_EQ(run_copy(c, {{0, n}}, Mode::lockstep).time, printed);
        }
      }
    }
  }
}

// Until its last access completes, a warp is always in one of two states: waiting out the latency
// of its own access, or waiting for a busy port. So the time is at most the stages of the global
// memory, plus those of the busiest shared memory, plus the latencies of one warp's accesses.
Time upper_bound_of_copy(const Copy& c, std::uint64_t global_stages) {
  const std::uint64_t shared_stages =
      ceil_div(Share::of(0, c.n, c.d, c.w).words(), c.w) + c.levels();
  return global_stages + shared_stages + c.levels() * (c.L - 1 + c.l - 1);
}

BANKPROOF_PROPERTY(Copy, takes_at_most_the_stages_and_one_warps_latencies, ()) {
  const Copy c = *any_copy();
  const std::vector<Segment> whole{{0, c.n}};
  std::uint64_t global_stages = 0;
  for (std::uint64_t level = 0; level < c.levels(); ++level)
    global_stages += c.global_stages(level);
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    const CopyRun run = run_copy(c, whole, mode);
    assert_copied(c, whole, run);
    RC_ASSERT(run.time <= upper_bound_of_copy(c, global_stages));
  }
}

BANKPROOF_PROPERTY(Copy, of_segments_takes_at_most_twice_the_groups_and_the_latencies, ()) {
  Copy c = *any_copy();
  const auto segments = *any_segments();
  c.n = Concatenation(segments).size();
  const std::uint64_t accesses = c.n / c.w + c.d * c.levels();
  for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
    const CopyRun run = run_copy(c, segments, mode);
    assert_copied(c, segments, run);
    RC_ASSERT(run.time <= upper_bound_of_copy(c, 2 * (accesses + segments.size())));
  }
}

// THS lemma 5.1.1, with shared latency 1.
TEST(Copy, rounds_take_the_time_of_lemma_5_1_1_of_THS) {
  for (std::uint64_t w = 1; w <= 4; ++w) {
    for (std::uint64_t k = 1; k <= 4; ++k) {
      const std::uint64_t n = 6 * k * w;
      const Latency L = 7;
      for (const Mode mode : {Mode::lockstep, Mode::overlapped}) {
        Hmm machine({.dmms = k, .width = static_cast<Width>(w), .global_latency = L},
                    {.mode = mode});
        Array<Word> global(machine.global(), numbered(n), "a");
        const auto one = [](Address) { return Word{1}; };
        using One = decltype(one);
        EXPECT_EQ(machine.launch({.threads = n}, contiguous_write<Word, One>, global, n, one),
                  n / w + L - 1);
        std::deque<Array<Word>> shared;
        for (std::uint64_t dmm = 0; dmm < k; ++dmm) {
          shared.emplace_back(machine.shared(dmm), n, "s");
        }
        EXPECT_EQ(machine.launch({.threads = n}, contiguous_write<Word, One>, shared[0], n, one),
                  n / w);
        const auto write_own = [](Warp& warp, std::deque<Array<Word>>& arrays, Address words,
                                  const One& value) -> Program {
          co_await contiguous_write<Word, One>(warp, arrays[warp.dmm()], words, value);
        };
        EXPECT_EQ(machine.launch({.blocks = k, .threads = n / k}, write_own, shared, n / k, one),
                  n / (k * w));
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
