// The common part of the fuzz targets. A target gives a reader the same bytes several times: all at
// once, in small pieces, and in small pieces whose total size is unknown, as from a pipe. All
// results must be equal. The target runs the program's check for a permutation on the accepted
// values; a second, plain check must give the same answer. libFuzzer bounds the memory
// (-rss_limit_mb, -malloc_limit_mb).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../algorithms/permutation/validate.hpp"
#include "../readers/bytes.hpp"
#include "../readers/values.hpp"
#include "../support/errors.hpp"

namespace bankproof::cli {

/// libFuzzer reports abort() as a finding.
inline void require(bool condition) {
  if (!condition) std::abort();
}

struct Answer {
  std::optional<InputValues> read;
  std::string error;

  std::vector<std::uint64_t> values() const {
    return std::visit([](const auto& v) { return std::vector<std::uint64_t>(v.begin(), v.end()); },
                      read->values);
  }
};

template <class Reader>
Answer ask(const Reader& reader, MemoryInput&& input, bool force_64_bit) {
  Answer answer;
  try {
    answer.read = reader(input, force_64_bit);
  } catch (const InputError& error) {
    answer.error = error.what();
    require(answer.error.find('\n') == std::string::npos);
  }
  return answer;
}

/// The plain check: the values of a permutation of n elements, once sorted, are 0 … n−1.
inline bool is_permutation(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    if (values[i] != i) return false;
  }
  return true;
}

/// Gives the reader the bytes at once, then in pieces: with known and with unknown total size, and
/// for values of 32 and of 64 bits. Returns the accepted values.
template <class Reader>
std::optional<InputValues> fuzz(const Reader& reader, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Answer answer = ask(reader, MemoryInput(bytes), false);
  const std::size_t piece = size % 7 + 1;
  for (const bool wide : {false, true}) {
    for (const bool size_known : {false, true}) {
      const Answer other = ask(reader, MemoryInput(bytes, "input", size_known, piece), wide);
      // If the input has several faults, a reader that does not know the size may report a
      // different fault.
      if (size_known) require(other.error == answer.error);
      require(other.read.has_value() == answer.read.has_value());
      if (other.read) require(other.values() == answer.values());
    }
  }
  if (!answer.read) return std::nullopt;
  const std::vector<std::uint64_t> values = answer.values();
  require(!values.empty());
  const bool valid = std::visit([](const auto& v) { return !validate_permutation(std::span(v)); },
                                answer.read->values);
  require(valid == is_permutation(values));
  return std::move(answer.read);
}

}  // namespace bankproof::cli
