// Makes text from outside safe to show in messages, reports and names.
//
// Example: a file name with a right-to-left override would read backwards on a terminal; shown()
// replaces that character by \xe2\x80\xae.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "../../text/typed.hpp"

namespace bankproof::cli {

/// Whether valid UTF-8 text starts with a character that escaped() keeps although it is unsafe.
/// Marks and controls of the writing direction and line separators change how the text around them
/// reads; XML does not allow U+FFFE and U+FFFF.
inline bool starts_deceptively(std::string_view text) {
  using Range = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Range, 5> ranges = {Range{"\xd8\x9c", "\xd8\x9c"},           // U+061C
                                           Range{"\xe2\x80\x8e", "\xe2\x80\x8f"},   // U+200E–F
                                           Range{"\xe2\x80\xa8", "\xe2\x80\xae"},   // U+2028–E
                                           Range{"\xe2\x81\xa6", "\xe2\x81\xa9"},   // U+2066–9
                                           Range{"\xef\xbf\xbe", "\xef\xbf\xbf"}};  // U+FFFE–F
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    const std::string_view start = text.substr(0, range.first.size());
    return range.first <= start && start <= range.second;
  });
}

/// Like escaped(), but also escapes, byte by byte, the characters that starts_deceptively() finds.
/// A second call changes nothing.
inline std::string shown(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::string line = escaped(text);
  std::string result;
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t length = printable_length(rest);
    if (starts_deceptively(rest)) {
      for (const char c : rest.substr(0, length)) {
        const auto byte = static_cast<unsigned char>(c);
        result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      }
    } else {
      result += rest.substr(0, length);
    }
    rest.remove_prefix(length);
  }
  return result;
}

/// shown() of each line of a text; in the result, every line ends with a newline.
inline std::string shown_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += shown(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace bankproof::cli
