// The file that `run --output` writes: .npy with all values unchanged, or a picture, whose values
// lie from 0 to its greatest value. Values change only as options say. A value that does not fit is
// an error, which names the options that help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dimensions.hpp"
#include "entry.hpp"

namespace bankproof::cli {

/// The steps that turn values into those of a picture, in this order.
struct PictureOptions {
  bool absolute = false;       ///< drop the sign
  std::string divide;          ///< divide and round to nearest, halves away from zero
  bool clamp = false;          ///< replace too small or too large values by the nearest that fits
  std::string greatest_value;  ///< the picture's greatest value
};

class ResultFile {
 public:
  /// An empty path means no file. Shape and dimensions include the channels that the file will
  /// have. The greatest value is that of --maxval, else that of the picture that was read, else
  /// 255. Throws UsageError for a kind of file that cannot have the shape, and for options that the
  /// kind does not take.
  ResultFile(std::string path, const PictureOptions& options, const Shape& shape,
             Dimensions dimensions, std::optional<std::uint64_t> greatest_of_input);

  /// Throws UsageError for a value that does not fit, InputError if the file cannot be written.
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
