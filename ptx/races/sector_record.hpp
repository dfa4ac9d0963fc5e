// The records of a sector of 32 bytes: one of its writes and one of its reads.
//
// Most kernels touch memory in rows: consecutive lanes of one warp access consecutive elements.
// Then the records of the eight words of a sector differ only in their lanes, and these follow a
// pattern. A sector record stands for such records of words. It is exact: it stands for the same
// records that the words would have one by one. If an access would leave a sector with records that
// no sector record stands for, such as those of two warps, the sector gets the records of its words
// instead, until the launch ends (judge_sector.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shadow_word.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t sector_bytes = 32;
inline constexpr std::uint32_t words_of_sector = 8;

/// The words of a sector, word k by bit k.
using WordMask = std::uint32_t;
inline constexpr WordMask all_words = 0xFF;

/// The lanes that a sector record stands for, where `lane` is the lane of the record. Lanes are
/// counted modulo 32.
enum class SectorForm : std::uint8_t {
  words,   // word k: lane + k          consecutive lanes access elements of 4 bytes
  pairs,   // word k: lane + k / 2      of 8 bytes
  quads,   // word k: lane + k / 4      of 16 bytes
  one,     // word k: lane              of 32 bytes, or in several accesses
  halves,  // half h of word k: lane + 2 k + h
  bytes,   // byte b of word k: lane + 4 k + b
  many,    // each word has the form `lane` of Form: lanes, warps or blocks
  split,   // the records of the words hold the accesses
};

class SectorRecord {
  static constexpr int form_shift = 8;

 public:
  static constexpr std::uint64_t form_bits = std::uint64_t{7} << form_shift;
  static constexpr std::uint64_t lane_bits = std::uint64_t{31} << ShadowWord::lane_shift;

  constexpr SectorRecord() = default;
  constexpr explicit SectorRecord(std::uint64_t bits) : bits_(bits) {}

  /// Weak accesses of one warp at one epoch. `lane` may be any number; it counts modulo 32.
  static constexpr SectorRecord of(WarpNumber warp, Epoch epoch, SectorForm form,
                                   std::uint32_t lane, WordMask words) {
    return SectorRecord(ShadowWord::of(warp, epoch, lane % warp_lanes, 0).bits())
        .with(form)
        .with_words(words);
  }
  /// The record of a sector whose words have the records, of which the last is of this epoch. It is
  /// quiet as soon as a record of this warp is, and a barrier settles it as it settles the records
  /// of the words. No barrier settles latest_epoch.
  static constexpr SectorRecord split(WarpNumber warp, Epoch last) {
    return of(warp, last, SectorForm::split, 0, all_words);
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr WarpNumber warp() const { return ShadowWord(bits_).warp(); }
  constexpr Epoch epoch() const { return ShadowWord(bits_).epoch(); }
  constexpr std::uint32_t lane() const { return ShadowWord(bits_).lane(); }
  constexpr SectorForm form() const { return static_cast<SectorForm>(bits_ >> form_shift & 7U); }
  constexpr WordMask words() const { return static_cast<WordMask>(bits_) & all_words; }
  /// Any threads of the launch have accessed the words.
  constexpr bool is_of_blocks() const {
    return ((bits_ ^ SectorRecord().with_many(Form::blocks).bits_) & (lane_bits | form_bits)) == 0;
  }
  constexpr bool is_split() const { return form() == SectorForm::split; }

  constexpr SectorRecord with(SectorForm form) const {
    return SectorRecord((bits_ & ~form_bits) | static_cast<std::uint64_t>(form) << form_shift);
  }
  constexpr SectorRecord with_words(WordMask words) const {
    return SectorRecord((bits_ & ~std::uint64_t{all_words}) | words);
  }
  /// The same record with a lane that is larger by `lanes`. The sum is a lane.
  constexpr SectorRecord with_lanes_added(std::uint32_t lanes) const {
    return SectorRecord(bits_ + (std::uint64_t{lanes} << ShadowWord::lane_shift));
  }
  /// The same warp and epoch, but each word has this form.
  constexpr SectorRecord with_many(Form form) const {
    const auto lane = static_cast<std::uint32_t>(form);
    return SectorRecord(ShadowWord(bits_).with_lane(lane).bits()).with(SectorForm::many);
  }

  /// Whether both have the same warp, epoch, form and lane. Then one record stands for the words of
  /// both.
  constexpr bool agrees(SectorRecord other) const {
    return ((bits_ ^ other.bits_) & ~std::uint64_t{all_words}) == 0;
  }

  /// The form that a word's record has.
  constexpr Form word_form() const {
    switch (form()) {
      case SectorForm::halves:
        return Form::halves;
      case SectorForm::bytes:
        return Form::bytes;
      case SectorForm::many:
        return static_cast<Form>(lane());
      default:
        return Form::one;
    }
  }
  /// The lane that the record of word `word` has; without meaning for SectorForm::many.
  constexpr std::uint32_t lane_of(std::uint32_t word) const {
    return (lane() + (word << left(form()) >> right(form()))) % warp_lanes;
  }
  /// The record of word `word`, which is one of words().
  constexpr ShadowWord word(std::uint32_t word) const {
    return ShadowWord::of(warp(), epoch(), lane_of(word), 15).with(word_form());
  }

  /// The lane of word 0, if lane `lane` accesses word `word`.
  static constexpr std::uint32_t first_lane(SectorForm form, std::uint32_t lane,
                                            std::uint32_t word) {
    return (lane - (word << left(form) >> right(form))) % warp_lanes;
  }
  // Word k is accessed by lane + (k << left >> right).
  static constexpr std::uint32_t left(SectorForm form) {
    return form == SectorForm::bytes ? 2 : form == SectorForm::halves ? 1 : 0;
  }
  static constexpr std::uint32_t right(SectorForm form) {
    switch (form) {
      case SectorForm::pairs:
        return 1;
      case SectorForm::quads:
        return 2;
      case SectorForm::one:
      case SectorForm::many:
        return 3;
      default:
        return 0;
    }
  }

 private:
  std::uint64_t bits_ = 0;  // 26 warp, 22 epoch, 5 lane, 3 form, 8 words
};

/// The records of the four sectors of a line of 128 bytes: one cache line of the host.
struct alignas(64) SectorLine {
  static constexpr std::size_t sectors = 4;
  static constexpr std::uint64_t bytes = sectors * sector_bytes;
  using Records = std::array<SectorRecord, sectors>;
  /// The bits of four records, for operations on all of them at once. Compilers do not find these
  /// by themselves.
  using Four [[gnu::vector_size(sizeof(Records))]] = std::uint64_t;
  static void set(Records& records, const Four& bits) {
    std::memcpy(static_cast<void*>(records.data()), &bits, sizeof bits);
  }

