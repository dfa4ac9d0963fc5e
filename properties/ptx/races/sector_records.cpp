// Records of sectors stand for the records that the words would have: after each access of random
// programs, all words have the same records by sectors as by words, and the same words are
// suspected. If records may merge warps, at least these words are suspected.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <set>
#include <vector>

#include "../memory/memory_support.hpp"

namespace bankproof::ptx {
namespace {

/// Of the launch.
struct Size {
  static constexpr std::uint32_t blocks = 2;
  static constexpr std::uint32_t threads = 96;
  static constexpr std::uint32_t bytes = 1024;
};

struct Step {
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t kind = 0;  // 0: a barrier of the block, 1: of the warp; else an access
  bool stores = false;
  bool shared = false;
  std::uint32_t element = 4;
  std::uint32_t first = 0;     // of lane 0, in elements
  std::uint32_t distance = 1;  // between lanes, in elements
  std::uint32_t together = 1;  // so many lanes load the same
  std::uint32_t mixed = 1;     // lane l takes the place of lane `mixed` * l, modulo 32
  LaneMask lanes = all_lanes;
};

std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << "block " << s.block << " warp " << s.warp << " kind " << s.kind
             << (s.stores ? " store" : " load") << (s.shared ? " shared" : " global") << " element "
             << s.element << " first " << s.first << " distance " << s.distance << " together "
             << s.together << " mixed " << s.mixed << " lanes " << std::hex << s.lanes << std::dec;
}

rc::Gen<Step> steps(const rc::Gen<std::uint32_t>& elements) {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::block, rc::gen::inRange(0U, Size::blocks)),
      rc::gen::set(&Step::warp, rc::gen::inRange(0U, Size::threads / warp_lanes)),
      rc::gen::set(&Step::kind, rc::gen::inRange(0U, 12U)), rc::gen::set(&Step::stores),
      rc::gen::set(&Step::shared), rc::gen::set(&Step::element, elements),
      rc::gen::set(&Step::first, rc::gen::inRange(0U, 64U)),
      rc::gen::set(&Step::distance, rc::gen::element(0U, 1U, 1U, 1U, 2U, 3U, 4U, 8U, 9U)),
      rc::gen::set(&Step::together, rc::gen::element(1U, 1U, 2U, 16U)),
      rc::gen::set(&Step::mixed, rc::gen::element(1U, 1U, 1U, 5U, 13U)),
      rc::gen::set(&Step::lanes,
                   rc::gen::element(all_lanes, all_lanes, LaneMask{0x3FF}, LaneMask{0xFFFF0000},
                                    LaneMask{0x55555555}, LaneMask{1})));
}

/// A launch whose races are recorded in one way.
class Recorded : public TestLaunch {
 public:
  Recorded(RaceRecording records, bool short_ways)
      : TestLaunch(Size::blocks, Size::threads, Size::bytes) {
    memory.add_buffer("a", Size::bytes, true);
    launch.records = records;
    launch.short_ways = short_ways;
    start();
  }

