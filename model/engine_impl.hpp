// The definitions of engine.hpp, in the order in which a launch meets them.
#pragma once

#include "lockstep.hpp"
#include "overlapped.hpp"

namespace bankproof {

template <class R>
Engine<R>::Engine(std::string description, Width width, std::uint64_t dmms, Limits limits,
                  Options options)
    : description_(std::move(description)),
      width_(width),
      dmms_(dmms),
      limits_(limits),
      options_(options),
      random_(options.seed),
      counter_(width >= 1 && width <= widest_warp ? width : 1) {
  if (width < 1 || width > widest_warp) {
    throw fault::bad_launch(
        "width " + std::to_string(width) + ": expected 1 to " + std::to_string(widest_warp),
        description_);
  }
  if (dmms < 1) throw fault::bad_launch("0 DMMs: expected at least 1", description_);
}

template <class R>
Time Engine<R>::run(const Launch& shape, std::function<Program(Warp&)> program) {
  const Time begin = now_;
  const std::uint64_t number = launches_++;
  program_ = std::move(program);
  try {
    prepare(shape);
    tell([&](Observer& o) { o.launch_begins({shape, number, begin}); });
    if (options_.mode == Mode::overlapped) {
      Overlapped<R>(*this).run();
    } else {
      Lockstep<R>(*this).run();
    }
  } catch (const Fault& fault) {
    clear();
    forget_shared();
    if (fault.placed()) throw;
    throw fault::placed_in(fault, {description_, shape.name, shape.reproduce});
  } catch (...) {
    clear();
    forget_shared();
    throw;
  }
  now_ = end_;
  clear();
  forget_shared();
  tell([&](Observer& o) { o.launch_ends({shape, number, now_}); });
  return now_ - begin;
}

/// Resets the shared memories of an asynchronous machine at the end of a launch, however the launch
/// ends.
template <class R>
void Engine<R>::forget_shared() {
  if (!limits_.forgets_shared) return;
  for (std::uint64_t dmm = 0; dmm < dmms_; ++dmm) {
    for (ArrayBase* array : memories_[dmm]->arrays()) {
      array->reset();
      tell([&](Observer& o) { o.forgotten(*array); });
    }
  }
}

/// The port where the warp waits next: the port of its DMM's arithmetic, or of the accessed memory.
/// An access to a memory that the warp cannot reach is a fault.
template <class R>
std::size_t Engine<R>::port_of(const Warp& warp) const {
  if (warp.state == Warp::State::compute) return compute_port(warp);
  const Memory& memory = warp.pending->array->memory();
  const bool mine = memory.port < memories_.size() && memories_[memory.port].get() == &memory;
  if (!mine || (memory.port < dmms_ && memory.port != warp.dmm())) [[unlikely]] {
    reject_foreign(warp);
  }
  return memory.port;
}

// Faults and other rare cases stay out of line, so that the code of a dispatch stays short.

template <class R>
void Engine<R>::reject_foreign(const Warp& warp) const {
  const ArrayBase& array = *warp.pending->array;
  throw fault::foreign_memory(array.name(), array.memory().name(),
                              AccessEvent::place_of(warp, description_));
}

template <class R>
void Engine<R>::reject_out_of_bounds(const Warp& warp) const {
  const Access& access = *warp.pending;
  const ArrayBase& array = *access.array;
  Width lane = 0;
  while (!access.mask.has(lane) || access.index[lane] < array.size()) ++lane;
  throw fault::out_of_bounds(access.operation == Operation::write, array.name(), access.index[lane],
                             array.size(), AccessEvent::place_of(warp, description_, lane));
}

template <class R>
void Engine<R>::reject_write(const Warp& warp) const {
  throw fault::write_to_constant(warp.pending->array->name(),
                                 AccessEvent::place_of(warp, description_));
}

template <class R>
void Engine<R>::reject_ended(std::uint64_t ended, std::uint64_t waiting, const Warp& warp) const {
  throw fault::warp_ended_at_barrier(ended, waiting, warp.block_state().phase,
                                     AccessEvent::place_of(warp, description_));
}

template <class R>
void Engine<R>::shift(Pattern& pattern, Address offset) {
  const std::size_t count = pattern.addresses.size();
  for (std::size_t k = 0; k < count; ++k) addresses_[k] = pattern.addresses[k] + offset;
  pattern.addresses = {addresses_.data(), count};
  pattern.lowest += offset;
  pattern.highest += offset;
}

template <class R>
void Engine<R>::show_access(const Warp& warp, Time now, std::uint64_t stages) const {
  const Access& access = *warp.pending;
  const Time completion = R::completion(now, stages, access.array->memory().latency());
  const AccessEvent event{access, warp, description_, now, stages, completion};
  tell([&](Observer& o) { o.accessed(event); });
}

/// The number of blocks that a DMM runs at a time. The DMM's resident threads and shared words
/// limit this number (docs/model.md, rule 8).
template <class R>
std::uint64_t Engine<R>::slots_for(const Launch& shape) const {
  if (shape.threads < 1 || shape.threads > unlimited - width_) {
    throw fault::bad_launch(std::to_string(shape.threads) + " threads a block: expected 1 to " +
                                std::to_string(unlimited - width_),
                            description_);
  }
  std::uint64_t slots = ceil_div(shape.blocks, dmms_);
  const std::uint64_t threads = ceil_div(shape.threads, width_) * width_;
  if (threads > limits_.resident_threads) {
    throw fault::bad_launch(
        "a block of " + std::to_string(shape.threads) + " threads does not fit: whole warps take " +
            std::to_string(threads) + ", and a DMM has " + std::to_string(limits_.resident_threads),
        description_);
  }
  slots = std::min(slots, limits_.resident_threads / threads);
  if (shape.shared_words > 0) {
    for (std::uint64_t dmm = 0; dmm < dmms_; ++dmm) {
      const Memory& shared = *memories_[dmm];
      const std::uint64_t words = shared.rounded_up(shape.shared_words);
      if (words > shared.free_words())
        throw fault::capacity(shared.name(), shape.shared_words, words, shared.free_words());
      slots = std::min(slots, shared.free_words() / words);
    }
  }
  return slots;
}

template <class R>
void Engine<R>::prepare(const Launch& shape) {
  clear();
  slots_ = slots_for(shape);
  shape_ = &shape;
  warps_per_block_ = ceil_div(shape.threads, width_);
  const std::uint64_t busy_dmms = std::min(dmms_, shape.blocks);
  blocks_ = std::vector<BlockState>(busy_dmms * slots_);
  warps_ = std::vector<Warp>(blocks_.size() * warps_per_block_);
  next_block_.resize(dmms_);
  end_ = now_;
  rounds_ = 0;
  for (std::uint64_t dmm = 0; dmm < busy_dmms; ++dmm) {
    next_block_[dmm] = dmm;
    for (std::uint64_t slot = 0; slot < slots_; ++slot) {
      BlockState& block = blocks_[dmm * slots_ + slot];
      block.shape = &shape;
      block.dmm = dmm;
      block.slot = slot;
      block.memory = memories_[dmm].get();
      if (shape.shared_words > 0) {
        block.region = std::make_unique<Region>(*block.memory, shape.shared_words);
      }
      starts_.push({now_, 0, dmm, slot});
    }
  }
}

/// Forgets the launch and frees the frames of programs that did not end.
template <class R>
void Engine<R>::clear() {
  warps_.clear();
  blocks_.clear();
  complete_barriers_.clear();
  starts_ = {};
}

/// The first free slot takes the next block of its DMM, if a block is left.
template <class R>
template <class Scheduler>
void Engine<R>::start_next_block(Scheduler& scheduler) {
  const SlotStart start = starts_.top();
  starts_.pop();
  if (next_block_[start.dmm] >= shape_->blocks) return;
  const std::uint64_t place = start.dmm * slots_ + start.slot;
  BlockState& block = blocks_[place];
  block.index = std::exchange(next_block_[start.dmm], next_block_[start.dmm] + dmms_);
  block.phase = block.waiting = 0;
  block.live = warps_per_block_;
  block.began = block.latest = start.time;
  block.began_after = rounds_;
  block.turn = start.turn;
  block.forget_arrays(
      [&](const ArrayBase& array) { tell([&](Observer& o) { o.forgotten(array); }); });
  tell([&](Observer& o) { o.block_begins({block, start.time}); });
  const bool empty_accesses_take_part = options_.mode == Mode::lockstep;
  Warp* const warps = &warps_[place * warps_per_block_];
  for (std::uint64_t k = 0; k < warps_per_block_; ++k) {
    warps[k].start(block, k, width_, empty_accesses_take_part, start.time);
    warps[k].set_program(program_(warps[k]));
  }
  for (std::uint64_t k = 0; k < warps_per_block_; ++k) advance(scheduler, warps[k]);
}

/// Runs the warp's program to its next stop.
template <class R>
void Engine<R>::resume(Warp& warp) {
  warp.resume();
  if (warp.state == Warp::State::access && warp.pending->all_lanes()) {
    warp.pending->array->prefetch(*warp.pending);
  }
}

/// Does what the warp's program stopped for: an access, a barrier, a computation or its end.
/// warp.ready is the time of the stop.
template <class R>
template <class Scheduler>
void Engine<R>::settle(Scheduler& scheduler, Warp& warp) {
  switch (warp.state) {
    case Warp::State::access:
    case Warp::State::compute:
      scheduler.wait(warp, port_of(warp));
      break;
    case Warp::State::empty:
      scheduler.wait_for_nothing(warp);
      break;
    case Warp::State::barrier:
      if (R::holds_at(warp.barriers++, warp.barrier_at)) {
        wait_at_barrier(warp);
      } else {
        advance(scheduler, warp);
      }
      break;
    case Warp::State::running:
      end_of(warp);
      break;
    case Warp::State::ended:
      break;
  }
}

template <class R>
void Engine<R>::end_of(Warp& warp) {
  BlockState& block = warp.block_state();
  warp.finish();
  if (block.waiting > 0) reject_ended(warp.index(), one_of(block, Warp::State::barrier), warp);
  block.latest = std::max(block.latest, warp.ready);
  if (--block.live > 0) return;
  end_ = std::max(end_, block.latest);
  tell([&](Observer& o) { o.block_ends({block, block.latest}); });
  // A round of empty accesses takes no time, but it counts as a round.
  const bool at_once = block.latest == block.began && rounds_ == block.began_after;
  const std::uint64_t turn = at_once ? block.turn + 1 : 0;
  starts_.push({block.latest, turn, block.dmm, block.slot});
}

/// The lowest warp of the block in this state. Requires a warp in this state.
template <class R>
std::uint64_t Engine<R>::one_of(const BlockState& block, Warp::State state) const {
  const Warp* const warps = &warps_[number_of(block) * warps_per_block_];
  std::uint64_t warp = 0;
  while (warps[warp].state != state) ++warp;
  return warp;
}

template <class R>
void Engine<R>::wait_at_barrier(Warp& warp) {
  BlockState& block = warp.block_state();
  if (warp.mask() != warp.existing()) {
    throw fault::barrier_under_mask(AccessEvent::place_of(warp, description_));
  }
  if (block.live < warps_per_block_) {
    reject_ended(one_of(block, Warp::State::ended), warp.index(), warp);
  }
  block.latest = std::max(block.latest, warp.ready);
  if (++block.waiting == block.live) complete_barriers_.push_back(&block);
}

/// Opens every barrier at which all warps of its block have arrived, at time `at_least` or later.
template <class R>
template <class Scheduler>
void Engine<R>::open_barriers(Scheduler& scheduler, Time at_least) {
  while (!complete_barriers_.empty()) {
    BlockState& block = *complete_barriers_.back();
    complete_barriers_.pop_back();
    block.waiting = 0;
    ++block.phase;
    block.latest = std::max(block.latest, at_least);
    tell([&](Observer& o) { o.barrier_opens({block, block.latest}); });
    Warp* const warps = &warps_[number_of(block) * warps_per_block_];
    for (std::uint64_t k = 0; k < warps_per_block_; ++k) {
      warps[k].ready = block.latest;
      warps[k].position = 0;
      advance(scheduler, warps[k]);
    }
  }
}

/// The addresses of the access in its memory, counted from a multiple of the width.
template <class R>
Pattern Engine<R>::pattern_of(const Warp& warp) {
  const Access& access = *warp.pending;
  Pattern pattern = look_at(access.index, access.mask, addresses_);
  const ArrayBase& array = *access.array;
  if (pattern.highest >= array.size()) [[unlikely]]
    reject_out_of_bounds(warp);
  if (const Address offset = array.misalignment(); offset != 0) [[unlikely]]
    shift(pattern, offset);
  return pattern;
}

template <class R>
void Engine<R>::check_declaration(const Pattern& pattern, const Warp& warp) {
  const Access& access = *warp.pending;
  const bool coalesced = Rules::stages(MemoryKind::groups, pattern, counter_) == 1;
  const bool conflict_free = Rules::stages(MemoryKind::banks, pattern, counter_) == 1;
  if ((access.declared == AccessKind::coalesced && !coalesced) ||
      (access.declared == AccessKind::conflict_free && !conflict_free)) {
    const AccessKind observed =
        coalesced ? AccessKind::coalesced
                  : (conflict_free ? AccessKind::conflict_free : AccessKind::casual);
    throw fault::broken_declaration(access.array->name(), std::string(name_of(access.declared)),
                                    std::string(name_of(observed)),
                                    AccessEvent::place_of(warp, description_));
  }
}

/// Performs the pending access; returns its stages.
template <class R>
std::uint64_t Engine<R>::dispatch(Warp& warp, Time now) {
  const Access& access = *warp.pending;
  const bool is_write = access.operation == Operation::write;
  const Pattern pattern = pattern_of(warp);
  const MemoryKind kind = access.array->memory().kind();
  if (kind == MemoryKind::broadcast && is_write) [[unlikely]]
    reject_write(warp);
  const std::uint64_t stages = R::stages(kind, pattern, counter_);
  if (access.declared != AccessKind::undeclared) [[unlikely]]
    check_declaration(pattern, warp);
  if (!observers_.empty()) [[unlikely]]
    show_access(warp, now, stages);
  if (is_write) access.array->store(access, options_.writers, random_);
  return stages;
}

}  // namespace bankproof
