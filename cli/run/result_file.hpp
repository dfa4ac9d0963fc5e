// The file that `run --output` writes: .npy with all values as they are, or a picture, whose values
// lie between 0 and its greatest. No value is changed unless an option says how: what does not fit
// is an error that names the options that help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dimensions.hpp"
#include "entry.hpp"

namespace bankproof::cli {

/// How values become those of a picture, in this order.
struct PictureOptions {
  bool absolute = false;       ///< without their sign
  std::string divide;          ///< divided, to the nearest, halves away from zero
  bool clamp = false;          ///< those that are too small or too large to the nearest that fits
  std::string greatest_value;  ///< of the picture
};

class ResultFile {
 public:
  /// An empty path is for no file. Shape and dimensions have the channels that the file will have.
  /// The greatest value is that of --maxval, or else of the picture that was read, or else 255.
  /// Throws UsageError for a kind of file that cannot have the shape, and for options that the kind
  /// does not take.
  ResultFile(std::string path, const PictureOptions& options, const Shape& shape,
             Dimensions dimensions, std::optional<std::uint64_t> greatest_of_input);

  /// Throws UsageError for a value that does not fit, InputError where it cannot be written.
  void write(const Integers& values) const;

 private:
  enum class Kind { npy, pgm, ppm };

  std::uint64_t in_range(const Integers& values, std::size_t element) const;
  [[noreturn]] void refuse(const Integers& values, std::size_t element, bool negative,
                           std::uint64_t magnitude) const;

  std::string path_;
  Kind kind_ = Kind::npy;
  Shape shape_;
  Dimensions dimensions_;
  bool absolute_;
  bool clamp_;
  std::uint64_t divisor_ = 1;
  std::uint64_t greatest_;
};

}  // namespace bankproof::cli
