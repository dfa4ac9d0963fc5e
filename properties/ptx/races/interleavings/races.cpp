// Checks the races that the machine reports for tiny kernels against their interleavings. The
// machine runs a kernel once, in one order, so its report lies between two sets:
//
// - it reports every race of the interleavings whose strong reads read the same numbers as in its
//   run, because these numbers decide what happened before what;
// - it reports no race that no interleaving has.
//
// The sets are equal if no strong read can read different numbers. The tests compare races by
// words: the machine need not report all races at one word.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "../../kernel_run.hpp"
#include "interleavings.hpp"

namespace bankproof::ptx {
namespace {

using Kind = TinyStep::Kind;
using Order = TinyStep::Order;

struct Told {
  std::set<StepPair> races;
  Numbers read;
  bool other_faults = false;
};

/// The machine's report about the kernel. With `blind`, its judge ignores fences, releases,
/// acquires and barriers of some threads.
Told told_of(const TinyKernel& kernel, bool blind = false) {
  const TinyText ptx = as_ptx(kernel);
  KernelRun run(ptx.text, "k");
  if (blind) run.make_imprecise();
  run.buffer(Numbers(2));
  const std::uint32_t numbers = run.buffer(Numbers(8 * kernel.threads.size()));
  std::uint32_t blocks = 1;
  for (const TinyThread& thread : kernel.threads) blocks = std::max(blocks, thread.block + 1);
  const LaunchResult& result = run.launch({blocks, 1, 1}, {64, 1, 1});
  Told told;
  told.read = run.data<std::uint32_t>(numbers);
  for (const auto& [key, fault] : result.faults.all()) {
    const auto step_at = [&](std::uint32_t site) {
      return ptx.step_at.at(run.program().sites.at(site).place.line);
    };
    if (fault.kind == FaultKind::race) {
      told.races.insert(pair_of(step_at(fault.site), step_at(fault.other_site)));
    } else {
      told.other_faults = true;
    }
  }
  return told;
}

std::set<std::uint32_t> words_of(const TinyKernel& kernel, const std::set<StepPair>& races) {
  std::set<std::uint32_t> words;
  for (const StepPair& pair : races) words.insert(word_of(kernel, pair.first));
  return words;
}

/// Describes the error in the machine's report; empty if the report is right.
std::string mistake(const TinyKernel& kernel, const Interleavings& all, const Told& told) {
  if (told.other_faults) return "another fault than a race";
  if (!all.read.contains(told.read)) return "numbers that no interleaving reads";
  for (const StepPair& pair : told.races) {
    if (!all.races.contains(pair)) return "a race that no interleaving has";
  }
  const auto& expected = all.races_by_strong_reads.at(of_strong_reads(kernel, told.read));
  const std::set<std::uint32_t> words = words_of(kernel, told.races);
  for (const std::uint32_t word : words_of(kernel, expected)) {
    if (!words.contains(word)) return "a race missed at word " + std::to_string(word);
  }
  return {};
}

// ---- All kernels of one form

struct Where {
  std::uint32_t block;
  std::uint32_t index;
};
/// The second thread is in the warp of the first, in its block, or in another block.
constexpr std::array<Where, 3> places{{{0, 1}, {0, 32}, {1, 0}}};

/// The ways to fence: without a fence, or with one fence of each kind.
std::vector<std::vector<TinyStep>> fences() {
  std::vector<std::vector<TinyStep>> result{{}};
  for (const Order order : {Order::acquire_release, Order::sequential}) {
    for (const bool device : {false, true}) result.push_back({{Kind::fence, order, device}});
  }
  return result;
}

/// Every access that writes the flag, word 1, or waits for it.
std::vector<TinyStep> flags(bool writer, bool shared) {
  std::vector<TinyStep> result;
  const Kind kind = writer ? Kind::store : Kind::await;
  result.push_back({kind, Order::weak, true, shared, 1});
  result.push_back({kind, Order::is_volatile, true, shared, 1});
  for (const bool device : {false, true}) {
    for (const Order order : {Order::relaxed, writer ? Order::release : Order::acquire}) {
      result.push_back({kind, order, device, shared, 1});
      if (writer) result.push_back({Kind::exchange, order, device, shared, 1});
    }
  }
  return result;
}

struct Messages {
  std::size_t all = 0;
  std::size_t racing = 0;
  std::size_t mistakes = 0;
  std::size_t unlike_neighbours = 0;  // kernels whose races are not those of neighboring steps
};

/// The position of thread 0's write of the data.
enum class Written : std::uint8_t { first, behind_the_fence, behind_the_flag };

/// Thread 0 writes data and then a flag, with or without a fence; thread 1 waits for the flag and
/// reads the data.
template <class Judge>
Messages pass_messages(const Judge& judge, bool show = true, Written when = Written::first) {
  Messages messages;
  const auto add = [&](const TinyKernel& kernel) {
    const Interleavings all = interleavings_of(kernel);
    const std::string wrong = mistake(kernel, all, judge(kernel));
    ++messages.all;
    messages.racing += all.races.empty() ? 0U : 1U;
    messages.unlike_neighbours += all.races == all.adjacent ? 0U : 1U;
    if (wrong.empty()) return;
    ++messages.mistakes;
    if (show && messages.mistakes < 10) ADD_FAILURE() << wrong << kernel;
  };
  for (const Where& where : places) {
    for (const bool shared : {false, true}) {
      if (shared && where.block != 0) continue;
      for (const TinyStep& flag : flags(true, shared)) {
        for (const TinyStep& wait : flags(false, shared)) {
          for (const auto& before : fences()) {
            for (const auto& behind : fences()) {
              TinyKernel kernel{{{0, 0, before}, {where.block, where.index, {wait}}}};
              auto& first = kernel.threads[0].steps;
              auto& second = kernel.threads[1].steps;
              const TinyStep write{Kind::store, Order::weak, true, shared, 0};
              if (when == Written::behind_the_fence) first.push_back(write);
              first.push_back(flag);
              if (when == Written::behind_the_flag) first.push_back(write);
              if (when == Written::first) first.insert(first.begin(), write);
              second.insert(second.end(), behind.begin(), behind.end());
              second.push_back({Kind::load, Order::weak, true, shared, 0});
              add(kernel);
            }
          }
        }
      }
    }
  }
  return messages;
}

TEST(Interleavings, agree_with_the_machine_on_all_ways_to_pass_a_message) {
  const Messages messages = pass_messages([](const TinyKernel& kernel) { return told_of(kernel); });
  EXPECT_EQ(messages.mistakes, 0U);
  EXPECT_EQ(messages.all, 7500U);
  EXPECT_GT(messages.racing, messages.all / 4);
  EXPECT_LT(messages.racing, 3 * messages.all / 4);
  // If a thread waits for a write, its next step is never a neighbor of the steps before that
  // write.
  EXPECT_GT(messages.unlike_neighbours, 0U);
}

// The fence does not order a write of the data that comes after the fence, and nothing orders a
// write of the data that comes after the write to the flag.
TEST(Interleavings, agree_with_the_machine_on_messages_that_are_written_late) {
  const auto judge = [](const TinyKernel& kernel) { return told_of(kernel); };
  const Messages behind_fence = pass_messages(judge, true, Written::behind_the_fence);
  EXPECT_EQ(behind_fence.mistakes, 0U);
  EXPECT_LT(behind_fence.racing, behind_fence.all);
  const Messages behind_flag = pass_messages(judge, true, Written::behind_the_flag);
  EXPECT_EQ(behind_flag.mistakes, 0U);
  EXPECT_EQ(behind_flag.racing, behind_flag.all);
}

// One judge ignores fences; another reports no race at all.
TEST(Interleavings, show_a_judge_with_a_bug) {
  const Messages blind =
      pass_messages([](const TinyKernel& kernel) { return told_of(kernel, true); }, false);
  EXPECT_GT(blind.mistakes, 1000U);
  const Messages silent = pass_messages(
      [](const TinyKernel& kernel) {
        Told told = told_of(kernel);
        told.races.clear();
        return told;
      },
      false);
  EXPECT_EQ(silent.mistakes, silent.racing);
}

// Kernels of earlier random tests that the machine judged wrongly.
TEST(Interleavings, agree_with_the_machine_on_kernels_that_were_judged_wrongly) {
  const TinyStep read{Kind::load, Order::weak, true, false, 0};
  const TinyStep write{Kind::store, Order::weak, true, false, 0};
  const TinyStep release{Kind::store, Order::release, true, false, 1};
  const TinyStep wait{Kind::await, Order::acquire, true, false, 1};
  const TinyStep spin{Kind::await, Order::weak, true, false, 1};
  // An acquiring atomic operation comes after the release that it acquires.
  const TinyStep read_flag{Kind::load, Order::weak, true, false, 1};
  const TinyStep take{Kind::exchange, Order::acquire, true, false, 1};
  // A read-modify-write with the scope of the block does not extend a release to another block.
  const TinyStep hand_on{Kind::exchange, Order::relaxed, false, false, 1};
  for (const TinyKernel& kernel :
       {TinyKernel{{{0, 0, {read_flag, release}}, {1, 0, {spin, take}}}},
        TinyKernel{{{0, 0, {write, release, hand_on}}, {1, 0, {wait, read}}}}}) {
    EXPECT_EQ(mistake(kernel, interleavings_of(kernel), told_of(kernel)), "") << kernel;
  }
}

// PTX ISA, "Release and Acquire Patterns": a release followed by a strong write to the same
// location, and a strong read followed by an acquire of the same location.
TEST(Interleavings, agree_with_the_machine_on_patterns_of_two_accesses) {
  const TinyStep write{Kind::store, Order::weak, true, false, 0};
  const TinyStep read{Kind::load, Order::weak, true, false, 0};
  std::size_t racing = 0;
  std::size_t all = 0;
  for (const Where& where : places) {
    for (const bool first_device : {false, true}) {
      for (const bool second_device : {false, true}) {
        for (const Kind kind : {Kind::store, Kind::exchange}) {
          for (const std::uint32_t other : {0U, 1U}) {
            const TinyStep release{kind, Order::release, first_device, true, other};
            const TinyStep again{kind, Order::relaxed, second_device, true, 1};
            const TinyStep wait{Kind::await, Order::relaxed, second_device, true, 1};
            const TinyStep take{Kind::load, Order::acquire, first_device, true, other};
            for (TinyKernel kernel :
                 {TinyKernel{{{0, 0, {write, release, again}},
                              {where.block, where.index, {wait, take, read}}}},
                  TinyKernel{{{0, 0, {write, {Kind::fence, Order::acquire_release, true}, again}},
                              {where.block, where.index, {wait, take, read}}}},
                  TinyKernel{{{0, 0, {write, release, again}},
                              {where.block,
                               where.index,
                               {wait, {Kind::fence, Order::acquire_release, true}, read}}}}}) {
              for (TinyThread& thread : kernel.threads) {
                for (TinyStep& step : thread.steps) step.shared = step.shared && where.block == 0;
              }
              const Interleavings of = interleavings_of(kernel);
              EXPECT_EQ(mistake(kernel, of, told_of(kernel)), "") << kernel;
              ++all;
              racing += of.races.empty() ? 0U : 1U;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(racing, all / 4);
  EXPECT_LT(racing, 3 * all / 4);
}

// ---- Random kernels

using Choice = std::array<std::uint8_t, 4>;

TinyStep access_of(const Choice& choice, bool shared_too, bool may_wait) {
  constexpr std::array<Kind, 5> kinds{Kind::load, Kind::store, Kind::exchange, Kind::await,
                                      Kind::fence};
  TinyStep step;
  step.kind = kinds[choice[0] % (may_wait ? 5U : 3U)];
  step.device = choice[1] % 3 != 0;
  step.shared = shared_too && choice[1] / 3 % 2 == 0;
  step.word = choice[2] % 2;
  const std::uint32_t order = choice[3] % 8;
  switch (step.kind) {
    case Kind::fence:
      step.order = order % 2 == 0 ? Order::acquire_release : Order::sequential;
      break;
    case Kind::exchange:
      step.order = std::array<Order, 4>{Order::relaxed, Order::acquire, Order::release,
                                        Order::acquire_release}[order % 4];
      break;
    default:
      step.order = order < 3                  ? Order::weak
                   : order == 3               ? Order::is_volatile
                   : order == 4               ? Order::relaxed
                   : step.kind == Kind::store ? Order::release
                                              : Order::acquire;
  }
  if (step.order == Order::is_volatile) step.device = true;  // it is relaxed at system scope
  return step;
}

/// The placement of the threads: in one warp, in two warps, in two blocks, and mixed.
std::vector<TinyThread> random_threads() {
  using Indices = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  static const std::vector<Indices> layouts{
      {{0, 0}, {0, 1}},          {{0, 0}, {0, 32}},         {{0, 0}, {1, 0}},
      {{0, 0}, {0, 1}, {0, 2}},  {{0, 0}, {0, 1}, {0, 32}}, {{0, 0}, {0, 1}, {1, 0}},
      {{0, 0}, {0, 32}, {1, 0}},
  };
  const Indices where = *rc::gen::elementOf(layouts);
  std::vector<TinyThread> threads;
  threads.reserve(where.size());
  for (const auto& [block, index] : where) threads.push_back({block, index, {}});
  return threads;
}

bool shares_warp(const TinyKernel& kernel, const TinyThread& with) {
  return std::count_if(kernel.threads.begin(), kernel.threads.end(), [&](const TinyThread& one) {
           return one.block == with.block && one.index / 32 == with.index / 32;
         }) > 1;
}

/// With `straight`, no step depends on a value read, and only barriers order the steps.
TinyKernel random_kernel(bool straight) {
  TinyKernel kernel{random_threads()};
  const std::size_t most = kernel.threads.size() == 2 ? 4 : 3;
  const bool one_block = kernel.threads.back().block == 0;
  for (TinyThread& thread : kernel.threads) {
    for (const Choice& choice : *rc::gen::resize(
             rc::kNominalSize,
             rc::gen::container<std::vector<Choice>>(most, rc::gen::arbitrary<Choice>()))) {
      thread.steps.push_back(access_of(choice, one_block, !straight));
    }
  }
  const auto put_in = [&](Kind kind) {
    for (TinyThread& thread : kernel.threads) {
      if (kind == Kind::warp_barrier && !shares_warp(kernel, thread)) continue;
      const auto at = *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(thread.steps) + 1);
      thread.steps.insert(thread.steps.begin() + at, {kind, Order::weak});
    }
  };
  if (*rc::gen::inRange(0, 3) == 0) put_in(Kind::barrier);
  if (*rc::gen::inRange(0, 3) == 0) put_in(Kind::warp_barrier);
  return kernel;
}

/// The kernel and its interleavings. If its threads might never return, its waiting steps become
/// loads first.
std::pair<TinyKernel, Interleavings> that_ends(TinyKernel kernel) {
  Interleavings all = interleavings_of(kernel);
  if (!all.stuck) return {std::move(kernel), std::move(all)};
  for (TinyThread& thread : kernel.threads) {
    for (TinyStep& step : thread.steps) {
      if (step.kind == Kind::await) step.kind = Kind::load;
    }
    std::erase_if(thread.steps, [](const TinyStep& step) {
      return step.kind == Kind::barrier || step.kind == Kind::warp_barrier;
    });
  }
  all = interleavings_of(kernel);
  return {std::move(kernel), std::move(all)};
}

RC_GTEST_PROP(Interleavings, of_random_kernels, ()) {
  const auto [kernel, all] = that_ends(random_kernel(false));
  RC_LOG() << kernel << all.count << " interleavings";
  RC_ASSERT(mistake(kernel, all, told_of(kernel)) == "");
  RC_CLASSIFY(!all.races.empty(), "racing");
  RC_CLASSIFY(all.races_by_strong_reads.size() > 1, "read different numbers");
}

// For these kernels, the machine must report the races of all interleavings. These races are
// exactly the conflicting steps that are neighbors.
RC_GTEST_PROP(Interleavings, have_races_where_conflicting_steps_are_neighbours, ()) {
  TinyKernel straight = random_kernel(true);
  for (TinyThread& thread : straight.threads) {
    for (TinyStep& step : thread.steps) {
      const bool is_strong = step.kind == Kind::exchange || step.order != Order::weak;
      if (is_strong) step.order = Order::relaxed;
    }
  }
  const auto [kernel, all] = that_ends(std::move(straight));
  RC_LOG() << kernel << all.count << " interleavings";
  RC_ASSERT(all.races == all.adjacent);
  const Told told = told_of(kernel);
  RC_ASSERT(mistake(kernel, all, told) == "");
  RC_ASSERT(words_of(kernel, told.races) == words_of(kernel, all.races));
}

}  // namespace
}  // namespace bankproof::ptx
