// The heap of kernels: malloc, free, new and delete (CUDA Programming Guide, "Dynamic Global Memory
// Allocation and Operations").
//
// Each allocation is a buffer of its own. So the engine judges its bounds, its races and its bytes
// that nobody wrote as it judges those of the host's buffers, and an access after free() is out of
// bounds. No number is used again. The numbers begin at `first`: the host may need many low
// addresses for memory that it shares with kernels (cuda/runtime/host_views.hpp).
//
// A launch may be undone and run again (launch_memory.hpp). So what a kernel frees keeps its
// contents until settle().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../isa/faults.hpp"

namespace bankproof::ptx {

struct Buffer;

class Heap {
 public:
  static constexpr std::uint32_t first = std::uint32_t{1} << 26;
  static constexpr std::uint32_t most_allocations = std::uint32_t{1} << 26;
  static constexpr std::uint64_t alignment = 16;
  static constexpr std::uint64_t usual_bytes = std::uint64_t{8} << 20;

  Heap();
  ~Heap();
  Heap(Heap&&) noexcept;
  Heap& operator=(Heap&&) noexcept;

  /// Whether the heap has allocated this number, and may have freed it.
  bool has(std::uint64_t index) const { return index - first < items_.size(); }
  bool has_freed(std::uint32_t index) const;
  Buffer& operator[](std::uint32_t index) const { return *items_[index - first]; }
  /// The number after that of the last allocation.
  std::uint32_t end() const { return first + static_cast<std::uint32_t>(items_.size()); }

  /// Allocates a buffer, which is undefined, and returns its number. Returns nothing for no bytes
  /// and if the bytes exceed what is left.
  std::optional<std::uint32_t> allocate(std::uint64_t bytes);
  /// Frees an allocation that is not freed yet, at this site of the launch's program.
  void free(std::uint32_t index, std::uint32_t site);
  /// Where the launch has freed the allocation; no_site if an earlier launch did.
  std::uint32_t site_of_free(std::uint32_t index) const;

  /// Makes all changes so far permanent. Returns the numbers that were freed since the last call.
  std::vector<std::uint32_t> settle();
  /// Undoes all changes since settle().
  void undo();

  /// The bytes that all allocations together may have; each counts as a multiple of `alignment`.
  std::uint64_t most_bytes = usual_bytes;
  /// Whether a launch has used the heap; its size is fixed from then on.
  bool is_used = false;

 private:
  struct Freed {
    std::uint32_t index = 0;
    std::uint32_t site = no_site;
    std::unique_ptr<Buffer> contents;
  };
  std::vector<std::unique_ptr<Buffer>> items_;
  std::vector<Freed> freed_;  // since settle()
  std::uint64_t bytes_ = 0;   // of the allocations that are not freed
  std::size_t settled_items_ = 0;
  std::uint64_t settled_bytes_ = 0;
};

}  // namespace bankproof::ptx
