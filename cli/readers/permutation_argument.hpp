// PERMUTATION on the command line: a name (`transpose:32x32`), a file (.npy, .bin or text), or `-`
// for text on standard input. The values have been checked: they are a permutation of 0 … size()−1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "values.hpp"

namespace bankproof::cli {

/// The origin of the elements, for reports that point into the input.
struct Source {
  enum class Kind { name, text, npy, binary };

  Kind kind = Kind::name;
  std::string path;                 // empty for names, "-" for standard input
  TextPositions text_positions;     // only of kind text
  std::uint64_t first_offset = 0;   // kinds npy and binary: where element 0 starts …
  std::uint64_t element_bytes = 0;  // … and how many bytes each element has

  /// Line and column of an element, both from 1; empty unless the source is text.
  std::optional<TextPosition> position(std::uint64_t element) const;

  /// The bytes of an element; empty unless the source is .npy or .bin.
  std::optional<ByteRange> bytes(std::uint64_t element) const;
};

struct PermutationArgument {
  std::string name;  // as shown in reports: the full specification, the path, or "-"
  Values values;     // 32-bit whenever size() ≤ 2³² (unless 64 bits were forced)
  Source source;

  std::size_t size() const;
};

struct PermutationOptions {
  bool force_64_bit = false;  // lets tests take the wide path with small inputs
  int standard_input = 0;     // the file descriptor that `-` reads
  // Called with the number of elements of a named permutation before they are computed; it may
  // throw to prevent the computation.
  std::function<void(std::uint64_t)> before_made = {};
};

/// Throws UsageError for a bad specification, InputError for input that cannot be read or is not a
/// permutation.
PermutationArgument load_permutation(std::string_view text, const PermutationOptions& options = {});

}  // namespace bankproof::cli
