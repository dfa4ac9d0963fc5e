// See result_file.hpp.
#include "result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "../plan/npy_writer.hpp"
#include "../readers/picture.hpp"
#include "../support/errors.hpp"
#include "../support/numbers.hpp"
#include "../support/output.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

/// The magnitude of a two's complement number.
std::uint64_t magnitude_of(std::uint64_t value) {
  return static_cast<std::int64_t>(value) < 0 ? 0 - value : value;
}

/// The part after the last dot of the file's name.
std::string_view ending_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? "" : name.substr(dot + 1);
}

}  // namespace

ResultFile::ResultFile(std::string path, const PictureOptions& options, const Shape& shape,
                       Dimensions dimensions, std::optional<std::uint64_t> greatest_of_input)
    : path_(std::move(path)),
      shape_(shape),
      dimensions_(std::move(dimensions)),
      absolute_(options.absolute),
      clamp_(options.clamp) {
  const std::string_view ending = ending_of(path_);
  if (ending == "pgm") kind_ = Kind::pgm;
  if (ending == "ppm") kind_ = Kind::ppm;
  if (kind_ == Kind::npy && !path_.empty() && path_ != "-" && ending != "npy") {
    throw UsageError("--output " + in_quotes(path_) +
                     ": results are written as .npy, .pgm or .ppm");
  }
  const std::uint64_t channels = kind_ == Kind::ppm ? 3 : 1;
  if (kind_ != Kind::npy && shape.channels != channels) {
    throw UsageError(
        fmt::format("--output {}: {} has {}; write {}", in_quotes(path_), shape.name,
                    counted(shape.channels, "channel"),
                    shape.channels == 1 ? ".pgm" : (shape.channels == 3 ? ".ppm" : ".npy")));
  }
  const bool any =
      absolute_ || clamp_ || !options.divide.empty() || !options.greatest_value.empty();
  if (kind_ == Kind::npy && any) {
    throw UsageError(
        "--absolute, --divide, --clamp and --maxval are for pictures: --output FILE.pgm or "
        "FILE.ppm");
  }
  divisor_ = positive_number("--divide", options.divide).value_or(1);
  greatest_ =
      positive_number("--maxval", options.greatest_value).value_or(greatest_of_input.value_or(255));
  if (greatest_ > greatest_maximum) {
    throw UsageError(fmt::format("--maxval {}: expected a number from 1 to {}",
                                 in_quotes(options.greatest_value), greatest_maximum));
  }
}

/// `negative` and `magnitude` are the sign and the magnitude of the value that the element would
/// have in the file.
void ResultFile::refuse(const Integers& values, std::size_t element, bool negative,
                        std::uint64_t magnitude) const {
  const std::string found =
      fmt::format("--output {}: {}[{}] would be {}{}, ", in_quotes(path_), shape_.name,
                  place_text(dimensions_, element), negative ? "-" : "", magnitude);
  if (negative) {
    throw UsageError(found +
                     "and pictures have no negative values: use --absolute to drop signs, --clamp "
                     "to make them 0, or .npy to keep all values");
  }
  std::uint64_t most = 0;
  for (const std::uint64_t other : values) most = std::max(most, magnitude_of(other));
  const std::uint64_t mends = most / greatest_ + (most % greatest_ == 0 ? 0 : 1);
  const std::string wider =
      most / divisor_ < greatest_maximum && greatest_ < greatest_maximum
          ? fmt::format("--maxval {} to have room for all, ", greatest_maximum)
          : "";
  throw UsageError(
      fmt::format("{}more than {}: use --divide {} to make all values fit, --clamp to make it {}, "
                  "{}or .npy to keep all values",
                  found, greatest_, mends, greatest_, wider));
}

std::uint64_t ResultFile::in_range(const Integers& values, std::size_t element) const {
  const std::uint64_t value = values[element];
  const bool negative = static_cast<std::int64_t>(value) < 0 && !absolute_;
  const std::uint64_t whole = magnitude_of(value) / divisor_;
  const std::uint64_t rest = magnitude_of(value) % divisor_;
  const std::uint64_t rounded = whole + (rest != 0 && rest >= divisor_ - rest ? 1 : 0);
  if (negative && rounded > 0) {
    if (clamp_) return 0;
    refuse(values, element, true, rounded);
  }
  if (rounded <= greatest_) return rounded;
  if (clamp_) return greatest_;
  refuse(values, element, false, rounded);
}

void ResultFile::write(const Integers& values) const {
  if (path_.empty()) return;
  if (kind_ == Kind::npy) {
    write_output(path_, as_npy_of_64_bits(values, dimensions_));
    return;
  }
  Picture picture{shape_.rows, shape_.columns, shape_.channels, greatest_, {}};
  picture.values.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    picture.values.push_back(static_cast<std::uint16_t>(in_range(values, k)));
  }
  write_output(path_, as_netpbm(picture));
}

}  // namespace bankproof::cli
