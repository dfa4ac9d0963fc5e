// What printf makes of a format and its arguments.
//
// The arguments lie one behind the other, each aligned to its size: 4 bytes, and 8 of what is
// longer. Example: "%d %.1f" with the bytes of 5, 4 of no account, and those of 2.5 is "5 2.5".
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
  std::int32_t arguments = 0;  // taken
};

/// The text to which an argument of %s points.
using TextAt = std::function<std::string(std::uint64_t address)>;

/// Conversions as in C but %n, which stands as it is; missing arguments are zeros.
Formatted formatted(std::string_view format, std::span<const std::byte> bytes,
                    const TextAt& text_at);

}  // namespace bankproof::ptx
