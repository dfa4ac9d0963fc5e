// Functions for text that people type on a command line: they quote it in messages, guess which
// known name was meant, and parse decimal numbers.
//
// Example: nearest("shufle", {"shuffle", "transpose"}) is "shuffle"; in_quotes("a\n") is "'a\x0a'".
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace bankproof {

/// The length of the UTF-8 sequence of a printable character at the start of a non-empty text. It
/// is 0 for control characters and for invalid UTF-8.
inline std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool control = first == 0xc2 && second < 0xa0;
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return control || overlong || no_character ? 0 : length;
}

/// Valid UTF-8 on one line: bytes that are not printable become \x0a and the like. An ellipsis
/// replaces the text beyond its first `longest` bytes.
inline std::string escaped(std::string_view text, std::size_t longest = std::string_view::npos) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t printable = printable_length(text.substr(at));
    const std::size_t length = std::max<std::size_t>(printable, 1);
    if (at + length > longest) return result + "…";
    if (printable > 0) {
      result += text.substr(at, length);
    } else {
      const auto byte = static_cast<unsigned char>(text[at]);
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
    at += length;
  }
  return result;
}

/// The escaped text between single quotes. (It is not named `quoted`: lookup would find
/// std::quoted.)
inline std::string in_quotes(std::string_view text, std::size_t longest = 64) {
  return "'" + escaped(text, longest) + "'";
}

/// Changes ASCII letters only.
inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

/// The least number of edits that turn one word into the other. An edit inserts, deletes or
/// replaces a character, or swaps two neighbours.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

/// The known name that a misspelt word most probably meant; case does not matter. Nothing if all
/// names are too far off.
inline std::optional<std::string_view> nearest(std::string_view word,
                                               std::span<const std::string_view> known) {
  constexpr std::size_t longest_word =
      64;  // edit_distance takes quadratic time, and the word is untrusted input
  if (word.empty() || word.size() > longest_word) return std::nullopt;
  std::optional<std::string_view> best;
  const std::string meant = in_small_letters(word);
  // At a distance of at most this, at least one letter is right.
  const std::size_t farthest = std::min(std::max<std::size_t>(2, word.size() / 3), word.size() - 1);
  std::size_t least = farthest + 1;
  for (const std::string_view name : known) {
    const std::string small = in_small_letters(name);
    std::size_t distance = edit_distance(meant, small);
    // Two common slips: the user typed only the beginning of a name or, less often, more than the
    // name.
    if (meant.size() >= 3 && small.starts_with(meant))
      distance = std::min<std::size_t>(distance, 1);
    if (meant.size() >= 3 && meant.starts_with(small)) distance = std::min(distance, farthest);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/// The result of parse_decimal(): a value if the text is a decimal number of at most 64 bits and
/// nothing else. `out_of_range` marks a larger number.
struct DecimalNumber {
  std::optional<std::uint64_t> value;
  bool out_of_range = false;
};

inline DecimalNumber parse_decimal(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) return {std::nullopt, true};
  return {value};
}

}  // namespace bankproof
