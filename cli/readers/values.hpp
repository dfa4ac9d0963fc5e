// The result of the readers: the integers, in the narrowest type that fits, and the position of
// each in the input.
//
// The position of an element in a text takes two bytes: how many lines and how many columns it is
// after the previous element. If that does not fit two bytes, which is rare, a side list keeps the
// full position. The full position of every 1024th element is kept, too, so that a lookup walks
// over few steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace bankproof::cli {

/// Integers of 32 bits, or of 64 bits if a value needs more than 32.
using Values = std::variant<std::vector<std::uint32_t>, std::vector<std::uint64_t>>;

/// Both count from 1; columns count bytes.
struct TextPosition {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
  bool operator==(const TextPosition&) const = default;
};

/// Part of a file.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const ByteRange&) const = default;
};

/// The positions of all elements of a text.
class TextPositions {
 public:
  /// Records the next element. Its position must be after that of the previous element.
  void append(TextPosition position) {
    const std::uint64_t lines = position.line - last_.line;
    const std::uint64_t columns = position.column - (lines == 0 ? last_.column : 1);
    if (size() % block == 0) blocks_.push_back(position);
    if (lines < whole && columns < whole) {
      steps_.push_back({static_cast<std::uint8_t>(lines), static_cast<std::uint8_t>(columns)});
    } else {
      far_.push_back({size(), position});
      steps_.push_back({whole, whole});
    }
    last_ = position;
  }

  /// Requires element < size().
  TextPosition operator[](std::uint64_t element) const {
    TextPosition position = blocks_[element / block];
    for (std::uint64_t i = element / block * block + 1; i <= element; ++i) {
      const Step step = steps_[i];
      if (step.lines == whole) {
        position = std::lower_bound(far_.begin(), far_.end(), i, [](const Far& far, auto wanted) {
                     return far.element < wanted;
                   })->position;
      } else {
        position.column = (step.lines == 0 ? position.column : 1) + step.columns;
        position.line += step.lines;
      }
    }
    return position;
  }

  std::uint64_t size() const { return steps_.size(); }
  void reserve(std::size_t elements) { steps_.reserve(elements); }

 private:
  static constexpr std::uint64_t block = 1024;
  static constexpr std::uint8_t whole = 0xff;  // means: the position is in `far_`

  struct Step {
    std::uint8_t lines;    // from the line of the previous element
    std::uint8_t columns;  // from the previous column, or from the line's start if lines > 0
  };
  struct Far {
    std::uint64_t element;
    TextPosition position;
  };

  std::vector<Step> steps_;
  std::vector<TextPosition> blocks_;  // of the elements 0, 1024, 2048, …
  std::vector<Far> far_;              // sorted by element
  TextPosition last_;
};

/// All that a reader knows about its input.
struct InputValues {
  Values values;
  TextPositions text_positions;     // empty unless the input is text
  std::uint64_t first_offset = 0;   // .npy and .bin: where element 0 starts …
  std::uint64_t element_bytes = 0;  // … and how many bytes each element has; 0 for text
};

}  // namespace bankproof::cli
