// Global memory: buffers that live across launches, their bytes, and which bytes have been written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
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

  /// `count` is 1, 2, 4 or a multiple of 8; `offset` is a multiple of `count` or of 8.
  bool all(std::uint64_t offset, std::uint32_t count) const {
    if (count < 8) return (~bits_[offset / 8] & mask(offset, count)) == 0;
    unsigned missing = 0;
    for (std::uint64_t k = offset / 8; k < (offset + count) / 8; ++k) missing |= bits_[k] ^ 0xFFU;
    return missing == 0;
  }
  void set(std::uint64_t offset, std::uint32_t count) {
    if (count < 8) {
      bits_[offset / 8] = static_cast<std::uint8_t>(bits_[offset / 8] | mask(offset, count));
    } else {
      std::memset(bits_.data() + offset / 8, 0xFF, count / 8);
    }
  }
  void put(std::uint64_t offset, bool written) {
    const auto bit = static_cast<std::uint8_t>(1U << (offset % 8));
    std::uint8_t& bits = bits_[offset / 8];
    bits = static_cast<std::uint8_t>(written ? bits | bit : bits & ~bit);
  }
  /// Whether all of the first `bytes` bytes were written.
  bool whole(std::uint64_t bytes) const;
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
  // A record for each word of 4 bytes; the last word may be cut off.
  ZeroedArray<Record> writes;
  ZeroedArray<Record> reads;
  bool defined = true;         // all bytes have been written
  WrittenBytes written;        // which bytes have been written, unless all have
  bool has_published = false;  // a release wrote here in this launch (races/publications.hpp)
  // The old contents of the pages that this launch has written, for undo(). `saved` says which
  // pages are saved. Their old bytes lie at the same offsets as in the buffer, unless all were
  // zero.
  std::vector<std::uint8_t> saved;
  ZeroedArray<std::byte> saved_data;
  ZeroedArray<std::uint8_t> saved_written;

  /// Marks all bytes as written; from then on `written` is not used.
  void define();
};

/// The contents of the variables of a module, by their names in PTX.
struct ModuleMemory {
  std::map<std::string, std::uint32_t> globals;  // the buffers of variables in global memory
  std::map<std::string, std::vector<std::byte>> constants;  // constants that the host has written
};

class GlobalMemory {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  /// Returns the index of the new buffer, which begins at buffer_address(index). Throws
  /// std::length_error for more than 2^36 bytes. `defined`: the bytes of the buffer, which are
  /// zeros, count as written.
  std::uint32_t add_buffer(std::string name, std::uint64_t bytes, bool defined);

  std::size_t size() const { return buffers_.size(); }
  Buffer& operator[](std::size_t index) { return *buffers_[index]; }
  const Buffer& operator[](std::size_t index) const { return *buffers_[index]; }

  /// For the host, between launches.
  std::span<std::byte> data(std::uint32_t index);
  std::span<const std::byte> data(std::uint32_t index) const;
  /// The host has written the whole buffer.
  void define(std::uint32_t index) { buffers_[index]->define(); }
  /// The host has written these bytes of the buffer.
  void define(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes);
  /// The host copies bytes. The copy of a byte counts as written if the byte does. The ranges may
  /// overlap.
  void copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
            std::uint64_t from_offset, std::uint64_t bytes);
  /// The host frees the buffer: from now on it has no bytes.
  void release(std::uint32_t index);

  /// The memory of a module. The caller numbers the modules: two modules may have variables of the
  /// same name.
  ModuleMemory& module(std::uint32_t number) { return modules_[number]; }

  /// Takes the next `count` numbers of warps and returns the first of them. When the numbers run
  /// out, they start again from the beginning. Throws std::length_error if there are fewer than
  /// `count` numbers.
  WarpNumber take_warps(std::uint64_t count);

  /// Watches these words, and stops watching all others.
  void watch(const std::vector<std::uint64_t>& words);

  /// Undoes all stores since the last call of keep().
  void undo();
  /// Makes all stores so far permanent; called between launches. If all bytes of a buffer have been
  /// written, the buffer becomes defined.
  void keep();
  /// Must be called before a store to a page whose `saved` is zero.
  void save(Buffer& buffer, std::uint64_t page);

 private:
  struct SavedPage {
    Buffer* buffer;
    std::uint64_t page;
    bool data;  // old bytes were not all zero
    bool written;
  };
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::map<std::uint32_t, ModuleMemory> modules_;
  std::mutex mutex_;  // guards saved_
  std::vector<SavedPage> saved_;
  std::vector<std::uint64_t> watched_;
  std::uint64_t next_warp_ = 1;
};

}  // namespace bankproof::ptx
