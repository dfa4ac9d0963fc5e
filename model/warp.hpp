// A warp as its program sees it: its number, its threads, its mask, its block's arrays, and the
// points at which the program hands control to the machine.
//
// The parallel for of the papers,
//
//     for i ← 0 to n−1 do in parallel: sum ← sum + a[i]
//
// becomes a range: p threads take p consecutive i at a time, and the threads past the end are
// masked:
//
//     for (auto i : warp.each(n)) sum += co_await a.read(i);
#pragma once

#include <algorithm>
#include <bit>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <iterator>
#include <optional>
#include <ranges>
#include <source_location>
#include <string>
#include <utility>

#include "access.hpp"
#include "block.hpp"
#include "fault.hpp"
#include "lanes.hpp"
#include "program.hpp"

namespace bankproof {

template <class T>
class Array;

/// Restricts a warp to some of its threads for as long as the scope lives.
class [[nodiscard]] MaskScope {
 public:
  MaskScope(Mask& mask, Mask allowed) : mask_(mask), saved_(mask) { mask_ &= allowed; }
  MaskScope(const MaskScope&) = delete;
  MaskScope& operator=(const MaskScope&) = delete;
  ~MaskScope() { mask_ = saved_; }
  /// Changes the restriction: from now on, those of the `allowed` threads take part that took part
  /// before the scope.
  void change_to(Mask allowed) { mask_ = saved_ & allowed; }

 private:
  Mask& mask_;
  Mask saved_;
};

/// i = begin + step·t + offset + lane for t = 0, 1, … while begin + step·t < end, under the mask of
/// the lanes with i < end. All warps take the same number of turns, even if no lane takes part in a
/// turn, so that in lockstep the warps of a loop leave the loop together.
class [[nodiscard]] ParallelFor {
 public:
  ParallelFor(Mask& mask, Width width, Address begin, Address offset, Address step, Address end)
      : mask_(mask),
        saved_(mask),
        width_(width),
        begin_(begin),
        offset_(offset),
        step_(step),
        end_(end) {}
  ParallelFor(const ParallelFor&) = delete;
  ParallelFor& operator=(const ParallelFor&) = delete;
  ~ParallelFor() { mask_ = saved_; }

  class Iterator {
   public:
    Iterator(ParallelFor& loop, Address turn) : loop_(&loop), turn_(turn) { set_mask(); }
    Progression operator*() const { return {loop_->width_, turn_ + loop_->offset_, 1}; }
    Iterator& operator++() {
      // The last step ends the loop, even where turn + step would wrap around.
      turn_ = left() > loop_->step_ ? turn_ + loop_->step_ : loop_->end_;
      set_mask();
      return *this;
    }
    bool operator!=(std::default_sentinel_t) const { return turn_ < loop_->end_; }

