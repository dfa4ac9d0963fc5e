// How many elements, sectors and lines the lanes of an access to global memory touch: the sorted
// lanes tell it.
//
// Eight columns of four words each are sorted, then merged in pairs: a bitonic sort (K. E. Batcher,
// "Sorting networks and their applications", 1968), whose steps are the same for any words, so that
// vectors can do them.
#pragma once

#include <cstdint>

#include "../races/sector_record.hpp"
#include "costs.hpp"

namespace bankproof::ptx {

namespace detail {

/// Word k of column c is element c of vector k.
class SortedWords {
 public:
  using Eight [[gnu::vector_size(32)]] = std::uint32_t;

  /// The words in which the accesses of the lanes begin, which are below 2^32.
  [[gnu::always_inline]] explicit SortedWords(const LaneAddresses& at) {
    load(at, 0, a_);
    load(at, 8, b_);
    load(at, 16, c_);
    load(at, 24, d_);
    order(a_, b_);
    order(c_, d_);
    order(a_, c_);
    order(b_, d_);
    order(b_, c_);
    merge<1>();
    finish_columns();
    merge<3>();
    halve<1>();
    finish_columns();
    merge<7>();
    halve<2>();
    halve<1>();
    finish_columns();
  }

  /// The bits in which each word differs from the one before; all bits for the first word.
  [[gnu::always_inline]] void differences(Eight& a, Eight& b, Eight& c, Eight& d) const {
    a = __builtin_shufflevector(d_, d_, 7, 0, 1, 2, 3, 4, 5, 6) ^ a_;
    a[0] = ~std::uint32_t{0};
    b = a_ ^ b_;
    c = b_ ^ c_;
    d = c_ ^ d_;
  }

 private:
  [[gnu::always_inline]] static void load(const LaneAddresses& at, std::size_t from, Eight& words) {
    for (std::size_t k = 0; k < 8; ++k) {
      words[k] = static_cast<std::uint32_t>(at[from + k] / word_bytes);
    }
  }
  [[gnu::always_inline]] static void order(Eight& low, Eight& high) {
    const Eight least = low < high ? low : high;
    high = low < high ? high : low;
    low = least;
  }
  /// `words` in columns c ^ distance.
  template <int distance>
  [[gnu::always_inline]] static void exchange(Eight& words) {
    if constexpr (distance == 1) {
      words = __builtin_shufflevector(words, words, 1, 0, 3, 2, 5, 4, 7, 6);
    } else if constexpr (distance == 2) {
      words = __builtin_shufflevector(words, words, 2, 3, 0, 1, 6, 7, 4, 5);
    } else if constexpr (distance == 3) {
      words = __builtin_shufflevector(words, words, 3, 2, 1, 0, 7, 6, 5, 4);
    } else {
      words = __builtin_shufflevector(words, words, 7, 6, 5, 4, 3, 2, 1, 0);
    }
  }
  /// The lesser of the two words in the first of each pair of columns, the greater in the second.
  template <int distance>
  [[gnu::always_inline]] static void compare(const Eight& words, const Eight& other, Eight& to) {
    Eight others = other;
    exchange<distance>(others);
    const Eight less = words < others ? words : others;
    const Eight more = words < others ? others : words;
    if constexpr (distance == 1) {
      to = __builtin_shufflevector(less, more, 0, 9, 2, 11, 4, 13, 6, 15);
    } else if constexpr (distance < 4) {
      to = __builtin_shufflevector(less, more, 0, 1, 10, 11, 4, 5, 14, 15);
    } else {
      to = __builtin_shufflevector(less, more, 0, 1, 2, 3, 12, 13, 14, 15);
    }
  }
  /// Compares the sorted columns with others, which are read backwards.
  template <int distance>
  [[gnu::always_inline]] void merge() {
    const SortedWords before = *this;
    compare<distance>(before.a_, before.d_, a_);
    compare<distance>(before.b_, before.c_, b_);
    compare<distance>(before.c_, before.b_, c_);
    compare<distance>(before.d_, before.a_, d_);
  }
  template <int distance>
  [[gnu::always_inline]] void halve() {
    compare<distance>(a_, a_, a_);
    compare<distance>(b_, b_, b_);
    compare<distance>(c_, c_, c_);
    compare<distance>(d_, d_, d_);
  }
  [[gnu::always_inline]] void finish_columns() {
    order(a_, c_);
    order(b_, d_);
    order(a_, b_);
    order(c_, d_);
  }

  Eight a_;
  Eight b_;
  Eight c_;
  Eight d_;
};

}  // namespace detail

/// The largest memory of which touched_parts() knows the parts: the numbers of words have 32 bits.
inline constexpr std::uint64_t most_bytes_in_parts = std::uint64_t{word_bytes} << 32;

/// Each lane accesses a word or several from its offset on, which are aligned. Lanes that take no
/// part have the offset of a lane that does.
[[gnu::always_inline]] inline TouchedParts touched_parts(const LaneAddresses& at) {
  using Eight = detail::SortedWords::Eight;
  Eight a;
  Eight b;
  Eight c;
  Eight d;
  detail::SortedWords(at).differences(a, b, c, d);
  // Each column counts the words that are in the part of the word before, in 8 bits for each size
  // of a part. A comparison that holds is -1.
  const auto same = [&](std::uint32_t words, Eight & count) __attribute__((always_inline)) {
    count = Eight{} - ((a < words) + (b < words) + (c < words) + (d < words));
  };
  Eight elements;
  Eight sectors;
  Eight lines;
  same(1, elements);
  same(words_of_sector, sectors);
  same(words_of_sector * SectorLine::sectors, lines);
  const Eight counts = elements | sectors << 8 | lines << 16;
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < 8; ++k) sum += counts[k];
  return {warp_lanes - (sum & 0xFF), warp_lanes - (sum >> 8 & 0xFF), warp_lanes - (sum >> 16)};
}

}  // namespace bankproof::ptx
