// See lexer.hpp.
#include "lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "../../text/typed.hpp"
#include "parser.hpp"

namespace bankproof::formulas {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/// Operators that assign are listed too, so that they are distinguished from the other operators.
constexpr std::array<std::string_view, 38> operations = {
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
    "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "+",  "-",  "*",  "/",  "%",  "~",
    "!",   "<",   ">",  "&",  "^",  "|",  "?",  ":",  ",",  "(",  ")",  "="};

bool assigns(std::string_view operation) {
  if (operation == "++" || operation == "--") return true;
  const bool compares =
      operation == "==" || operation == "!=" || operation == "<=" || operation == ">=";
  return operation.ends_with('=') && !compares;
}

/// The suffix u, or C's suffixes of 64-bit types: l, ul, lu, ll, ull, llu. Letters may be upper or
/// lower case, but lL and Ll are no suffixes.
bool is_suffix(std::string_view text) {
  constexpr std::array<std::string_view, 8> plain = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
  const bool mixed =
      text.find("lL") != std::string_view::npos || text.find("Ll") != std::string_view::npos;
  return !mixed && std::find(plain.begin(), plain.end(), in_small_letters(text)) != plain.end();
}

/// C gives a number the first type that holds it. A decimal number without u is an int or has a
/// 64-bit type. Other numbers may also be unsigned int.
constexpr std::uint64_t greatest_int = 0x7fffffff;
constexpr std::uint64_t greatest_word = 0xffffffff;
constexpr std::uint64_t greatest_long = 0x7fffffffffffffff;

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

void Lexer::advance() {
  while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
  if (next_ == text_.size()) {
    token_ = {Token::Kind::end, {}, next_};
    return;
  }
  const auto has_more = [&](std::size_t end) {
    return end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]));
  };
  std::size_t end = next_;
  if (is_digit(text_[next_])) {
    while (has_more(end) || (end < text_.size() && (text_[end] == '.' || text_[end] == '\'')))
      ++end;
    token_ = number(end - next_);
  } else if (is_letter(text_[next_])) {
    while (has_more(end)) ++end;
    token_ = {Token::Kind::name, text_.substr(next_, end - next_), next_};
  } else {
    token_ = operation();
  }
  next_ += token_.text.size();
}

Token Lexer::number(std::size_t length) const {
  const std::string_view word = text_.substr(next_, length);
  const std::string prefix = in_small_letters(word.substr(0, 2));
  const bool has_prefix = prefix == "0x" || prefix == "0b";
  const bool is_octal = !has_prefix && word.size() > 1 && word[0] == '0' && is_digit(word[1]);
  const int base = prefix == "0x" ? 16 : prefix == "0b" ? 2 : is_octal ? 8 : 10;
  const std::string_view digits = word.substr(has_prefix ? 2 : 0);
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
  if (error == std::errc::invalid_argument || !is_suffix(suffix)) {
    const std::string kind = base == 16  ? "hexadecimal "
                             : base == 8 ? "octal (it begins with 0) "
                             : base == 2 ? "binary "
                                         : "";
    throw ParseError(
        text_, next_,
        fmt::format("{} is no {}number; numbers are whole, like 31, 0x1f, 037, 0b11111 or 31u",
                    in_quotes(word, 32), kind));
  }
  const std::uint64_t greatest = long_numbers_ ? greatest_long : greatest_word;
  if (error == std::errc::result_out_of_range || value > greatest) {
    throw ParseError(text_, next_,
                     fmt::format("{} does not fit {}, which every value has", in_quotes(word, 32),
                                 long_numbers_ ? "64 bits with a sign" : "32 bits"));
  }
  if (long_numbers_) return {Token::Kind::number, word, next_, value};
  const std::string_view plain = word.substr(0, word.size() - suffix.size());
  if (in_small_letters(suffix).find('l') != std::string::npos) {
    throw ParseError(
        text_, next_,
        fmt::format("{} is a long number in C, and every value here has 32 bits: write {}u",
                    in_quotes(word, 32), plain));
  }
  if (base == 10 && suffix.empty() && value > greatest_int) {
    throw ParseError(text_, next_, fmt::format("in C this number has 64 bits: write {}u", plain));
  }
  return {Token::Kind::number, word, next_, value};
}

Token Lexer::operation() const {
  const std::string_view rest = text_.substr(next_);
  const auto found = std::find_if(operations.begin(), operations.end(),
                                  [&](std::string_view known) { return rest.starts_with(known); });
  if (found == operations.end()) {
    const std::size_t length = std::max<std::size_t>(1, printable_length(rest));
    throw ParseError(
        text_, next_,
        fmt::format("{} is no part of an expression", in_quotes(rest.substr(0, length))));
  }
  if (assigns(*found)) {
    throw ParseError(text_, next_,
                     fmt::format("'{}' assigns, but a formula can only compute a value{}", *found,
                                 *found == "="    ? "; '==' compares"
                                 : *found == "--" ? "; minus a negative is '- -'"
                                                  : ""));
  }
  return {Token::Kind::operation, *found, next_};
}

}  // namespace bankproof::formulas
