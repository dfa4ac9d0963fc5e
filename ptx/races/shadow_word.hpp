// The two shadow words that belong to a word of 4 bytes. Each has 64 bits; one records the writes
// of the word, the other its reads.
//
// A record is what a shadow word holds. It stands for a set of accesses: it has the warp and the
// epoch of the last access, the form of the set (which other threads are in it), and the bytes of
// the word that the set touched. If no record can hold a set exactly, the record stands for a
// larger set. So records may suspect a race that is none, but never miss a race (judge.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "clock.hpp"

namespace bankproof::ptx {

/// The threads that a record stands for, where `lane` is the record's lane.
enum class Form : std::uint8_t {
  one,      // the thread
  bytes,    // for byte k of the word, thread lane + k
  halves,   // for half k of the word, thread lane + k
  lanes,    // any threads of the warp, at its epoch or before
  warps,    // any threads of the block, before the block's next full barrier
  blocks,   // any threads of the launch
  watched,  // no thread: lists hold the accesses exactly (watch.hpp)
};

/// An access may be weak or strong (PTX ISA, "Memory Consistency Model"). A strong record can hide
/// an earlier weak access. Bound says for which threads the hidden access is ordered before their
/// strong accesses.
enum class Bound : std::uint8_t { launch, block, warp };

class ShadowWord {
 public:
  constexpr ShadowWord() = default;
  constexpr explicit ShadowWord(std::uint64_t bits) : bits_(bits) {}

  /// A weak access by one thread.
  static constexpr ShadowWord of(WarpNumber warp, Epoch epoch, std::uint32_t lane,
                                 std::uint32_t bytes) {
    return ShadowWord(std::uint64_t{warp} << warp_shift | std::uint64_t{epoch} << epoch_shift |
                      std::uint64_t{lane} << lane_shift | std::uint64_t{bytes} << bytes_shift);
  }
  /// The record of a watched word. It stays, in every launch, until it is removed.
  static constexpr ShadowWord watched() {
    return ShadowWord(std::uint64_t{most_warps} << warp_shift).with(Form::watched);
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr WarpNumber warp() const { return static_cast<WarpNumber>(bits_ >> warp_shift); }
  constexpr Epoch epoch() const { return static_cast<Epoch>(bits_ >> epoch_shift) & latest_epoch; }
  constexpr std::uint32_t lane() const {
    return static_cast<std::uint32_t>(bits_ >> lane_shift) & 31U;
  }
  constexpr Form form() const { return static_cast<Form>(bits_ >> form_shift & 7U); }
  constexpr std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(bits_ >> bytes_shift) & 15U;
  }
  constexpr bool strong() const { return (bits_ & 15U) != 0; }
  constexpr Bound bound() const {
    return strong() ? static_cast<Bound>(((bits_ & 15U) - 1U) / sizes) : Bound::launch;
  }
  /// For strong accesses, the size of each element: 0 for 4 bytes, 1 for 8, 2 for 16, 3 for 1 and 4
  /// for 2.
  constexpr std::uint32_t wide() const {
    return strong() ? (static_cast<std::uint32_t>(bits_ & 15U) - 1U) % sizes : 0;
  }
  static constexpr std::uint32_t wide_of(std::uint32_t element_bytes) {
    switch (element_bytes) {
      case 1:
        return 3;
      case 2:
        return 4;
      case 4:
        return 0;
      case 8:
        return 1;
      default:
        return 2;
    }
  }
  /// Whether a word has several elements of the size `wide`.
  static constexpr bool is_small(std::uint32_t wide) { return wide >= 3; }

  constexpr ShadowWord with(Form form) const {
    return ShadowWord((bits_ & ~(std::uint64_t{7} << form_shift)) | static_cast<std::uint64_t>(form)
                                                                        << form_shift);
  }
  constexpr ShadowWord with_bytes(std::uint32_t bytes) const {
    return ShadowWord((bits_ & ~(std::uint64_t{15} << bytes_shift)) | std::uint64_t{bytes}
                                                                          << bytes_shift);
  }
  constexpr ShadowWord with_lane(std::uint32_t lane) const {
    return ShadowWord((bits_ & ~(std::uint64_t{31} << lane_shift)) | std::uint64_t{lane}
                                                                         << lane_shift);
  }
  constexpr ShadowWord made_strong(Bound bound, std::uint32_t wide) const {
    return ShadowWord((bits_ & ~std::uint64_t{15}) |
                      (1U + sizes * static_cast<std::uint64_t>(bound) + wide));
  }
  constexpr ShadowWord made_weak() const { return ShadowWord(bits_ & ~std::uint64_t{15}); }

  /// The least bits of a record of `warp`. A record with smaller bits is of a warp with a smaller
  /// number.
  static constexpr std::uint64_t first_of(WarpNumber warp) {
    return std::uint64_t{warp} << warp_shift;
  }

  static constexpr int warp_shift = 38;
  static constexpr int epoch_shift = 16;
  static constexpr int lane_shift = 11;

 private:
  static constexpr int form_shift = 8;
  static constexpr int bytes_shift = 4;
  static constexpr std::uint32_t sizes = 5;  // values of wide(); 1 + 3 * 5 fit into 4 bits

  std::uint64_t bits_ = 0;  // 26 warp, 22 epoch, 5 lane, 3 form, 4 bytes, 4 strength
};

/// The two shadow words of one word.
struct ShadowWords {
  ShadowWord& write;
  ShadowWord& read;
};

}  // namespace bankproof::ptx
