// Measures peak allocation by counting in operator new. A program includes this header in one
// source. Allocations by TBB are not counted.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

inline std::atomic<std::size_t> live_bytes = 0;
inline std::atomic<std::size_t> peak_bytes = 0;

// NOLINTBEGIN(misc-definitions-in-headers): what replaces these may not be inline.
// If g++ 12 inlined these operators, it would report malloc and delete as a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  const std::size_t live = live_bytes += malloc_usable_size(block);
  for (std::size_t peak = peak_bytes; peak < live;) {
    if (peak_bytes.compare_exchange_weak(peak, live)) break;
  }
  return block;
}

[[gnu::noinline]] void operator delete(void* block) noexcept {
  if (block != nullptr) live_bytes -= malloc_usable_size(block);
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
// NOLINTEND(misc-definitions-in-headers)

/// The peak allocation during the work, minus the allocation before the work.
inline std::size_t peak_bytes_of(const auto& work) {
  const std::size_t before = live_bytes;
  peak_bytes = before;
  work();
  return peak_bytes - before;
}
