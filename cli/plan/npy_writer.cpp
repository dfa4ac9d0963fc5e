// See npy_writer.hpp.
#include "npy_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bankproof::cli {
namespace {

/// The size in bytes (2, 4 or 8) of the narrowest signed type that holds −1 and all values.
template <class Index>
unsigned narrowest(const std::vector<Index>& values) {
  std::uint64_t most = 0;
  for (const Index value : values) {
    if (value != idle<Index>) most = std::max<std::uint64_t>(most, value);
  }
  if (most <= std::numeric_limits<std::int16_t>::max()) return 2;
  return most <= std::numeric_limits<std::int32_t>::max() ? 4 : 8;
}

template <class Index>
void append(std::string& bytes, const std::vector<Index>& values, unsigned size) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + values.size() * size);
  char* to = bytes.data() + begin;
  for (const Index value : values) {
    const std::uint64_t bits = value == idle<Index> ? ~std::uint64_t{0} : std::uint64_t{value};
    for (unsigned k = 0; k < size; ++k) *to++ = static_cast<char>(bits >> (8 * k));
  }
}

std::string signed_header(unsigned size, const std::vector<std::uint64_t>& dimensions) {
  return npy_header(fmt::format("<i{}", size), dimensions);
}

}  // namespace

std::string npy_header(std::string_view descr, const std::vector<std::uint64_t>& dimensions) {
  const std::string shape =
      fmt::format("({}{})", fmt::join(dimensions, ", "), dimensions.size() == 1 ? "," : "");
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  constexpr std::size_t before = 10;  // magic, version, length
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {'\1', '\0'};
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

std::string as_npy(const LaneValues& values, std::uint64_t rows, std::uint64_t lanes) {
  return std::visit(
      [&](const auto& numbers) {
        const unsigned size = narrowest(numbers);
        const bool flat = rows == 1;
        std::string bytes =
            flat ? signed_header(size, {lanes}) : signed_header(size, {rows, lanes});
        append(bytes, numbers, size);
        return bytes;
      },
      values);
}

std::string as_npy_of_64_bits(const std::vector<std::uint64_t>& values,
                              const std::vector<std::uint64_t>& dimensions) {
  std::string bytes = signed_header(8, dimensions);
  append(bytes, values, 8);
  return bytes;
}

}  // namespace bankproof::cli
