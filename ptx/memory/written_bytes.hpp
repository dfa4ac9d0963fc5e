// The part of the shadow that says which bytes are initialized: it has one bit for each byte of a
// memory, which is 1 if the byte was written.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "footprint.hpp"

namespace bankproof::ptx {

class WrittenBytes {
 public:
  WrittenBytes() = default;
  WrittenBytes(std::uint64_t bytes, bool written)
      : bits_(elements(bytes), written ? std::uint8_t{0xFF} : std::uint8_t{0}) {}

  /// Whether all these bytes were written. `count` is 1, 2, 4 or a multiple of 8; `offset` is a
  /// multiple of `count` or of 8.
  bool all(std::uint64_t offset, std::uint32_t count) const {
    if (count < 8 && count != 0) return (~bits_[offset / 8] & mask(offset, count)) == 0;
    return are_set(offset / 8, (offset + count) / 8);
  }
  /// `several`: other host threads may mark other bytes at the same time, as in global memory.
  void set(std::uint64_t offset, std::uint32_t count, bool several = false) {
    if (count < 8 && count != 0) {
      add(bits_[offset / 8], mask(offset, count), several);
    } else {
      std::memset(bits_.data() + offset / 8, 0xFF, count / 8);
    }
  }
  /// Likewise for a row of whole words: `offset` and `count` are multiples of a word.
  [[gnu::always_inline]] bool all_words(std::uint64_t offset, std::uint32_t count) const {
    if ((offset | count) % 8 == 0) [[likely]]
      return are_set(offset / 8, offset / 8 + count / 8);
    const std::uint64_t inner = (offset + 7) / 8 * 8;
    const std::uint64_t end = (offset + count) / 8 * 8;
    return (inner == offset || all(offset, 4)) &&
           all(inner, static_cast<std::uint32_t>(end - inner)) &&
           (end == offset + count || all(end, 4));
  }
  [[gnu::always_inline]] void set_words(std::uint64_t offset, std::uint32_t count, bool several) {
    if ((offset | count) % 8 == 0) [[likely]] {
      std::memset(bits_.data() + offset / 8, 0xFF, count / 8);
      return;
    }
    const std::uint64_t inner = (offset + 7) / 8 * 8;
    const std::uint64_t end = (offset + count) / 8 * 8;
    if (inner != offset) set(offset, 4, several);
    set(inner, static_cast<std::uint32_t>(end - inner));
    if (end != offset + count) set(end, 4, several);
  }
  void put(std::uint64_t offset, bool written) {
    const auto bit = static_cast<std::uint8_t>(1U << (offset % 8));
    std::uint8_t& bits = bits_[offset / 8];
    bits = static_cast<std::uint8_t>(written ? bits | bit : bits & ~bit);
  }
  /// Marks the bytes [begin, end), and returns whether one of them was not written before.
  bool set_range(std::uint64_t begin, std::uint64_t end);
  /// The first of the first `bytes` bytes that was not written; `bytes` if all were.
  std::uint64_t first_missing(std::uint64_t bytes) const;
  void reset(std::uint64_t bytes) { bits_.assign(elements(bytes), 0); }
  std::vector<std::uint8_t>& bits() { return bits_; }

  /// The active lanes of the footprint that have a byte that was not written.
  LaneMask missing(const Footprint& touched) const {
    if (whole_bytes(touched) && all(touched.at[0], warp_lanes * touched.bytes)) return 0;
    LaneMask lanes = 0;
    each_lane(touched.lanes, [&](std::uint32_t lane) {
      lanes |= LaneMask{!all(touched.at[lane], touched.bytes)} << lane;
    });
    return lanes;
  }
  /// Marks the bytes of the active lanes as written.
  void set(const Footprint& touched, bool several = false) {
    if (whole_bytes(touched)) {
      set(touched.at[0], warp_lanes * touched.bytes);
    } else if (touched.bytes < 8) {
      set_together(touched, several);
    } else {
      each_lane(touched.lanes, [&](std::uint32_t lane) { set(touched.at[lane], touched.bytes); });
    }
  }

 private:
  /// Marks elements of less than 8 bytes. Consecutive lanes often share a word of bits_, and
  /// change it once.
  void set_together(const Footprint& touched, bool several) {
    const std::uint64_t marks = (std::uint64_t{1} << touched.bytes) - 1;
    constexpr std::uint64_t none = ~std::uint64_t{0};
    std::uint64_t word = none;
    std::uint64_t bits = 0;
    const auto add_bits = [&] {
      if (word != none) add(reinterpret_cast<std::uint64_t*>(bits_.data())[word], bits, several);
    };
    each_lane(touched.lanes, [&](std::uint32_t lane) {
      const std::uint64_t offset = touched.at[lane];
      if (offset / 64 != word) {
        add_bits();
        word = offset / 64;
        bits = 0;
      }
      bits |= marks << (offset % 64);
    });
    add_bits();
  }
  template <class Bits>
  static void add(Bits& bits, Bits marks, bool several) {
    if (!several) {
      bits = static_cast<Bits>(bits | marks);
      return;
    }
    // An atomic operation takes as long as many loads, and most bytes are written repeatedly.
    const std::atomic_ref shared(bits);
    if ((shared.load(std::memory_order_relaxed) & marks) != marks) {
      shared.fetch_or(marks, std::memory_order_relaxed);
    }
  }
  /// The number of elements of bits_, which are whole words of 64 bits.
  static std::uint64_t elements(std::uint64_t bytes) { return (bytes + 63) / 64 * 8; }
  /// Whether all bits are set in these elements of bits_.
  [[gnu::always_inline]] bool are_set(std::uint64_t from, std::uint64_t to) const {
    std::uint64_t missing = 0;
    for (std::uint64_t part = 0; from + sizeof part <= to; from += sizeof part) {
      std::memcpy(&part, bits_.data() + from, sizeof part);
      missing |= ~part;
    }
    for (; from < to; ++from) missing |= bits_[from] ^ 0xFFU;
    return missing == 0;
  }
  static std::uint8_t mask(std::uint64_t offset, std::uint32_t count) {
    return static_cast<std::uint8_t>(((1U << count) - 1U) << (offset % 8));
  }
  /// Whether the footprint's bits fill whole elements of bits_.
  static bool whole_bytes(const Footprint& touched) {
    return touched.contiguous && touched.at[0] % 8 == 0;
  }

  std::vector<std::uint8_t> bits_;
};

}  // namespace bankproof::ptx
