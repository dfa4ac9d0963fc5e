// Text from outside, made safe for HTML and SVG.
#pragma once

#include <string>
#include <string_view>

#include "../../text/typed.hpp"

namespace bankproof::ptx {

/// Also safe within quotes. Unprintable characters become escapes such as \x0a.
inline std::string html(std::string_view text) {
  std::string result;
  for (const char c : escaped(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace bankproof::ptx
