// Is a vector of n integers a permutation of 0 … n−1? If not, which defect comes first?
//
// There is one bit for each value. The good case sets n bits and counts them, without a test for
// each element. Only if the count falls short, a second pass looks for the first element whose bit
// was already set. Far bits are prefetched, because for large n each of them is a cache miss.
//
// Example: {2, 0, 0} has its first defect at index 2: value 0 repeats the value of index 1, and 1
// is missing. Cost: O(n) time, n bits.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace bankproof {

/// The reason why a vector is not a permutation: its first element, by index, that is negative, too
/// large, or a repetition of an earlier element.
struct Defect {
  enum class Kind { negative, too_large, repeated };

  Kind kind;
  std::uint64_t index;                        // of the offending element
  std::uint64_t value;                        // the value; its absolute value if negative
  std::uint64_t size;                         // n; values have to be below it
  std::uint64_t first_index = 0;              // repeated: where the value was seen before
  std::optional<std::uint64_t> missing = {};  // least value of 0 … n−1 that does not occur at all
  bool one_based = false;                     // the values are 1 … n: each one too large by 1

  bool operator==(const Defect&) const = default;
};

namespace detail {

/// A bit for each of n values.
class ValueBits {
 public:
  explicit ValueBits(std::uint64_t n) : words_(static_cast<std::size_t>(n / 64 + 1)) {}

  void set(std::uint64_t value) { words_[value / 64] |= std::uint64_t{1} << value % 64; }
  bool has(std::uint64_t value) const { return (words_[value / 64] >> value % 64 & 1) != 0; }

  void prefetch([[maybe_unused]] std::uint64_t value) const {
#if defined(__GNUC__)
    __builtin_prefetch(words_.data() + value / 64, 1);
#endif
  }

  std::uint64_t count() const {
    std::uint64_t total = 0;
    for (const std::uint64_t word : words_)
      total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
  }

  /// The least value that is not set. Requires that not all n are set.
  std::uint64_t least_absent() const {
    std::uint64_t word = 0;
    while (words_[word] == ~std::uint64_t{0}) ++word;
    return word * 64 + static_cast<std::uint64_t>(std::countr_one(words_[word]));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Beyond this many values, the bits outgrow a second-level cache and are fetched before their use.
inline constexpr std::size_t prefetch_from = std::size_t{1} << 23;
inline constexpr std::size_t prefetch_distance = 24;

/// The first pass: sets the bits of all values. Returns false if an element is no value below n. A
/// negative value becomes a huge number, so that one comparison guards the bits. The comparison is
/// made for a block at a time, which the compiler turns into a few vector instructions.
template <std::integral Index>
bool set_all(std::span<const Index> values, ValueBits& seen) {
  using Unsigned = std::make_unsigned_t<Index>;
  constexpr std::size_t block = 4096;
  const std::size_t n = values.size();
  const auto value = [&](std::size_t i) { return static_cast<Unsigned>(values[i]); };
  const auto all_below_n = [&](std::size_t begin, std::size_t end) {
    Unsigned largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, value(i));
    return largest < n;
  };
  if (n > 0 && !all_below_n(0, std::min(n, block))) return false;
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t end = std::min(n, begin + block);
    const std::size_t next_end = std::min(n, end + block);
    if (!all_below_n(end, next_end)) return false;
    if (n >= prefetch_from && next_end - end >= prefetch_distance) {
      for (std::size_t i = begin; i < end; ++i) {
        seen.prefetch(value(i + prefetch_distance));
        seen.set(value(i));
      }
    } else {
      for (std::size_t i = begin; i < end; ++i) seen.set(value(i));
    }
  }
  return true;
}

/// The second pass: finds the first wrong element. Requires that there is one.
template <std::integral Index>
Defect first_defect(std::span<const Index> values) {
  using Unsigned = std::make_unsigned_t<Index>;
  const std::uint64_t n = values.size();
  ValueBits seen(n);
  std::optional<Defect> defect;
  bool shifted = true;  // all values lie in 1 … n
  for (std::uint64_t i = 0; i < n; ++i) {
    const Index value = values[i];
    const std::uint64_t magnitude =
        value < 0 ? static_cast<Unsigned>(Unsigned(0) - static_cast<Unsigned>(value))
                  : static_cast<Unsigned>(value);
    shifted = shifted && value > 0 && magnitude <= n;
    if (value >= 0 && magnitude < n) {
      if (!defect && seen.has(magnitude)) {
        const auto first = std::find(values.begin(), values.end(), value);
        defect = Defect{.kind = Defect::Kind::repeated,
                        .index = i,
                        .value = magnitude,
                        .size = n,
                        .first_index = static_cast<std::uint64_t>(first - values.begin())};
      }
      seen.set(magnitude);
    } else if (!defect) {
      const auto kind = value < 0 ? Defect::Kind::negative : Defect::Kind::too_large;
      defect = Defect{.kind = kind, .index = i, .value = magnitude, .size = n};
    }
  }
  defect->missing = seen.least_absent();
  // n−1 of the values 1 … n are below n, so n distinct elements set exactly n−1 bits.
  defect->one_based = shifted && seen.count() == n - 1 &&
                      std::count(values.begin(), values.end(), static_cast<Index>(n)) == 1;
  return *defect;
}

}  // namespace detail

/// The first defect; nothing for a permutation. The empty vector is a permutation.
template <std::integral Index>
std::optional<Defect> validate_permutation(std::span<const Index> values) {
  detail::ValueBits seen(values.size());
  if (detail::set_all(values, seen) && seen.count() == values.size()) return std::nullopt;
  return detail::first_defect(values);
}

}  // namespace bankproof
