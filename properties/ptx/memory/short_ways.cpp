// The short ways of accesses do what perform() does: random loads and stores by both leave the same
// registers, bytes, written bytes, counts and faults.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <vector>

#include "memory_support.hpp"

namespace bankproof::ptx {
namespace {

// Two pages. Bytes from 0 and from shortly before the second page on are defined.
constexpr std::uint32_t bytes_of_memory = 8192;
constexpr std::uint32_t later = 4064;
constexpr std::uint32_t defined_bytes = 300;

struct Move {
  bool stores = false;
  Space space = Space::global;
  bool generic = false;
  std::uint32_t element = 4;
  std::uint32_t vector = 1;
  bool sign_extended = false;
  std::uint32_t wider = 0;     // the register has so many times twice the bytes
  std::uint32_t begin = 0;     // in bytes
  std::uint32_t first = 0;     // of lane 0 from there on, in accesses
  std::uint32_t offset = 0;    // in bytes
  std::uint32_t distance = 1;  // between lanes or groups of lanes
  std::uint32_t group = 1;     // so many lanes access the same
  std::uint32_t mixed = 1;     // lane l takes the place of lane `mixed` * l, modulo 32
  LaneMask lanes = all_lanes;
};

std::ostream& operator<<(std::ostream& out, const Move& m) {
  return out << (m.stores ? "store" : "load") << " space " << static_cast<int>(m.space)
             << " element " << m.element << " vector " << m.vector << " wider " << m.wider
             << " from " << m.begin << " first " << m.first << " offset " << m.offset
             << " distance " << m.distance << " group " << m.group << " mixed " << m.mixed
             << " lanes " << std::hex << m.lanes << std::dec;
}

rc::Gen<Move> moves() {
  return rc::gen::build<Move>(
      rc::gen::set(&Move::stores),
      rc::gen::set(&Move::space, rc::gen::element(Space::global, Space::shared, Space::constant)),
      rc::gen::set(&Move::generic), rc::gen::set(&Move::element, rc::gen::element(1U, 2U, 4U, 8U)),
      rc::gen::set(&Move::vector, rc::gen::element(1U, 1U, 2U, 4U)),
      rc::gen::set(&Move::sign_extended), rc::gen::set(&Move::wider, rc::gen::inRange(0U, 3U)),
      rc::gen::set(&Move::begin, rc::gen::element(0U, later)),
      rc::gen::set(&Move::first, rc::gen::inRange(0U, 20U)),
      rc::gen::set(&Move::offset, rc::gen::element(0U, 0U, 0U, 0U, 1U)),
      rc::gen::set(&Move::distance, rc::gen::element(0U, 1U, 1U, 1U, 2U, 3U)),
      rc::gen::set(&Move::group, rc::gen::element(1U, 1U, 2U, 16U)),
      rc::gen::set(&Move::mixed, rc::gen::element(1U, 1U, 1U, 5U, 13U)),
      rc::gen::set(&Move::lanes,
                   rc::gen::oneOf(rc::gen::just(all_lanes), rc::gen::just(LaneMask{1} << 9),
                                  rc::gen::inRange<LaneMask>(1, all_lanes))));
}

LaneType type_of(const Move& move) {
  const std::uint32_t bytes = std::min(std::max(move.element, 2U) << move.wider, 8U);
  return bytes == 2 ? LaneType::b16 : bytes == 4 ? LaneType::b32 : LaneType::b64;
}

/// A launch with a buffer of which some bytes are undefined.
class Moved : public TestLaunch {
 public:
  Moved(bool short_ways, RaceRecording records) : TestLaunch(1, 32, bytes_of_memory) {
    memory.add_buffer("a", bytes_of_memory, false);
    for (const std::uint32_t at : {0U, later}) memory.define(0, at, defined_bytes);
    launch.constants.resize(bytes_of_memory);
    launch.records = records;
    launch.short_ways = short_ways;
    start();
    for (std::uint32_t k = 0; k < bytes_of_memory; ++k) {
      memory[0].data[k] = launch.constants[k] = block(0).shared[k] = static_cast<std::byte>(37 * k);
    }
    for (const std::uint32_t at : {0U, later}) {
      for (std::uint32_t k = 0; k < defined_bytes; k += 4) block(0).shadow.written.set(at + k, 4);
    }
  }

