// Arrays of zeros. For large ones, the operating system provides each page when it is first
// touched. Small ones are allocated like other objects, since calls of the operating system would
// cost more than the zeros.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace bankproof::ptx {

/// How many of the pages of an array will probably be touched.
enum class TouchedPages : std::uint8_t { few, many, all };

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size, TouchedPages touched = TouchedPages::many)
      : size_(size), is_mapped_(bytes() > small) {
    if (!is_mapped_) {
      void* const memory = ::operator new(bytes(), alignment);
      items_ = static_cast<T*>(std::memset(memory, 0, bytes()));
      return;
    }
    // Providing all pages at once takes less time than one by one.
    const int now = touched == TouchedPages::all && bytes() <= medium ? MAP_POPULATE : 0;
    void* pages =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | now, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    items_ = static_cast<T*>(pages);
    // Asks for large pages: with small pages, random accesses would wait for address translation.
    // The call is only a hint. Where large pages would take much memory that is never touched, an
    // array keeps small pages.
    if (bytes() >= large && touched != TouchedPages::few) {
      madvise(pages, bytes(), MADV_HUGEPAGE);
    }
  }
  /// Takes over pages that mmap() has returned, and unmaps them in the end.
  ZeroedArray(T* pages, std::size_t size) : size_(size), items_(pages), is_mapped_(true) {}
  ZeroedArray(ZeroedArray&& other) noexcept
      : size_(std::exchange(other.size_, 0)),
        items_(std::exchange(other.items_, nullptr)),
        is_mapped_(other.is_mapped_) {}
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(is_mapped_, other.is_mapped_);
    std::swap(items_, other.items_);
    return *this;
  }
  ZeroedArray(const ZeroedArray&) = delete;
  ZeroedArray& operator=(const ZeroedArray&) = delete;
  ~ZeroedArray() {
    if (items_ == nullptr) return;
    if (is_mapped_) {
      munmap(items_, bytes());
    } else {
      ::operator delete(items_, alignment);
    }
  }

  std::size_t size() const { return size_; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T& operator[](std::size_t k) { return items_[k]; }
  const T& operator[](std::size_t k) const { return items_[k]; }

 private:
  static constexpr std::align_val_t alignment{64};  // a cache line
  static constexpr std::size_t small = std::size_t{1} << 14;
  static constexpr std::size_t medium = std::size_t{1} << 20;
  static constexpr std::size_t large = std::size_t{1} << 24;
  std::size_t bytes() const { return std::max<std::size_t>(size_ * sizeof(T), 1); }

  std::size_t size_ = 0;
  T* items_ = nullptr;
  bool is_mapped_ = false;
};

}  // namespace bankproof::ptx