  void perform(const Step& step, std::uint32_t site) {
    MemoryWarp& one = warp(step.block, step.warp);
    if (step.kind == 0) return barrier(step.block);
    if (step.kind == 1) return warp_barrier(one, all_lanes);
    const Space space = step.shared ? Space::shared : Space::global;
    Access what = access_to(step.stores ? Operation::store : Operation::load, space,
                            std::min(step.element, 8U));
    what.vector = step.element / what.element_bytes;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint32_t mixed = lane * step.mixed % warp_lanes;
      const std::uint32_t place = step.stores ? mixed : mixed / step.together;
      const std::uint32_t at = (step.first + place * step.distance) * step.element % Size::bytes;
      addresses()[lane] = at + (step.shared ? 0 : buffer_address(0));
    }
    access(one, what, step.lanes, site % 64,
           what.element_bytes <= 2   ? LaneType::b16
           : what.element_bytes == 4 ? LaneType::b32
                                     : LaneType::b64);
  }

  /// What the records of a word say to later accesses, for global memory or for a block.
  std::array<std::uint64_t, 2> word(std::size_t word, bool shared, std::uint32_t of_block) {
    const MemoryWarp& one = warp(of_block, 0);
    const BlockMemory& here = block(of_block);
    const std::uint64_t quiet =
        ShadowWord::first_of(shared ? here.first_warp : launch.first_of_launch);
    const RaceRecords records = shared ? block(of_block).shadow.records() : memory[0].records();
    const auto [write, read] = records_of(records, word, quiet);
    const auto meaning = [&](ShadowWord record) -> std::uint64_t {
      const std::uint32_t index = record.warp() - here.first_warp;
      const bool known = index < here.known.size() && record.epoch() <= here.known[index];
      if (record.bits() == 0 || (shared && known)) return 0;
      switch (record.form()) {
        case Form::lanes:
        case Form::warps:  // any lane
          return record.with_lane(0).bits();
        case Form::blocks:  // any thread of the launch
          return ShadowWord::of(one.launch->first_of_launch, 0, 0, record.bytes())
              .with(Form::blocks)
              .bits();
        default:
          return record.bits();
      }
    };
    return {meaning(write), meaning(read)};
  }
};

void expect_same_records(Recorded& by_words, Recorded& by_sectors) {
  for (std::size_t word = 0; word < Size::bytes / 4; ++word) {
    RC_ASSERT(by_words.word(word, false, 0) == by_sectors.word(word, false, 0));
    for (std::uint32_t block = 0; block < Size::blocks; ++block) {
      RC_ASSERT(by_words.word(word, true, block) == by_sectors.word(word, true, block));
    }
  }
}

std::set<std::uint64_t> suspects(const Recorded& run) {
  const auto& words = run.launch.suspects.words();
  return {words.begin(), words.end()};
}

bool contains(const std::set<std::uint64_t>& all, const std::set<std::uint64_t>& some) {
  return std::ranges::includes(all, some);
}

/// Calls `check` after each step of a random program, which is performed in all ways.
template <class Check>
void each_step(const rc::Gen<std::uint32_t>& elements, const Check& check) {
  // The size of a program is not that of its steps: ranges of a small size are cut short.
  const auto any = rc::gen::resize(rc::kNominalSize, steps(elements));
  const auto program = *rc::gen::resize(40, rc::gen::container<std::vector<Step>>(any));
  Recorded by_words(RaceRecording::words, false);
  Recorded by_sectors(RaceRecording::sectors, *rc::gen::arbitrary<bool>());
  Recorded merged(RaceRecording::merged, *rc::gen::arbitrary<bool>());
  std::uint32_t site = 0;
  bool suspected = false;
  for (const Step& step : program) {
    for (Recorded* const run : {&by_words, &by_sectors, &merged}) {
      run->launch.suspects.clear();  // those of one step are compared, not those of all steps
      run->perform(step, site);
    }
    ++site;
    check(by_words, by_sectors, merged);
    suspected = suspected || !suspects(by_words).empty();
  }
  RC_CLASSIFY(!suspected, "without suspects");
}

RC_GTEST_PROP(SectorRecords, stand_for_the_records_of_their_words, ()) {
  each_step(rc::gen::element(4U, 4U, 8U, 16U),
            [](Recorded& by_words, Recorded& by_sectors, Recorded& merged) {
              expect_same_records(by_words, by_sectors);
              RC_ASSERT(suspects(by_words) == suspects(by_sectors));
              RC_ASSERT(contains(suspects(merged), suspects(by_sectors)));
            });
}

// By words, a record of bytes may keep bytes that a barrier has settled.
RC_GTEST_PROP(SectorRecords, of_bytes_are_never_coarser_than_those_of_words, ()) {
  each_step(rc::gen::element(1U, 2U, 4U, 8U),
            [](Recorded& by_words, Recorded& by_sectors, Recorded&) {
              RC_ASSERT(contains(suspects(by_words), suspects(by_sectors)));
            });
}

}  // namespace
}  // namespace bankproof::ptx