  Records writes{};
  Records reads{};
};

/// The sectors that a row touches, and the records of that access: all lanes of a warp access
/// consecutive elements of `bytes` bytes from offset `begin` on. `begin` is a multiple of a word
/// and of `bytes`, a power of two up to 32.
class SectorRow {
 public:
  [[gnu::always_inline]] SectorRow(std::uint64_t begin, std::uint32_t bytes, WarpNumber warp,
                                   Epoch epoch)
      : begin_(begin),
        end_(begin + std::uint64_t{warp_lanes} * bytes),
        sectors_((end_ + sector_bytes - 1) / sector_bytes - begin / sector_bytes),
        shift_(std::countr_zero(bytes)),
        of_lane_0_(SectorRecord::of(warp, epoch, form(), 0, all_words)) {}

  std::uint64_t begin() const { return begin_; }
  std::size_t first_sector() const { return begin_ / sector_bytes; }
  std::size_t sectors() const { return sectors_; }
  /// The bytes of the row in its k-th sector: [from, to).
  std::uint64_t from(std::size_t k) const { return std::max(begin_, of_sector(k)); }
  std::uint64_t to(std::size_t k) const { return std::min(end_, of_sector(k) + sector_bytes); }
  /// The record of the access to the k-th sector.
  [[gnu::always_inline]] SectorRecord record(std::size_t k) const {
    WordMask words = all_words;
    if (k == 0) words &= all_words << begin_ % sector_bytes / word_size;
    if (k + 1 == sectors_) words &= all_words >> (sectors_end() - end_) / word_size;
    // Lane l begins at begin + l * bytes. The lane of word 0 may be negative, and counts modulo 32.
    const auto lane = static_cast<std::uint32_t>((of_sector(k) - begin_) >> shift_);
    return of_lane_0_.with_lanes_added(lane % warp_lanes).with_words(words);
  }
  /// Whether the row is made of whole lines.
  bool fills_lines() const {
    return begin_ % SectorLine::bytes == 0 && end_ % SectorLine::bytes == 0;
  }
  std::size_t first_line() const { return begin_ / SectorLine::bytes; }
  std::size_t lines() const { return (end_ - begin_) / SectorLine::bytes; }
  /// The records of the access to the k-th line of a row that fills lines.
  [[gnu::always_inline]] void line(std::size_t k, SectorLine::Four& records) const {
    const std::uint64_t lanes = sector_bytes >> shift_;  // per sector
    constexpr SectorLine::Four numbers{0, 1, 2, 3};
    const SectorLine::Four added = (numbers + SectorLine::sectors * k) * lanes;
    records = of_lane_0_.bits() + (added << ShadowWord::lane_shift);
  }

 private:
  static constexpr std::uint32_t word_size = sector_bytes / words_of_sector;
  std::uint64_t of_sector(std::size_t k) const { return (first_sector() + k) * sector_bytes; }
  std::uint64_t sectors_end() const { return of_sector(sectors_); }
  SectorForm form() const {
    constexpr std::array<SectorForm, 6> forms{SectorForm::bytes, SectorForm::halves,
                                              SectorForm::words, SectorForm::pairs,
                                              SectorForm::quads, SectorForm::one};
    return forms[static_cast<std::size_t>(shift_)];
  }

  std::uint64_t begin_;
  std::uint64_t end_;
  std::size_t sectors_;
  int shift_;
  SectorRecord of_lane_0_;  // if the row began with the sector
};

/// The records of the words of a sector. They have a meaning only if the sector is split, or
/// watched (sector_shadow.hpp).
struct SplitSector {
  struct Word {
    ShadowWord write;
    ShadowWord read;
  };
  std::array<Word, words_of_sector> words{};
};

/// The two records of a sector.
struct SectorRecords {
  SectorRecord& write;
  SectorRecord& read;
};

}  // namespace bankproof::ptx
