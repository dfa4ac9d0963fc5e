// The short ways of accesses do what the long way does: after each access of random programs, both
// have the same registers, bytes, written bytes, faults, costs, changes, used pages, suspects and
// publications, and undoing the launch restores the same bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "memory_support.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint64_t page = GlobalMemory::page_bytes;
constexpr std::uint32_t bytes_of_shared = 1024;
// A buffer whose bytes were partly written, and one whose bytes were all written.
constexpr std::array<std::uint64_t, 2> bytes_of_buffers{2 * page + 64, page + 256};

struct Step {
  std::uint32_t kind = 0;  // 0: a barrier, 1: a release, 2: an acquire, else a weak access
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
  bool stores = false;
  std::uint32_t space = 0;  // 0: shared, 1, 2: the buffers
  bool generic = false;
  bool narrow = false;  // an address of 32 bits, in shared memory
  std::uint32_t element = 4;
  std::uint32_t vector = 1;
  std::uint64_t first = 0;   // of lane 0
  std::uint64_t stride = 4;  // between lanes
  LaneMask lanes = all_lanes;
  bool drops = false;  // the last element of a vector is not kept
  bool equal = false;  // all lanes store the same value
};

std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << "kind " << s.kind << " block " << s.block << " warp " << s.warp
             << (s.stores ? " store" : " load") << " space " << s.space
             << (s.generic ? " generic" : "") << (s.narrow ? " narrow" : "") << " element "
             << s.element << "x" << s.vector << " first " << s.first << " stride " << s.stride
             << " lanes " << std::hex << s.lanes << std::dec;
}

rc::Gen<Step> any_step() {
  // At the beginning of a memory, and about the ends of a page, of shared memory and of a buffer.
  const auto near = [](std::uint64_t begin, std::uint64_t distance) {
    return rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 70),
                        [=](std::uint64_t k) { return begin + distance * k; });
  };
  const auto firsts =
      rc::gen::oneOf(near(0, 4), near(0, 16), near(page - 140, 2), near(bytes_of_shared - 280, 4),
                     near(bytes_of_buffers[0] - 280, 4));
  return rc::gen::build<Step>(
      rc::gen::set(&Step::kind, rc::gen::inRange(0U, 9U)),
      rc::gen::set(&Step::block, rc::gen::element(0U, 1U)),
      rc::gen::set(&Step::warp, rc::gen::element(0U, 1U)), rc::gen::set(&Step::stores),
      rc::gen::set(&Step::space, rc::gen::element(0U, 1U, 2U)), rc::gen::set(&Step::generic),
      rc::gen::set(&Step::narrow), rc::gen::set(&Step::element, rc::gen::element(4U, 4U, 8U)),
      rc::gen::set(&Step::vector, rc::gen::element(1U, 2U, 4U)), rc::gen::set(&Step::first, firsts),
      rc::gen::set(&Step::stride, rc::gen::element<std::uint64_t>(0, 4, 4, 8, 8, 12, 16, 36, 128)),
      rc::gen::set(&Step::lanes, rc::gen::element(all_lanes, all_lanes, LaneMask{0x7FFFFFFF},
                                                  LaneMask{0xFFFF0000}, LaneMask{0x10})),
      rc::gen::set(&Step::drops), rc::gen::set(&Step::equal));
}

class Accesses : public TestLaunch {
 public:
  Accesses(bool short_ways, bool precise, RaceRecording records)
      : TestLaunch(2, 64, bytes_of_shared) {
    for (std::size_t k = 0; k < bytes_of_buffers.size(); ++k) {
      memory.add_buffer("b", bytes_of_buffers[k], k == 1);
    }
    std::vector<std::byte> contents(page + 8);
    for (std::size_t k = 0; k < contents.size(); ++k) contents[k] = static_cast<std::byte>(k / 7);
    memory.write(0, 0, contents);
    launch.short_ways = short_ways;
    launch.precise = precise;
    launch.records = records;
    launch.several = true;
    start();
    for (std::uint32_t b = 0; b < 2; ++b) {
      std::fill_n(block(b).shared.data(), bytes_of_shared / 2, std::byte{5});
      block(b).shadow.written.set_words(0, bytes_of_shared / 2, false);
    }
  }

