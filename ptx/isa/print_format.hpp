// Formats what printf prints, from the format and the bytes of its arguments.
//
// The arguments follow each other, each aligned to its size of 4 or 8 bytes. Example: "%d %.1f"
// with the bytes of 5, 4 bytes of padding and the bytes of 2.5 gives "5 2.5".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace bankproof::ptx {

struct Formatted {
  std::string text;
  std::int32_t arguments = 0;  // the number of bytes of arguments that the conversions took
};

/// Returns the text to which an argument of %s points.
using TextAt = std::function<std::string(std::uint64_t address)>;

/// Formats as C does, except that %n is copied unchanged. Missing arguments read as zeros.
Formatted formatted(std::string_view format, std::span<const std::byte> bytes,
                    const TextAt& text_at);

}  // namespace bankproof::ptx
