// A block that runs: its warps take turns, wait for one another at barriers, and end.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../isa/printed.hpp"
#include "../isa/shape.hpp"
#include "barrier.hpp"
#include "compiled_code.hpp"
#include "frames.hpp"
#include "program.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

struct DeviceQueue;

/// The bytes of shared memory of a block, including .extern .shared.
std::uint64_t shared_bytes(const Program& program, const LaunchShape& shape);

/// The data that all blocks of one worker share.
struct WorkerRun {
  WorkerRun(const Program& its_program, const LaunchShape& its_shape, const FrameImages& its_images,
            LaunchMemory& its_memory, const MachineRules& rules)
      : program(its_program),
        shape(its_shape),
        images(its_images),
        memory(its_memory),
        worker(rules, its_program.sites.size()),
        counts(its_program.block_sites.size()) {}

  const Program& program;
  const LaunchShape& shape;
  const FrameImages& images;
  LaunchMemory& memory;
  Worker worker;
  PrintedTexts printed;
  std::vector<BlockCount> counts;
  FramePool frames;
  LaunchEvents* events = nullptr;       // null: not requested
  std::shared_ptr<EventStore> lists;    // the worker's part of `events`
  std::uint64_t resident = 1;           // blocks that run at the same time
  std::uint64_t schedule = 0;           // RunOptions::schedule
  std::uint64_t most_instructions = 0;  // instructions of threads; 0: no limit
  CompileOptions compile{};             // RunOptions::compile
  std::mt19937_64 mixed{0};             // CompileOptions::mixed
  std::uint64_t considered = 0;         // the instructions that CompiledCode knows of
  bool stopped = false;                 // a fault ended the launch
  DeviceQueue* device = nullptr;        // null unless the kernel launches

  /// The instructions executed so far by the threads of this worker's blocks.
  std::uint64_t instructions() const;
  /// The compiled code that the next turn of a block uses; null: it is interpreted.
  const CompiledPiece* pieces();
  /// Lets the program be compiled if it has earned it.
  void consider_compiling();
  bool over_limit() const { return most_instructions != 0 && instructions() > most_instructions; }
};

class BlockRun {
 public:
  explicit BlockRun(WorkerRun& run) : run_(run) {}

  /// Begins block `number` of the grid. If the object has run an earlier block, that block must
  /// have ended.
  void start(std::uint64_t number);

  /// Keeps the events of the block, which has ended or will not go on.
  void keep_events();

  /// Gives each warp a turn. Returns whether the block can go on; a block that cannot go on has
  /// ended or is stuck.
  bool take_turns();
  bool ended() const;

  /// Reports a deadlock: no thread of the launch can go on. The report names the instructions where
  /// the block's warps wait. `not_started` is the number of blocks that have not begun, since other
  /// blocks have not ended.
  void tell_deadlock(std::uint64_t not_started = 0);

  /// Reports that the launch is over its limit of instructions. The report names the instructions
  /// at which the block's warps would go on; if the block has ended, it names the basic block that
  /// executed the most instructions.
  void tell_over_limit();

  /// Lets lanes go on alone if they wait only in order to run together with other lanes. Returns
  /// whether any lane did.
  bool let_go_on_alone();

  std::uint64_t number() const { return memory_.number; }
  const std::deque<Warp>& warps() const { return warps_; }

  // ---- For steps

  Frame* take_frame(const FunctionCode& code, const Warp& warp, const Frame* caller);
  /// Each warp keeps the frame of its kernel.
  void give_back(Frame* frame) {
    if (frame->depth > 0) run_.frames.give_back(frame);
  }
  const Program& program() const { return run_.program; }
  DeviceQueue* device() const { return run_.device; }

  /// Lets each split that waits for other lanes go on if all these lanes have come.
  void wake_lanes(Warp& warp);

  /// Lanes of the current split come to barrier `id`. Must be called before the lanes arrive or
  /// wait; reports the faults of their operands.
  void come_to_barrier(Warp& warp, const Op* op, LaneMask lanes, std::uint32_t id);
  /// bar.arrive
  void arrive_at_barrier(Warp& warp, const Op* op, LaneMask lanes, std::uint32_t id);
  /// The current split waits at a barrier, which may be complete now.
  void wait_at_barrier(Warp& warp, const Op* op, std::uint32_t id);

  template <class Message>
  void fault(FaultKind kind, const Op* op, const Op* other, const Warp& warp, LaneMask lanes,
             const Message& message) {
    run_.worker.faults.add(kind, op->site, other == nullptr ? no_site : other->site,
                           warp.name(static_cast<std::uint32_t>(std::countr_zero(lanes))), message);
  }
  /// The block prints the text.
  void print(std::string text) { run_.printed.add(memory_.number, std::move(text)); }
  /// Ends the launch, for all blocks.
  void stop() { run_.stopped = true; }
  /// Ends the launch by a trap of these lanes.
  template <class Message>
  void stop(const Op* op, const Warp& warp, LaneMask lanes, const Message& message) {
    fault(FaultKind::trap, op, nullptr, warp, lanes, message);
    stop();
  }

 private:
  bool complete_barriers();
  bool complete(std::uint32_t id);
  bool complete_usual();
  void tell_divergent(const Warp& warp, LaneMask lanes);

  WorkerRun& run_;
  BlockMemory memory_;
  std::deque<Warp> warps_;
  std::array<BarrierPhase, barriers_of_block> phases_;
  // Scratch of complete().
  std::vector<Split*> waiting_;
  std::vector<Arrival> arrivals_;
};

}  // namespace bankproof::ptx
