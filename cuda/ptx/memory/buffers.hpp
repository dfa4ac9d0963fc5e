// Global memory: buffers that live over several launches, and what is known of their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "../races/record.hpp"
#include "spaces.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

/// One bit for each byte of a memory: whether anything was written to it.
class WrittenBytes {
 public:
  WrittenBytes() = default;
  WrittenBytes(std::uint64_t bytes, bool written)
      : bits_((bytes + 7) / 8, written ? std::uint8_t{0xFF} : std::uint8_t{0}) {}

  /// `count` is 1, 2, 4, 8, 16, 32 …; `offset` is a multiple of it.
  bool all(std::uint64_t offset, std::uint32_t count) const {
    if (count < 8) return (~bits_[offset / 8] & mask(offset, count)) == 0;
    for (std::uint64_t k = offset / 8; k < (offset + count) / 8; ++k) {
      if (bits_[k] != 0xFF) return false;
    }
    return true;
  }
  void set(std::uint64_t offset, std::uint32_t count) {
    if (count < 8) {
      bits_[offset / 8] = static_cast<std::uint8_t>(bits_[offset / 8] | mask(offset, count));
    } else {
      for (std::uint64_t k = offset / 8; k < (offset + count) / 8; ++k) bits_[k] = 0xFF;
    }
  }
  void reset(std::uint64_t bytes) { bits_.assign((bytes + 7) / 8, 0); }
  std::vector<std::uint8_t>& bits() { return bits_; }

 private:
  static std::uint8_t mask(std::uint64_t offset, std::uint32_t count) {
    return static_cast<std::uint8_t>(((1U << count) - 1U) << (offset % 8));
  }
  std::vector<std::uint8_t> bits_;
};

struct Buffer {
  std::string name;
  std::uint64_t bytes = 0;
  ZeroedArray<std::byte> data;
  ZeroedArray<WordRecord> records;  // of each word of 4 bytes, the last one perhaps cut off
  bool defined = true;              // all bytes have been written
  WrittenBytes written;             // if not
  bool has_published = false;       // a release wrote here in this launch (races/publications.hpp)
  // What was in the pages that this launch has written, for undo(): by page.
  std::vector<std::uint8_t> saved;
};

class GlobalMemory {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  /// Returns its index; buffer_address(index) is where it begins. At most 2^36 bytes (more throws
  /// std::length_error); `defined` if its bytes count as written: they are zeros.
  std::uint32_t add_buffer(std::string name, std::uint64_t bytes, bool defined);

  std::size_t size() const { return buffers_.size(); }
  Buffer& operator[](std::size_t index) { return *buffers_[index]; }
  const Buffer& operator[](std::size_t index) const { return *buffers_[index]; }

  /// For the host, between launches.
  std::span<std::byte> data(std::uint32_t index);
  std::span<const std::byte> data(std::uint32_t index) const;
  /// The host has written all of it.
  void define(std::uint32_t index) { buffers_[index]->defined = true; }

  /// The next numbers of warps, or, when they come to an end, the first ones again. Throws
  /// std::length_error if there are not as many numbers.
  WarpNumber take_warps(std::uint64_t count);

  /// Watches these words, and no others any more.
  void watch(const std::vector<std::uint64_t>& words);

  /// Undoes all that was stored since the last call of keep().
  void undo();
  void keep();
  /// To be called before a page is stored to, with `saved` of the page zero.
  void save(Buffer& buffer, std::uint64_t page);

 private:
  struct SavedPage {
    Buffer* buffer;
    std::uint64_t page;
    std::vector<std::byte> data;
    std::vector<std::uint8_t> written;
  };
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::mutex mutex_;  // of saved_
  std::vector<SavedPage> saved_;
  std::vector<std::uint64_t> watched_;
  std::uint64_t next_warp_ = 1;
};

}  // namespace bankproof::ptx
