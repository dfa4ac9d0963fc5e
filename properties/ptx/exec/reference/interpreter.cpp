// Runs threads one after the other; a thread waits for others where PTX says so.
#include "interpreter.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "matrices.hpp"

namespace bankproof::ptx::reference {

namespace {

// The mask of lanes for which the thread waits: 32 bits, even if it is written as -1.
std::uint32_t mask_of(const Thread& thread) {
  const Instruction& i = thread.waits_at();
  if (is_of_whole_warp(i)) return 0xFFFFFFFFU;
  return static_cast<std::uint32_t>(thread.value(i.operands.size() - 1));
}

// Executes the instruction at which the listed threads of a warp wait; all have the mask of the
// first.
void together(const std::vector<Thread*>& warp, const std::vector<std::uint32_t>& lanes,
              Result& result) {
  const Instruction& i = warp[lanes.front()]->waits_at();
  const std::string how = i.modifiers.size() > 1 ? i.modifiers[1] : "";
  if (i.base == "bar") {
    for (const std::uint32_t lane : lanes) warp[lane]->go_on();
    return;
  }
  if (is_of_whole_warp(i)) {
    multiply_together(warp, lanes, result);
    return;
  }
  std::vector<std::uint64_t> brought(32);
  for (const std::uint32_t lane : lanes) brought[lane] = warp[lane]->value(1);
  if (i.base == "shfl") {
    std::vector<std::uint32_t> from(32);
    for (const std::uint32_t lane : lanes) {
      const auto distance = static_cast<std::uint32_t>(warp[lane]->value(2));
      from[lane] = how == "up"     ? lane - distance
                   : how == "down" ? lane + distance
                   : how == "bfly" ? lane ^ distance
                                   : distance;
    }
    for (const std::uint32_t lane : lanes) {
      // Shuffles cover whole warps: the clamp is 0 for up and 31 for the other modes.
      const bool valid = from[lane] < 32;
      const std::uint32_t source = valid ? from[lane] : lane;
      const bool there = std::find(lanes.begin(), lanes.end(), source) != lanes.end();
      result.inactive_lane = result.inactive_lane || !there;
      warp[lane]->go_on(brought[there ? source : lane], valid);
    }
    return;
  }
  std::uint64_t ballot = 0;
  std::uint64_t sum = 0;
  for (const std::uint32_t lane : lanes) {
    if (brought[lane] != 0) ballot |= std::uint64_t{1} << lane;
    sum += brought[lane];
  }
  for (const std::uint32_t lane : lanes) {
    if (i.base == "redux" && how == "add") {
      warp[lane]->go_on(sum);
    } else if (how == "ballot") {
      warp[lane]->go_on(ballot);
    } else if (how == "any") {
      warp[lane]->go_on(ballot != 0 ? 1 : 0);
    } else if (how == "all") {
      warp[lane]->go_on(
          std::all_of(lanes.begin(), lanes.end(), [&](std::uint32_t l) { return brought[l] != 0; })
              ? 1
              : 0);
    } else {
      throw std::invalid_argument("the reference does not know " + i.opcode());
    }
  }
}

// Lets lanes go on if all living lanes of their mask wait with them; returns whether any lanes went
// on.
bool wake(const std::vector<Thread*>& warp, Result& result) {
  for (const Thread* const first : warp) {
    if (first->state() != Thread::State::in_warp) continue;
    const std::uint32_t mask = mask_of(*first);
    std::vector<std::uint32_t> lanes;
    bool all = true;
    for (std::uint32_t lane = 0; lane < warp.size(); ++lane) {
      const Thread& thread = *warp[lane];
      if ((mask >> lane & 1U) == 0 || thread.state() == Thread::State::ended) continue;
      lanes.push_back(lane);
      all = all && thread.state() == Thread::State::in_warp &&
            thread.waits_at().opcode() == first->waits_at().opcode() && mask_of(thread) == mask;
    }
    if (!all) continue;
    together(warp, lanes, result);
    return true;
  }
  return false;
}

// Whether the block came to an end.
bool run_block(Surroundings& around, const Function& kernel,
               std::span<const std::byte> parameters) {
  std::vector<Thread> threads;
  const std::uint32_t count = around.block[0] * around.block[1] * around.block[2];
  threads.reserve(count);
  for (std::uint32_t t = 0; t < count; ++t) threads.emplace_back(around, kernel, t, parameters);
  std::vector<std::vector<Thread*>> warps((count + 31) / 32);
  for (std::uint32_t t = 0; t < count; ++t) warps[t / 32].push_back(&threads[t]);
  for (;;) {
    for (Thread& thread : threads) thread.run();
    bool any = false;
    for (const std::vector<Thread*>& warp : warps) any = wake(warp, around.result) || any;
    if (any) continue;
    const auto in = [&](Thread::State state) {
      return static_cast<std::uint32_t>(std::count_if(
          threads.begin(), threads.end(), [&](const Thread& t) { return t.state() == state; }));
    };
    if (in(Thread::State::ended) == count) return true;
    if (in(Thread::State::ended) + in(Thread::State::at_barrier) != count) return false;
    for (Thread& thread : threads) {
      if (thread.state() == Thread::State::at_barrier) thread.go_on();
    }
  }
}

}  // namespace

Result interpret(const Module& module, const std::string& entry, const Extent& grid,
                 const Extent& block, std::span<const std::byte> parameters,
                 std::span<const Buffer> buffers) {
  const Function* const kernel = definition(module, entry);
  if (kernel == nullptr) throw std::invalid_argument("no kernel " + entry);
  Result result;
  for (std::uint32_t z = 0; z < grid[2]; ++z) {
    for (std::uint32_t y = 0; y < grid[1]; ++y) {
      for (std::uint32_t x = 0; x < grid[0]; ++x) {
        Surroundings around{module, grid, block, {x, y, z}, buffers, {}, {}, result};
        if (run_block(around, *kernel, parameters)) continue;
        result.stuck = true;
        return result;
      }
    }
  }
  return result;
}

}  // namespace bankproof::ptx::reference
