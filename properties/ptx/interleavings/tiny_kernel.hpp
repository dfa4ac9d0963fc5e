// Kernels of two or three threads that do a few steps each, in a straight line: accesses to one of
// two words of shared or of global memory, fences and barriers. The only loop is that of a read
// that waits until its word is not zero any more.
//
// Words are 0 at first, and each write stores a number of its own, so that what was read tells by
// whom it was written.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::ptx {

struct TinyStep {
  enum class Kind : std::uint8_t { load, store, exchange, await, fence, barrier, warp_barrier };
  /// Of accesses, and of fences the last two.
  enum class Order : std::uint8_t {
    weak,
    is_volatile,
    relaxed,
    acquire,
    release,
    acquire_release,
    sequential,
  };
  Kind kind = Kind::load;
  Order order = Order::weak;
  bool device = true;  // the scope; else the block
  bool shared = false;
  std::uint32_t word = 0;  // 0 or 1

  bool reads() const { return kind == Kind::load || kind == Kind::exchange || kind == Kind::await; }
  bool writes() const { return kind == Kind::store || kind == Kind::exchange; }
};

struct TinyThread {
  std::uint32_t block = 0;
  std::uint32_t index = 0;  // in its block, below 64
  std::vector<TinyStep> steps;
};

struct TinyKernel {
  std::vector<TinyThread> threads;
};

/// A step by its thread and its number there.
using StepName = std::pair<std::size_t, std::size_t>;

/// The number that a step of a kernel writes.
constexpr std::uint32_t value_of(const StepName& step) {
  return static_cast<std::uint32_t>(1 + 16 * step.first + step.second);
}

/// Where a step's number stands among those that were read: 8 for each thread.
constexpr std::size_t place_of(const StepName& step) { return 8 * step.first + step.second; }

struct TinyText {
  /// A kernel `k` of blocks of 64 threads with two parameters: the global words, and an array in
  /// which each thread leaves the numbers that its steps read.
  std::string text;
  std::map<std::uint32_t, StepName> step_at;  // by line
};
TinyText as_ptx(const TinyKernel& kernel);

/// For messages: the steps of each thread as PTX.
std::ostream& operator<<(std::ostream& out, const TinyKernel& kernel);

}  // namespace bankproof::ptx