   private:
    Address left() const { return loop_->end_ - std::min(turn_, loop_->end_); }
    void set_mask() {
      loop_->mask_ = loop_->saved_ & first_lanes(left() - std::min(left(), loop_->offset_));
    }
    ParallelFor* loop_;
    Address turn_;
  };
  Iterator begin() { return {*this, begin_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  Mask& mask_;
  Mask saved_;
  Width width_;
  Address begin_;
  Address offset_;
  Address step_;
  Address end_;
};

/// i = step·t + offset + lane for t = turns − 1, …, 1, 0. All lanes take part.
class [[nodiscard]] FallingTurns {
 public:
  FallingTurns(Progression in_turn_0, Address step, Address turns)
      : in_turn_0_(in_turn_0), step_(step), turns_(turns) {}

  class Iterator {
   public:
    explicit Iterator(const FallingTurns& loop) : loop_(&loop), left_(loop.turns_) {}
    Progression operator*() const { return loop_->in_turn_0_ + (left_ - 1) * loop_->step_; }
    Iterator& operator++() {
      --left_;
      return *this;
    }
    bool operator!=(std::default_sentinel_t) const { return left_ != 0; }

   private:
    const FallingTurns* loop_;
    Address left_;
  };
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  Progression in_turn_0_;
  Address step_;
  Address turns_;
};

enum class Order : std::uint8_t { rising, falling };

/// The powers of two below `end`: 1, 2, 4, …, or from the highest one down.
class [[nodiscard]] PowersBelow {
 public:
  PowersBelow(Address end, Order order) : end_(end), order_(order) {}

  class Iterator {
   public:
    Iterator(Address power, Address end, Order order) : power_(power), end_(end), order_(order) {}
    Address operator*() const { return power_; }
    Iterator& operator++() {
      power_ = order_ == Order::falling ? power_ / 2 : power_ < end_ - power_ ? 2 * power_ : 0;
      return *this;
    }
    bool operator!=(std::default_sentinel_t) const { return power_ != 0; }

   private:
    Address power_;  ///< 0 behind the last one
    Address end_;
    Order order_;
  };
  Iterator begin() const {
    const Address first = order_ == Order::rising ? 1 : std::bit_floor(end_ - 1);
    return {end_ < 2 ? 0 : first, end_, order_};
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  Address end_;
  Order order_;
};

/// A warp of a block. Programs use the first part of the class, the machine uses the second part.
class Warp {
 public:
  /// The types that a program names if it is written for any kind of warp (NumberOf, ArrayOf).
  using Number = Address;
  using Truth = bool;
  template <class T>
  using ArrayType = Array<T>;

  /// Threads of a full warp.
  Width width() const { return width_; }
  /// This warp's number in its block.
  std::uint64_t index() const { return index_; }
  /// The block's number in its launch, and how many blocks the launch has.
  std::uint64_t block() const { return block_->index; }
  std::uint64_t blocks() const { return block_->shape->blocks; }
  /// Threads of a block.
  std::uint64_t threads() const { return block_->shape->threads; }
  /// The DMM that runs this block.
  std::uint64_t dmm() const { return block_->dmm; }

  /// The lane numbers 0, 1, …, w−1.
  Progression lane() const { return {width_, 0, 1}; }
  /// Each thread's number in its block.
  Progression thread() const { return {width_, first_thread(), 1}; }
  /// The same address in every lane.
  Progression same(Address address) const { return {width_, address, 0}; }
  /// The same value in every lane.
  template <class T>
  Lanes<T> all(const T& value) const {
    return Lanes<T>(width_, value);
  }

  /// The threads that take part now.
  Mask mask() const { return mask_; }
  /// any(): whether a participating thread is in the mask. none(): whether no participating thread
  /// is in the mask. count(): the number of participating threads in the mask.
  bool any(Mask mask) const { return (mask & mask_) != Mask(); }
  bool none(Mask mask) const { return !any(mask); }
  Width count(Mask mask) const { return static_cast<Width>(std::popcount((mask & mask_).bits())); }
  /// variable ← value, for the threads that take part; the other threads keep their values. Plain
  /// assignment and `+=` change all lanes, and a read gives T{} to lanes that do not take part. So
  /// `sum += co_await a.read(i)` is right where adding T{} changes nothing; assign() is right
  /// everywhere.
  template <class T>
  void assign(Lanes<T>& variable, const Lanes<T>& value) const {
    for_each_lane(mask_, [&](Width lane) { variable[lane] = value[lane]; });
  }

  /// Only the threads of the mask take part, until the result goes out of scope.
  MaskScope only(Mask mask) { return {mask_, mask}; }
  /// All threads that take part still do, or none.
  MaskScope only_if(bool condition) { return only(condition ? mask_ : Mask()); }

  /// The parallel for over 0 ≤ i < n by the p threads of this block: thread j takes i = j, j+p, ….
  ParallelFor each(Address n) { return each(0, n); }
  /// The turns of each(n) with the last one first. It masks no thread, so that a program may have a
  /// barrier in it.
  FallingTurns falling_turns(Address n) const {
    return {thread(), threads(), ceil_div(n, threads())};
  }
  /// The parallel for over first ≤ i < end by the threads of this block.
  ParallelFor each(Address first, Address end) {
    return {mask_, width_, first, first_thread(), threads(), end};
  }
  /// The parallel for over 0 ≤ i < n by all threads of the launch.
  ParallelFor each_of_launch(Address n) {
    return {mask_, width_, 0, block() * threads() + first_thread(), blocks() * threads(), n};
  }

  /// Loops that all warps make alike: over 0, 1, …, n − 1, and over the powers of two below `end`,
  /// which are the distances of many algorithms.
  static auto times(Address n) { return std::views::iota(Address{0}, n); }
  PowersBelow rising_powers(Address end) const { return {end, Order::rising}; }
  PowersBelow falling_powers(Address end) const { return {end, Order::falling}; }

  /// The block's array of `size` words in the shared memory of its DMM, uninitialized when the
  /// block starts. All warps of a block declare the same arrays in the same order. Each array
  /// starts at a multiple of the width; together they take at most the launch's shared words.
  template <class T>
  Array<T>& shared(std::uint64_t size, const std::string& name = "shared") {
    return block_->array<T>(shared_arrays_++, size, name);
  }

  // The members from here on are for the machine and its awaiters.

  enum class State : std::uint8_t { running, access, empty, compute, barrier, ended };

  /// Asks for an access. Returns whether the program must be suspended.
  bool submit(Access& access, std::coroutine_handle<> program) {
    if (access.index.width() != width_) [[unlikely]]
      reject_width(access.index.width());
    resume_point_ = program;
    access.mask = mask_;
    ++rounds;
    ++position;
    if (access.mask == Mask()) {
      if (empty_accesses_take_part_) state = State::empty;
      return empty_accesses_take_part_;
    }
    pending = &access;
    state = State::access;
    return true;
  }

  void suspend(State reason, std::coroutine_handle<> program) {
    resume_point_ = program;
    state = reason;
  }

  /// Makes this object the warp `index` of a block, at its first instruction.
  void start(BlockState& block, std::uint64_t index, Width width, bool empty_accesses_take_part,
             Time now) {
    block_ = &block;
    index_ = index;
    width_ = width;
    empty_accesses_take_part_ = empty_accesses_take_part;
    existing_ = mask_ = first_lanes(std::min<std::uint64_t>(width, threads() - index * width));
    shared_arrays_ = 0;
    pending = nullptr;
    rounds = position = barriers = 0;
    ready = now;
    state = State::running;
  }
  void set_program(Program program) {
    program_.emplace(std::move(program));
    program_->handle().promise().warp = this;
    resume_point_ = program_->handle();
  }

  /// Runs the program to its next access, computation or barrier, or to its end.
  void resume() {
    state = State::running;
    resume_point_.resume();
  }
  /// Called when the program has ended and `state` is still running: frees the program's frame and
  /// rethrows its exception.
  void finish() {
    state = State::ended;
    const auto error = program_->handle().promise().error;
    program_.reset();
    if (error) std::rethrow_exception(error);
  }

  /// The threads that exist: all, except in a block's last, partial warp.
  Mask existing() const { return existing_; }
  BlockState& block_state() const { return *block_; }

  State state = State::ended;
  Access* pending = nullptr;
  std::uint64_t operations = 0;     ///< the operations of a pending computation
  Time ready = 0;                   ///< when the pending access may be dispatched
  std::uint64_t rounds = 0;         ///< accesses in this launch, empty ones included
  std::uint64_t position = 0;       ///< accesses since the last barrier, empty ones included
  std::uint64_t barriers = 0;       ///< barriers reached in this launch
  std::source_location barrier_at;  ///< the last barrier's place in the program

 private:
  Address first_thread() const { return index_ * width_; }
  [[noreturn, gnu::noinline]] void reject_width(Width width) const {
    throw fault::impossible(FaultKind::launch, "an index of " + std::to_string(width) +
                                                   " lanes, expected " + std::to_string(width_));
  }

  BlockState* block_ = nullptr;
  std::uint64_t index_ = 0;
  Mask mask_;
  Mask existing_;
  std::coroutine_handle<> resume_point_;
  std::optional<Program> program_;
  std::uint64_t shared_arrays_ = 0;
  Width width_ = 0;
  bool empty_accesses_take_part_ = false;
};

namespace detail {

struct [[nodiscard]] BarrierAwaiter {
  std::source_location at;
  bool is_needed = true;
  bool await_ready() const noexcept { return !is_needed; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> program) const {
    program.promise().warp->barrier_at = at;
    program.promise().warp->suspend(Warp::State::barrier, program);
  }
  void await_resume() const noexcept {}
};

struct [[nodiscard]] ComputeAwaiter {
  std::uint64_t operations;
  bool await_ready() const noexcept { return operations == 0; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> program) const {
    Warp& warp = *program.promise().warp;
    if (warp.mask() == Mask()) return false;  // no thread computes
    warp.operations = operations;
    warp.suspend(Warp::State::compute, program);
    return true;
  }
  void await_resume() const noexcept {}
};

}  // namespace detail

/// `co_await barrier()` waits for all warps of the block. It costs nothing (docs/model.md, rule 9).
inline detail::BarrierAwaiter barrier(
    const std::source_location at = std::source_location::current()) {
  return {at};
}
/// `co_await barrier_if(condition)` waits only if the condition holds, which is the same for all
/// warps of the block.
inline detail::BarrierAwaiter barrier_if(
    bool condition, const std::source_location at = std::source_location::current()) {
  return {at, condition};
}

// ---- Programs for any kind of warp. A program that is a template over its warp runs on the
// machines, and the proofs run the same program on a warp whose numbers are formulas.

/// The type of the numbers of a warp's programs: sizes, indices, powers.
template <class W>
using NumberOf = typename W::Number;
/// The type of a comparison of its numbers.
template <class W>
using ConditionOf = typename W::Truth;
/// The type of its arrays with elements T.
template <class W, class T>
using ArrayOf = typename W::template ArrayType<T>;

/// `co_await compute(k)` charges k operations for each thread; a DMM performs w operations a time
/// unit (docs/model.md, rule 11). Without it, computation is free.
inline detail::ComputeAwaiter compute(std::uint64_t operations) { return {operations}; }

}  // namespace bankproof