  void perform(const Move& move, std::uint32_t site) {
    Access what =
        access_to(move.stores ? Operation::store : Operation::load, move.space, move.element);
    what.vector = move.vector;
    what.sign_extended = move.sign_extended;
    what.generic = move.generic && move.space != Space::constant;
    if (what.generic) what.space = Space::global;
    for (std::size_t k = 0; k < frame.bytes.size(); ++k) {
      frame.bytes[k] = static_cast<std::byte>(k * (site + 3));
    }
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint32_t place = lane * move.mixed % warp_lanes;
      const std::uint32_t at = move.first + place / move.group * move.distance;
      addresses()[lane] = move.begin + at * what.bytes() + move.offset;
      if (move.space == Space::global) addresses()[lane] += buffer_address(0);
      if (move.space == Space::shared && what.generic) addresses()[lane] += window_bytes;
      if ((move.lanes >> lane & 1U) == 0) addresses()[lane] ^= 0x1234'5678'0000;
    }
    access(warp(0, 0), what, move.lanes, site, type_of(move));
  }
};

void expect_same_counts(const AccessCounts& a, const AccessCounts& b) {
  RC_ASSERT(a.accesses == b.accesses);
  RC_ASSERT(a.lanes == b.lanes);
  RC_ASSERT(a.wavefronts == b.wavefronts);
  RC_ASSERT(a.ideal_wavefronts == b.ideal_wavefronts);
  RC_ASSERT(a.lines == b.lines);
  RC_ASSERT(a.ideal_lines == b.ideal_lines);
  RC_ASSERT(a.sectors == b.sectors);
  RC_ASSERT(a.ideal_sectors == b.ideal_sectors);
  for (const auto worst : {&AccessCounts::worst_shared, &AccessCounts::worst_global}) {
    RC_ASSERT((a.*worst).has_value() == (b.*worst).has_value());
    if (!(a.*worst)) continue;
    RC_ASSERT((a.*worst)->lanes == (b.*worst)->lanes);
    RC_ASSERT((a.*worst)->addresses == (b.*worst)->addresses);
    RC_ASSERT((a.*worst)->excess == (b.*worst)->excess);
  }
}

RC_GTEST_PROP(ShortWays, do_what_the_plain_way_does, ()) {
  const auto all = *rc::gen::container<std::vector<Move>>(moves());
  const auto records = *rc::gen::element(RaceRecording::merged, RaceRecording::sectors);
  Moved plain(false, records);
  Moved fast(true, records);
  std::uint32_t count = 0;
  for (const Move& move : all) {
    const std::uint32_t bytes = move.element * move.vector;
    if (bytes > 32 || (move.space == Space::constant && move.stores)) continue;
    // The accesses of an instruction have one size, on which the remembered prices rely.
    const auto width = static_cast<std::uint32_t>(std::countr_zero(bytes));
    const std::uint32_t site = 10 * width + count++ % 10;
    plain.perform(move, site);
    fast.perform(move, site);
    RC_ASSERT(plain.frame.bytes == fast.frame.bytes);
    RC_ASSERT(std::equal(plain.memory[0].data.data(), plain.memory[0].data.data() + bytes_of_memory,
                         fast.memory[0].data.data()));
    RC_ASSERT(plain.block(0).shared == fast.block(0).shared);
    RC_ASSERT(plain.memory[0].shadow.written.bits() == fast.memory[0].shadow.written.bits());
    RC_ASSERT(plain.block(0).shadow.written.bits() == fast.block(0).shadow.written.bits());
    RC_ASSERT((plain.worker->changes == 0) == (fast.worker->changes == 0));
    RC_ASSERT(plain.faults() == fast.faults());
    expect_same_counts(plain.worker->costs.counts()[site], fast.worker->costs.counts()[site]);
  }
  plain.memory.undo();
  fast.memory.undo();
  RC_ASSERT(std::equal(plain.memory[0].data.data(), plain.memory[0].data.data() + bytes_of_memory,
                       fast.memory[0].data.data()));
}

}  // namespace
}  // namespace bankproof::ptx
