// Escapes text for XML; the charts are SVG files.
#pragma once

#include <string>
#include <string_view>

namespace bankproof {

/// Escapes markup. A control character, which XML cannot hold, becomes a question mark.
inline std::string escaped_for_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return result;
}

}  // namespace bankproof
