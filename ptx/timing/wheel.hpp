// A timing wheel (Varghese and Lauck 1987): warps that wait, by the time until which they wait. To
// add a warp, or to take one out, takes constant time, in whatever order the times come.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../model/pipeline.hpp"

namespace bankproof::ptx {

/// All times in the wheel lie within `slots` time units.
class Wheel {
 public:
  using Number = std::uint32_t;

  /// Requires that `slots` is a power of two, and at least 64. Warps have numbers below `warps`.
  Wheel(std::size_t slots, std::size_t warps) : slots_(slots), warps_(warps) {}

  /// The least time in the wheel; `never` if it is empty.
  Time earliest() const { return earliest_; }

  /// Requires a warp that is not in the wheel.
  void add(Time time, Number warp) {
    if (filled_.empty()) [[unlikely]]
      make();
    const std::size_t slot = slot_of(time);
    std::uint64_t& filled = filled_[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    next_[warp] = (filled & bit) != 0 ? first_[slot] : none;
    first_[slot] = warp;
    filled |= bit;
    earliest_ = std::min(earliest_, time);
  }

  /// Takes out the warps that wait until `now` or less, and calls take_one(warp) for each.
  template <class F>
  void take(Time now, const F& take_one) {
    while (earliest_ <= now && earliest_ != never) {
      const std::size_t slot = slot_of(earliest_);
      for (Number warp = first_[slot]; warp != none; warp = next_[warp]) take_one(warp);
      filled_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
      earliest_ = next_after(earliest_);
    }
  }

 private:
  static constexpr Number none = ~Number{0};

  // Most launches are small and need no wheel, or only a few of its slots.
  void make() {
    first_ = std::make_unique_for_overwrite<Number[]>(slots_);
    next_ = std::make_unique_for_overwrite<Number[]>(warps_);
    filled_.resize(slots_ / 64);
  }

  std::size_t slot_of(Time time) const { return time & (slots_ - 1); }

  /// The least time in the wheel, where all times are later than `time`.
  Time next_after(Time time) const {
    const std::size_t slot = slot_of(time + 1);
    const std::uint64_t ahead = filled_[slot / 64] >> slot % 64;
    if (ahead != 0) return time + 1 + static_cast<Time>(std::countr_zero(ahead));
    for (std::size_t words = 1; words <= filled_.size(); ++words) {
      const std::uint64_t word = filled_[(slot / 64 + words) & (filled_.size() - 1)];
      if (word != 0) {
        return time + 1 - slot % 64 + 64 * words + static_cast<Time>(std::countr_zero(word));
      }
    }
    return never;
  }

  std::size_t slots_;
  std::size_t warps_;
  std::unique_ptr<Number[]> first_;    // of each slot that is filled
  std::unique_ptr<Number[]> next_;     // after each warp in its slot
  std::vector<std::uint64_t> filled_;  // a bit for each slot
  Time earliest_ = never;
};

}  // namespace bankproof::ptx
