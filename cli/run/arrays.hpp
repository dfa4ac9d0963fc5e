// The inputs of `run`, from files, from numbers on the command line, or random; and the sizes that
// follow from them.
//
// Example: a picture with 96 rows and 128 columns, together with values:1,2,1/2,4,2/1,2,1, are the
// inputs of image-convolution with rows=96, columns=128, v=1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dimensions.hpp"
#include "entry.hpp"

namespace bankproof::cli {

struct GivenArray {
  std::string argument;  ///< the value of --input
  bool typed = false;    ///< the values stand in the argument: values:…
  Dimensions dimensions;
  std::uint64_t rows = 1;
  std::uint64_t columns = 0;
  std::uint64_t channels = 1;
  bool has_channels = false;                    ///< else `columns` counts all channels of a row
  std::optional<std::uint64_t> greatest_value;  ///< the greatest value of a picture
  Integers values;
};

/// The arrays that --input names, one for each shape; empty if they are to be random. Throws
/// UsageError and InputError.
std::vector<GivenArray> read_arrays(const std::vector<std::string>& inputs,
                                    const std::vector<Shape>& shapes);

/// Takes from the arrays the sizes that `settings` (the values of --size) leave open. It can set an
/// open size if a side of an array depends on this size and on no other open size. Throws
/// InputError for a mask that has no radius.
void set_open_sizes(Task& task, const AlgorithmEntry& algorithm,
                    const std::vector<GivenArray>& arrays,
                    const std::vector<std::string>& settings);

/// The inputs of each pass. There are three passes if the arrays have three channels and the
/// algorithm takes one, otherwise one pass. Throws UsageError and InputError for arrays with other
/// shapes.
std::vector<Inputs<std::uint64_t>> passes_of(const std::vector<GivenArray>& arrays,
                                             const std::vector<std::string>& inputs,
                                             const AlgorithmEntry& algorithm, const Task& task);

}  // namespace bankproof::cli
