// Kernels of two or three threads with a few straight-line steps each: accesses to one of two words
// of shared or global memory, fences and barriers. The only loop is a read that waits until its
// word is not zero.
//
// Words are 0 at first, and each write stores a unique number, so a number that was read identifies
// its writer.
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
  /// The order of an access; fences have only the last two.
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
  bool device = true;  // the scope is the device; otherwise the block
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

/// A step: its thread, and its number in the thread.
using StepName = std::pair<std::size_t, std::size_t>;

/// The number that a step of a kernel writes.
constexpr std::uint32_t value_of(const StepName& step) {
  return static_cast<std::uint32_t>(1 + 16 * step.first + step.second);
}

/// The index of a step's number among all numbers read: each thread has 8 indices.
constexpr std::size_t place_of(const StepName& step) { return 8 * step.first + step.second; }

struct TinyText {
  /// A kernel `k` for blocks of 64 threads with two parameters: the global words, and an array in
  /// which each thread stores the numbers that its steps read.
  std::string text;
  std::map<std::uint32_t, StepName> step_at;  // for each line
};
TinyText as_ptx(const TinyKernel& kernel);

/// Prints the steps of each thread as PTX, for messages.
std::ostream& operator<<(std::ostream& out, const TinyKernel& kernel);

}  // namespace bankproof::ptx
