// Parses a large buffer at a time; see text.hpp for the grammar.
//
// A zero follows the bytes of the buffer. It belongs to no integer and is no separator, so the
// inner loops need not check for the end. When the end of the buffer cuts a token, the reader moves
// the token to the front, adds more bytes after it, and reads it again.
#include "text.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../text/typed.hpp"
#include "../support/errors.hpp"

namespace bankproof::cli {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

bool is_separator(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == ','; }
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

constexpr char escape = '\x1b';

/// Whether there is a control character or invalid UTF-8; terminal colors still count as text.
bool is_binary(std::string_view token) {
  while (!token.empty()) {
    const std::size_t length = printable_length(token);
    if (length == 0 && token[0] != escape) return true;
    token.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return false;
}

/// The problem with a token that is not a 64-bit number in plain digits.
std::string_view complaint(std::string_view token) {
  const std::string_view without_sign = token.substr(token.starts_with('-') ? 1 : 0);
  if (token.find('\0') != std::string_view::npos) {
    return "is not text; a file of little-endian 32-bit integers needs a name that ends in .bin";
  }
  if (is_binary(token)) {
    return "is not text; binary input is an .npy file, or little-endian 32-bit integers in a file "
           "whose name ends in .bin";
  }
  if (all_digits(token)) return "does not fit 64 bits";
  if (all_digits(without_sign)) return "is negative; a permutation's elements count from 0";
  if (token.starts_with('+')) return "has a sign; write it without";
  if (token.starts_with("0x") || token.starts_with("0X")) {
    return "is hexadecimal; write it in decimal";
  }
  if (token.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
      token.find_first_of("0123456789") != std::string_view::npos) {
    return "is not an integer; numpy writes integers by numpy.savetxt(FILE, p, fmt='%d')";
  }
  if (token.find(escape) == std::string_view::npos &&
      token.find_first_of("[](){}") != std::string_view::npos) {
    return "is not an integer; write the integers without brackets";
  }
  return "is not an integer";
}

class TextReader {
 public:
  TextReader(ByteInput& input, bool force_64_bit)
      : input_(input), buffer_(buffer_bytes + 1), is_wide_(force_64_bit) {}

  InputValues read() {
    begin();
    while (to_next_token()) {
      const TextPosition position = here();
      append(take_integer());
      positions_.append(position);
      comma_refused_ = false;
    }
    if (positions_.size() == 0) input_.fail("is empty: there is no integer in it");
    InputValues result;
    result.values = is_wide_ ? Values(std::move(wide_)) : Values(std::move(narrow_));
    result.text_positions = std::move(positions_);
    return result;
  }

 private:
  void begin() {
    const std::string_view first = input_.peek(3);
    if (first.starts_with("\xff\xfe") || first.starts_with("\xfe\xff")) {
      input_.fail("is UTF-16 text; save it as UTF-8 or plain ASCII");
    }
    const bool marked = first == "\xef\xbb\xbf";
    if (const auto bytes = input_.remaining()) reserve(most_text_elements(*bytes));
    refill();
    if (marked) at_ += 3;
    line_start_ = marked ? 3 : 0;
  }

  /// Reserves memory to save time. If that fails, nothing is wrong: the vectors grow as far as
  /// memory allows.
  void reserve(std::uint64_t elements) {
    try {
      is_wide_ ? wide_.reserve(elements) : narrow_.reserve(elements);
      positions_.reserve(elements);
    } catch (const std::exception&) {
    }
  }

  /// Keeps the bytes from at_ on and reads more bytes after them. Returns whether there were more
  /// bytes.
  bool refill() {
    const auto kept = static_cast<std::size_t>(end_ - at_);
    if (kept == buffer_bytes) fail({at_, kept});
    buffer_offset_ += static_cast<std::uint64_t>(at_ - buffer_.data());
    std::memmove(buffer_.data(), at_, kept);
    const std::size_t count =
        input_.read(std::as_writable_bytes(std::span(buffer_).subspan(kept, buffer_bytes - kept)));
    at_ = buffer_.data();
    end_ = at_ + kept + count;
    *end_ = '\0';
    return count > 0;
  }

  /// Skips separators. Returns false at the end of the input.
  bool to_next_token() {
    for (;;) {
      for (; is_separator(*at_); ++at_) {
        if (*at_ == '\n') {
          ++line_;
          line_start_ = offset() + 1;
        } else if (*at_ == ',') {
          if (comma_refused_) fail(",", "has no integer before it");
          comma_refused_ = true;
        }
      }
      if (at_ != end_) return true;
      if (!refill()) return false;
    }
  }

  std::uint64_t take_integer() {
    constexpr std::ptrdiff_t safe_digits = std::numeric_limits<std::uint64_t>::digits10;
    for (;;) {
      std::uint64_t value = 0;
      const char* stop = at_;
      for (; is_digit(*stop); ++stop) value = 10 * value + static_cast<std::uint64_t>(*stop - '0');
      if (stop == end_ && refill()) continue;
      if (stop == end_ || is_separator(*stop)) {
        if (stop - at_ <= safe_digits) {
          at_ += stop - at_;
          return value;
        }
      }
      return take_unusual_integer();
    }
  }

  /// Takes a token that has many digits, or that is not a number.
  std::uint64_t take_unusual_integer() {
    std::size_t length = 0;
    do {
      while (at_ + length != end_ && !is_separator(at_[length])) ++length;
    } while (at_ + length == end_ && refill());
    const std::string_view token(at_, length);
    const DecimalNumber number = parse_decimal(token);
    if (!number.value) fail(token);
    at_ += length;
    return *number.value;
  }

  void append(std::uint64_t value) {
    if (!is_wide_ && value > std::numeric_limits<std::uint32_t>::max()) {
      wide_.assign(narrow_.begin(), narrow_.end());
      narrow_ = {};
      is_wide_ = true;
    }
    if (is_wide_) {
      wide_.push_back(value);
    } else {
      narrow_.push_back(static_cast<std::uint32_t>(value));
    }
  }

  std::uint64_t offset() const {
    return buffer_offset_ + static_cast<std::uint64_t>(at_ - buffer_.data());
  }

  TextPosition here() const { return {line_, offset() - line_start_ + 1}; }

  [[noreturn]] void fail(std::string_view token) const { fail(token, complaint(token)); }

  [[noreturn]] void fail(std::string_view token, std::string_view why) const {
    throw InputError(input_.name() + ":" + std::to_string(line_) + ":" +
                     std::to_string(here().column) + ": " + in_quotes(token) + " " +
                     std::string(why));
  }

  ByteInput& input_;
  std::vector<char> buffer_;
  char* at_ = buffer_.data();
  char* end_ = buffer_.data();
  std::uint64_t buffer_offset_ = 0;  // the buffer's first byte, as an offset in the input
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;  // an offset in the input
  bool comma_refused_ = true;     // no integer yet since the start or the last comma
  bool is_wide_;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
  TextPositions positions_;
};

}  // namespace

InputValues read_text(ByteInput& input, bool force_64_bit) {
  return TextReader(input, force_64_bit).read();
}

std::uint64_t most_text_elements(std::uint64_t bytes) {
  std::uint64_t elements = 0;
  std::uint64_t numbers = 10;  // how many numbers have `digits` digits
  std::uint64_t left = bytes + 1;
  for (std::uint64_t digits = 1;; ++digits) {
    if (left / (digits + 1) <= numbers) return elements + left / (digits + 1);
    left -= numbers * (digits + 1);
    elements += numbers;
    numbers = digits == 1 ? 90 : 10 * numbers;
  }
}

}  // namespace bankproof::cli