  void perform(const Step& step, std::uint32_t site) {
    MemoryWarp& one = warp(step.block, step.warp);
    if (step.kind == 0) return barrier(step.block);
    MemoryOperands operands;
    Access& what = operands.access;
    what = access_to(step.stores ? Operation::store : Operation::load,
                     step.space == 0 ? Space::shared : Space::global, step.element);
    what.vector = std::min(step.vector, 16 / step.element);
    if (launch.precise && step.kind <= 2) {
      what.vector = 1;
      what.semantics = step.kind == 1 ? Semantics::release : Semantics::acquire;
      what.operation = step.kind == 1 ? Operation::store : Operation::load;
    }
    what.generic = step.generic;
    operands.wide_address = step.space != 0 || step.generic || !step.narrow;
    operands.address = Frame::addresses;
    operands.type = step.element == 4 ? LaneType::b32 : LaneType::b64;
    const std::uint64_t begin = step.space != 0 ? buffer_address(step.space - 1)
                                : step.generic  ? window_of(Space::shared)
                                                : 0;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint64_t at = begin + step.first + lane * step.stride;
      if (operands.wide_address) {
        addresses()[lane] = at;
      } else {
        reinterpret_cast<std::uint32_t*>(addresses())[lane] = static_cast<std::uint32_t>(at);
      }
    }
    for (std::uint32_t k = 0; k < what.vector; ++k) {
      const bool dropped = step.drops && k > 0 && k == what.vector - 1 && !step.stores;
      operands.values.push_back(dropped ? no_slot : Frame::value(k));
      for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        const std::uint64_t value = step.equal ? 7 : site * 1000 + lane * 10 + k;
        std::memcpy(frame.bytes.data() + Frame::value(k) + lane * step.element, &value,
                    step.element);
      }
    }
    choose_short_ways(operands, level);
    Op op;
    op.use(step_of(what), operands);
    op.site = site;
    one.activate(step.lanes);
    op.step(one, &op);
    one.activate(one.existing);
  }

  std::string registers() const {
    return {reinterpret_cast<const char*>(frame.bytes.data()), frame.bytes.size()};
  }
  std::string bytes() {
    std::string all;
    for (std::uint32_t k = 0; k < 2; ++k) {
      const auto data = std::as_const(memory).data(k);
      all.append(reinterpret_cast<const char*>(data.data()), data.size());
      all.append(reinterpret_cast<const char*>(block(k).shared.data()), bytes_of_shared);
    }
    return all;
  }
  std::vector<std::uint64_t> undefined() {
    std::vector<std::uint64_t> all;
    for (const ByteRange& range : memory.undefined(0))
      all.insert(all.end(), {range.begin, range.end});
    for (std::uint32_t k = 0; k < 2; ++k) {
      for (std::uint32_t at = 0; at < bytes_of_shared; ++at) {
        if (!block(k).shadow.written.all(at, 1)) all.push_back(at);
      }
    }
    return all;
  }
  std::vector<std::uint64_t> costs() const {
    std::vector<std::uint64_t> all;
    for (const auto& [site, c] : worker->costs.counts()) {
      all.insert(all.end(), {site, c.accesses, c.lanes, c.wavefronts, c.ideal_wavefronts, c.lines,
                             c.ideal_lines, c.sectors, c.ideal_sectors});
    }
    return all;
  }
  std::vector<bool> pages() {
    std::vector<bool> used;
    for (std::uint32_t k = 0; k < 2; ++k) {
      const auto& of_worker = memory[k].shadow.of_workers[0].pages;
      for (std::size_t p = 0; p < 3; ++p) {
        const bool known = p < of_worker.size();
        used.push_back(known && of_worker[p].read == launch.first_of_launch);
        used.push_back(known && of_worker[p].written == launch.first_of_launch);
      }
    }
    return used;
  }
  std::vector<bool> published() {
    std::vector<bool> all;
    for (std::uint32_t k = 0; k < 2; ++k) {
      for (std::uint64_t at = 0; at < bytes_of_buffers[k]; at += 4) {
        all.push_back(launch.history.published.find(buffer_address(k) + at, 4) != nullptr ||
                      launch.history.published.find(buffer_address(k) + at, 8) != nullptr);
      }
      for (std::uint64_t at = 0; at < bytes_of_shared; at += 4) {
        const std::uint64_t address = window_of(Space::shared) + at;
        all.push_back(block(k).shadow.history.published.find(address, 4) != nullptr ||
                      block(k).shadow.history.published.find(address, 8) != nullptr);
      }
    }
    return all;
  }
  std::set<std::uint64_t> suspects() const {
    return {launch.suspects.words().begin(), launch.suspects.words().end()};
  }
};

RC_GTEST_PROP(ShortWays, do_what_the_long_way_does, ()) {
  const bool precise = *rc::gen::element(false, true);
  const auto records = *rc::gen::element(RaceRecording::sectors, RaceRecording::words);
  Accesses quick(true, precise, records);
  Accesses slow(false, precise, records);
  const std::string before = quick.bytes().substr(0, bytes_of_buffers[0]);
  const auto steps = *rc::gen::resize(
      60, rc::gen::container<std::vector<Step>>(rc::gen::resize(rc::kNominalSize, any_step())));
  std::uint32_t site = 0;
  for (const Step& step : steps) {
    const std::uint64_t quick_changes = quick.worker->changes;
    const std::uint64_t slow_changes = slow.worker->changes;
    quick.perform(step, site);
    slow.perform(step, site);
    site = (site + 1) % 64;
    RC_ASSERT(quick.registers() == slow.registers());
    RC_ASSERT(quick.bytes() == slow.bytes());
    RC_ASSERT(quick.undefined() == slow.undefined());
    RC_ASSERT(quick.faults() == slow.faults());
    RC_ASSERT(quick.costs() == slow.costs());
    RC_ASSERT(quick.pages() == slow.pages());
    RC_ASSERT(quick.suspects() == slow.suspects());
    RC_ASSERT(quick.published() == slow.published());
    RC_ASSERT((quick.worker->changes != quick_changes) == (slow.worker->changes != slow_changes));
  }
  RC_CLASSIFY(!quick.faults().empty(), "with faults");
  for (Accesses* const run : {&quick, &slow}) {
    run->memory.undo();
    RC_ASSERT(run->bytes().substr(0, bytes_of_buffers[0]) == before);
  }
  RC_ASSERT(quick.memory.undefined(0).size() == slow.memory.undefined(0).size());
  RC_ASSERT(quick.memory.undefined(0).front().begin == page + 8);
}

}  // namespace
}  // namespace bankproof::ptx
